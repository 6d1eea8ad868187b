//===- ConstantExpressions.cpp - values that cost nothing to make again ---===//

#include "Support/ConstantExpressions.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

static bool hasDimensions(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getRank() > 0;
}

/// Whether `op` computes every element of its results by itself, from few
/// elements of its operands.
static bool isElementByElement(Operation *op) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule && llvm::none_of(rule->factors, [](const Factor &factor) {
           return factor.kind == FactorKind::Reduction;
         });
}

bool tessera::shard::isRepeatable(Operation *op) {
  return op->getNumResults() > 0 && op->getNumRegions() == 0 &&
         !isa<ConstrainOp, ReshardOp, PropagationBarrierOp,
              spmd::CollectiveOpInterface>(op) &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getResults(), hasDimensions);
}

ConstantExpressions::ConstantExpressions(Operation *function) {
  walkProgram(function, [&](Operation *op) {
    if (!isRepeatable(op))
      return;
    bool isConstant = llvm::all_of(op->getOperands(), [&](Value operand) {
      return !hasDimensions(operand) || contains(operand);
    });
    if (!isConstant || !isElementByElement(op))
      return;
    operations.try_emplace(op, inOrder.size());
    inOrder.push_back(op);
  });
}

/// Appends what makes `value` to `expression`; false if that is no constant
/// expression, or of more than `left` operations.
static bool appendExpression(Value value, size_t &left,
                             SmallVectorImpl<Operation *> &expression) {
  Operation *op = value.getDefiningOp();
  if (llvm::is_contained(expression, op))
    return true;
  if (!op || left == 0 || !isRepeatable(op) || !isElementByElement(op))
    return false;
  --left;
  for (Value operand : op->getOperands())
    if (hasDimensions(operand) && !appendExpression(operand, left, expression))
      return false;
  expression.push_back(op);
  return true;
}

SmallVector<Operation *, 4> tessera::shard::smallExpression(Value value) {
  SmallVector<Operation *, 4> expression;
  size_t left = 8;
  if (!hasDimensions(value) || !appendExpression(value, left, expression))
    expression.clear();
  return expression;
}
