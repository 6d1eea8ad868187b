//===- StageMeasures.cpp - what the stages of a step cost -----------------===//

#include "Schedule/StageMeasures.h"

#include "tessera/Dialect/Tessera/Donation.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

double tessera::stage::secondsOf(FragmentOp fragment, OperationCosts &costs) {
  double seconds = 0;
  for (Operation &op : fragment.getBody().front().without_terminator())
    seconds += costs.seconds(&op);
  return seconds;
}

ScheduleRequest tessera::stage::requestFor(const pipe::Step &step,
                                           int64_t ranks) {
  ScheduleRequest request;
  request.ranks = ranks > 0 ? ranks : step.stages();
  request.microbatches = step.microbatches();
  request.chunks = step.stages() / request.ranks;
  return request;
}

/// Whether `value` waits from the forward pass of its microbatch on.
static bool isMadeForward(Value value) {
  if (auto transfer = value.getDefiningOp<pipe::TransferOp>())
    return transfer.getSource() < transfer.getTarget() &&
           !pipe::isOfVocabulary(transfer.getOperand().getDefiningOp());
  return value.getDefiningOp<FragmentOp>().getKind() == FragmentKind::Forward;
}

/// Whether the output layer, which is spread over the ranks, gives `value`.
static bool isMadeOfVocabulary(Value value) {
  if (auto transfer = value.getDefiningOp<pipe::TransferOp>())
    value = transfer.getOperand();
  return pipe::isOfVocabulary(value.getDefiningOp());
}

namespace {

/// What the fragments of a step hold, from what they read.
class Holdings {
public:
  Holdings(const pipe::Step &step, const OperationCosts &costs)
      : step(step), reads(step), costs(costs) {}

  const FragmentReads &getReads() const { return reads; }
  int64_t activationBytes(int64_t stage) const;
  int64_t weightInputBytes(int64_t stage) const;
  int64_t vocabularyBytes(int64_t stage) const;
  std::vector<WeightPart> parts(int64_t stage, OperationCosts &costs) const;
  SmallVector<llvm::SetVector<Value>> findResident() const;

private:
  llvm::SetVector<Value>
  readBy(int64_t stage, llvm::function_ref<bool(FragmentOp)> isUser) const;

  const pipe::Step &step;
  FragmentReads reads;
  const OperationCosts &costs;
};

} // namespace

/// What the fragments of `stage` that `isUser` chooses read of one microbatch.
llvm::SetVector<Value>
Holdings::readBy(int64_t stage,
                 llvm::function_ref<bool(FragmentOp)> isUser) const {
  llvm::SetVector<Value> held;
  for (FragmentOp fragment : reads.ofStage(stage))
    if (isUser(fragment))
      for (Value value : reads.of(fragment))
        if (step.isPerMicrobatch(value))
          held.insert(value);
  return held;
}

/// What one microbatch holds between the forward and the backward fragments of
/// `stage`.
int64_t Holdings::activationBytes(int64_t stage) const {
  int64_t bytes = 0;
  for (Value value : readBy(stage, pipe::isBackward))
    if (isMadeForward(value) || isMadeOfVocabulary(value))
      bytes += costs.bytes(value);
  return bytes;
}

static bool isWeightGradient(FragmentOp fragment) {
  return fragment && fragment.getKind() == FragmentKind::WeightGradient;
}

int64_t Holdings::weightInputBytes(int64_t stage) const {
  int64_t bytes = 0;
  for (Value value : readBy(stage, isWeightGradient))
    // What one part hands to another is none.
    if (!isWeightGradient(value.getDefiningOp<FragmentOp>()))
      bytes += costs.bytes(value);
  return bytes;
}

/// What the parts of the weight gradient of `stage` cost; none where it is
/// whole.
std::vector<WeightPart> Holdings::parts(int64_t stage,
                                        OperationCosts &times) const {
  SmallVector<FragmentOp> fragments =
      llvm::filter_to_vector(reads.ofStage(stage), isWeightGradient);
  if (fragments.size() < 2)
    return {};
  std::vector<WeightPart> parts(fragments.size());
  llvm::MapVector<Value, unsigned> lastReaders;
  for (auto [part, fragment] : llvm::enumerate(fragments)) {
    parts[part].seconds = secondsOf(fragment, times);
    for (Value value : reads.of(fragment))
      if (step.isPerMicrobatch(value))
        lastReaders[value] = part;
  }
  for (auto [value, last] : lastReaders) {
    parts[last].releases += double(costs.bytes(value));
    if (auto maker = value.getDefiningOp<FragmentOp>(); isWeightGradient(maker))
      parts[maker.getPart()].makes += double(costs.bytes(value));
  }
  return parts;
}

/// What one rank holds of a microbatch for its part of the output layer, beside
/// what waits for the backward pass.
int64_t Holdings::vocabularyBytes(int64_t stage) const {
  llvm::SetVector<Value> waiting = readBy(stage, pipe::isBackward);
  int64_t bytes = 0;
  for (Value value : readBy(stage, pipe::isOfVocabulary))
    bytes += waiting.contains(value) ? 0 : costs.bytes(value);
  return bytes;
}

/// What the ranks of each stage hold during the whole step.
SmallVector<llvm::SetVector<Value>> Holdings::findResident() const {
  SmallVector<llvm::SetVector<Value>> resident(step.stages());
  scf::ForOp loop = step.getLoop();
  auto isResident = [&](Value value) {
    if (isa<BlockArgument>(value))
      return value.getParentBlock() != loop.getBody() || step.isCarried(value);
    // What a parameter is turned into before the loop.
    Operation *op = value.getDefiningOp();
    return op->getBlock() == loop->getBlock() && op->isBeforeInBlock(loop);
  };
  for (FragmentOp fragment : reads.all())
    for (Value value : reads.of(fragment))
      if (isResident(value))
        resident[fragment.getStage()].insert(value);
  return resident;
}

int64_t tessera::stage::largestResident(const pipe::Step &step,
                                        const OperationCosts &costs) {
  int64_t largest = 0;
  for (const llvm::SetVector<Value> &values :
       Holdings(step, costs).findResident())
    for (Value value : values)
      largest = std::max(largest, costs.bytes(value));
  return largest;
}

/// Adds results of the function that take over no argument's memory.
static void addResults(const pipe::Step &step, const OperationCosts &costs,
                       StageCosts &stages) {
  func::FuncOp function = step.getFunction();
  DenseSet<int64_t> donated;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (std::optional<unsigned> result = getDonatedResult(function, i))
      donated.insert(*result);
  auto add = [&](Value value) {
    if (auto fragment = value.getDefiningOp<FragmentOp>())
      stages.stages[fragment.getStage()].parameters += costs.bytes(value);
  };
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    if (donated.contains(number))
      continue;
    if (auto rows = value.getDefiningOp<ConcatenateOp>())
      llvm::for_each(rows.getOperands(), add);
    else
      add(value);
  }
}

std::vector<StageRoute> tessera::stage::routesOf(StagePlacement placement,
                                                 int64_t ranks,
                                                 int64_t stages) {
  std::vector<StageRoute> routes;
  for (int64_t stage = 0; stage < stages; ++stage) {
    std::vector<int32_t> copies = ranksOfStage(placement, ranks, stage);
    routes.resize(copies.size());
    for (auto [route, rank] : llvm::zip_equal(routes, copies))
      route.ranks.push_back(rank);
  }
  return routes;
}

/// Whether `transfer` hands the output layer, where it is spread over the
/// ranks, what it needs or takes from it what it gives.
static bool isOfMeeting(pipe::TransferOp transfer) {
  return pipe::isOfVocabulary(transfer.getOperand().getDefiningOp()) ||
         llvm::all_of(transfer->getUsers(), [](Operation *user) {
           return pipe::isOfVocabulary(user->getParentOp());
         });
}

static double secondsOn(const LinkCosts &links, double bytes) {
  return links.latency + bytes / links.bandwidth;
}

void tessera::stage::measureTransfers(const pipe::Step &step,
                                      const OperationCosts &costs,
                                      const RankLinks &links,
                                      ArrayRef<StageRoute> routes,
                                      StageCosts &stages) {
  std::vector<BoundaryCost> crossing(stages.boundaries.size());
  int32_t last = 0;
  for (const StageRoute &route : routes)
    last = std::max(last, *llvm::max_element(route.ranks));
  LinkCosts slowest = links.among(last + 1);
  for (auto transfer : step.getBody()->getOps<pipe::TransferOp>()) {
    int64_t source = transfer.getSource(), target = transfer.getTarget();
    double bytes = double(costs.bytes(transfer.getResult()));
    if (isOfMeeting(transfer))
      stages.vocabularyMeeting =
          std::max(stages.vocabularyMeeting, secondsOn(slowest, bytes));
    // Longer ways have the time of the stages in between as well.
    else if (std::abs(source - target) == 1)
      (source < target ? crossing[source].forward
                       : crossing[target].backward) += bytes;
  }
  placeBoundaries(crossing, links, routes, stages);
}

void tessera::stage::placeBoundaries(ArrayRef<BoundaryCost> bytes,
                                     const RankLinks &links,
                                     ArrayRef<StageRoute> routes,
                                     StageCosts &stages) {
  for (auto [stage, boundary] : llvm::enumerate(stages.boundaries))
    for (const StageRoute &route : routes) {
      int32_t source = route.ranks[stage], target = route.ranks[stage + 1];
      if (source == target)
        continue;
      LinkCosts between = links.between(source, target);
      if (bytes[stage].forward > 0)
        boundary.forward = std::max(boundary.forward,
                                    secondsOn(between, bytes[stage].forward));
      if (bytes[stage].backward > 0)
        boundary.backward = std::max(boundary.backward,
                                     secondsOn(between, bytes[stage].backward));
    }
}

StageCosts tessera::stage::measureStages(const pipe::Step &step,
                                         OperationCosts &costs) {
  StageCosts result = StageCosts::uniform(step.stages());
  Holdings holdings(step, costs);
  SmallVector<llvm::SetVector<Value>> resident = holdings.findResident();
  for (auto [stage, cost] : llvm::enumerate(result.stages)) {
    auto sum = [&, stage = stage](FragmentKind kind) {
      double seconds = 0;
      for (FragmentOp fragment : holdings.getReads().ofStage(stage))
        if (fragment.getKind() == kind)
          seconds += secondsOf(fragment, costs);
      return seconds;
    };
    cost.forward = sum(FragmentKind::Forward);
    cost.inputGradient = sum(FragmentKind::InputGradient);
    cost.weightGradient = sum(FragmentKind::WeightGradient);
    cost.vocabularyForward = sum(FragmentKind::VocabularyForward);
    cost.vocabularyBackward = sum(FragmentKind::VocabularyBackward);
    cost.vocabularyActivation = double(holdings.vocabularyBytes(stage));
    cost.activation = double(holdings.activationBytes(stage));
    cost.weightInput = double(holdings.weightInputBytes(stage));
    cost.weightParts = holdings.parts(stage, costs);
    cost.parameters = 0;
    for (Value value : resident[stage])
      cost.parameters += double(costs.bytes(value));
  }
  addResults(step, costs, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Once per step
//===----------------------------------------------------------------------===//

namespace {

/// Runs in thought what stands outside of the loop, in the order of the text:
/// every rank has a clock, and every value is ready on each route at some time.
class OnceReplay {
public:
  OnceReplay(const pipe::Step &step, OperationCosts &costs,
             const RankLinks &links, ArrayRef<StageRoute> routes)
      : step(step), reads(step), costs(costs), links(links), routes(routes) {
    for (const StageRoute &route : routes)
      for (int32_t rank : route.ranks)
        clocks.resize(std::max<size_t>(clocks.size(), rank + 1), 0);
  }

  double run();

private:
  using Times = SmallVector<double, 2>;

  Times readyFor(ValueRange values) const;
  void runFragment(FragmentOp fragment);
  void send(pipe::TransferOp transfer);
  void exchange();
  void handOut();

  const pipe::Step &step;
  FragmentReads reads;
  OperationCosts &costs;
  const RankLinks &links;
  ArrayRef<StageRoute> routes;
  SmallVector<double> clocks;
  DenseMap<Value, Times> ready;
};

} // namespace

/// When the last of `values` is there, per route.
OnceReplay::Times OnceReplay::readyFor(ValueRange values) const {
  Times times(routes.size(), 0);
  for (Value value : values)
    if (auto known = ready.find(value); known != ready.end())
      for (auto [time, other] : llvm::zip_equal(times, known->second))
        time = std::max(time, other);
  return times;
}

void OnceReplay::runFragment(FragmentOp fragment) {
  double seconds = secondsOf(fragment, costs);
  Times times = readyFor(reads.of(fragment));
  for (auto [time, route] : llvm::zip_equal(times, routes)) {
    double &clock = clocks[route.ranks[fragment.getStage()]];
    time = clock = std::max(clock, time) + seconds;
  }
  for (Value result : fragment.getResults())
    ready[result] = times;
}

void OnceReplay::send(pipe::TransferOp transfer) {
  Times times = readyFor(transfer.getOperand());
  double bytes = double(costs.bytes(transfer.getResult()));
  for (auto [time, route] : llvm::zip_equal(times, routes)) {
    int32_t source = route.ranks[transfer.getSource()];
    int32_t target = route.ranks[transfer.getTarget()];
    if (source != target)
      time += secondsOn(links.between(source, target), bytes);
  }
  ready[transfer.getResult()] = std::move(times);
}

/// Ranks that have the same stage add up what they have accumulated.
void OnceReplay::exchange() {
  for (Value yielded : step.getLoop().getYieldedValues())
    if (auto fragment = yielded.getDefiningOp<FragmentOp>())
      for (const StageRoute &route : routes.drop_front()) {
        int32_t one = routes.front().ranks[fragment.getStage()];
        int32_t other = route.ranks[fragment.getStage()];
        double seconds =
            secondsOn(links.between(one, other), double(costs.bytes(yielded)));
        clocks[one] += seconds;
        clocks[other] += seconds;
      }
}

/// Who makes the new value of an argument sends it to the others that hold it,
/// one after the other.
void OnceReplay::handOut() {
  func::FuncOp function = step.getFunction();
  Operation *terminator = function.getBody().front().getTerminator();
  llvm::DenseMap<Value, llvm::SmallSetVector<int64_t, 4>> holders;
  for (FragmentOp fragment : reads.all())
    for (Value value : reads.of(fragment))
      if (isa<BlockArgument>(value))
        holders[value].insert(fragment.getStage());
  for (BlockArgument argument : function.getArguments()) {
    std::optional<unsigned> result = getDonatedResult(argument);
    if (!result)
      continue;
    auto maker = terminator->getOperand(*result).getDefiningOp<FragmentOp>();
    if (!maker)
      continue;
    for (const StageRoute &route : routes)
      for (int64_t holder : holders.lookup(argument)) {
        int32_t source = route.ranks[maker.getStage()];
        int32_t target = route.ranks[holder];
        bool hasIt = llvm::any_of(routes, [&](const StageRoute &other) {
          return other.ranks[maker.getStage()] == target;
        });
        if (!hasIt)
          clocks[source] += secondsOn(links.between(source, target),
                                      double(costs.bytes(argument)));
      }
  }
}

double OnceReplay::run() {
  for (Operation &op : step.getFunction().getBody().front()) {
    if (auto fragment = dyn_cast<FragmentOp>(op))
      runFragment(fragment);
    else if (auto transfer = dyn_cast<pipe::TransferOp>(op))
      send(transfer);
    else if (&op == step.getLoop())
      exchange();
    else
      for (Value result : op.getResults())
        ready.insert({result, readyFor(op.getOperands())});
  }
  handOut();
  return *llvm::max_element(clocks);
}

double tessera::stage::measureOnce(const pipe::Step &step,
                                   OperationCosts &costs,
                                   const RankLinks &links,
                                   ArrayRef<StageRoute> routes) {
  return OnceReplay(step, costs, links, routes).run();
}
