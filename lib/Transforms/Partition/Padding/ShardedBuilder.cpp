//===- ShardedBuilder.cpp - operations that have shardings ----------------===//

#include "Padding/ShardedBuilder.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

ShardingAttr ShardedBuilder::reducedShardingOf(Value value) const {
  TensorSharding sharding = shardingOf(value).getValue();
  sharding.unreduced.clear();
  sharding.unreducedKind = ReductionKind::Sum;
  return attribute(sharding);
}

Value ShardedBuilder::poison(ImplicitLocOpBuilder &builder, Type element) {
  return create<ub::PoisonOp>(builder, replicated(0),
                              RankedTensorType::get({}, element),
                              ub::PoisonAttr::get(builder.getContext()));
}

Value ShardedBuilder::splat(ImplicitLocOpBuilder &builder,
                            RankedTensorType type, TypedAttr element,
                            ShardingAttr sharding) {
  return create<arith::ConstantOp>(builder, sharding,
                                   DenseElementsAttr::get(type, element));
}

Value ShardedBuilder::resized(ImplicitLocOpBuilder &builder, Value value,
                              ArrayRef<int64_t> shape, ShardingAttr sharding,
                              Value element) {
  RankedTensorType from = typeOf(value);
  if (from.getShape() == shape)
    return value;
  SmallVector<int64_t> zeros(shape.size(), 0), high;
  for (auto [oldSize, newSize] : llvm::zip_equal(from.getShape(), shape))
    high.push_back(newSize - oldSize);
  return create<PadOp>(builder, sharding, from.clone(shape), value, element,
                       zeros, high, zeros);
}

Value ShardedBuilder::reshard(ImplicitLocOpBuilder &builder, Value value,
                              const TensorSharding &to) {
  ShardingAttr sharding = attribute(to);
  if (shardingOf(value) == sharding)
    return value;
  return create<ReshardOp>(builder, sharding, value, sharding);
}
