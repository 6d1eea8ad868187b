//===- SplitConstants.cpp - every use of a constant gets its own copy -----===//

#include "Support/ConstantExpressions.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_SPLITCONSTANTS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-split-constants"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// Expressions of more operations than this are shared as ordinary values are,
/// so that the copies stay in proportion to the program.
static constexpr size_t kMaxExpression = 64;

/// The operations of the constant expression behind `value`; none where there
/// are too many.
static SetVector<Operation *>
expressionBehind(Value value, const ConstantExpressions &constants) {
  SetVector<Operation *> expression;
  expression.insert(value.getDefiningOp());
  for (size_t next = 0; next < expression.size(); ++next) {
    if (expression.size() > kMaxExpression)
      return {};
    for (Value operand : expression[next]->getOperands())
      if (constants.contains(operand))
        expression.insert(operand.getDefiningOp());
  }
  return expression;
}

/// Copies the constant expression that `use` takes, unless it is the only use.
static void copyForUse(OpOperand &use, const ConstantExpressions &constants) {
  SetVector<Operation *> expression = expressionBehind(use.get(), constants);
  if (llvm::all_of(expression, [](Operation *op) { return op->hasOneUse(); }))
    return;
  LDBG() << describeMaker(use.get()) << ": " << expression.size()
         << " operations copied for " << describeOperation(use.getOwner());
  // Producers come before their users, wherever the search met them.
  SmallVector<Operation *> sorted(expression.getArrayRef());
  llvm::sort(sorted, [&](Operation *a, Operation *b) {
    return constants.position(a) < constants.position(b);
  });
  IRMapping mapping;
  for (Operation *op : sorted) {
    OpBuilder builder(op);
    builder.clone(*op, mapping);
  }
  use.set(mapping.lookup(use.get()));
}

namespace {
struct SplitConstants
    : tessera::shard::impl::SplitConstantsBase<SplitConstants> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      ConstantExpressions constants(function);
      SmallVector<OpOperand *> uses;
      for (Operation *op : constants.getOperations())
        for (OpOperand &use : op->getUses())
          if (!constants.contains(use.getOwner()))
            uses.push_back(&use);
      for (OpOperand *use : uses)
        copyForUse(*use, constants);
      for (Operation *op : llvm::reverse(constants.getOperations()))
        if (op->use_empty())
          op->erase();
    }
  }
};
} // namespace
