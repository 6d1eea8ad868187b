//===- ForwardStages.cpp - where the forward pass is cut ------------------===//

#include "Cut/ForwardStages.h"

#include "tessera/Stages/Cuts/StagePartitioner.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

namespace {

/// Makes a chain's cuts the stages of its operations.
class ForwardAssignment {
public:
  ForwardAssignment(const StepProgram &program, const Checkpoints &checkpoints,
                    const ForwardChain &chain, StageLabels &assignment)
      : program(program), checkpoints(checkpoints), chain(chain),
        assignment(assignment) {}

  void assign(ArrayRef<int64_t> cuts);

private:
  bool dependsOnBatchAlone(Operation *op) const;
  void sinkBatchValues();
  bool raise(Operation *op, int64_t stage);
  bool tieCarried();
  bool raiseUsers();

  const StepProgram &program;
  const Checkpoints &checkpoints;
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
  for (const ForwardChain::Link &link : chain.getLinks())
    for (Operation *repeat : checkpoints.repeatsOf(link.op))
      assignment.stageOf[repeat] = assignment.stageOf.at(link.op);
  // NOLINTNEXTLINE(custom-iteration-order): into a map.
  for (auto [op, index] : chain.getDerivedFrom())
    assignment.derivedFrom[op] =
        assignment.stageOf.at(chain.getLinks()[index].op);
}

/// The slowest links that microbatches cross where they take `routes`.
static LinkCosts slowestOf(ArrayRef<StageRoute> routes,
                           const RankLinks &links) {
  std::optional<LinkCosts> slowest;
  for (const StageRoute &route : routes)
    for (auto [source, target] :
         llvm::zip(route.ranks, ArrayRef(route.ranks).drop_front()))
      if (source != target) {
        LinkCosts between = links.between(source, target);
        slowest = slowest ? slower(*slowest, between) : between;
      }
  return slowest.value_or(LinkCosts());
}

/// Refuses fewer blocks than one per rank, however the ranks' stages lie. The
/// fewer the stages, the fewer cuts are looked at, so the most stages
/// that would do are found step by step.
static LogicalResult checkBlocks(const StepProgram &program,
                                 const ForwardChain &chain, int64_t ranks) {
  int64_t links = chain.getLinks().size();
  auto blocksFor = [&](int64_t stages) -> int64_t {
    return chain.candidateCuts(stages).size() + 1;
  };
  int64_t most = std::min(ranks, std::max<int64_t>(links, 1));
  while (blocksFor(most) < most)
    most = blocksFor(most);
  if (ranks <= most)
    return success();
  return program.getLoop()->emitError("expected at most ")
         << most << " stages, for so many blocks has the model, got " << ranks;
}

FailureOr<StageSchedule>
tessera::stage::findScheduleToCutFor(const StepProgram &program,
                                     const ForwardChain &chain, int64_t ranks,
                                     StringRef name) {
  ScheduleRequest request;
  Operation *loop = program.getLoop();
  if (int64_t marks = chain.marks().size()) {
    int64_t marked = marks + 1;
    if (marked % ranks != 0)
      return loop->emitError("expected a number of stages that divides the ")
             << marked << " that the model marks, got " << ranks;
    request.chunks = marked / ranks;
  } else if (failed(checkBlocks(program, chain, ranks))) {
    return failure();
  }
  request.ranks = ranks;
  request.microbatches = program.microbatches();
  Fallible<StageSchedule> schedule = makeRequestedSchedule(name, request);
  if (!schedule)
    return emitScheduleError(loop->getLoc(), schedule.message());
  return *std::move(schedule);
}

FailureOr<SmallVector<int64_t>>
tessera::stage::chooseCuts(const StepProgram &program,
                           const ForwardChain &chain,
                           const StageSchedule &schedule,
                           const RankLinks &links, int64_t memoryLimit) {
  SmallVector<int64_t> cuts = chain.marks();
  if (!cuts.empty())
    return cuts;
  SmallVector<int64_t> candidates = chain.candidateCuts(schedule.stages);
  StagePartitionProblem problem = chain.makeProblem(candidates);
  problem.assignment = StageAssignment::of(schedule);
  LinkCosts between = slowestOf(problem.assignment.routes, links);
  problem.secondsPerByte = 1 / between.bandwidth;
  problem.latency = between.latency;
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
    cuts.push_back(candidates[begin - 1]);
  return cuts;
}

LogicalResult tessera::stage::cutForward(
    const StepProgram &program, const Checkpoints &checkpoints,
    const ForwardChain &chain, const StageSchedule &schedule,
    const RankLinks &links, int64_t memoryLimit, StageLabels &assignment) {
  assignment.stages = schedule.stages;
  FailureOr<SmallVector<int64_t>> cuts =
      chooseCuts(program, chain, schedule, links, memoryLimit);
  if (failed(cuts))
    return failure();
  ForwardAssignment(program, checkpoints, chain, assignment).assign(*cuts);
  return success();
}
