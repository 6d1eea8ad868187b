//===- ShardingRules.cpp - by which factors structured operations are split
//===//

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Sharding/Rules/FactorShardings.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace tessera;

static constexpr int64_t kNone = ShardingRuleBuilder::kNone;

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

ShardingRule ConstrainOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  builder.addPointwise();
  builder.addMovement({0});
  return builder.build();
}

ShardingRule PropagationBarrierOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  for (auto [dim, size] : llvm::enumerate(getType().getShape())) {
    FactorId factor = builder.addFactor({int64_t(dim)}, {int64_t(dim)}, size);
    if (getDirection() == BarrierDirection::None)
      builder.block(factor);
  }
  builder.addLinear({0});
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Contractions, reductions and orders
//===----------------------------------------------------------------------===//

ShardingRule DotGeneralOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  int64_t resultDim = 0;
  for (auto [lhs, rhs] : llvm::zip_equal(getLhsBatching(), getRhsBatching()))
    builder.addFactor({lhs, rhs}, {resultDim++},
                      typeOf(getLhs()).getDimSize(lhs));
  for (int64_t dim : getLhsFree())
    builder.addFactor({dim, kNone}, {resultDim++},
                      typeOf(getLhs()).getDimSize(dim));
  for (int64_t dim : getRhsFree())
    builder.addFactor({kNone, dim}, {resultDim++},
                      typeOf(getRhs()).getDimSize(dim));
  for (auto [lhs, rhs] :
       llvm::zip_equal(getLhsContracting(), getRhsContracting()))
    builder.addFactor({lhs, rhs}, {kNone}, typeOf(getLhs()).getDimSize(lhs),
                      FactorKind::Reduction);
  builder.addLinear({0});
  builder.addLinear({1});
  return builder.build();
}

ShardingRule ReduceOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  int64_t resultDim = 0;
  for (auto [dim, size] : llvm::enumerate(typeOf(getOperand()).getShape())) {
    if (llvm::is_contained(getDims(), int64_t(dim)))
      builder.addFactor({int64_t(dim)}, {kNone}, size, FactorKind::Reduction,
                        getKind().getKind());
    else
      builder.addFactor({int64_t(dim)}, {resultDim++}, size);
  }
  if (ReductionKind kind = getKind().getKind(); kind == ReductionKind::Sum ||
                                                kind == ReductionKind::Max ||
                                                kind == ReductionKind::Min)
    builder.addCarried(kind, {0});
  return builder.build();
}

ShardingRule VariadicReduceOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  size_t n = getInputs().size();
  int64_t resultDim = 0;
  for (auto [dim, size] :
       llvm::enumerate(typeOf(getInputs().front()).getShape())) {
    if (llvm::is_contained(getDims(), int64_t(dim)))
      continue;
    SmallVector<int64_t> operandDims(n, dim);
    operandDims.append(n, kNone);
    builder.addFactor(operandDims, SmallVector<int64_t>(n, resultDim++), size);
  }
  return builder.build();
}

/// What is sorted must be on one device.
ShardingRule SortOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  size_t n = getInputs().size();
  for (auto [dim, size] :
       llvm::enumerate(typeOf(getInputs().front()).getShape()))
    if (dim != getDim())
      builder.addFactor(SmallVector<int64_t>(n, dim),
                        SmallVector<int64_t>(n, dim), size);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

ShardingRule BroadcastOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  RankedTensorType from = typeOf(getOperand());
  for (auto [resultDim, size] : llvm::enumerate(getType().getShape())) {
    const int64_t *found = llvm::find(getDims(), int64_t(resultDim));
    int64_t operandDim = found - getDims().begin();
    bool repeated =
        found == getDims().end() || from.getDimSize(operandDim) != size;
    builder.addFactor({repeated ? kNone : operandDim}, {int64_t(resultDim)},
                      size);
  }
  builder.addMovement({0});
  return builder.build();
}

ShardingRule TransposeOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  for (auto [resultDim, operandDim] : llvm::enumerate(getPermutation()))
    builder.addFactor({operandDim}, {int64_t(resultDim)},
                      getType().getDimSize(resultDim));
  builder.addMovement({0});
  return builder.build();
}

ShardingRule ReshapeOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  builder.addReshape();
  builder.addMovement({0});
  return builder.build();
}

/// How the elements of a moved dimension may be split: one of `from` elements
/// becomes one of `to`, whose element i is its element i + `offset`. Where they
/// go from few places in the one to few in the other, as thirds do, devices may
/// exchange them even if parts are not of one size.
static FactorKind movedKind(int64_t from, int64_t to, int64_t offset) {
  if (from == to && offset == 0)
    return FactorKind::PassThrough;
  int64_t grain = std::gcd(from, to), largest = std::max(from, to);
  bool mayBeWindow = from != to && FactorLimits::areFewPieces(largest, grain);
  return mayBeWindow && !FactorLimits::areFewPieces(
                            largest, std::gcd(grain, std::abs(offset)))
             ? FactorKind::NeedReplication
             : FactorKind::Permutation;
}

/// Whether `op` takes one of every `stride` elements of `dim`, and as many of
/// each part that has a multiple of `stride` elements.
static bool takesOneOfStride(SliceOp op, int64_t dim) {
  int64_t stride = op.getStrides()[dim];
  return stride > 1 && op.getStarts()[dim] < stride &&
         op.getType().getDimSize(dim) * stride ==
             typeOf(op.getOperand()).getDimSize(dim);
}

ShardingRule SliceOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  for (auto [index, size] : llvm::enumerate(typeOf(getOperand()).getShape())) {
    int64_t dim = index, resultSize = getType().getDimSize(dim);
    if (takesOneOfStride(*this, dim)) {
      builder.addFactor({dim}, {dim}, resultSize);
      builder.addFactor({dim}, {kNone}, size / resultSize,
                        FactorKind::NeedReplication);
    } else {
      bool isWindow = getStrides()[dim] == 1;
      builder.addFactor({dim}, {dim}, size,
                        isWindow ? movedKind(size, resultSize, getStarts()[dim])
                                 : FactorKind::NeedReplication);
    }
  }
  builder.addMovement({0});
  return builder.build();
}

DictionaryAttr SliceOp::getLocalAttributes(TypeRange localOperands, TypeRange) {
  auto local = cast<RankedTensorType>(localOperands.front());
  SmallVector<int64_t> limits(getLimits());
  for (auto [dim, size] : llvm::enumerate(typeOf(getOperand()).getShape()))
    if (getType().getDimSize(dim) == size || takesOneOfStride(*this, dim))
      limits[dim] = local.getDimSize(dim);
  NamedAttrList attributes((*this)->getAttrDictionary());
  attributes.set(getLimitsAttrName(),
                 DenseI64ArrayAttr::get(getContext(), limits));
  return attributes.getDictionary(getContext());
}

/// A slice of size 1 at a computed place is a reduction over the operand's
/// dimension, as in `gather`.
ShardingRule DynamicSliceOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  SmallVector<int64_t> operands(getNumOperands(), kNone);
  for (auto [dim, size] : llvm::enumerate(typeOf(getOperand()).getShape())) {
    operands[0] = dim;
    if (getType().getDimSize(dim) == size)
      builder.addFactor(operands, {int64_t(dim)}, size);
    else if (getType().getDimSize(dim) == 1)
      builder.addFactor(operands, {kNone}, size, FactorKind::Reduction);
  }
  builder.addMovement({0});
  return builder.build();
}

/// The operand may be split where the box is placed: each device updates what
/// lies in its part.
ShardingRule DynamicUpdateSliceOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  SmallVector<int64_t> operands(getNumOperands(), kNone);
  for (auto [dim, size] : llvm::enumerate(getType().getShape())) {
    operands[0] = dim;
    operands[1] = typeOf(getUpdate()).getDimSize(dim) == size ? dim : kNone;
    builder.addFactor(operands, {int64_t(dim)}, size);
  }
  builder.addMovement({0, 1});
  return builder.build();
}

ShardingRule PadOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  for (int64_t dim = 0; dim < getType().getRank(); ++dim) {
    int64_t low = getLow()[dim], high = getHigh()[dim],
            interior = getInterior()[dim];
    if (interior > 0 && low >= 0 && high >= 0 && low + high == interior) {
      // Every element becomes a group with as many others around it.
      builder.addFactor({dim, kNone}, {dim},
                        typeOf(getOperand()).getDimSize(dim));
      builder.addFactor({kNone, kNone}, {dim}, interior + 1,
                        FactorKind::NeedReplication);
      continue;
    }
    int64_t from = typeOf(getOperand()).getDimSize(dim),
            to = getType().getDimSize(dim);
    builder.addFactor({dim, kNone}, {dim}, std::max(from, to),
                      interior == 0 ? movedKind(from, to, -low)
                                    : FactorKind::NeedReplication);
  }
  builder.addMovement({0, 1});
  for (ReductionKind kind :
       {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min})
    if (isNeutral(getValue(), kind))
      builder.addCarried(kind, {0});
  return builder.build();
}

DictionaryAttr PadOp::getLocalAttributes(TypeRange localOperands,
                                         TypeRange localResults) {
  auto from = cast<RankedTensorType>(localOperands.front());
  auto to = cast<RankedTensorType>(localResults.front());
  SmallVector<int64_t> high;
  for (auto [size, result, low, interior] :
       llvm::zip_equal(from.getShape(), to.getShape(), getLow(), getInterior()))
    high.push_back(result - low - size -
                   std::max<int64_t>(0, size - 1) * interior);
  NamedAttrList attributes((*this)->getAttrDictionary());
  attributes.set(getHighAttrName(), DenseI64ArrayAttr::get(getContext(), high));
  return attributes.getDictionary(getContext());
}

ShardingRule ConcatenateOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  for (auto [dim, size] : llvm::enumerate(getType().getShape()))
    builder.addFactor(
        SmallVector<int64_t>(getNumOperands(), dim), {int64_t(dim)}, size,
        dim == getDim() ? FactorKind::Permutation : FactorKind::PassThrough);
  builder.addMovement(
      llvm::to_vector(llvm::seq<unsigned>(0, getNumOperands())));
  return builder.build();
}

ShardingRule ReverseOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  builder.addPointwise([&](int64_t dim) {
    return llvm::is_contained(getDims(), dim) ? FactorKind::Permutation
                                              : FactorKind::PassThrough;
  });
  builder.addMovement({0});
  return builder.build();
}

ShardingRule IotaOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  builder.addPointwise();
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

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
            ? kNone
            : operandBatching[pair - indicesBatching.begin()]);
  }
}

/// A slice of size 1 at a computed place is a reduction over the operand's
/// dimension: where the place lies outside a device's shard, that device
/// contributes zero.
ShardingRule GatherOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  RankedTensorType whole = typeOf(getOperand()), indices = typeOf(getIndices());
  forEachBatchDim(
      indices.getRank(), getIndexVectorDim(), getType().getRank(),
      getOffsetDims(), getOperandBatching(), getIndicesBatching(),
      [&](int64_t indicesDim, int64_t resultDim, int64_t operandDim) {
        builder.addFactor({operandDim, indicesDim}, {resultDim},
                          indices.getDimSize(indicesDim));
      });
  size_t window = 0;
  for (auto [dim, size] : llvm::enumerate(whole.getShape())) {
    if (llvm::is_contained(getOperandBatching(), int64_t(dim)))
      continue;
    if (llvm::is_contained(getCollapsedDims(), int64_t(dim))) {
      // Without an index the place is 0, which only the first device has.
      if (llvm::is_contained(getStartIndexMap(), int64_t(dim)))
        builder.addFactor({int64_t(dim), kNone}, {kNone}, size,
                          FactorKind::Reduction);
      continue;
    }
    int64_t resultDim = getOffsetDims()[window++];
    if (getSliceSizes()[dim] == size)
      builder.addFactor({int64_t(dim), kNone}, {resultDim}, size);
  }
  builder.addLinear({0});
  return builder.build();
}

DictionaryAttr GatherOp::getLocalAttributes(TypeRange localOperands,
                                            TypeRange) {
  auto local = cast<RankedTensorType>(localOperands.front());
  SmallVector<int64_t> sizes(getSliceSizes());
  for (auto [dim, size] : llvm::enumerate(typeOf(getOperand()).getShape()))
    if (!llvm::is_contained(getCollapsedDims(), int64_t(dim)) &&
        !llvm::is_contained(getOperandBatching(), int64_t(dim)) &&
        sizes[dim] == size)
      sizes[dim] = local.getDimSize(dim);
  NamedAttrList attributes((*this)->getAttrDictionary());
  attributes.set(getSliceSizesAttrName(),
                 DenseI64ArrayAttr::get(getContext(), sizes));
  return attributes.getDictionary(getContext());
}

/// Updates on different devices are a pending reduction, if they are combined
/// at all and the operand adds nothing of its own; the operand may be split
/// where single places are addressed, for a device skips the updates outside
/// its shard.
ShardingRule ScatterOp::getShardingRule() {
  ShardingRuleBuilder builder = makeRuleBuilder(*this);
  RankedTensorType whole = typeOf(getOperand()), indices = typeOf(getIndices()),
                   updates = typeOf(getUpdates());
  bool sum = getKind() && getKind()->getKind() == ReductionKind::Sum;
  bool fromZero = sum && isNeutral(getOperand(), ReductionKind::Sum);
  forEachBatchDim(
      indices.getRank(), getIndexVectorDim(), updates.getRank(),
      getWindowDims(), getOperandBatching(), getIndicesBatching(),
      [&](int64_t indicesDim, int64_t updatesDim, int64_t operandDim) {
        FactorKind kind = operandDim != kNone ? FactorKind::PassThrough
                          : fromZero          ? FactorKind::Reduction
                                              : FactorKind::NeedReplication;
        builder.addFactor({operandDim, indicesDim, updatesDim}, {operandDim},
                          indices.getDimSize(indicesDim), kind);
      });
  size_t window = 0;
  for (auto [dim, size] : llvm::enumerate(whole.getShape())) {
    int64_t wholeDim = dim;
    if (llvm::is_contained(getOperandBatching(), wholeDim))
      continue;
    if (llvm::is_contained(getInsertedDims(), wholeDim)) {
      // Without an index the place is 0, which only the first device has.
      builder.addFactor({wholeDim, kNone, kNone}, {wholeDim}, size,
                        llvm::is_contained(getOperandDimsMap(), wholeDim)
                            ? FactorKind::PassThrough
                            : FactorKind::NeedReplication);
      continue;
    }
    int64_t updatesDim = getWindowDims()[window++];
    if (updates.getDimSize(updatesDim) == size)
      builder.addFactor({wholeDim, kNone, updatesDim}, {wholeDim}, size);
    else
      builder.addFactor({wholeDim, kNone, kNone}, {wholeDim}, size,
                        FactorKind::NeedReplication);
  }
  if (sum)
    builder.addLinear({0, 2});
  if (fromZero)
    builder.addLinear({2});
  return builder.build();
}
