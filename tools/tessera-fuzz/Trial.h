//===- Trial.h - Does every phase keep a program's meaning? ---------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_TRIAL_H
#define TESSERA_TOOLS_TESSERA_FUZZ_TRIAL_H

#include "CompiledRun.h"
#include "ForkPool.h"

#include "tessera/Support/TensorComparison.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace tessera::fuzz {

/// What became of a program.
struct Verdict {
  enum Kind {
    Agrees,      ///< After every phase it computes the same.
    Unsupported, ///< A phase says that it cannot do this yet.
    Rejected,    ///< A phase ends with another error, or leaves invalid IR.
    Differs,     ///< After a phase it computes something else, or cannot run.
    Crashed,     ///< A phase (or the interpreter) dies.
    Hung,        ///< A phase (or the interpreter) does not come to an end.
    Invalid,     ///< The program itself cannot be interpreted.
  };
  Kind kind = Agrees;
  /// The phase that failed.
  std::string phase;
  /// Diagnostics, or the values that differ.
  std::string message;
  /// How many collectives a device ran after the last phase.
  int64_t collectives = 0;
  /// How many values it copied to the host.
  int64_t offloads = 0;

  bool isFailure() const { return kind != Agrees && kind != Unsupported; }
  /// Whether both are failures of one sort: what a reduction must preserve.
  bool isLike(const Verdict &other) const {
    return kind == other.kind && phase == other.phase;
  }
  /// `differs after partition: ...`.
  std::string describe() const;
};

/// How programs are tried.
struct TrialOptions {
  Execution execution;
  /// Inputs are small integers, on which results agree to the last bit; where
  /// some error is tolerated, real numbers.
  Tolerance tolerance = {0, 0};
  /// Of one program.
  double seconds = 20;

  bool isExact() const {
    return tolerance.relative == 0 && tolerance.absolute == 0;
  }
};

/// Interprets `module` and what every phase makes of it on the same inputs and,
/// on request, runs the compiled program. Changes the module.
Verdict tryPhases(mlir::ModuleOp module, uint64_t seed,
                  const TrialOptions &options);

/// The same for the text of a program, in a process of its own.
Verdict tryInChild(const std::string &program, uint64_t seed,
                   const TrialOptions &options);

/// A verdict and the program it is about, as text that crosses processes.
std::string serialize(const Verdict &verdict, const std::string &program);
/// Reads that text; how the process ended is a verdict, too.
Verdict deserialize(const ChildOutcome &outcome, std::string &program);

/// The text of a module.
std::string printModule(mlir::ModuleOp module);

/// The dialects and passes of the compiler.
const mlir::DialectRegistry &compilerDialects();

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_TRIAL_H
