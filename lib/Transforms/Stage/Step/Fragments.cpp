//===- Fragments.cpp - what fragments of a step are made of ---------------===//

#include "Step/Fragments.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

FragmentReads::FragmentReads(const pipe::Step &step)
    : fragments(step.allFragments()), stages(step.stages()) {
  for (FragmentOp fragment : fragments) {
    reads[fragment] = llvm::to_vector_of<Value, 0>(readsOf(fragment));
    if (fragment->getBlock() == step.getBody())
      stages[fragment.getStage()].push_back(fragment);
  }
}

//===----------------------------------------------------------------------===//
// The body of a fragment
//===----------------------------------------------------------------------===//

FragmentBody::FragmentBody(FragmentOp fragment)
    : block(&fragment.getBody().front()) {
  for (Operation &op : block->without_terminator()) {
    operations.push_back(&op);
    llvm::SetVector<Value> &own = reads[&op] = pipe::readsOf(&op);
    bool isMade = op.hasTrait<OpTrait::ConstantLike>() || isa<IotaOp>(op) ||
                  (!own.empty() && (isElementwise(&op) || getViewAccess(&op)));
    if (isMade && llvm::all_of(own, [&](Value value) {
          return value.getDefiningOp() && free.contains(value.getDefiningOp());
        }))
      free.insert(&op);
  }
  llvm::append_range(yielded, block->getTerminator()->getOperands());
}

Operation *FragmentBody::producerOf(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == block ? op : nullptr;
}

FragmentOp tessera::stage::cloneFragment(FragmentOp like, FragmentKind kind,
                                         ArrayRef<Operation *> operations,
                                         ArrayRef<Value> yields,
                                         IRMapping &mapping) {
  OpBuilder builder(like);
  auto fragment =
      FragmentOp::create(builder, like.getLoc(), TypeRange(ValueRange(yields)),
                         kind, like.getStage());
  fragment->setDiscardableAttrs(like->getDiscardableAttrDictionary());
  builder.createBlock(&fragment.getBody());
  for (Operation *op : operations)
    builder.clone(*op, mapping);
  SmallVector<Value> results = llvm::map_to_vector(
      yields, [&](Value value) { return mapping.lookupOrDefault(value); });
  pipe::YieldOp::create(builder, like.getLoc(), results);
  inheritShardings(fragment);
  return fragment;
}

void tessera::stage::inheritShardings(FragmentOp fragment) {
  fragment->removeDiscardableAttr(TesseraDialect::kShardingAttr);
  Operation *yield = fragment.getBody().front().getTerminator();
  for (auto [result, value] :
       llvm::zip_equal(fragment.getResults(), yield->getOperands()))
    if (ShardingAttr sharding = getSharding(value))
      setSharding(result, sharding);
}

FragmentOp tessera::stage::exportResults(FragmentOp fragment) {
  Region &body = fragment.getBody();
  SmallVector<Value> results;
  for (Operation &op : body.front())
    for (Value result : op.getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !body.isAncestor(user->getParentRegion());
          }))
        results.push_back(result);
  if (results.empty())
    return fragment;
  OpBuilder builder(fragment);
  auto whole = FragmentOp::create(
      builder, fragment.getLoc(), TypeRange(ValueRange(results)),
      fragment.getKind(), int64_t(fragment.getStage()));
  whole.getBody().takeBody(body);
  for (auto [inner, outer] : llvm::zip_equal(results, whole.getResults())) {
    setSharding(outer, getSharding(inner));
    inner.replaceUsesWithIf(outer, [&](OpOperand &use) {
      return !whole.getBody().isAncestor(use.getOwner()->getParentRegion());
    });
  }
  whole.getBody().front().getTerminator()->setOperands(results);
  fragment.erase();
  return whole;
}
