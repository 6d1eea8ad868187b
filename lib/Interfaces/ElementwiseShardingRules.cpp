//===- ElementwiseShardingRules.cpp - rules of upstream operations --------===//
//
// Every element-wise operation has the pointwise rule by its trait. Those that
// are linear, or choose the larger or the smaller of two, say so here, for a
// pending reduction may pass through them; constants, which have no operands,
// say that they may be split in any way.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectRegistry.h"

#include <mutex>

using namespace mlir;
using namespace tessera;

namespace {

/// A set of operands that pending reductions of one kind pass through.
using CarriedSet = std::pair<ReductionKind, SmallVector<unsigned, 2>>;

/// The pointwise rule of an operation that pending reductions pass through.
template <typename Op>
struct CarryingPointwise
    : ShardingRuleInterface::ExternalModel<CarryingPointwise<Op>, Op> {
  static SmallVector<CarriedSet> carried;

  ShardingRule getShardingRule(Operation *op) const {
    ShardingRuleBuilder builder = makeRuleBuilder(op);
    builder.addPointwise();
    for (const auto &[kind, operands] : carried)
      builder.addCarried(kind, operands);
    return builder.build();
  }
};

template <typename Op> SmallVector<CarriedSet> CarryingPointwise<Op>::carried;

/// A constant of equal elements may be split in any way; another one is whole
/// on every device, which costs no communication.
struct ConstantRule
    : ShardingRuleInterface::ExternalModel<ConstantRule, arith::ConstantOp> {
  ShardingRule getShardingRule(Operation *op) const {
    bool splat = isa<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    ShardingRuleBuilder builder = makeRuleBuilder(op);
    builder.addPointwise([&](int64_t) {
      return splat ? FactorKind::PassThrough : FactorKind::NeedReplication;
    });
    return builder.build();
  }

  DictionaryAttr getLocalAttributes(Operation *op, TypeRange,
                                    TypeRange localResults) const {
    NamedAttrList attributes(op->getAttrDictionary());
    auto constant = cast<arith::ConstantOp>(op);
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      attributes.set(constant.getValueAttrName(),
                     splat.resizeSplat(cast<ShapedType>(localResults.front())));
    return attributes.getDictionary(op->getContext());
  }
};

} // namespace

/// What is carried is set once for all contexts: others may be at work.
template <typename Op>
static void addCarrying(MLIRContext *context, ArrayRef<ReductionKind> kinds,
                        ArrayRef<SmallVector<unsigned, 2>> sets) {
  static std::once_flag once;
  std::call_once(once, [&] {
    for (ReductionKind kind : kinds)
      for (const SmallVector<unsigned, 2> &operands : sets)
        CarryingPointwise<Op>::carried.push_back({kind, operands});
  });
  Op::template attachInterface<CarryingPointwise<Op>>(*context);
}

void tessera::registerElementwiseShardingRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    using Sets = SmallVector<SmallVector<unsigned, 2>>;
    constexpr ReductionKind sum = ReductionKind::Sum, max = ReductionKind::Max,
                            min = ReductionKind::Min;
    Sets both = {{0, 1}}, either = {{0}, {1}}, any = {{0, 1}, {0}, {1}};
    addCarrying<arith::AddFOp>(context, sum, both);
    addCarrying<arith::AddIOp>(context, sum, both);
    addCarrying<arith::SubFOp>(context, sum, both);
    addCarrying<arith::SubIOp>(context, sum, both);
    addCarrying<arith::MulFOp>(context, sum, either);
    addCarrying<arith::MulIOp>(context, sum, either);
    addCarrying<arith::DivFOp>(context, sum, Sets{{0}});
    addCarrying<arith::NegFOp>(context, sum, Sets{{0}});
    addCarrying<arith::ExtFOp>(context, sum, Sets{{0}});
    // The larger of two maxima is the maximum of the larger ones.
    addCarrying<arith::MaximumFOp>(context, max, any);
    addCarrying<arith::MaxSIOp>(context, max, any);
    addCarrying<arith::MinimumFOp>(context, min, any);
    addCarrying<arith::MinSIOp>(context, min, any);
    addCarrying<arith::SelectOp>(context, {sum, max, min}, Sets{{1, 2}});
    arith::ConstantOp::attachInterface<ConstantRule>(*context);
  });
}
