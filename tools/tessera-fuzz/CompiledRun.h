//===- CompiledRun.h - What the compiled program computes -----------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_COMPILEDRUN_H
#define TESSERA_TOOLS_TESSERA_FUZZ_COMPILEDRUN_H

#include "tessera/Interpreter/Boundary.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tessera::fuzz {

/// Which compiled programs are executed, and on what.
struct Execution {
  /// Of so many in a hundred programs.
  int64_t percent = 0;
  /// The GPU that is emulated (80, 90); 0 for this machine's processor.
  int gpu = 0;
};

/// What a program is compiled for.
struct ExecutionTarget {
  int gpu = 0;
  /// As `CompileOptions::cpu`.
  std::string cpu;
  /// Not on a GPU: messages are late at random, by this seed.
  std::optional<uint64_t> delaySeed;
};

/// Generates code for a scheduled program on this machine's processor or a GPU,
/// and runs it on the back end `local`, with guards and, if the target says so,
/// with random delays, or `emulated`, with one rank per device. `phase` says
/// how far it came (`codegen`, `package`, `run`). Fails after a diagnostic, or
/// with the runtime's message as a diagnostic. Changes the module.
mlir::FailureOr<std::vector<HostTensor>>
runCompiled(mlir::ModuleOp module, const Boundary &boundary,
            const std::vector<HostTensor> &inputs,
            const ExecutionTarget &target, std::string &phase);

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_COMPILEDRUN_H
