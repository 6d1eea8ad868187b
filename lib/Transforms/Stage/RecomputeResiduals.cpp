//===- RecomputeResiduals.cpp - what is kept for the backward pass --------===//
//
// Elsewhere: rematerialization, activation (gradient) checkpointing.
//
// Between its forward and its backward task a microbatch keeps every value that
// automatic differentiation saved, and several microbatches are under way at a
// time. Many of these values follow from few others by cheap operations: they
// are computed again where they are needed.
//
// One network per forward fragment decides, in seconds per microbatch:
//
// - a value of n bytes that the backward pass reads, or repeats something from,
//   is kept: it costs what writing and reading it takes, 2 n / (bandwidth of
//   the memory), and n times the price of a byte of memory;
// - an operation that the backward pass repeats costs its own time again.
//   Heavy ones, which are matmuls, collectives and control flow, are not
//   repeated unless memory does not suffice;
// - arguments, what the step holds anyway, and constants cost nothing to keep;
// - where there are kernels for attention, scores and what a softmax makes of
//   them cost nothing to repeat: the gradient's kernel does, and nobody stores
//   them once all of attention is in the backward pass. Kept are then, besides
//   what the cut says, the maximum and the sum of every row of scores.
//
// On the source's side of the cut stands what is kept or not needed, on the
// sink's what is done again. The price of a byte is 0 where there is enough
// memory, and otherwise the multiplier of Lagrange's method: per pipeline rank
// the smallest one, found by bisection, at which what the rank holds at its
// worst moment fits. As the price grows, less is kept. Only if no price is high
// enough, heavy operations may be repeated as well.
//
// What the model itself computes again (jax.checkpoint) is part of the backward
// pass already and stays there. This pass comes before the backward pass is
// split, so that what both of its halves need is repeated once, or in both, as
// that cut decides.
//
// Minimum cuts for this question: Jain et al., Checkmate (MLSys 2020), state it
// as an integer program; with one backward pass and no order to choose it is a
// cut.
//
//===----------------------------------------------------------------------===//

#include "Schedule/StageMeasures.h"

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Support/MinimumCut.h"
#include "tessera/Transforms/Stage/Passes.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::stage {
#define GEN_PASS_DEF_RECOMPUTERESIDUALS
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-recompute-residuals"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

/// What the forward pass has handed `stage` and its backward pass reads in any
/// case.
static llvm::SetVector<Value> inputsOfBackward(const pipe::Step &step,
                                               int64_t stage) {
  llvm::SetVector<Value> inputs;
  for (auto fragment : step.getBody()->getOps<FragmentOp>())
    if (int64_t(fragment.getStage()) == stage && isBackward(fragment))
      for (Value value : readsOf(fragment))
        if (auto transfer = value.getDefiningOp<pipe::TransferOp>())
          if (transfer.getSource() < transfer.getTarget() &&
              !pipe::isOfVocabulary(transfer.getOperand().getDefiningOp()))
            inputs.insert(value);
  return inputs;
}

namespace {

/// What may be repeated, and what a kept byte is worth.
struct ResidualPrices {
  /// Seconds per byte.
  double memory = 0;
  bool repeatHeavy = false;
};

/// The values that one forward fragment leaves for the backward pass.
class Residuals {
public:
  /// `attentionKernels`: see the pass.
  Residuals(FragmentOp fragment, const pipe::Step &step, OperationCosts &costs,
            bool attentionKernels);

  /// Decides anew, changing nothing in the program.
  void decide(const ResidualPrices &prices);
  /// The bytes on one device that are kept as decided, besides what the
  /// backward pass reads in any case.
  int64_t keptBytes() const;
  /// Changes the program as decided last.
  void apply();

private:
  bool mayRepeat(Operation *op, const ResidualPrices &prices) const;
  bool isNeeded(unsigned result) const;
  void addValue(Value value, Operation *producer, double price,
                MinimumCut &cut);
  void findRepeated();
  void repeatIn(FragmentOp backward);
  void replaceFragment();

  FragmentOp fragment;
  const pipe::Step &step;
  OperationCosts &costs;
  FragmentBody body;
  /// What kernels for attention repeat.
  DenseSet<Operation *> scores;
  /// Of each product that makes scores the maxima of rows.
  llvm::MapVector<Operation *, Value> maxima;
  /// What the backward pass reads in any case.
  llvm::SetVector<Value> given;
  llvm::DenseMap<Value, SmallVector<Operation *>> readers;
  /// Of all operations but the free ones.
  llvm::DenseMap<Operation *, MinimumCut::Node> nodes;
  /// As decided: the operations that the backward pass does again, free ones
  /// included, and what it starts from.
  DenseSet<Operation *> repeated;
  llvm::SetVector<Value> kept;
};

} // namespace

/// `root` and all that follows from it in its block but by dear operations.
static llvm::SetVector<Operation *> cheapFollowers(Operation *root) {
  llvm::SetVector<Operation *> followers;
  followers.insert(root);
  for (size_t i = 0; i < followers.size(); ++i)
    for (Operation *user : followers[i]->getUsers())
      if (user->getBlock() == root->getBlock() &&
          !getOperationCost(user).isHeavy &&
          !user->hasTrait<OpTrait::IsTerminator>())
        followers.insert(user);
  return followers;
}

/// Adds to `scores` what attention computes between its two matmuls, if
/// `product` is the first of them: an exponential follows from a maximum along
/// the rows of a batched product, and a matmul reads what follows from it.
/// Returns the maximum, else null.
static Value addScores(DotGeneralOp product, DenseSet<Operation *> &scores) {
  if (product.getLhsBatching().empty())
    return {};
  llvm::SetVector<Operation *> following = cheapFollowers(product);
  auto isContracted = [](Operation *op) {
    return llvm::any_of(op->getUsers(), llvm::IsaPred<DotGeneralOp>);
  };
  for (Operation *op : following) {
    auto maximum = dyn_cast<ReduceOp>(op);
    if (!maximum || maximum.getKind().getKind() != ReductionKind::Max)
      continue;
    for (Operation *later : cheapFollowers(maximum))
      if (isa<math::ExpOp>(later) &&
          llvm::any_of(cheapFollowers(later), isContracted)) {
        scores.insert_range(following);
        return maximum.getResult();
      }
  }
  return {};
}

Residuals::Residuals(FragmentOp fragment, const pipe::Step &step,
                     OperationCosts &costs, bool attentionKernels)
    : fragment(fragment), step(step), costs(costs), body(fragment),
      given(inputsOfBackward(step, fragment.getStage())) {
  for (Operation *op : body.getOperations())
    if (!body.isFree(op))
      for (Value value : body.readsOf(op))
        readers[value].push_back(op);
  if (attentionKernels)
    for (Operation *op : body.getOperations())
      if (auto product = dyn_cast<DotGeneralOp>(op))
        if (Value maximum = addScores(product, scores))
          maxima[product] = maximum;
}

/// Whether a backward fragment of the same stage reads result number `result`.
bool Residuals::isNeeded(unsigned result) const {
  return llvm::any_of(
      fragment->getResult(result).getUsers(), [&](Operation *user) {
        Operation *top = step.getBody()->findAncestorOpInBlock(*user);
        auto reader = dyn_cast_or_null<FragmentOp>(top);
        return reader && isBackward(reader);
      });
}

bool Residuals::mayRepeat(Operation *op, const ResidualPrices &prices) const {
  if (op->hasTrait<HandsOperandsOver>() || !isMemoryEffectFree(op) ||
      holdsEffect(op) ||
      (getOperationCost(op).isHeavy && !prices.repeatHeavy &&
       !scores.contains(op)))
    return false;
  return llvm::none_of(body.readsOf(op),
                       [&](Value value) { return step.isCarried(value); });
}

/// `value` is kept if it is not repeated, but read by something that is, or by
/// the backward pass itself.
void Residuals::addValue(Value value, Operation *producer, double price,
                         MinimumCut &cut) {
  double bytes = given.contains(value) ? 0 : double(costs.bytes(value));
  MinimumCut::Node isKept = cut.addNode();
  cut.addEdge(producer ? nodes.at(producer) : MinimumCut::kSource, isKept,
              toCapacity(costs.secondsThroughMemory(bytes) + price * bytes));
  for (Operation *reader : readers.lookup(value))
    cut.addEdge(isKept, nodes.at(reader), MinimumCut::kUncuttable);
  for (auto [number, result] : llvm::enumerate(body.results()))
    if (result == value && isNeeded(number))
      cut.addEdge(isKept, MinimumCut::kSink, MinimumCut::kUncuttable);
}

void Residuals::decide(const ResidualPrices &prices) {
  MinimumCut cut;
  nodes.clear();
  llvm::SetVector<Value> values;
  for (Operation *op : body.getOperations()) {
    if (body.isFree(op))
      continue;
    nodes[op] = cut.addNode();
    values.insert_range(body.readsOf(op));
    values.insert_range(op->getResults());
  }
  // NOLINTNEXTLINE(custom-iteration-order): the smallest cut is one.
  for (auto [op, node] : nodes) {
    double seconds = scores.contains(op) ? 0 : costs.secondsToRepeat(op);
    cut.addEdge(MinimumCut::kSource, node,
                mayRepeat(op, prices) ? toCapacity(seconds)
                                      : MinimumCut::kUncuttable);
  }
  for (Value value : values) {
    Operation *producer = body.producerOf(value);
    if (producer ? nodes.contains(producer) : step.isPerMicrobatch(value))
      addValue(value, producer, prices.memory, cut);
  }
  cut.solve();
  repeated.clear();
  // NOLINTNEXTLINE(custom-iteration-order): into a set.
  for (auto [op, node] : nodes)
    if (!cut.isOnSourceSide(node))
      repeated.insert(op);
  findRepeated();
}

/// Leaves in `repeated` what the backward pass reads or what that follows from,
/// with the free operations among it, and finds what it starts from.
void Residuals::findRepeated() {
  DenseSet<Operation *> chosen = std::move(repeated);
  repeated.clear();
  kept.clear();
  SmallVector<Value> worklist;
  for (auto [number, value] : llvm::enumerate(body.results()))
    if (isNeeded(number))
      worklist.push_back(value);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = body.producerOf(value);
    if (!op || (!body.isFree(op) && !chosen.contains(op))) {
      if (op || step.isPerMicrobatch(value))
        kept.insert(value);
    } else if (repeated.insert(op).second) {
      llvm::append_range(worklist, body.readsOf(op));
    }
  }
}

int64_t Residuals::keptBytes() const {
  int64_t bytes = 0;
  for (Value value : kept)
    bytes += given.contains(value) ? 0 : costs.bytes(value);
  // Two numbers of f32 per row, which the two kernels share.
  for (auto [product, maximum] : maxima)
    if (repeated.contains(product))
      bytes += 2 * 4 * costs.elements(maximum);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Gives `fragment` the results that are used elsewhere and those that are
/// kept.
void Residuals::replaceFragment() {
  SmallVector<Value> yields;
  SmallVector<unsigned> stay;
  for (auto [number, value] : llvm::enumerate(body.results()))
    if (!fragment.getResult(number).use_empty()) {
      stay.push_back(number);
      yields.push_back(value);
    }
  for (Value value : kept)
    if (body.producerOf(value) && !llvm::is_contained(yields, value))
      yields.push_back(value);
  OpBuilder builder(fragment);
  auto replacement = FragmentOp::create(
      builder, fragment.getLoc(), TypeRange(ValueRange(yields)),
      fragment.getKind(), fragment.getStage());
  replacement->setDiscardableAttrs(fragment->getDiscardableAttrDictionary());
  replacement.getBody().takeBody(fragment.getBody());
  replacement.getBody().front().getTerminator()->setOperands(yields);
  for (auto [number, result] : llvm::zip(stay, replacement.getResults()))
    fragment.getResult(number).replaceAllUsesWith(result);
  // Backward fragments read values of the body until now.
  for (auto [value, result] : llvm::zip_equal(yields, replacement.getResults()))
    if (body.producerOf(value))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !replacement->isProperAncestor(use.getOwner());
      });
  inheritShardings(replacement);
  fragment.erase();
  fragment = replacement;
  for (Operation *op : llvm::reverse(body.getOperations()))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Does in `backward` again what it reads, from what is kept. For a moment it
/// reads values of the forward fragment's body.
void Residuals::repeatIn(FragmentOp backward) {
  OpBuilder builder = OpBuilder::atBlockBegin(&backward.getBody().front());
  DenseSet<Operation *> own;
  SmallVector<Value> worklist;
  SmallVector<std::pair<Value, Value>> replaced;
  llvm::SetVector<Value> reads = readsOf(backward);
  for (auto [result, value] :
       llvm::zip_equal(fragment.getResults(), body.results())) {
    if (!reads.contains(result))
      continue;
    replaced.push_back({result, value});
    worklist.push_back(value);
  }
  while (!worklist.empty()) {
    Operation *op = body.producerOf(worklist.pop_back_val());
    if (op && repeated.contains(op) && own.insert(op).second)
      llvm::append_range(worklist, body.readsOf(op));
  }
  IRMapping mapping;
  for (Operation *op : body.getOperations())
    if (own.contains(op))
      builder.clone(*op, mapping);
  for (auto [result, value] : replaced)
    result.replaceUsesWithIf(
        mapping.lookupOrDefault(value), [&](OpOperand &use) {
          return backward->isProperAncestor(use.getOwner());
        });
}

void Residuals::apply() {
  unsigned dropped = 0;
  for (auto [number, value] : llvm::enumerate(body.results())) {
    Operation *op = body.producerOf(value);
    dropped += isNeeded(number) && op && repeated.contains(op);
  }
  LDBG() << "stage " << fragment.getStage() << ": " << dropped
         << " results are recomputed by the backward pass, which does "
         << repeated.size() << " operations again and keeps " << keptBytes()
         << " bytes";
  if (dropped == 0)
    return;
  for (auto backward : step.getBody()->getOps<FragmentOp>())
    if (isBackward(backward) && backward.getStage() == fragment.getStage())
      repeatIn(backward);
  replaceFragment();
}

//===----------------------------------------------------------------------===//
// The memory limit
//===----------------------------------------------------------------------===//

namespace {

/// All forward fragments of a step, under the memory limit of a rank.
class ResidualChoice {
public:
  ResidualChoice(const pipe::Step &step, OperationCosts &costs,
                 bool attentionKernels);

  /// Decides for all stages as if memory had no price.
  void decide();
  /// Raises the price on every rank that holds more than `limit` bytes when it
  /// runs `schedule`, until it fits or nothing more can be done.
  void fit(const StageSchedule &schedule, double limit);
  void apply();

private:
  void decide(ArrayRef<int64_t> stages, const ResidualPrices &prices);
  double peak(const StageSchedule &schedule, int64_t rank) const;
  void fitRank(const StageSchedule &schedule, int64_t rank, double limit);

  const pipe::Step &step;
  OperationCosts &costs;
  /// Per stage.
  std::vector<std::vector<Residuals>> residuals;
  StageCosts measures;
};

} // namespace

ResidualChoice::ResidualChoice(const pipe::Step &step, OperationCosts &costs,
                               bool attentionKernels)
    : step(step), costs(costs), measures(measureStages(step, costs)) {
  for (int64_t stage = 0; stage < step.stages(); ++stage) {
    auto &ofStage = residuals.emplace_back();
    for (FragmentOp fragment : step.fragmentsOf(stage, FragmentKind::Forward))
      ofStage.emplace_back(fragment, step, costs, attentionKernels);
  }
}

void ResidualChoice::decide(ArrayRef<int64_t> stages,
                            const ResidualPrices &prices) {
  for (int64_t stage : stages) {
    StageCost &cost = measures.stages[stage];
    cost.activation = 0;
    for (Value value : inputsOfBackward(step, stage))
      cost.activation += double(costs.bytes(value));
    for (Residuals &one : residuals[stage]) {
      one.decide(prices);
      cost.activation += double(one.keptBytes());
    }
    cost.weightInput = cost.activation;
  }
}

void ResidualChoice::decide() {
  decide(llvm::to_vector(llvm::seq(step.stages())), {});
}

double ResidualChoice::peak(const StageSchedule &schedule, int64_t rank) const {
  double bytes = peakActivation(schedule, measures, rank);
  for (int64_t stage = 0; stage < step.stages(); ++stage)
    if (llvm::is_contained(schedule.ranksOf(stage), rank))
      bytes += measures.stages[stage].parameters;
  return bytes;
}

void ResidualChoice::fitRank(const StageSchedule &schedule, int64_t rank,
                             double limit) {
  SmallVector<int64_t> stages;
  for (int64_t stage = 0; stage < step.stages(); ++stage)
    if (llvm::is_contained(schedule.ranksOf(stage), rank))
      stages.push_back(stage);
  auto fits = [&](const ResidualPrices &prices) {
    decide(stages, prices);
    return peak(schedule, rank) <= limit;
  };
  // A byte costs at least what moving it does and never more than a second per
  // kilobyte, which no operation takes.
  double lowest = costs.secondsThroughMemory(1) * 1e-3, highest = 1e-3;
  for (bool repeatHeavy : {false, true}) {
    if (!fits({highest, repeatHeavy}))
      continue;
    double low = lowest, high = highest;
    for (int i = 0; i < 40 && high > 1.05 * low; ++i) {
      double middle = std::sqrt(low * high);
      (fits({middle, repeatHeavy}) ? high : low) = middle;
    }
    decide(stages, {high, repeatHeavy});
    return;
  }
}

void ResidualChoice::fit(const StageSchedule &schedule, double limit) {
  for (int64_t rank = 0; rank < int64_t(schedule.ranks.size()); ++rank)
    if (peak(schedule, rank) > limit)
      fitRank(schedule, rank, limit);
}

void ResidualChoice::apply() {
  for (auto &ofStage : residuals)
    for (Residuals &one : ofStage)
      one.apply();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RecomputeResiduals
    : tessera::stage::impl::RecomputeResidualsBase<RecomputeResiduals> {
  using RecomputeResidualsBase::RecomputeResidualsBase;

  void runOnOperation() override {
    std::optional<pipe::Step> step = pipe::Step::findCut(getOperation());
    if (!step)
      return;
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    OperationCosts costs(*mesh);
    ResidualChoice choice(*step, costs, attentionKernels);
    choice.decide();
    if (memoryLimit > 0) {
      Fallible<StageSchedule> planned =
          makeRequestedSchedule(schedule, requestFor(*step, ranks));
      if (!planned) {
        emitScheduleError(step->getLoop().getLoc(), planned.message());
        return signalPassFailure();
      }
      choice.fit(*planned, double(memoryLimit));
    }
    choice.apply();
  }
};
} // namespace
