//===- LowerKernel.h - A kernel's functions -------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_LOWERKERNEL_H
#define TESSERA_CODEGEN_CPU_LOWERKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Codegen/Host/KernelTarget.h"
#include "tessera/Codegen/Host/Target.h"
#include "tessera/Codegen/Kernels/NestLowering.h"

namespace tessera::cpu {

/// What an element of a sum may cost at most (`estimateCost`) where several
/// parts of the sum, or several rows, are added up at a time: of cheaper ones
/// an addition would wait for the one before.
inline constexpr int64_t maxCheapCost = 8;

/// One loop nest of a kernel as the runtime launches it.
struct Launch {
  std::string symbol;
  int64_t extent, grain;
};

/// A kernel's functions.
struct CpuKernel : codegen::LoweredKernel {
  std::vector<Launch> launches;
  unsigned numLaunches() const override {
    return launches.size() + (routine ? 1 : 0);
  }
  /// Thread-local scratch memory that the code needs.
  int64_t scratchBytes = 0;
  /// The routine that it calls instead of having code, if it does.
  LibraryCallOp routine;
};

/// Emits the functions of `kernel` into `module`, named `name` and a number for
/// every loop nest, as `KernelTarget::lower` says.
std::unique_ptr<CpuKernel> lowerKernel(spmd::KernelOp kernel,
                                       llvm::ArrayRef<int64_t> aliases,
                                       mlir::ModuleOp module,
                                       llvm::StringRef name,
                                       const codegen::Target &target);

/// Defines the scratch memory that kernels of `module` refer to.
void defineScratch(mlir::ModuleOp module, int64_t bytes);

/// Lets reductions of `kernel` read what has been transposed to bring the
/// dimensions that they reduce to the end, if vectors can go along the last
/// dimension where it lies: such a reduction is one of columns for every index
/// in front.
void untransposeReductions(spmd::KernelOp kernel);

/// Computes the elements of all `outputs` at `indices` and then stores them,
/// for results may overwrite operands. False if one cannot be computed.
bool storeOutputs(codegen::NestLowering &lowering, codegen::ElementEmitter &e,
                  llvm::ArrayRef<codegen::NestOutput> outputs,
                  const codegen::LaneIndices &indices);

/// Emit the code of a loop nest of each kind: iterations [begin, end).
llvm::FailureOr<codegen::NestRange> lowerRows(codegen::NestLowering &);
llvm::FailureOr<codegen::NestRange> lowerColumns(codegen::NestLowering &);
llvm::FailureOr<codegen::NestRange> lowerMatmul(codegen::NestLowering &);

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_LOWERKERNEL_H
