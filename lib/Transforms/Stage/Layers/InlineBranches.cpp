//===- InlineBranches.cpp - branches around a step become choices ---------===//

#include "Layers/InlineBranches.h"

#include "Layers/StackWrites.h"
#include "tessera/Interfaces/CostInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

/// The tensor that the condition of `branch` is the only element of; null if it
/// comes from elsewhere.
static Value conditionOf(scf::IfOp branch) {
  auto extract = branch.getCondition().getDefiningOp<tensor::ExtractOp>();
  return extract && extract.getIndices().empty() ? extract.getTensor()
                                                 : Value();
}

/// Whether it costs little to compute both sides of `branch`.
static bool isCheap(scf::IfOp branch) {
  auto visit = [](Operation *op) {
    bool isCheap = isa<scf::IfOp, scf::YieldOp>(op) ||
                   (!getOperationCost(op).isHeavy && isMemoryEffectFree(op));
    return isCheap ? WalkResult::advance() : WalkResult::interrupt();
  };
  return branch.elseBlock() && conditionOf(branch) &&
         llvm::all_of(branch.getResultTypes(), llvm::IsaPred<TensorType>) &&
         !branch->walk(visit).wasInterrupted();
}

/// `ifTrue` where `condition`, of one element, says so, else `ifFalse`.
static Value choose(OpBuilder &builder, Value condition, Value ifTrue,
                    Value ifFalse, ShardingAttr sharding) {
  Location loc = ifTrue.getLoc();
  if (auto type = cast<RankedTensorType>(ifTrue.getType());
      type.getRank() > 0) {
    condition =
        BroadcastOp::create(builder, loc, type.clone(builder.getI1Type()),
                            condition, builder.getDenseI64ArrayAttr({}));
    setSharding(condition, sharding);
  }
  Value made =
      arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
  setSharding(made, sharding);
  return made;
}

/// Puts both sides of `branch` in front of it, and lets its users have what is
/// chosen.
static void inlineBranch(scf::IfOp branch) {
  Value condition = conditionOf(branch);
  for (Block *side : {branch.thenBlock(), branch.elseBlock()})
    for (Operation &op : llvm::make_early_inc_range(side->without_terminator()))
      op.moveBefore(branch);
  OpBuilder builder(branch);
  for (auto [result, ifTrue, ifFalse] :
       llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands())) {
    ShardingAttr sharding = getSharding(result);
    Value chosen = ifTrue == ifFalse
                       ? ifTrue
                       : choose(builder, condition, ifTrue, ifFalse, sharding);
    result.replaceAllUsesWith(withShardingOf(builder, chosen, result));
  }
  branch.erase();
}

void tessera::stage::inlineBranches(scf::ForOp microbatches) {
  // What a branch contains comes to stand around the loop, too.
  SmallVector<scf::IfOp> branches(
      microbatches->getBlock()->getOps<scf::IfOp>());
  while (!branches.empty()) {
    scf::IfOp branch = branches.pop_back_val();
    if (!isCheap(branch))
      continue;
    branch.walk([&](scf::IfOp nested) {
      if (nested != branch && nested->getParentOp() == branch)
        branches.push_back(nested);
    });
    inlineBranch(branch);
  }
}
