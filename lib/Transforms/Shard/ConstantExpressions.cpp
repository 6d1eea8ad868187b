//===- ConstantExpressions.cpp - values that cost nothing to make again ---===//

#include "ConstantExpressions.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;

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

ConstantExpressions::ConstantExpressions(Operation *function) {
  walkProgram(function, [&](Operation *op) {
    if (op->getNumResults() == 0 || op->getNumRegions() != 0 ||
        isa<ConstrainOp, ReshardOp, PropagationBarrierOp,
            spmd::CollectiveOpInterface>(op) ||
        !isMemoryEffectFree(op) ||
        !llvm::all_of(op->getResults(), hasDimensions))
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
