//===- CheckPhases.h - does a phase keep the model's meaning? -------------===//
#ifndef TESSERA_DRIVER_CHECKPHASES_H
#define TESSERA_DRIVER_CHECKPHASES_H

#include "tessera/Driver/Compiler.h"
#include "tessera/Support/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tessera {

/// Runs the program after each phase in the reference interpreter, on the same
/// random inputs, and compares the results with those of the first program it
/// is shown: the import's, or the program that the user gave where a later
/// phase begins.
class PhaseChecker {
public:
  /// Reports are printed on `os`.
  PhaseChecker(uint64_t seed, llvm::raw_ostream &os) : seed(seed), os(os) {}

  /// Interprets `module` as it is after `phase`. Reports the result that
  /// differs most and its error, or what kept the program from being
  /// interpreted.
  ExitStatus check(mlir::ModuleOp module, const PhaseInfo &phase);

private:
  uint64_t seed;
  llvm::raw_ostream &os;
  llvm::StringRef firstPhase;
  std::vector<HostTensor> inputs, expected;
};

} // namespace tessera

#endif // TESSERA_DRIVER_CHECKPHASES_H
