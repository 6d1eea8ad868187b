//===- StagedStep.cpp - a step that has been cut into fragments -----------===//

#include "Step/StagedStep.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

std::optional<StagedStep> StagedStep::find(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (auto loop : function.getOps<scf::ForOp>())
      if (!loop.getBody()->getOps<FragmentOp>().empty())
        return StagedStep(function, loop);
  return std::nullopt;
}

int64_t StagedStep::stages() const {
  int64_t stages = 0;
  for (FragmentOp fragment : allFragments())
    stages = std::max<int64_t>(stages, fragment.getStage() + 1);
  return stages;
}

int64_t StagedStep::microbatches() const {
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips ? std::max<int64_t>(trips->getSExtValue(), 1) : 1;
}

SmallVector<FragmentOp> StagedStep::fragmentsOf(int64_t stage,
                                                FragmentKind kind) const {
  return llvm::filter_to_vector(
      getBody()->getOps<FragmentOp>(), [&](FragmentOp fragment) {
        return int64_t(fragment.getStage()) == stage &&
               fragment.getKind() == kind;
      });
}

int32_t StagedStep::vocabularyMeetings() const {
  if (!isVocabularySpread())
    return 0;
  for (auto fragment : getBody()->getOps<FragmentOp>())
    if (isBackward(fragment))
      for (Value value : readsOf(fragment)) {
        if (auto transfer = value.getDefiningOp<pipe::TransferOp>())
          value = transfer.getOperand();
        auto maker = value.getDefiningOp<FragmentOp>();
        if (maker && maker.getKind() == FragmentKind::VocabularyBackward)
          return 2;
      }
  return 1;
}

SmallVector<FragmentOp> StagedStep::allFragments() const {
  SmallVector<FragmentOp> fragments;
  for (Operation &op : function.getBody().front())
    if (auto fragment = dyn_cast<FragmentOp>(op))
      fragments.push_back(fragment);
    else if (&op == loop)
      llvm::append_range(fragments, getBody()->getOps<FragmentOp>());
  return fragments;
}

bool StagedStep::isPerMicrobatch(Value value) const {
  Operation *producer = value.getDefiningOp();
  return value.getParentBlock() == getBody() && producer &&
         isa<FragmentOp, pipe::TransferOp>(producer);
}

bool StagedStep::isCarried(Value value) const {
  return llvm::is_contained(loop.getRegionIterArgs(), value);
}

llvm::SetVector<Value> tessera::stage::readsOf(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  if (!op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

FragmentReads::FragmentReads(const StagedStep &step)
    : fragments(step.allFragments()), stages(step.stages()) {
  for (FragmentOp fragment : fragments) {
    reads[fragment] = llvm::to_vector_of<Value, 0>(readsOf(fragment));
    if (fragment->getBlock() == step.getBody())
      stages[fragment.getStage()].push_back(fragment);
  }
}

bool tessera::stage::isBackward(FragmentOp fragment) {
  return fragment.getKind() == FragmentKind::InputGradient ||
         fragment.getKind() == FragmentKind::WeightGradient;
}

bool tessera::stage::isOfVocabulary(Operation *op) {
  auto fragment = dyn_cast_or_null<FragmentOp>(op);
  return fragment && (fragment.getKind() == FragmentKind::VocabularyForward ||
                      fragment.getKind() == FragmentKind::VocabularyBackward);
}

//===----------------------------------------------------------------------===//
// The body of a fragment
//===----------------------------------------------------------------------===//

FragmentBody::FragmentBody(FragmentOp fragment)
    : block(&fragment.getBody().front()) {
  for (Operation &op : block->without_terminator()) {
    operations.push_back(&op);
    llvm::SetVector<Value> &own = reads[&op] = tessera::stage::readsOf(&op);
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
