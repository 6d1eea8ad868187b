//===- ElementwiseShardingRules.cpp - rules of upstream operations --------===//
//
// Every element-wise operation has the pointwise rule by its trait. Those that
// are linear say so here, for a pending sum may pass through them; constants,
// which have no operands, say that they may be split in any way.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace tessera;

namespace {

/// The pointwise rule of an operation that is jointly linear in each of some
/// sets of operands.
template <typename Op>
struct LinearPointwise
    : ShardingRuleInterface::ExternalModel<LinearPointwise<Op>, Op> {
  static SmallVector<SmallVector<unsigned, 2>> linear;

  ShardingRule getShardingRule(Operation *op) const {
    ShardingRuleBuilder builder = makeRuleBuilder(op);
    builder.addPointwise();
    for (ArrayRef<unsigned> operands : linear)
      builder.addLinear(operands);
    return builder.build();
  }
};

template <typename Op>
SmallVector<SmallVector<unsigned, 2>> LinearPointwise<Op>::linear;

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

template <typename Op>
static void addLinear(MLIRContext *context,
                      std::initializer_list<SmallVector<unsigned, 2>> sets) {
  LinearPointwise<Op>::linear.assign(sets);
  Op::template attachInterface<LinearPointwise<Op>>(*context);
}

void tessera::registerElementwiseShardingRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    addLinear<arith::AddFOp>(context, {{0, 1}});
    addLinear<arith::AddIOp>(context, {{0, 1}});
    addLinear<arith::SubFOp>(context, {{0, 1}});
    addLinear<arith::SubIOp>(context, {{0, 1}});
    addLinear<arith::MulFOp>(context, {{0}, {1}});
    addLinear<arith::MulIOp>(context, {{0}, {1}});
    addLinear<arith::DivFOp>(context, {{0}});
    addLinear<arith::NegFOp>(context, {{0}});
    addLinear<arith::ExtFOp>(context, {{0}});
    addLinear<arith::SelectOp>(context, {{1, 2}});
    arith::ConstantOp::attachInterface<ConstantRule>(*context);
  });
}
