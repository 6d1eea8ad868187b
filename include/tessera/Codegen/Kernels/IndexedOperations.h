//===- IndexedOperations.h - Gathers, scatters, updates, regions ----------===//
//
// What the code of operations with indices or a region is made of, whatever the
// device: where an update goes, and what a region says of single elements.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_INDEXEDOPERATIONS_H
#define TESSERA_CODEGEN_KERNELS_INDEXEDOPERATIONS_H

#include "tessera/Codegen/Kernels/ElementEmitter.h"
#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::codegen {

/// `value`, an integer scalar or vector, as `i64`.
mlir::Value toIndex(CodeBuilder &b, mlir::Value value);

/// Component `number` of the index vector at `batch`, along dimension
/// `vectorDim` of `indices` (its rank, if vectors have one component), as
/// `i64`; null after a diagnostic.
mlir::Value emitIndexComponent(ElementEmitter &e, mlir::Value indices,
                               int64_t vectorDim, const LaneIndices &batch,
                               int64_t number);

/// Where the box of `update` begins along each dimension: the indices, clamped
/// so that the box lies inside. Empty after a diagnostic; `e` has one lane.
llvm::SmallVector<mlir::Value> emitBoxStarts(ElementEmitter &e,
                                             DynamicUpdateSliceOp update);

/// Combines `update` with the elements at `position` of `memory`, as `scatter`
/// says.
void applyUpdate(ElementEmitter &e, ScatterOp scatter, mlir::Value update,
                 mlir::Value memory, const LaneIndex &position);

/// What `body` yields for single elements, its `arguments`; empty after a
/// diagnostic. `region` has one lane.
CodeBuilder::Values emitRegion(ElementEmitter &region, mlir::Block &body,
                               mlir::ValueRange arguments);

/// A scatter's dimensions by their role.
struct ScatterShape {
  explicit ScatterShape(ScatterOp scatter);

  /// Dimensions of the operand that indices (or batch dimensions) choose, and
  /// their sizes: an update's window is one element wide there.
  llvm::SmallVector<int64_t> indexedDims, indexedSizes;
  /// Dimensions of the updates that run over updates, and over a window,
  /// ascending; sizes of both.
  llvm::SmallVector<int64_t> batchDims, batchSizes, windowDims, windowSizes;
  /// The operand's dimension that each window dimension runs along.
  llvm::SmallVector<int64_t> windowTargets;
  /// Whether every element of the operand belongs to exactly one update for
  /// each choice of indices.
  bool isPartition = true;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_INDEXEDOPERATIONS_H
