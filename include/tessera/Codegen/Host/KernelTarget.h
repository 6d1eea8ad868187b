//===- KernelTarget.h - What kernels are compiled for ---------------------===//
#ifndef TESSERA_CODEGEN_HOST_KERNELTARGET_H
#define TESSERA_CODEGEN_HOST_KERNELTARGET_H

#include "tessera/Codegen/Host/ProgramFunctions.h"

namespace tessera::codegen {

/// What the host program must know about a kernel's code.
struct LoweredKernel {
  virtual ~LoweredKernel() = default;
  /// What the runtime is asked for to execute it once.
  virtual unsigned numLaunches() const { return 1; }
  /// Bytes of each temporary.
  llvm::SmallVector<int64_t> temporaries;
  /// Tensor operations in the body.
  unsigned operations = 0;
};

/// A kernel of the program: the code that serves for it.
struct KernelUse {
  const LoweredKernel *code;
  /// The nested module of the code, and its name there.
  std::string module, symbol;
  /// What traces show: "dot_general.3".
  std::string name;
  /// For each result the operand that it overwrites, or -1.
  llvm::SmallVector<int64_t> aliases;
};

using KernelUses = llvm::DenseMap<mlir::Operation *, KernelUse>;

/// How kernels become code and launches. One object serves for one program.
class KernelTarget {
public:
  virtual ~KernelTarget() = default;

  /// Emits the code of `kernel` into `module`, under names that begin with
  /// `symbol`. `aliases[j]` is the operand whose memory result j overwrites, or
  /// -1. The kernel's body may be simplified. Called for different modules at
  /// the same time, never for one kernel twice. Null after a diagnostic.
  virtual std::unique_ptr<LoweredKernel> lower(spmd::KernelOp kernel,
                                               llvm::ArrayRef<int64_t> aliases,
                                               mlir::ModuleOp module,
                                               llvm::StringRef symbol) = 0;

  /// Completes a module that holds the code of `kernels`.
  virtual void finish(mlir::ModuleOp module,
                      llvm::ArrayRef<const LoweredKernel *> kernels) {}

  /// Emits the operations of `rt` that run a kernel. `buffers` are its
  /// operands, the results that overwrite no operand, and the temporaries.
  virtual void launch(mlir::OpBuilder &builder, mlir::Location loc,
                      const KernelUse &use, mlir::Value context,
                      mlir::ValueRange buffers) = 0;
};

/// The call of a library's routine that is all of `kernel`; null if it computes
/// by itself.
LibraryCallOp findRoutineCall(spmd::KernelOp kernel);

/// Emits the operations of `rt` that make `call`, the kernel of `use`, on
/// `buffers`: no result overwrites an operand, and one that starts from an
/// operand gets what that holds, and stands in its place.
void emitRoutineCall(mlir::OpBuilder &builder, mlir::Location loc,
                     LibraryCallOp call, const KernelUse &use,
                     mlir::Value context, mlir::ValueRange buffers);

/// Text that two kernels share exactly if one's code can serve for the other:
/// their bodies without locations, and `aliases`.
std::string kernelKey(spmd::KernelOp kernel, llvm::ArrayRef<int64_t> aliases);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_KERNELTARGET_H
