//===- LowerStage.h - The ways to lower a stage for a GPU -----------------===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_LOWERSTAGE_H
#define TESSERA_LIB_CODEGEN_NVPTX_LOWERSTAGE_H

#include "GridFunction.h"

namespace tessera::nvptx {

/// A way to lower stages: appends steps to the variant and returns true, or
/// leaves everything as it was and returns false where it does not apply. Fails
/// with a diagnostic.
using StageRule = llvm::FailureOr<bool> (*)(const GpuStage &);

/// Appends the steps that compute `stage`, by the first rule (the table in
/// LowerStage.cpp) that applies.
llvm::LogicalResult lowerStage(const GpuStage &stage);

/// Copies `bytes` from temporary `temporary` to result `result`.
void lowerCopy(KernelVariant &variant, unsigned temporary, unsigned result);

// The rules, one per file.

/// Any stage: one thread per row, column, element of a product, or iteration.
llvm::FailureOr<bool> lowerByThreads(const GpuStage &stage);
/// A matrix product: tiles in shared memory, on tensor cores if they can.
llvm::FailureOr<bool> lowerMatmul(const GpuStage &stage);
/// A scatter: one thread per element of an update's window.
llvm::FailureOr<bool> lowerScatter(const GpuStage &stage);
/// A dynamic_update_slice: one thread per element.
llvm::FailureOr<bool> lowerUpdate(const GpuStage &stage);

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_LOWERSTAGE_H
