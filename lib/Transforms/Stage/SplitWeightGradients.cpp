//===- SplitWeightGradients.cpp - what earlier stages wait for, and the rest -//
//
// Elsewhere: zero-bubble pipelines, split backward pass.
//
// Of the backward pass of a stage, earlier stages wait for the cotangents that
// are sent to them (the task I); what parameters' gradients need may come any
// time later (W) and fill bubbles of the schedule.
//
// What the sent values depend on is I, without a choice. Everything else may
// stay in W, and may pull with it repetitions of cheap operations of I, or may
// go to I where less has to be kept then. One network per fragment decides, in
// seconds per microbatch:
//
// - a value of n bytes that I makes, or has, and W reads is kept in between: it
//   costs what writing and reading it takes, 2 n / (bandwidth of the memory);
// - an operation of I that W repeats costs its own time again; a matmul, a
//   collective or control flow is never repeated;
// - an operation that goes to I although nothing sent depends on it delays all
//   earlier stages. The bubble of a step grows by (p - 1) t through I and by
//   (p - 1) t more because W has less to fill it with (the bubble of ZB-H1 is
//   (p - 1)(F + I - W)): per microbatch 2 (p - 1) t / m, with p ranks and m
//   microbatches. Matmuls, collectives and control flow never do: they are
//   what bubbles are filled with.
//
// On the source's side of the cut stands what W finds done, on the sink's side
// what it does itself. Constants and what follows from them are made wherever
// they are needed. A stage that sends nothing, like the first, has only W.
//
// The idea of the two parts is that of Zero Bubble (Qi et al., 2024), who split
// by hand; docs/rationale/gradient-split.md compares.
//
//===----------------------------------------------------------------------===//

#include "Costs/OperationCosts.h"
#include "Step/Fragments.h"

#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Support/MinimumCut.h"
#include "tessera/Transforms/Stage/Passes.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::stage {
#define GEN_PASS_DEF_SPLITWEIGHTGRADIENTS
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-split-weight-gradients"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

namespace {

/// Splits one fragment of a backward pass into I and W.
class GradientSplit {
public:
  /// `delay` is what a second more in I costs, in seconds.
  GradientSplit(FragmentOp fragment, const pipe::Step &step,
                OperationCosts &costs, double delay)
      : fragment(fragment), step(step), costs(costs), delay(delay),
        body(fragment) {}

  /// Replaces the fragment by its two parts.
  void run();

private:
  bool isSent(unsigned result) const;
  bool isReadByI(unsigned result) const;
  void require(Value value);
  bool readsCarried(Operation *op) const;
  void findRequired();
  bool mayRepeat(Operation *op) const;
  void addOperation(Operation *op);
  void addValue(Value value, Operation *producer, ArrayRef<Operation *> users);
  void solve();
  bool isInI(Operation *op) const {
    return required.contains(op) || cut.isOnSourceSide(nodes.at(op));
  }
  void findDone();
  void rewrite();
  SmallVector<Operation *> inOrder(const DenseSet<Operation *> &chosen) const;

  FragmentOp fragment;
  const pipe::Step &step;
  OperationCosts &costs;
  double delay;
  FragmentBody body;
  /// What the sent values depend on.
  DenseSet<Operation *> required;
  /// Of all operations but the free ones.
  llvm::DenseMap<Operation *, MinimumCut::Node> nodes;
  MinimumCut cut;
  /// What the two parts do, free operations included.
  DenseSet<Operation *> doneByI, doneByW;
  /// What I makes and W reads.
  llvm::SetVector<Value> kept;
};

} // namespace

/// Whether something else than the next microbatch uses result number
/// `result`.
bool GradientSplit::isSent(unsigned result) const {
  return llvm::any_of(fragment->getResult(result).getUsers(),
                      [](Operation *user) { return !isa<scf::YieldOp>(user); });
}

/// Adds what `value` depends on.
void GradientSplit::require(Value value) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Operation *op = body.producerOf(worklist.pop_back_val());
    if (op && !body.isFree(op) && required.insert(op).second)
      llvm::append_range(worklist, body.readsOf(op));
  }
}

/// Whether I reads what result number `result` is for the next microbatch.
bool GradientSplit::isReadByI(unsigned result) const {
  return llvm::any_of(
      fragment->getResult(result).getUses(), [&](OpOperand &use) {
        if (!isa<scf::YieldOp>(use.getOwner()))
          return false;
        Value carried =
            step.getLoop().getRegionIterArgs()[use.getOperandNumber()];
        return llvm::any_of(required, [&](Operation *op) {
          return llvm::is_contained(body.readsOf(op), carried);
        });
      });
}

/// I needs what is sent, and nothing of one microbatch may wait for W of the
/// one before.
void GradientSplit::findRequired() {
  for (auto [number, value] : llvm::enumerate(body.results()))
    if (isSent(number))
      require(value);
  for (size_t before = 0; before != required.size();) {
    before = required.size();
    for (auto [number, value] : llvm::enumerate(body.results()))
      if (isReadByI(number))
        require(value);
  }
}

bool GradientSplit::readsCarried(Operation *op) const {
  return llvm::any_of(body.readsOf(op),
                      [&](Value value) { return step.isCarried(value); });
}

/// Whether both parts may do `op`, which I needs.
bool GradientSplit::mayRepeat(Operation *op) const {
  return !getOperationCost(op).isHeavy && !op->hasTrait<HandsOperandsOver>() &&
         !readsCarried(op);
}

void GradientSplit::addOperation(Operation *op) {
  MinimumCut::Node node = nodes.at(op);
  if (required.contains(op)) {
    cut.addEdge(MinimumCut::kSource, node,
                mayRepeat(op) ? toCapacity(costs.secondsToRepeat(op))
                              : MinimumCut::kUncuttable);
    return;
  }
  // Adding to what the loop carries is the last thing that happens.
  cut.addEdge(node, MinimumCut::kSink,
              getOperationCost(op).isHeavy || readsCarried(op)
                  ? MinimumCut::kUncuttable
                  : toCapacity(delay * costs.seconds(op)));
  for (Value value : body.readsOf(op))
    if (Operation *producer = body.producerOf(value))
      if (nodes.contains(producer) && !required.contains(producer))
        cut.addEdge(node, nodes.at(producer), MinimumCut::kUncuttable);
}

/// `value` is kept if W finds it done and does one of `users` itself.
void GradientSplit::addValue(Value value, Operation *producer,
                             ArrayRef<Operation *> users) {
  MinimumCut::Node isKept = cut.addNode();
  cut.addEdge(producer ? nodes.at(producer) : MinimumCut::kSource, isKept,
              toCapacity(costs.secondsThroughMemory(costs.bytes(value))));
  for (Operation *user : users)
    cut.addEdge(isKept, nodes.at(user), MinimumCut::kUncuttable);
}

void GradientSplit::solve() {
  llvm::MapVector<Value, SmallVector<Operation *>> users;
  for (Operation *op : body.getOperations()) {
    if (body.isFree(op))
      continue;
    nodes[op] = cut.addNode();
    for (Value value : body.readsOf(op))
      users[value].push_back(op);
  }
  for (Operation *op : body.getOperations())
    if (nodes.contains(op))
      addOperation(op);
  for (auto &[value, readers] : users) {
    Operation *producer = body.producerOf(value);
    if (producer ? nodes.contains(producer) : step.isPerMicrobatch(value))
      addValue(value, producer, readers);
  }
  cut.solve();
}

/// Finds what each part does from what it has to yield.
void GradientSplit::findDone() {
  SmallVector<Value> worklist;
  for (Value value : body.results()) {
    Operation *op = body.producerOf(value);
    if (op && !body.isFree(op) && !isInI(op))
      worklist.push_back(value);
  }
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = body.producerOf(value);
    if (!op)
      continue;
    if (!body.isFree(op) && cut.isOnSourceSide(nodes.at(op)))
      kept.insert(value);
    else if (doneByW.insert(op).second)
      llvm::append_range(worklist, body.readsOf(op));
  }
  llvm::append_range(worklist, kept);
  for (Value value : body.results()) {
    Operation *op = body.producerOf(value);
    if (!op || body.isFree(op) || isInI(op))
      worklist.push_back(value);
  }
  while (!worklist.empty()) {
    Operation *op = body.producerOf(worklist.pop_back_val());
    if (op && doneByI.insert(op).second)
      llvm::append_range(worklist, body.readsOf(op));
  }
}

SmallVector<Operation *>
GradientSplit::inOrder(const DenseSet<Operation *> &chosen) const {
  return llvm::filter_to_vector(
      body.getOperations(), [&](Operation *op) { return chosen.contains(op); });
}

void GradientSplit::rewrite() {
  SmallVector<Value> early, late;
  SmallVector<unsigned> earlyResults, lateResults;
  for (auto [number, value] : llvm::enumerate(body.results())) {
    Operation *op = body.producerOf(value);
    bool isLate = op && !body.isFree(op) && !isInI(op);
    (isLate ? late : early).push_back(value);
    (isLate ? lateResults : earlyResults).push_back(number);
  }
  for (Value value : kept)
    if (!llvm::is_contained(early, value))
      early.push_back(value);
  IRMapping inner;
  FragmentOp first = cloneFragment(fragment, FragmentKind::InputGradient,
                                   inOrder(doneByI), early, inner);
  for (auto [number, result] : llvm::zip(earlyResults, first.getResults()))
    fragment.getResult(number).replaceAllUsesWith(result);
  if (!late.empty()) {
    IRMapping handedOver;
    for (auto [value, result] : llvm::zip_equal(early, first.getResults()))
      if (kept.contains(value))
        handedOver.map(value, result);
    FragmentOp second = cloneFragment(fragment, FragmentKind::WeightGradient,
                                      inOrder(doneByW), late, handedOver);
    for (auto [number, result] : llvm::zip(lateResults, second.getResults()))
      fragment.getResult(number).replaceAllUsesWith(result);
  }
  fragment.erase();
}

void GradientSplit::run() {
  bool sends = false;
  for (unsigned result = 0; result < fragment.getNumResults(); ++result)
    sends |= isSent(result);
  if (!sends) {
    LDBG() << "stage " << fragment.getStage()
           << ": sends nothing, all of it can wait";
    fragment.setKind(FragmentKind::WeightGradient);
    return;
  }
  findRequired();
  solve();
  findDone();
  LDBG() << "stage " << fragment.getStage() << ": " << doneByI.size()
         << " operations for the gradients that are sent, " << doneByW.size()
         << " later, which read " << kept.size() << " values of the first";
  rewrite();
}

namespace {
struct SplitWeightGradients
    : tessera::stage::impl::SplitWeightGradientsBase<SplitWeightGradients> {
  using SplitWeightGradientsBase::SplitWeightGradientsBase;

  void runOnOperation() override {
    std::optional<pipe::Step> step = pipe::Step::findCut(getOperation());
    if (!step)
      return;
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    OperationCosts costs(*mesh);
    int64_t numRanks = ranks > 0 ? int64_t(ranks) : step->stages();
    double delay = 2.0 * (numRanks - 1) / step->microbatches();
    for (int64_t stage = 0; stage < step->stages(); ++stage)
      for (FragmentOp fragment :
           step->fragmentsOf(stage, FragmentKind::InputGradient))
        GradientSplit(fragment, *step, costs, delay).run();
  }
};
} // namespace
