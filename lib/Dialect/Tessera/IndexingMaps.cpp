//===- IndexingMaps.cpp - what structured operations do to indices --------===//

#include "IndexingModels.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Matmuls, reductions and orders
//===----------------------------------------------------------------------===//

static IndexingMaps mapsOf(DotGeneralOp op) {
  IndexingMaps maps(op);
  int64_t resultDim = 0;
  for (auto [lhs, rhs] :
       llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    maps.addDim(shapeOf(op.getLhs())[lhs], {lhs, rhs}, resultDim++);
  for (int64_t dim : op.getLhsFree())
    maps.addDim(shapeOf(op.getLhs())[dim], {dim, IndexingMaps::kNone},
                resultDim++);
  for (int64_t dim : op.getRhsFree())
    maps.addDim(shapeOf(op.getRhs())[dim], {IndexingMaps::kNone, dim},
                resultDim++);
  for (auto [lhs, rhs] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
    maps.addDim(shapeOf(op.getLhs())[lhs], {lhs, rhs}, {},
                FactorKind::Reduction);
  return maps;
}

static IndexingMaps mapsOf(ReduceOp op) {
  IndexingMaps maps(op);
  int64_t resultDim = 0;
  for (auto [index, size] : llvm::enumerate(shapeOf(op.getOperand()))) {
    int64_t dim = index;
    if (llvm::is_contained(op.getDims(), dim))
      maps.addDim(size, dim, {}, FactorKind::Reduction, op.getKind().getKind());
    else
      maps.addDim(size, dim, resultDim++);
  }
  return maps;
}

/// Reduced as a whole: the region says nothing of parts.
static IndexingMaps mapsOf(VariadicReduceOp op) {
  IndexingMaps maps(op);
  size_t n = op.getInputs().size();
  int64_t resultDim = 0;
  for (auto [dim, size] : llvm::enumerate(shapeOf(op.getInputs().front())))
    if (!llvm::is_contained(op.getDims(), int64_t(dim)))
      maps.addDim(size, SmallVector<int64_t>(n, dim),
                  SmallVector<int64_t>(n, resultDim++));
  return maps;
}

/// A point sorts the whole of a dimension.
static IndexingMaps mapsOf(SortOp op) {
  IndexingMaps maps(op);
  size_t n = op.getInputs().size();
  for (auto [dim, size] : llvm::enumerate(shapeOf(op.getInputs().front())))
    if (dim != op.getDim())
      maps.addDim(size, SmallVector<int64_t>(n, dim),
                  SmallVector<int64_t>(n, dim));
  return maps;
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

static IndexingMaps mapsOf(BroadcastOp op) {
  IndexingMaps maps(op);
  maps.addResultDims();
  maps.setMoved(0);
  for (auto [dim, to] : llvm::enumerate(op.getDims()))
    maps.operand(0, dim) =
        shapeOf(op.getOperand())[dim] == shapeOf(op.getResult())[to]
            ? maps.dim(to)
            : maps.constant(0);
  return maps;
}

static IndexingMaps mapsOf(TransposeOp op) {
  IndexingMaps maps(op);
  maps.addResultDims();
  maps.setMoved(0);
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    maps.operand(0, from) = maps.dim(to);
  return maps;
}

static IndexingMaps mapsOf(ReshapeOp op) {
  IndexingMaps maps(op);
  maps.addReshapedDims();
  maps.setMoved(0);
  return maps;
}

static IndexingMaps mapsOf(SliceOp op) {
  IndexingMaps maps(op);
  maps.addResultDims();
  maps.setMoved(0);
  for (auto [dim, start] : llvm::enumerate(op.getStarts()))
    maps.operand(0, dim) = maps.dim(dim) * op.getStrides()[dim] + start;
  return maps;
}

static IndexingMaps mapsOf(ReverseOp op) {
  IndexingMaps maps(op);
  maps.addResultDims();
  maps.setMoved(0);
  for (auto [dim, size] : llvm::enumerate(shapeOf(op.getOperand())))
    maps.operand(0, dim) = llvm::is_contained(op.getDims(), int64_t(dim))
                               ? maps.constant(size - 1) - maps.dim(dim)
                               : maps.dim(dim);
  return maps;
}

static IndexingMaps mapsOf(PadOp op) {
  IndexingMaps maps(op);
  maps.addOperandDims();
  maps.setMoved({0, 1});
  for (auto [dim, low] : llvm::enumerate(op.getLow()))
    maps.result(0, dim) = maps.dim(dim) * (op.getInterior()[dim] + 1) + low;
  return maps;
}

static IndexingMaps mapsOf(ConcatenateOp op) {
  IndexingMaps maps(op);
  maps.addResultDims();
  maps.setMoved(llvm::to_vector(llvm::seq<unsigned>(0, op.getNumOperands())));
  int64_t start = 0;
  for (unsigned number = 0; number < op.getNumOperands(); ++number) {
    for (unsigned dim = 0; dim < op.getType().getRank(); ++dim)
      maps.operand(number, dim) =
          dim == op.getDim() ? maps.dim(dim) - start : maps.dim(dim);
    start += shapeOf(op.getOperand(number))[op.getDim()];
  }
  return maps;
}

static IndexingMaps mapsOf(IotaOp op) {
  IndexingMaps maps(op);
  maps.addResultDims();
  return maps;
}

//===----------------------------------------------------------------------===//
// Indices that data say
//===----------------------------------------------------------------------===//

/// A slice of size 1 at a computed index is a sum over the operand's dimension,
/// of which every other index adds nothing, as in `gather`.
static IndexingMaps mapsOf(DynamicSliceOp op) {
  IndexingMaps maps(op);
  maps.setMoved(0);
  for (auto [index, size] : llvm::enumerate(shapeOf(op.getOperand()))) {
    int64_t dim = index;
    if (shapeOf(op.getResult())[dim] == size)
      maps.addDim(size, dim, dim);
    else if (shapeOf(op.getResult())[dim] == 1)
      maps.addDim(size, dim, {}, FactorKind::Reduction);
  }
  return maps;
}

/// The operand may be split where the box is placed: each device updates what
/// lies in its part.
static IndexingMaps mapsOf(DynamicUpdateSliceOp op) {
  IndexingMaps maps(op);
  maps.setMoved({0, 1});
  for (auto [index, size] : llvm::enumerate(shapeOf(op.getResult()))) {
    int64_t dim = index;
    bool isWhole = shapeOf(op.getUpdate())[dim] == size;
    maps.addDim(size, {dim, isWhole ? dim : IndexingMaps::kNone}, dim);
  }
  return maps;
}

/// Pairs the batch dimensions of the indices with those of the windows' tensor
/// and calls `add(indices dim, windows dim, operand dim or kNone)`: the
/// operand's dimension is that of an explicit batching pair.
static void
forEachBatchDim(int64_t indicesRank, int64_t indexVectorDim,
                int64_t windowsRank, ArrayRef<int64_t> windowDims,
                ArrayRef<int64_t> operandBatching,
                ArrayRef<int64_t> indicesBatching,
                llvm::function_ref<void(int64_t, int64_t, int64_t)> add) {
  int64_t windowsDim = 0;
  for (int64_t dim = 0; dim < indicesRank; ++dim) {
    if (dim == indexVectorDim)
      continue;
    while (windowsDim < windowsRank &&
           llvm::is_contained(windowDims, windowsDim))
      ++windowsDim;
    const int64_t *pair = llvm::find(indicesBatching, dim);
    add(dim, windowsDim++,
        pair == indicesBatching.end()
            ? IndexingMaps::kNone
            : operandBatching[pair - indicesBatching.begin()]);
  }
}

/// A slice of size 1 at a computed index is a sum over the operand's dimension:
/// where the index lies outside a device's shard, that device contributes zero.
static IndexingMaps mapsOf(GatherOp op) {
  IndexingMaps maps(op);
  ArrayRef<int64_t> whole = shapeOf(op.getOperand()),
                    indices = shapeOf(op.getIndices());
  forEachBatchDim(
      indices.size(), op.getIndexVectorDim(), op.getType().getRank(),
      op.getOffsetDims(), op.getOperandBatching(), op.getIndicesBatching(),
      [&](int64_t indicesDim, int64_t resultDim, int64_t operandDim) {
        maps.addDim(indices[indicesDim], {operandDim, indicesDim}, resultDim);
      });
  size_t window = 0;
  for (auto [index, size] : llvm::enumerate(whole)) {
    int64_t dim = index;
    if (llvm::is_contained(op.getOperandBatching(), dim))
      continue;
    if (llvm::is_contained(op.getCollapsedDims(), dim)) {
      // Without an index it is read at 0, which only the first device has.
      if (llvm::is_contained(op.getStartIndexMap(), dim))
        maps.addDim(size, dim, {}, FactorKind::Reduction);
      continue;
    }
    int64_t resultDim = op.getOffsetDims()[window++];
    if (op.getSliceSizes()[dim] == size)
      maps.addDim(size, dim, resultDim);
  }
  return maps;
}

/// Updates on different devices are a pending reduction, if they are combined
/// at all and the operand adds nothing of its own; the operand may be split
/// where single indices are addressed, for a device skips the updates outside
/// its shard.
static IndexingMaps mapsOf(ScatterOp op) {
  IndexingMaps maps(op);
  ArrayRef<int64_t> whole = shapeOf(op.getOperand()),
                    indices = shapeOf(op.getIndices()),
                    updates = shapeOf(op.getUpdates());
  bool addsToZero = op.getKind() &&
                    op.getKind()->getKind() == ReductionKind::Sum &&
                    isNeutral(op.getOperand(), ReductionKind::Sum);
  forEachBatchDim(
      indices.size(), op.getIndexVectorDim(), updates.size(),
      op.getWindowDims(), op.getOperandBatching(), op.getIndicesBatching(),
      [&](int64_t indicesDim, int64_t updatesDim, int64_t operandDim) {
        FactorKind kind = operandDim != IndexingMaps::kNone
                              ? FactorKind::PassThrough
                          : addsToZero ? FactorKind::Reduction
                                       : FactorKind::NeedReplication;
        maps.addDim(indices[indicesDim], {operandDim, indicesDim, updatesDim},
                    operandDim, kind);
      });
  size_t window = 0;
  for (auto [index, size] : llvm::enumerate(whole)) {
    int64_t dim = index;
    if (llvm::is_contained(op.getOperandBatching(), dim))
      continue;
    bool isInserted = llvm::is_contained(op.getInsertedDims(), dim);
    int64_t updatesDim =
        isInserted ? IndexingMaps::kNone : op.getWindowDims()[window++];
    bool isWhole = !isInserted && updates[updatesDim] == size;
    // Without an index it is read at 0, which only the first device has.
    bool isSplit =
        isInserted ? llvm::is_contained(op.getOperandDimsMap(), dim) : isWhole;
    maps.addDim(
        size,
        {dim, IndexingMaps::kNone, isWhole ? updatesDim : IndexingMaps::kNone},
        dim, isSplit ? FactorKind::PassThrough : FactorKind::NeedReplication);
  }
  return maps;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
template <typename Op>
struct IndexedModel
    : IndexingMapInterface::ExternalModel<IndexedModel<Op>, Op> {
  IndexingMaps getIndexingMaps(Operation *op) const {
    return mapsOf(cast<Op>(op));
  }
};
} // namespace

template <typename... Ops> static void attachTo(MLIRContext &context) {
  (Ops::template attachInterface<IndexedModel<Ops>>(context), ...);
}

void tessera::attachIndexingMaps(MLIRContext &context) {
  attachTo<DotGeneralOp, ReduceOp, VariadicReduceOp, SortOp, BroadcastOp,
           TransposeOp, ReshapeOp, SliceOp, ReverseOp, PadOp, ConcatenateOp,
           IotaOp, DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp,
           AttentionOp, AttentionGradientOp, LibraryCallOp>(context);
}
