//===- LoopRules.h - Loop nests by threads, rows and columns --------------===//
#ifndef TESSERA_CODEGEN_NVPTX_LOOPS_LOOPRULES_H
#define TESSERA_CODEGEN_NVPTX_LOOPS_LOOPRULES_H

#include "Core/GridFunction.h"
#include "Core/TuningRecords.h"

namespace tessera::nvptx {

/// How many loop nests, from `number` on, can share a grid: element-wise ones
/// that neither read nor overwrite what others of them write.
unsigned countSideBySide(const KernelVariant &variant, unsigned number);
/// Appends one step that computes such loop nests, each by blocks of its own.
llvm::LogicalResult lowerSideBySide(llvm::ArrayRef<GpuNest> nests);

/// Copies `bytes` from temporary `temporary` to result `result`.
void lowerCopy(KernelVariant &variant, unsigned temporary, unsigned result);

/// Any loop nest: one thread per row, column, element of a product, or
/// iteration.
llvm::FailureOr<bool> lowerByThreads(const GpuNest &nest);
/// An element-wise loop nest: one vector of elements per thread.
llvm::FailureOr<bool> lowerElementwise(const GpuNest &nest);
/// Reductions along rows: part of a warp, a block, or several blocks per row.
llvm::FailureOr<bool> lowerRows(const GpuNest &nest);
/// Reductions that keep the columns: vectors of columns side by side.
llvm::FailureOr<bool> lowerColumns(const GpuNest &nest);
/// A variadic_reduce over long rows: one block per row.
llvm::FailureOr<bool> lowerVariadicReduce(const GpuNest &nest);
/// A sort of long rows: one block per row.
llvm::FailureOr<bool> lowerSort(const GpuNest &nest);
/// A scatter: blocks that own the rows of updates, else one thread per
/// element of an update's window.
llvm::FailureOr<bool> lowerScatter(const GpuNest &nest);
/// Its updates, if every element of the result belongs to one position that
/// indices choose; the operand is in the result already.
llvm::FailureOr<bool> lowerScatterByOwner(const GpuNest &nest,
                                          ScatterOp scatter);
/// A dynamic_update_slice: one thread per vector of its box.
llvm::FailureOr<bool> lowerUpdate(const GpuNest &nest);

/// The kernels for rows, columns and elements that tuning records can choose.
llvm::ArrayRef<KernelFamily> loopFamilies();

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_LOOPS_LOOPRULES_H
