//===- Reducer.h - Small counter-examples from large ones -----------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_REDUCER_H
#define TESSERA_TOOLS_TESSERA_FUZZ_REDUCER_H

#include "Trial.h"

namespace tessera::fuzz {

/// A smaller program that fails like `program`, which `verdict` is about: tries
/// one simplification after another (drop a result, an operation, an
/// annotation, an axis) and keeps those under which it still fails, until none
/// is left. The verdict becomes that of the smaller program.
std::string reduce(std::string program, Verdict &verdict, uint64_t seed,
                   const TrialOptions &options);

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_REDUCER_H
