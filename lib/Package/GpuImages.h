//===- GpuImages.h - The code for GPUs in a program's file ----------------===//
#ifndef TESSERA_PACKAGE_GPUIMAGES_H
#define TESSERA_PACKAGE_GPUIMAGES_H

#include "tessera/Codegen/NVPTX/PtxEmitter.h"

namespace tessera {

/// A module with `tessera_gpu_images` and `tessera_gpu_image_count`, as
/// runtime.h says. `module` gives the context and the location.
mlir::ModuleOp makeImageModule(mlir::ModuleOp module,
                               llvm::ArrayRef<nvptx::GpuImage> images);

} // namespace tessera

#endif // TESSERA_PACKAGE_GPUIMAGES_H
