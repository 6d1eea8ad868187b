//===- CheckPhases.h - does a phase keep the model's meaning? -------------===//
#ifndef TESSERA_DRIVER_CHECKPHASES_H
#define TESSERA_DRIVER_CHECKPHASES_H

#include "tessera/Driver/Compiler.h"
#include "tessera/Interpreter/Boundary.h"
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
  ///
  /// A phase that changes the mathematics, as the user has asked for
  /// (`tessera.mathematics`), may differ by more, and says so. What it makes is
  /// what later phases are compared with, as exactly as ever; state that it
  /// adds to a step is zero.
  ExitStatus check(mlir::ModuleOp module, const PhaseInfo &phase);

private:
  ExitStatus compare(const Boundary &boundary, std::vector<HostTensor> results,
                     const PhaseInfo &phase, bool isChanged);

  uint64_t seed;
  llvm::raw_ostream &os;
  llvm::StringRef firstPhase;
  /// How many sentences said so far what has changed.
  size_t changes = 0;
  std::vector<HostTensor> inputs, expected;
};

} // namespace tessera

#endif // TESSERA_DRIVER_CHECKPHASES_H
