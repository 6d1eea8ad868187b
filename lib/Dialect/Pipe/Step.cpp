//===- Step.cpp - a step over microbatches --------------------------------===//

#include "tessera/Dialect/Pipe/Step.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::pipe;

SmallVector<scf::ForOp> Step::markedLoopsOf(func::FuncOp main) {
  return llvm::filter_to_vector(main.getOps<scf::ForOp>(), [](scf::ForOp loop) {
    return loop->hasAttr(PipeDialect::kMicrobatchesAttr);
  });
}

FailureOr<Step> Step::find(func::FuncOp main) {
  SmallVector<scf::ForOp> loops = markedLoopsOf(main);
  if (loops.empty())
    return main.emitError("expected a loop over microbatches to cut into "
                          "stages");
  if (loops.size() > 1) {
    InFlightDiagnostic diagnostic =
        loops[1].emitError("expected one loop over microbatches");
    diagnostic.attachNote(loops[0].getLoc()) << "another one is here";
    return diagnostic;
  }
  return Step(main, loops[0]);
}

std::optional<Step> Step::findCut(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (auto loop : function.getOps<scf::ForOp>())
      if (!loop.getBody()->getOps<FragmentOp>().empty())
        return Step(function, loop);
  return std::nullopt;
}

int64_t Step::microbatches() const {
  std::optional<APInt> trips = getLoop().getStaticTripCount();
  return trips ? std::max<int64_t>(trips->getSExtValue(), 1) : 1;
}

bool Step::isCarried(Value value) const {
  return llvm::is_contained(getLoop().getRegionIterArgs(), value);
}

//===----------------------------------------------------------------------===//
// Of a step that has been cut
//===----------------------------------------------------------------------===//

static SmallVector<FragmentOp> fragmentsIn(Block::iterator begin,
                                           Block::iterator end) {
  auto found = llvm::make_filter_range(llvm::make_range(begin, end),
                                       llvm::IsaPred<FragmentOp>);
  return llvm::map_to_vector(
      found, [](Operation &op) { return cast<FragmentOp>(op); });
}

SmallVector<FragmentOp> Step::fragmentsBefore() const {
  return fragmentsIn(loop->getBlock()->begin(), loop->getIterator());
}

SmallVector<FragmentOp> Step::fragmentsInLoop() const {
  return fragmentsIn(getBody()->begin(), getBody()->end());
}

SmallVector<FragmentOp> Step::fragmentsBehind() const {
  return fragmentsIn(std::next(loop->getIterator()), loop->getBlock()->end());
}

SmallVector<FragmentOp> Step::allFragments() const {
  SmallVector<FragmentOp> all = fragmentsBefore();
  llvm::append_range(all, fragmentsInLoop());
  llvm::append_range(all, fragmentsBehind());
  return all;
}

SmallVector<FragmentOp> Step::fragmentsOf(int64_t stage,
                                          FragmentKind kind) const {
  return llvm::filter_to_vector(
      getBody()->getOps<FragmentOp>(), [&](FragmentOp fragment) {
        return int64_t(fragment.getStage()) == stage &&
               fragment.getKind() == kind;
      });
}

int64_t Step::stages() const {
  int64_t stages = 0;
  for (FragmentOp fragment : allFragments())
    stages = std::max<int64_t>(stages, fragment.getStage() + 1);
  return stages;
}

bool Step::isPerMicrobatch(Value value) const {
  Operation *producer = value.getDefiningOp();
  return value.getParentBlock() == getBody() && producer &&
         isa<FragmentOp, TransferOp>(producer);
}

int32_t Step::vocabularyMeetings() const {
  if (!isVocabularySpread())
    return 0;
  for (auto fragment : getBody()->getOps<FragmentOp>())
    if (isBackward(fragment))
      for (Value value : readsOf(fragment)) {
        if (auto transfer = value.getDefiningOp<TransferOp>())
          value = transfer.getOperand();
        auto maker = value.getDefiningOp<FragmentOp>();
        if (maker && maker.getKind() == FragmentKind::VocabularyBackward)
          return 2;
      }
  return 1;
}

llvm::SetVector<Value> pipe::readsOf(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  if (!op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

bool pipe::isBackward(FragmentOp fragment) {
  return fragment.getKind() == FragmentKind::InputGradient ||
         fragment.getKind() == FragmentKind::WeightGradient;
}

bool pipe::isOfVocabulary(Operation *op) {
  auto fragment = dyn_cast_or_null<FragmentOp>(op);
  return fragment && (fragment.getKind() == FragmentKind::VocabularyForward ||
                      fragment.getKind() == FragmentKind::VocabularyBackward);
}
