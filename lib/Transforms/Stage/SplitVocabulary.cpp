//===- SplitVocabulary.cpp - the output layer on all pipeline ranks -------===//
//
// With a large vocabulary the output layer is as dear as several others, and
// the stage that has it is the one that all wait for. Vocabulary parallelism
// (Yeung, Qi, Lin, Wan: Balancing Pipeline Parallelism with Vocabulary
// Parallelism, 2024) gives every pipeline rank some columns of it. Of each
// microbatch a rank runs S, its logits and what can be reduced of them, and,
// when the ranks have met, T, the rest.
//
// What the layer is, `VocabularyLayer` finds. Then
//
// - S and T are built per rank, from what they must give backwards
//   (`VocabularyPart`): the contributions to partials that need no other
//   partial belong to S, all others and the weight's gradient to T;
// - a partial that depends on others and is needed before the next meeting is
//   reduced early (`EarlyReductions`): with two meetings the sum of
//   exponentials, with one all of them, so that the last stage's backward pass
//   needs S alone;
// - whoever needs a partial combines what all ranks contribute, for itself: the
//   meeting is an exchange of messages;
// - the sum of the weight's gradients becomes one sum per rank.
//
// The fragments that come out read values of each other; `tessera-cut-stages`
// takes them apart, and makes them again with transfers in between.
//
//===----------------------------------------------------------------------===//

#include "Layers/StackWrites.h"
#include "Layers/UnrollLayers.h"
#include "Step/Fragments.h"
#include "Vocabulary/VocabularyTerms.h"

#include "tessera/Dialect/Tessera/CarriedValues.h"
#include "tessera/Dialect/Tessera/CombineValues.h"
#include "tessera/Transforms/Stage/Passes.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::stage {
#define GEN_PASS_DEF_SPLITVOCABULARY
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-split-vocabulary"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

namespace {

/// Rows of the loop's body stay what they are.
class BodySite : public RowSite {
public:
  using RowSite::RowSite;
  Value row(Value value) override { return value; }
};

/// Builds the tasks S and T of all ranks.
class VocabularySplitter {
public:
  VocabularySplitter(StepProgram &program, const VocabularyLayer &layer,
                     int64_t ranks, bool meetsTwice);

  /// A diagnostic where more meetings would be needed than there are.
  LogicalResult check() const;
  void run();

private:
  FragmentOp makeFragment(FragmentKind kind, int64_t rank);
  void findNeeded();
  void addNeeded();
  bool isEarly(Value partial) const;
  Value combine(Value partial, RowSite &site);
  void replacePartials();
  void addContributions();
  void splitCarried();
  Value sumOfOthers(unsigned carried, scf::ForOp loop) const;
  void finish();

  StepProgram &program;
  const VocabularyLayer &layer;
  bool meetsTwice;
  /// Per rank.
  SmallVector<std::unique_ptr<VocabularyPart>> first, second;
  SmallVector<VocabularyPart *> firstParts;
  std::optional<EarlyReductions> early;
  /// What something besides part operations needs.
  DenseSet<Value> needed;
  /// What one carried value sums up of the layer.
  struct CarriedGroup {
    unsigned carried;
    int64_t dim;
    SmallVector<Value> parts;
  };
  SmallVector<CarriedGroup> groups;
  /// Per group and rank what one microbatch adds.
  SmallVector<Value> contributions;
};

} // namespace

VocabularySplitter::VocabularySplitter(StepProgram &program,
                                       const VocabularyLayer &layer,
                                       int64_t ranks, bool meetsTwice)
    : program(program), layer(layer), meetsTwice(meetsTwice) {
  auto make = [&](FragmentKind kind, int64_t rank, VocabularyPart *earlier) {
    return std::make_unique<VocabularyPart>(
        layer, program, VocabularyRange::of(layer, rank, ranks),
        makeFragment(kind, rank), earlier,
        [this](Value partial, RowSite &site) {
          return combine(partial, site);
        });
  };
  for (int64_t rank = 0; rank < ranks; ++rank)
    first.push_back(make(FragmentKind::VocabularyForward, rank, nullptr));
  for (int64_t rank = 0; rank < ranks; ++rank) {
    firstParts.push_back(first[rank].get());
    second.push_back(
        make(FragmentKind::VocabularyBackward, rank, first[rank].get()));
  }
  early.emplace(layer, firstParts);
  findNeeded();
  for (const VocabularyLayer::CarriedPart &carried : layer.getCarried()) {
    auto known = llvm::find_if(groups, [&](const CarriedGroup &group) {
      return group.carried == carried.carried;
    });
    if (known == groups.end())
      groups.push_back({carried.carried, carried.dim, {carried.part}});
    else
      known->parts.push_back(carried.part);
  }
}

FragmentOp VocabularySplitter::makeFragment(FragmentKind kind, int64_t rank) {
  Block *body = program.getLoop().getBody();
  OpBuilder builder(body->getTerminator());
  Location loc = program.getLoop().getLoc();
  auto fragment = FragmentOp::create(builder, loc, TypeRange(), kind, rank);
  builder.createBlock(&fragment.getBody());
  pipe::YieldOp::create(builder, loc, ValueRange());
  return fragment;
}

void VocabularySplitter::findNeeded() {
  Block &body = *program.getLoop().getBody();
  needed.insert_range(body.getTerminator()->getOperands());
  addNeeded();
}

/// Adds what is needed for what is, and for what has been built in the body.
void VocabularySplitter::addNeeded() {
  Block &body = *program.getLoop().getBody();
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (!program.contains(&op) && !isa<FragmentOp>(op))
      needed.insert_range(op.getOperands());
    else if (program.contains(&op) && !layer.isPart(&op) &&
             llvm::any_of(op.getResults(), [&](Value result) {
               return needed.contains(result);
             }))
      needed.insert_range(program.readsOf(&op));
  }
}

/// Whether `partial`, which depends on others, is reduced before these are
/// known.
bool VocabularySplitter::isEarly(Value partial) const {
  return layer.isLate(partial) && (!meetsTwice || layer.feedsPart(partial));
}

LogicalResult VocabularySplitter::check() const {
  for (auto [partial, kind] : layer.getPartials()) {
    if (!isEarly(partial) || EarlyReductions::isPossible(layer, partial) ||
        !(needed.contains(partial) || layer.feedsPart(partial)))
      continue;
    InFlightDiagnostic diagnostic =
        program.getLoop()->emitError("expected an output layer that ")
        << (meetsTwice ? "two meetings" : "one meeting")
        << " of the pipeline ranks can compute";
    diagnostic.attachNote(partial.getLoc())
        << "this depends on other reductions over the vocabulary in a way that "
           "is not linear";
    return diagnostic;
  }
  return success();
}

/// `partial` of all ranks, for `site`.
Value VocabularySplitter::combine(Value partial, RowSite &site) {
  if (isEarly(partial))
    return early->combine(partial, site);
  Value all;
  for (auto [s, t] : llvm::zip_equal(first, second)) {
    Value one = (layer.isLate(partial) ? t : s)->partial(partial);
    if (all) {
      one = combineValues(site.builder, partial.getLoc(),
                          *layer.partialKind(partial), all, one);
      setSharding(one, getSharding(partial));
    }
    all = one;
  }
  return all;
}

/// Lets what stays in the body use combined partials.
void VocabularySplitter::replacePartials() {
  OpBuilder builder(program.getLoop().getBody()->getTerminator());
  BodySite site(builder);
  llvm::MapVector<Value, Value> replaced;
  // A combination may be made of other partials.
  for (size_t before = 1; before != replaced.size(); addNeeded()) {
    before = replaced.size();
    for (auto [partial, kind] : layer.getPartials())
      if (needed.contains(partial) && !replaced.contains(partial)) {
        Value combined = combine(partial, site);
        replaced[partial] = combined;
      }
  }
  for (auto [partial, combined] : replaced)
    partial.replaceAllUsesWith(combined);
}

/// What `carried` sums up besides the layer; null if there is nothing.
Value VocabularySplitter::sumOfOthers(unsigned carried, scf::ForOp loop) const {
  auto group = llvm::find_if(groups, [&](const CarriedGroup &group) {
    return group.carried == carried;
  });
  Operation *addition = loop.getYieldedValues()[carried].getDefiningOp();
  OpBuilder builder(loop.getBody()->getTerminator());
  Value sum = loop.getRegionIterArg(carried);
  for (Value part : program.getSums()[carried].parts) {
    if (llvm::is_contained(group->parts, part))
      continue;
    Operation *added = builder.clone(*addition);
    added->setOperands({sum, part});
    sum = added->getResult(0);
  }
  return sum == loop.getRegionIterArg(carried) ? Value() : sum;
}

/// Builds what the ranks add to carried values.
void VocabularySplitter::addContributions() {
  for (const CarriedGroup &group : groups)
    for (auto &part : second) {
      Value sum;
      for (Value value : group.parts) {
        Value one = part->part(value, group.dim);
        if (sum) {
          one = arith::AddFOp::create(part->builder, value.getLoc(), sum, one);
          setSharding(one, getSharding(value));
        }
        sum = one;
      }
      contributions.push_back(sum);
    }
}

/// Gives every rank its own sum of what the layer adds to carried values.
void VocabularySplitter::splitCarried() {
  scf::ForOp loop = program.getLoop();
  SmallVector<Value> zeros;
  OpBuilder builder(loop);
  for (Value contribution : contributions)
    zeros.push_back(makeZero(builder, contribution));
  unsigned firstNew = loop.getNumResults();
  auto addAll = [&](OpBuilder &, ValueRange sums) {
    SmallVector<Value> yielded;
    for (auto [number, sum] : llvm::enumerate(sums)) {
      VocabularyPart &part = *second[number % second.size()];
      Value total = arith::AddFOp::create(part.builder, sum.getLoc(), sum,
                                          contributions[number]);
      setSharding(total, getSharding(contributions[number]));
      yielded.push_back(total);
    }
    return yielded;
  };
  loop = replaceCarried(loop, llvm::BitVector(firstNew), zeros, addAll);
  builder.setInsertionPointAfter(loop);
  ValueRange parts = loop.getResults().drop_front(firstNew);
  llvm::BitVector dropped(loop.getNumResults());
  for (const CarriedGroup &group : groups) {
    unsigned carried = group.carried;
    Value whole = loop.getResult(carried);
    Operation *addition = loop.getYieldedValues()[carried].getDefiningOp();
    Value joined = joinVocabulary(
        builder, llvm::to_vector(parts.take_front(second.size())), group.dim,
        layer.blocks());
    parts = parts.drop_front(second.size());
    Value others = sumOfOthers(carried, loop);
    Value base = others ? whole : loop.getInitArgs()[carried];
    Value total = joined;
    if (others || !isNeutral(base, ReductionKind::Sum)) {
      Operation *sum = builder.clone(*addition);
      sum->setOperands({base, joined});
      total = sum->getResult(0);
    }
    whole.replaceUsesWithIf(total, [&](OpOperand &use) {
      return use.getOwner() != total.getDefiningOp();
    });
    loop.getBody()->getTerminator()->setOperand(
        carried, others ? others : loop.getRegionIterArg(carried));
    if (!others)
      dropped.set(carried);
  }
  program.setLoop(loop);
  finish();
  program.setLoop(
      replaceCarried(loop, dropped, {}, [](OpBuilder &, ValueRange) {
        return SmallVector<Value>();
      }));
}

/// Erases what the tasks do instead, and makes them read each other's results.
void VocabularySplitter::finish() {
  Block *body = program.getLoop().getBody();
  auto eraseDead = [](Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (!isa<FragmentOp>(op) && isOpTriviallyDead(&op))
        op.erase();
  };
  eraseDead(*body);
  SmallVector<FragmentOp> fragments(body->getOps<FragmentOp>());
  for (FragmentOp fragment : llvm::reverse(fragments))
    eraseDead(fragment.getBody().front());
  // They have been built value by value.
  IRRewriter rewriter(body->getParentOp()->getContext());
  for (FragmentOp fragment : fragments) {
    FragmentOp whole = exportResults(fragment);
    DominanceInfo dominance(whole);
    eliminateCommonSubExpressions(rewriter, dominance, whole);
  }
  sortTopologically(body);
}

void VocabularySplitter::run() {
  // All tasks are built from the step as it was.
  addContributions();
  replacePartials();
  splitCarried();
}

namespace {
struct SplitVocabulary
    : tessera::stage::impl::SplitVocabularyBase<SplitVocabulary> {
  using SplitVocabularyBase::SplitVocabularyBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run();
};
} // namespace

/// Takes what matmuls give past the barriers in `loop` through which a
/// checkpoint that keeps it hands it to what it repeats: a value that is kept
/// anyway needs none. Returns whether there was any.
static bool bypassBarriers(scf::ForOp loop) {
  bool isChanged = false;
  auto isProduct = [&](Value value) {
    auto product = behindReshards(value).getDefiningOp<DotGeneralOp>();
    return product && product->getBlock() == loop.getBody();
  };
  for (auto barrier :
       llvm::make_early_inc_range(loop.getBody()->getOps<BarrierOp>())) {
    SmallVector<Value> operands =
        llvm::filter_to_vector(barrier.getOperands(), [&](Value operand) {
          return !isProduct(operand);
        });
    if (operands.size() == barrier.getNumOperands())
      continue;
    OpBuilder builder(barrier);
    auto rest = BarrierOp::create(builder, barrier.getLoc(),
                                  TypeRange(ValueRange(operands)), operands);
    unsigned next = 0;
    for (auto [operand, result] :
         llvm::zip_equal(barrier.getOperands(), barrier.getResults())) {
      if (isProduct(operand)) {
        result.replaceAllUsesWith(operand);
        continue;
      }
      setSharding(rest.getResult(next), getSharding(result));
      result.replaceAllUsesWith(rest.getResult(next++));
    }
    barrier.erase();
    isChanged = true;
  }
  return isChanged;
}

LogicalResult SplitVocabulary::run() {
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  if (stages == 1 || !main || !maySpreadVocabulary(schedule))
    return success();
  FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
  FailureOr<pipe::Step> step = pipe::Step::find(main);
  if (failed(mesh) || failed(step))
    return failure();
  ScheduleRequest request;
  request.ranks = stages;
  request.microbatches = step->microbatches();
  // `tessera-cut-stages` says what is wrong with a schedule.
  Fallible<StageSchedule> spread = makeRequestedSchedule(schedule, request);
  if (!spread || spread->vocabularyMeetings == 0)
    return success();
  // Layers are unrolled here already: equal operations that this finds must not
  // be shared by tasks.
  step->setLoop(unrollLayers(step->getLoop()));
  std::optional<StepProgram> program(std::in_place, *step);
  std::optional<VocabularyLayer> layer = VocabularyLayer::find(*program);
  if (!layer && bypassBarriers(step->getLoop())) {
    program.emplace(*step);
    layer = VocabularyLayer::find(*program);
  }
  if (!layer)
    return VocabularyLayer::emitMissing(*program);
  if (failed(layer->prepare(mesh->getMesh().getMesh(), stages)))
    return failure();
  LDBG() << "the vocabulary is spread over " << int64_t(stages)
         << " stages, which meet " << spread->vocabularyMeetings
         << " times per microbatch";
  VocabularySplitter splitter(*program, *layer, stages,
                              spread->vocabularyMeetings == 2);
  if (failed(splitter.check()))
    return failure();
  splitter.run();
  return success();
}
