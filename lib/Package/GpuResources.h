//===- GpuResources.h - What kernels need of a GPU ------------------------===//
#ifndef TESSERA_PACKAGE_GPURESOURCES_H
#define TESSERA_PACKAGE_GPURESOURCES_H

#include "tessera/Codegen/NVPTX/PtxEmitter.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// What the kernels of a program need, from their launches and from ptxas.
class GpuResources {
public:
  GpuResources(mlir::ModuleOp program, llvm::ArrayRef<nvptx::GpuImage> images);

  /// Adds to `entry` of the manifest, for kernel `name`: `variants`, a list of
  /// `{"arch", "steps": [{"name", "blocks", "threads", "shared", "registers",
  /// "spilled"}]}` (the last two if known), or `{"library", "batches", "m",
  /// "n", "k"}` for a step that is a library's, and the largest `shared`,
  /// `registers` and `spilled` of all. Nothing for a kernel of the CPU.
  void describe(llvm::StringRef name, llvm::json::Object &entry) const;

private:
  llvm::json::Object describe(rt::GridStepAttr step,
                              const nvptx::GpuImage &image) const;
  static llvm::json::Object describe(rt::LibraryStepAttr step);

  llvm::ArrayRef<nvptx::GpuImage> images;
  llvm::StringMap<rt::GridKernelOp> kernels;
};

} // namespace tessera

#endif // TESSERA_PACKAGE_GPURESOURCES_H
