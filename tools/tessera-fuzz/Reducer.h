//===- Reducer.h - Small counter-examples from large ones -----------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_REDUCER_H
#define TESSERA_TOOLS_TESSERA_FUZZ_REDUCER_H

#include "Trial.h"

namespace tessera::fuzz {

/// A smaller program that is as interesting as `program`, which has a function
/// `@main`: tries one simplification after another (drop a result, an
/// operation, an annotation, an axis), each in at most `seconds`, and keeps
/// those under which it still is, until none is left.
std::string reduce(std::string program, double seconds,
                   llvm::function_ref<bool(const std::string &)> isInteresting);

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_REDUCER_H
