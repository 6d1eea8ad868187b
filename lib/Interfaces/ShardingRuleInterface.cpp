//===- ShardingRuleInterface.cpp - how an operation may be split ----------===//

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Interfaces/ShardingRuleInterface.cpp.inc"

SmallVector<ArrayRef<int64_t>> tessera::getShapes(TypeRange types) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    shapes.push_back(tensor ? tensor.getShape() : ArrayRef<int64_t>());
  }
  return shapes;
}

ShardingRuleBuilder tessera::makeRuleBuilder(Operation *op) {
  return ShardingRuleBuilder(getShapes(op->getOperandTypes()),
                             getShapes(op->getResultTypes()));
}

std::optional<ShardingRule> tessera::getShardingRule(Operation *op) {
  if (auto interface = dyn_cast<ShardingRuleInterface>(op))
    return interface.getShardingRule();
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() == 0)
    return std::nullopt;
  ShardingRuleBuilder builder = makeRuleBuilder(op);
  builder.addPointwise();
  return builder.build();
}
