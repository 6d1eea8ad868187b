//===- ShardingRules.cpp - collectives by hand on sharded tensors ---------===//
//
// Before the phase `partition`, a collective in a manual region exchanges parts
// along manual axes, and its tensors may be split over the free ones. Devices
// that differ along the free axes exchange what they have independently of each
// other, so every dimension is passed through, but for those that are split or
// joined by the exchange itself: there the parts of one device would no longer
// be one block.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Spmd/Spmd.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

/// The rule of a collective that splits or joins `exchanged`. A pending sum
/// over free axes may pass where the collective itself is linear.
static ShardingRule ruleOf(Operation *op, ArrayRef<int64_t> exchanged,
                           bool isLinear) {
  ShardingRuleBuilder builder = makeRuleBuilder(op);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(exchanged, int64_t(dim)))
      builder.addFactor({int64_t(dim)}, {int64_t(dim)}, size);
  if (isLinear)
    builder.addLinear({0});
  return builder.build();
}

static bool isSum(ReductionAttr kind) {
  return kind.getKind() == ReductionKind::Sum;
}

ShardingRule AllReduceOp::getShardingRule() {
  return ruleOf(*this, {}, isSum(getKind()));
}
ShardingRule AllGatherOp::getShardingRule() {
  return ruleOf(*this, int64_t(getDim()), true);
}
ShardingRule ReduceScatterOp::getShardingRule() {
  return ruleOf(*this, int64_t(getDim()), isSum(getKind()));
}
ShardingRule AllToAllOp::getShardingRule() {
  return ruleOf(*this, {int64_t(getSplitDim()), int64_t(getConcatDim())}, true);
}
ShardingRule PermuteOp::getShardingRule() { return ruleOf(*this, {}, true); }
ShardingRule spmd::BroadcastOp::getShardingRule() {
  return ruleOf(*this, {}, true);
}
ShardingRule AxisIndexOp::getShardingRule() {
  return makeRuleBuilder(*this).build();
}
