//===- ShardingRules.cpp - what sharding asks beside indices --------------===//
//
// By which factors an operation is split follows from what it does to indices
// (IndexingMaps.cpp). Here stands the rest: which pending reductions pass
// through it, and which attributes speak of sizes.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/IndexingMaps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

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
// Pending reductions
//===----------------------------------------------------------------------===//

ShardingRule DotGeneralOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  builder.addLinear({0});
  builder.addLinear({1});
  return builder.build();
}

ShardingRule ReduceOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  if (ReductionKind kind = getKind().getKind(); kind == ReductionKind::Sum ||
                                                kind == ReductionKind::Max ||
                                                kind == ReductionKind::Min)
    builder.addCarried(kind, {0});
  return builder.build();
}

/// Neutral elements stay neutral.
ShardingRule PadOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  for (ReductionKind kind :
       {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min})
    if (isNeutral(getValue(), kind))
      builder.addCarried(kind, {0});
  return builder.build();
}

ShardingRule GatherOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  builder.addLinear({0});
  return builder.build();
}

ShardingRule ScatterOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  bool isSum = getKind() && getKind()->getKind() == ReductionKind::Sum;
  if (isSum)
    builder.addLinear({0, 2});
  if (isSum && isNeutral(getOperand(), ReductionKind::Sum))
    builder.addLinear({2});
  return builder.build();
}

ShardingRule AttentionGradientOp::getShardingRule() {
  ShardingRuleBuilder builder = makeIndexedRule(*this);
  builder.addLinear({6});
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Nothing but indices
//===----------------------------------------------------------------------===//

ShardingRule VariadicReduceOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule SortOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule BroadcastOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule TransposeOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule ReshapeOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule SliceOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule ReverseOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule ConcatenateOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule IotaOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule DynamicSliceOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule DynamicUpdateSliceOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}
ShardingRule AttentionOp::getShardingRule() {
  return makeIndexedRule(*this).build();
}

//===----------------------------------------------------------------------===//
// Attributes of one shard
//===----------------------------------------------------------------------===//

/// Whether `op` takes one of every `stride` elements of `dim`, and as many of
/// each part that has a multiple of `stride` elements.
static bool takesOneOfStride(SliceOp op, int64_t dim) {
  int64_t stride = op.getStrides()[dim];
  return stride > 1 && op.getStarts()[dim] < stride &&
         op.getType().getDimSize(dim) * stride ==
             typeOf(op.getOperand()).getDimSize(dim);
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
