//===- LowerKernel.h - A kernel's code for all architectures --------------===//
#ifndef TESSERA_CODEGEN_NVPTX_LOWERKERNEL_H
#define TESSERA_CODEGEN_NVPTX_LOWERKERNEL_H

#include "Core/GpuOptions.h"
#include "tessera/Codegen/Host/KernelTarget.h"

namespace tessera::nvptx {

struct GpuKernel : codegen::LoweredKernel {
  /// Whether there is nothing to run, on any architecture.
  bool isEmpty = true;
  /// The routine that it calls instead of having code, if it does.
  LibraryCallOp routine;
};

/// Emits the code of `kernel` for all architectures of `options` into nested
/// modules of `module`, and `rt.grid_kernel @name`, as `KernelTarget::lower`
/// says.
std::unique_ptr<GpuKernel> lowerKernel(spmd::KernelOp kernel,
                                       llvm::ArrayRef<int64_t> aliases,
                                       mlir::ModuleOp module,
                                       llvm::StringRef name,
                                       const GpuOptions &options);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_LOWERKERNEL_H
