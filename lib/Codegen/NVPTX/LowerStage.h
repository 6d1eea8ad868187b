//===- LowerStage.h - The ways to lower a stage for a GPU -----------------===//
#ifndef TESSERA_CODEGEN_NVPTX_LOWERSTAGE_H
#define TESSERA_CODEGEN_NVPTX_LOWERSTAGE_H

#include "GridFunction.h"

namespace tessera::nvptx {

/// A way to lower stages: appends steps to the variant and returns true, or
/// leaves everything as it was and returns false where it does not apply. Fails
/// with a diagnostic.
using StageRule = llvm::FailureOr<bool> (*)(const GpuStage &);

/// Appends the steps that compute `stage`, by the first rule (the table in
/// LowerStage.cpp) that applies.
llvm::LogicalResult lowerStage(const GpuStage &stage);

/// How many stages, from `number` on, can share a grid: element-wise ones that
/// neither read nor overwrite what others of them write.
unsigned countSideBySide(const KernelVariant &variant, unsigned number);
/// Appends one step that computes such stages, each by blocks of its own.
llvm::LogicalResult lowerSideBySide(llvm::ArrayRef<GpuStage> stages);

/// Copies `bytes` from temporary `temporary` to result `result`.
void lowerCopy(KernelVariant &variant, unsigned temporary, unsigned result);

// The rules, one per file.

/// Any stage: one thread per row, column, element of a product, or iteration.
llvm::FailureOr<bool> lowerByThreads(const GpuStage &stage);
/// Attention and its gradient.
llvm::FailureOr<bool> lowerAttention(const GpuStage &stage);
/// A matrix product, plain or with a bias, for which a tuning record asks for
/// cuBLASLt.
llvm::FailureOr<bool> lowerLibraryMatmul(const GpuStage &stage);
/// A matrix product: tiles in shared memory, on tensor cores if they can.
llvm::FailureOr<bool> lowerMatmul(const GpuStage &stage);
/// An element-wise stage: one vector of elements per thread.
llvm::FailureOr<bool> lowerElementwise(const GpuStage &stage);
/// Reductions along rows: part of a warp, a block, or several blocks per row.
llvm::FailureOr<bool> lowerRows(const GpuStage &stage);
/// Reductions that keep the columns: vectors of columns side by side.
llvm::FailureOr<bool> lowerColumns(const GpuStage &stage);
/// A variadic_reduce over long rows: one block per row.
llvm::FailureOr<bool> lowerVariadicReduce(const GpuStage &stage);
/// A sort of long rows: one block per row.
llvm::FailureOr<bool> lowerSort(const GpuStage &stage);
/// A scatter: blocks that own the places of updates, else one thread per
/// element of an update's window.
llvm::FailureOr<bool> lowerScatter(const GpuStage &stage);
/// Its updates, if every element of the result belongs to one place that
/// indices choose; the operand is in the result already.
llvm::FailureOr<bool> lowerScatterByOwner(const GpuStage &stage,
                                          ScatterOp scatter);
/// A dynamic_update_slice: one thread per vector of its box.
llvm::FailureOr<bool> lowerUpdate(const GpuStage &stage);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_LOWERSTAGE_H
