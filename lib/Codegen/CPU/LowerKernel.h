//===- LowerKernel.h - A kernel's functions -------------------------------===//
#ifndef TESSERA_LIB_CODEGEN_CPU_LOWERKERNEL_H
#define TESSERA_LIB_CODEGEN_CPU_LOWERKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Codegen/CPU/Target.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::cpu {

/// One stage of a kernel as the runtime launches it.
struct Launch {
  std::string symbol;
  int64_t extent, grain;
};

/// A kernel's functions and what they are called with: the operands, the
/// results that overwrite no operand, and the temporaries.
struct LoweredKernel {
  std::vector<Launch> launches;
  /// Bytes of each temporary.
  llvm::SmallVector<int64_t> temporaries;
  /// Thread-local scratch memory that the code needs.
  int64_t scratchBytes = 0;
  /// Tensor operations in the body.
  unsigned operations = 0;
};

/// Emits the functions of `kernel` into `module`, named `name` and a number for
/// every stage. `aliases[j]` is the operand whose memory result j overwrites,
/// or -1. The kernel must not be used by another thread meanwhile; its body is
/// simplified.
llvm::FailureOr<LoweredKernel>
lowerKernel(spmd::KernelOp kernel, llvm::ArrayRef<int64_t> aliases,
            mlir::ModuleOp module, llvm::StringRef name, const Target &target);

/// Defines the scratch memory that kernels of `module` refer to.
void defineScratch(mlir::ModuleOp module, int64_t bytes);

/// Text that two kernels share exactly if one's code can serve for the other:
/// their bodies without locations, and `aliases`.
std::string kernelKey(spmd::KernelOp kernel, llvm::ArrayRef<int64_t> aliases);

} // namespace tessera::cpu

#endif // TESSERA_LIB_CODEGEN_CPU_LOWERKERNEL_H
