//===- GpuOptions.h - What code for GPUs is generated with ------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_CORE_GPUOPTIONS_H
#define TESSERA_CODEGEN_NVPTX_CORE_GPUOPTIONS_H

#include "llvm/ADT/SmallVector.h"

namespace tessera::nvptx {

class TuningRecords;

/// What the user decides about the code of kernels.
struct GpuOptions {
  /// The numbers of the targets to generate code for.
  llvm::SmallVector<int> architectures;
  /// Whether products of f32 may be computed in tf32.
  bool tf32 = false;
  /// Measured choices of tiles; never null.
  const TuningRecords *tuning;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_CORE_GPUOPTIONS_H
