//===- ForwardStages.cpp - where the forward pass is cut ------------------===//

#include "ForwardStages.h"

#include "tessera/Stages/StagePartitioner.h"

#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace tessera;

/// The search for cuts chooses among about so many blocks per stage, and not
/// many fewer than the other number in all.
static constexpr int64_t kBlocksPerStage = 8, kBlocks = 128;

namespace {

/// The forward pass as a chain. Place i is the one before operation i.
class ForwardChain {
public:
  ForwardChain(const StepProgram &program, OperationCosts &costs);

  SmallVector<int64_t> marks() const;
  SmallVector<int64_t> places(int64_t stages) const;
  StagePartitionProblem makeProblem(ArrayRef<int64_t> places) const;
  /// What is known of an operation of the forward pass.
  struct Link {
    Operation *op;
    double forward;
    double backward = 0;
    /// Bytes of its results that the backward pass needs.
    int64_t kept = 0;
  };
  ArrayRef<Link> getLinks() const { return links; }
  /// Of contractions in the backward pass: the one that each is derived from.
  const DenseMap<Operation *, int64_t> &getDerivedFrom() const {
    return derivedFrom;
  }
  /// The index of `op`; nothing unless it is part of the forward pass.
  std::optional<int64_t> indexOf(Operation *op) const {
    auto known = indices.find(op);
    return known == indices.end() ? std::nullopt
                                  : std::optional<int64_t>(known->second);
  }

private:
  void findUsers();
  void addBackwardCosts();
  void measureCrossings();
  void findRepeated();
  bool isNarrow(int64_t place) const;
  void addValues(StagePartitionProblem &problem,
                 ArrayRef<int64_t> places) const;
  void addParameters(StagePartitionProblem &problem,
                     ArrayRef<int64_t> places) const;

  const StepProgram &program;
  OperationCosts &costs;
  SmallVector<Link, 0> links;
  DenseMap<Operation *, int64_t> indices, derivedFrom;
  /// Per value and parameter of the forward pass who makes and who uses it,
  /// ascending.
  DenseMap<Value, SmallVector<int64_t, 2>> users;
  /// Per place the bytes that cross it.
  SmallVector<int64_t, 0> crossing;
  /// Per place whether it is within what the backward pass repeats as a whole.
  SmallVector<bool, 0> isRepeated;
};

} // namespace

ForwardChain::ForwardChain(const StepProgram &program, OperationCosts &costs)
    : program(program), costs(costs) {
  for (Operation *op : program.getOperations())
    if (program.is(op, Placement::Forward)) {
      indices[op] = links.size();
      links.push_back({op, costs.seconds(op)});
    }
  findUsers();
  addBackwardCosts();
  measureCrossings();
  findRepeated();
}

/// The block, between `places`, of the operation with this index.
static int32_t blockOf(int64_t index, ArrayRef<int64_t> places) {
  return llvm::upper_bound(places, index) - places.begin();
}

void ForwardChain::findUsers() {
  for (auto [index, link] : llvm::enumerate(links)) {
    for (Value read : program.readsOf(link.op)) {
      users[read].push_back(index);
      for (Value parameter : program.parametersOf(read))
        if (parameter != read)
          users[parameter].push_back(index);
    }
    for (Value result : link.op->getResults())
      users[result].push_back(index);
  }
}

/// Finds what the backward pass computes again (JAX's checkpoint): what uses
/// the parameters that enter through one barrier. A cut in there would bring
/// all of it to one of both stages.
void ForwardChain::findRepeated() {
  isRepeated.assign(links.size() + 1, false);
  for (Operation *op : program.getOperations()) {
    if (!program.is(op, Placement::Backward) || !isa<BarrierOp>(op))
      continue;
    int64_t first = links.size(), last = 0;
    for (Value read : program.readsOf(op))
      for (Value parameter : program.parametersOf(read))
        for (int64_t user : users.lookup(parameter)) {
          first = std::min(first, user);
          last = std::max(last, user);
        }
    for (int64_t place = first + 1; place <= last; ++place)
      isRepeated[place] = true;
  }
}

/// Adds the cost of each operation of the backward pass to the operation of the
/// forward pass that it seems to be the derivative of: the last maker or user,
/// of the same kind, of a value or parameter that both need, but none behind
/// those of its operands from the backward pass. There are two kinds,
/// contractions and others.
void ForwardChain::addBackwardCosts() {
  if (links.empty())
    return;
  DenseMap<Operation *, int64_t> placeOf;
  for (Operation *op : program.getOperations()) {
    if (!program.is(op, Placement::Backward))
      continue;
    int64_t latest = links.size() - 1;
    for (Value read : program.readsOf(op))
      if (auto known = placeOf.find(read.getDefiningOp());
          known != placeOf.end())
        latest = std::min(latest, known->second);
    std::optional<int64_t> shared;
    auto share = [&](Value value) {
      for (int64_t user : users.lookup(value))
        if (user <= latest &&
            isa<DotGeneralOp>(links[user].op) == isa<DotGeneralOp>(op))
          shared = std::max(shared.value_or(0), user);
    };
    for (Value read : program.readsOf(op)) {
      share(read);
      llvm::for_each(program.parametersOf(read), share);
    }
    int64_t place = shared.value_or(latest);
    placeOf[op] = place;
    links[place].backward += costs.seconds(op);
    if (shared && isa<DotGeneralOp>(op))
      derivedFrom[op] = place;
  }
}

void ForwardChain::measureCrossings() {
  crossing.assign(links.size() + 1, 0);
  for (auto [index, link] : llvm::enumerate(links))
    for (Value result : link.op->getResults()) {
      int64_t last = index;
      bool isKept = false;
      for (Operation *user : result.getUsers()) {
        user = program.outermost(user);
        last = std::max(last, indexOf(user).value_or(0));
        isKept |= program.is(user, Placement::Backward);
      }
      crossing[index + 1] += costs.bytes(result);
      crossing[last + 1] -= costs.bytes(result);
      if (isKept)
        link.kept += costs.bytes(result);
    }
  for (size_t place = 1; place < crossing.size(); ++place)
    crossing[place] += crossing[place - 1];
}

/// The places behind marks; marks with nothing in between are one.
SmallVector<int64_t> ForwardChain::marks() const {
  SmallVector<int64_t> found;
  bool isNew = true;
  for (auto [index, link] : llvm::enumerate(links)) {
    if (!isa<StageEndOp>(link.op)) {
      isNew |= link.forward > 0;
      continue;
    }
    if (isNew)
      found.push_back(index + 1);
    else
      found.back() = index + 1;
    isNew = false;
  }
  return found;
}

/// Whether `place` is where one would cut by hand: no fewer bytes cross the
/// places next to it, and nothing is repeated across it.
bool ForwardChain::isNarrow(int64_t place) const {
  int64_t last = links.size() - 1;
  return !isRepeated[place] &&
         (place == 1 || crossing[place] <= crossing[place - 1]) &&
         (place == last || crossing[place] <= crossing[place + 1]);
}

/// The places to choose from for `stages`, ascending, without both ends: the
/// narrow ones or, if they are too few, all. Of those in the same small part of
/// the work, the one with the fewest bytes is kept.
SmallVector<int64_t> ForwardChain::places(int64_t stages) const {
  auto secondsOf = [](const Link &link) {
    return link.forward + link.backward;
  };
  double total = 0;
  for (const Link &link : links)
    total += secondsOf(link);
  double part = total / double(std::max(kBlocksPerStage * stages, kBlocks));
  SmallVector<int64_t> found;
  auto find = [&](bool onlyNarrow) {
    found.clear();
    double before = 0, lastPart = -1;
    for (int64_t place = 1; place < int64_t(links.size()); ++place) {
      before += secondsOf(links[place - 1]);
      if (onlyNarrow && !isNarrow(place))
        continue;
      double thisPart = part > 0 ? std::floor(before / part) : double(place);
      if (thisPart == lastPart) {
        if (crossing[place] > crossing[found.back()])
          continue;
        found.pop_back();
      }
      found.push_back(place);
      lastPart = thisPart;
    }
  };
  find(/*onlyNarrow=*/true);
  if (int64_t(found.size()) + 1 < stages)
    find(/*onlyNarrow=*/false);
  return found;
}

/// Adds the values that cross `places`.
void ForwardChain::addValues(StagePartitionProblem &problem,
                             ArrayRef<int64_t> places) const {
  for (auto [index, link] : llvm::enumerate(links))
    for (Value result : link.op->getResults()) {
      ChainValue value{blockOf(index, places), {}, 0, 0};
      std::set<int32_t> uses;
      for (Operation *user : result.getUsers())
        if (std::optional<int64_t> use = indexOf(program.outermost(user)))
          uses.insert(blockOf(*use, places));
      uses.erase(value.from);
      if (uses.empty())
        continue;
      value.uses.assign(uses.begin(), uses.end());
      value.forwardBytes = costs.bytes(result);
      value.backwardBytes = link.kept ? value.forwardBytes : 0;
      problem.values.push_back(std::move(value));
    }
}

/// Adds the memory of parameters, with their gradients, to the blocks that use
/// them; those of several blocks are tied.
void ForwardChain::addParameters(StagePartitionProblem &problem,
                                 ArrayRef<int64_t> places) const {
  llvm::MapVector<Value, std::set<int32_t>> users;
  for (auto [index, link] : llvm::enumerate(links))
    for (Value read : program.readsOf(link.op))
      for (Value parameter : program.parametersOf(read))
        users[parameter].insert(blockOf(index, places));
  for (auto &[parameter, blocks] : users) {
    int64_t bytes = costs.bytes(parameter);
    if (blocks.size() == 1)
      problem.blocks[*blocks.begin()].residentBytes += 2 * bytes;
    else
      problem.tied.push_back(
          {{blocks.begin(), blocks.end()}, 2 * bytes, bytes});
  }
}

/// The blocks between `places`, and what passes between them.
StagePartitionProblem
ForwardChain::makeProblem(ArrayRef<int64_t> places) const {
  StagePartitionProblem problem;
  problem.blocks.resize(places.size() + 1);
  for (auto [index, link] : llvm::enumerate(links)) {
    ChainBlock &block = problem.blocks[blockOf(index, places)];
    block.forward += link.forward;
    block.inputGradient += link.backward;
    block.activationBytes += link.kept;
  }
  addValues(problem, places);
  addParameters(problem, places);
  LinkCosts between = linksBetweenRanks(costs.getMachine());
  problem.secondsPerByte = 1 / between.bandwidth;
  problem.latency = between.latency;
  problem.microbatches = program.microbatches();
  return problem;
}

//===----------------------------------------------------------------------===//
// From places to stages
//===----------------------------------------------------------------------===//

namespace {

/// Makes a chain's cuts the stages of its operations.
class ForwardAssignment {
public:
  ForwardAssignment(const StepProgram &program, const ForwardChain &chain,
                    StageLabels &assignment)
      : program(program), chain(chain), assignment(assignment) {}

  void assign(ArrayRef<int64_t> cuts);

private:
  bool dependsOnBatchAlone(Operation *op) const;
  void sinkBatchValues();
  bool raise(Operation *op, int64_t stage);
  bool tieCarried();
  bool raiseUsers();

  const StepProgram &program;
  const ForwardChain &chain;
  StageLabels &assignment;
};

} // namespace

/// Whether `op` needs nothing of parameters or carried values, directly.
bool ForwardAssignment::dependsOnBatchAlone(Operation *op) const {
  return llvm::all_of(program.readsOf(op), [&](Value read) {
    Operation *maker = program.definingOperation(read);
    return maker && program.argumentsOf(read).empty();
  });
}

/// Moves what is computed of the batch alone to the first stage that needs it.
void ForwardAssignment::sinkBatchValues() {
  DenseSet<Operation *> ofBatch;
  for (const ForwardChain::Link &link : chain.getLinks())
    if (dependsOnBatchAlone(link.op) &&
        llvm::all_of(program.readsOf(link.op), [&](Value read) {
          Operation *maker = read.getDefiningOp();
          return !chain.indexOf(maker) || ofBatch.contains(maker);
        }))
      ofBatch.insert(link.op);
  for (const ForwardChain::Link &link : llvm::reverse(chain.getLinks())) {
    if (!ofBatch.contains(link.op))
      continue;
    int64_t first = assignment.stages;
    for (Operation *user : link.op->getUsers())
      if (user = program.outermost(user); chain.indexOf(user))
        first = std::min(first, assignment.stageOf.at(user));
    if (first != assignment.stages)
      assignment.stageOf[link.op] = first;
  }
}

/// Moves an operation of the forward pass to a later stage, if `stage` is one.
bool ForwardAssignment::raise(Operation *op, int64_t stage) {
  if (!chain.indexOf(op) || assignment.stageOf.at(op) >= stage)
    return false;
  assignment.stageOf[op] = stage;
  return true;
}

/// Moves what reads or makes a carried value to one stage.
bool ForwardAssignment::tieCarried() {
  scf::ForOp loop = program.getLoop();
  bool changed = false;
  for (auto [inside, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    SmallVector<Operation *> tied = {program.definingOperation(yielded)};
    for (Operation *user : inside.getUsers())
      tied.push_back(program.outermost(user));
    int64_t stage = 0;
    for (Operation *op : tied)
      if (chain.indexOf(op))
        stage = std::max(stage, assignment.stageOf.at(op));
    for (Operation *op : tied)
      changed |= raise(op, stage);
  }
  return changed;
}

/// Moves what needs a value to no earlier stage than that of the value.
bool ForwardAssignment::raiseUsers() {
  bool changed = false;
  for (const ForwardChain::Link &link : chain.getLinks())
    for (Value read : program.readsOf(link.op))
      if (Operation *maker = read.getDefiningOp(); chain.indexOf(maker))
        changed |= raise(link.op, assignment.stageOf.at(maker));
  return changed;
}

void ForwardAssignment::assign(ArrayRef<int64_t> cuts) {
  for (auto [index, link] : llvm::enumerate(chain.getLinks()))
    assignment.stageOf[link.op] = blockOf(index, cuts);
  sinkBatchValues();
  for (bool changed = true; changed;) {
    changed = tieCarried();
    changed |= raiseUsers();
  }
  for (auto [op, index] : chain.getDerivedFrom())
    assignment.derivedFrom[op] =
        assignment.stageOf.at(chain.getLinks()[index].op);
}

std::optional<int64_t> tessera::markedStages(const StepProgram &program,
                                             OperationCosts &costs) {
  size_t marks = ForwardChain(program, costs).marks().size();
  return marks ? std::optional<int64_t>(marks + 1) : std::nullopt;
}

LogicalResult tessera::cutForward(const StepProgram &program,
                                  OperationCosts &costs,
                                  const StageSchedule &schedule,
                                  int64_t memoryLimit,
                                  StageLabels &assignment) {
  ForwardChain chain(program, costs);
  assignment.stages = schedule.stages;
  SmallVector<int64_t> cuts = chain.marks();
  if (cuts.empty()) {
    SmallVector<int64_t> places = chain.places(schedule.stages);
    StagePartitionProblem problem = chain.makeProblem(places);
    problem.assignment = StageAssignment::of(schedule);
    if (memoryLimit)
      problem.memoryLimit = memoryLimit;
    StagePartitionResult result = solve(problem);
    // What is kept for the backward pass may be computed again instead: whether
    // memory suffices is known when that has been decided.
    if (!result.partition && problem.memoryLimit) {
      problem.memoryLimit.reset();
      result = solve(problem);
    }
    if (!result.partition)
      return emitError(program.getLoop().getLoc()) << result.infeasible;
    ArrayRef<int32_t> begins = result.partition->begins;
    for (int32_t begin : begins.drop_front().drop_back())
      cuts.push_back(places[begin - 1]);
  }
  ForwardAssignment(program, chain, assignment).assign(cuts);
  return success();
}
