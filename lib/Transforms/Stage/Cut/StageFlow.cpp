//===- StageFlow.cpp - stages of the backward pass and the rest -----------===//

#include "Cut/StageFlow.h"

#include "Cut/RemadeValues.h"
#include "Step/ConstantIndices.h"

#include "tessera/Stages/Cuts/FlowCuts.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

/// A parameter, what is added to its gradient, or a matmul away from where
/// the forward pass has its counterpart costs like so many transfers of it for
/// every microbatch: work would move with it.
static constexpr int64_t kAwayFromHome = 64;

namespace {

using Variable = FlowCuts::Variable;
using Flow = FlowCuts::Flow;

/// A part of a tensor.
struct Part {
  SmallVector<int64_t> start, sizes;
};

/// The variables and flows of a step.
class StageFlows {
public:
  StageFlows(const StepProgram &program, const Checkpoints &checkpoints,
             OperationCosts &costs, StageLabels &assignment);

  void solve();

private:
  Variable variableOf(Operation *op);
  Variable variableOfParameter(Value value);
  void findHomes();
  std::optional<FlowCuts::Range> homeOf(Value argument,
                                        const std::optional<Part> &part) const;
  std::optional<FlowCuts::Range> homeOfUpdated(Value result) const;
  SmallVector<Operation *> usersOf(OpResult result) const;
  void addResults(Operation *op);
  void addParameterReads(Operation *op);
  void addDerivative(Operation *op, int64_t stage);
  void addCarried(unsigned number);
  void addDonations();
  Flow flowFrom(Value value, int64_t times);
  int64_t leastBytes(Value value);

  const StepProgram &program;
  const Checkpoints &checkpoints;
  OperationCosts &costs;
  StageLabels &assignment;
  int64_t microbatches;

  FlowCuts cuts;
  DenseMap<Value, int64_t> least;
  llvm::MapVector<Operation *, Variable> operations;
  llvm::MapVector<Value, Variable> parameters;
  SmallVector<Variable> carried;
  /// Where the forward pass uses parameters, and arguments behind them.
  DenseMap<Value, FlowCuts::Range> homes;
  /// Per use that gives a new value of a donated argument, the argument.
  DenseMap<OpOperand *, Value> donors;
};

} // namespace

Variable StageFlows::variableOf(Operation *op) {
  auto [entry, isNew] = operations.try_emplace(op, 0);
  if (isNew) {
    auto known = assignment.stageOf.find(op);
    entry->second = known == assignment.stageOf.end()
                        ? cuts.addVariable()
                        : cuts.addVariable(known->second);
  }
  return entry->second;
}

Variable StageFlows::variableOfParameter(Value value) {
  auto [entry, isNew] = parameters.try_emplace(value, 0);
  if (isNew)
    entry->second = cuts.addVariable();
  return entry->second;
}

void StageFlows::findHomes() {
  for (Operation *op : program.getOperations()) {
    if (!program.is(op, Placement::Forward) && !program.isVocabulary(op))
      continue;
    int64_t stage = assignment.stageOf.at(op);
    auto addHome = [&](Value value) {
      FlowCuts::Range &home =
          homes.try_emplace(value, FlowCuts::Range{stage, stage}).first->second;
      home = {std::min(home.first, stage), std::max(home.last, stage)};
    };
    for (Value read : program.readsOf(op)) {
      llvm::for_each(program.parametersOf(read), addHome);
      llvm::for_each(program.argumentsOf(read), addHome);
    }
  }
  // What is prepared in several steps is at home as a whole.
  for (Operation *op : llvm::reverse(program.getOperations())) {
    if (!program.is(op, Placement::Prepared) || op->getNumResults() != 1)
      continue;
    auto home = homes.find(op->getResult(0));
    if (home == homes.end())
      continue;
    FlowCuts::Range known = home->second;
    for (Value read : program.readsOf(op))
      if (Operation *maker = program.definingOperation(read);
          maker && program.is(maker, Placement::Prepared))
        homes.try_emplace(read, known);
  }
}

/// The homes of the part of `argument` at `start`, or of all of it.
std::optional<FlowCuts::Range>
StageFlows::homeOf(Value argument, const std::optional<Part> &part) const {
  auto known = homes.find(argument);
  if (!part)
    return known == homes.end() ? std::nullopt
                                : std::optional<FlowCuts::Range>(known->second);
  for (Operation *user : argument.getUsers()) {
    auto slice = dyn_cast<DynamicSliceOp>(user);
    if (!slice || ArrayRef(part->sizes) !=
                      cast<RankedTensorType>(slice.getType()).getShape())
      continue;
    known = homes.find(slice->getResult(0));
    if (known != homes.end() &&
        constantIndices(slice->getOperands().drop_front()) == part->start)
      return known->second;
  }
  return std::nullopt;
}

static int64_t countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

/// Where the parameter is at home to whose update `result`, which the loop
/// gives, leads element by element, maybe as a part of something stacked;
/// nothing if there is none.
std::optional<FlowCuts::Range> StageFlows::homeOfUpdated(Value result) const {
  SmallVector<std::pair<Value, std::optional<Part>>> stack = {
      {result, std::nullopt}};
  DenseSet<Value> seen;
  while (!stack.empty()) {
    auto [value, part] = stack.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<func::ReturnOp>(user) || program.is(user, Placement::Boundary)) {
        if (Value argument = donors.lookup(&use))
          if (std::optional<FlowCuts::Range> home = homeOf(argument, part))
            return home;
        continue;
      }
      if (user->getNumResults() != 1 || !seen.insert(user->getResult(0)).second)
        continue;
      std::optional<Part> next = part;
      if (isa<DynamicUpdateSliceOp>(user) && use.getOperandNumber() == 1) {
        std::optional<SmallVector<int64_t>> start =
            constantIndices(user->getOperands().drop_front(2));
        if (part || !start)
          continue;
        ArrayRef<int64_t> sizes =
            cast<RankedTensorType>(value.getType()).getShape();
        next = Part{*start, SmallVector<int64_t>(sizes)};
      } else if (countElements(user->getResult(0)) != countElements(value) ||
                 (part && user->getResult(0).getType() != value.getType())) {
        continue;
      }
      stack.push_back({user->getResult(0), next});
    }
  }
  return std::nullopt;
}

/// The fewest bytes from which another stage can make `value` again, counted
/// separately for each of its operands; at least one.
int64_t StageFlows::leastBytes(Value value) {
  auto [entry, isNew] = least.try_emplace(value, 0);
  if (!isNew)
    return entry->second;
  int64_t bytes = std::max<int64_t>(costs.bytes(value), 1), sources = 1;
  Operation *op = program.definingOperation(value);
  if (!op || !isCheapToRemake(op))
    return least[value] = bytes;
  for (Value operand : op->getOperands()) {
    Operation *maker = program.definingOperation(operand);
    bool isFree = program.is(maker, Placement::Copied) ||
                  program.is(maker, Placement::Prepared);
    if (!isFree && sources < bytes)
      sources += leastBytes(operand);
  }
  return least[value] = std::min(bytes, sources);
}

/// The flow of `value`, so far without users, that costs its bytes `times`.
Flow StageFlows::flowFrom(Value value, int64_t times) {
  Flow flow;
  flow.cost = leastBytes(value) * times;
  Operation *maker = program.definingOperation(value);
  if (maker && !program.is(maker, Placement::Prepared) &&
      !program.isArgument(value)) {
    flow.maker = variableOf(maker);
    return flow;
  }
  auto home = homes.find(value);
  if (home == homes.end())
    flow.maker = variableOfParameter(value);
  else
    flow.available = home->second;
  return flow;
}

/// Who uses `result`, or what repeats it.
SmallVector<Operation *> StageFlows::usersOf(OpResult result) const {
  SmallVector<Operation *> users(result.getUsers());
  for (Operation *repeat : checkpoints.repeatsOf(result.getOwner()))
    llvm::append_range(users,
                       repeat->getResult(result.getResultNumber()).getUsers());
  return users;
}

/// Flows of what `op` computes.
void StageFlows::addResults(Operation *op) {
  bool isInLoop = program.getLoop()->isProperAncestor(op);
  for (OpResult result : op->getResults()) {
    Flow flow = flowFrom(result, isInLoop ? microbatches : 1);
    Flow down = flow;
    down.goesDown = true;
    if (program.is(op, Placement::Forward) || program.isVocabulary(op)) {
      int64_t stage = assignment.stageOf.at(op);
      flow.maker = std::nullopt;
      flow.available = {stage, stage};
    }
    for (Operation *user : usersOf(result)) {
      user = program.outermost(user);
      if (!user)
        continue;
      Placement placement = program.placementOf(user);
      if (placement == Placement::Forward || program.isVocabulary(user)) {
        int64_t stage = assignment.stageOf.at(user);
        flow.available.first = std::min(flow.available.first, stage);
        flow.available.last = std::max(flow.available.last, stage);
      } else if (placement == Placement::Once) {
        flow.users.push_back(variableOf(user));
      } else if (placement == Placement::Backward && !checkpoints.twinOf(op)) {
        bool goesDown = program.is(op, Placement::Backward);
        (goesDown ? down : flow).users.push_back(variableOf(user));
      }
    }
    cuts.add(std::move(flow));
    cuts.add(std::move(down));
  }
}

/// Flows of parameters that `op` reads, directly or through what is copied.
/// Around the loop, what is prepared counts as the arguments behind it.
void StageFlows::addParameterReads(Operation *op) {
  bool isInLoop = program.getLoop()->isProperAncestor(op);
  auto addRead = [&](Value parameter) {
    Flow flow =
        flowFrom(parameter, isInLoop ? kAwayFromHome * microbatches : 1);
    flow.users.push_back(variableOf(op));
    cuts.add(std::move(flow));
  };
  for (Value read : program.readsOf(op))
    if (isInLoop)
      llvm::for_each(program.parametersOf(read), addRead);
    else
      llvm::for_each(program.argumentsOf(read), addRead);
}

/// Keeps `op` on the stage of what it is the derivative of.
void StageFlows::addDerivative(Operation *op, int64_t stage) {
  Flow flow;
  flow.available = {stage, stage};
  flow.users.push_back(variableOf(op));
  flow.cost = std::max<int64_t>(costs.bytes(op->getResult(0)), 1) *
              kAwayFromHome * microbatches;
  cuts.add(std::move(flow));
}

/// Flows into and out of the value that the loop carries as `number`.
void StageFlows::addCarried(unsigned number) {
  scf::ForOp loop = program.getLoop();
  Value result = loop.getResult(number);
  Value yielded = loop.getYieldedValues()[number];
  Value inside = loop.getRegionIterArg(number);
  Variable sum = cuts.addVariable();
  carried.push_back(sum);
  // Where the body reads what it carries, it must be as it leaves it.
  auto tie = [&](Operation *op) {
    Flow tied;
    tied.maker = sum;
    tied.users.push_back(variableOf(op));
    tied.cost = FlowCuts::kNever;
    cuts.add(std::move(tied));
  };
  ArrayRef<Value> parts = program.getSums()[number].parts;
  if (parts.empty()) {
    if (Operation *last = program.definingOperation(yielded))
      if (!program.is(last, Placement::Copied))
        tie(last);
    for (Operation *user : inside.getUsers())
      if (program.contains(user))
        tie(user);
  }
  std::optional<FlowCuts::Range> home = homeOfUpdated(result);
  bool hasOneHome = home && home->first == home->last;
  if (home) {
    Flow flow;
    flow.available = *home;
    flow.users.push_back(sum);
    flow.cost = std::max<int64_t>(costs.bytes(result), 1) * kAwayFromHome;
    cuts.add(std::move(flow));
  }
  for (Value part : parts) {
    Operation *maker = program.definingOperation(part);
    if (!maker || program.is(maker, Placement::Copied) ||
        program.is(maker, Placement::Prepared))
      continue;
    Flow flow = flowFrom(part, hasOneHome ? kAwayFromHome * microbatches : 1);
    flow.users.push_back(sum);
    cuts.add(std::move(flow));
  }
  Flow flow;
  flow.maker = sum;
  flow.cost = std::max<int64_t>(costs.bytes(result), 1);
  for (Operation *user : result.getUsers())
    if ((user = program.outermost(user)) &&
        !program.is(user, Placement::Boundary))
      flow.users.push_back(variableOf(user));
  cuts.add(std::move(flow));
}

/// Donated arguments want their new values where they are.
void StageFlows::addDonations() {
  for (const Donation &donation : program.donations()) {
    Value result = donation.newValue->get();
    Flow flow = flowFrom(donation.argument, 1);
    if (auto carriedResult = dyn_cast<OpResult>(result);
        carriedResult && carriedResult.getOwner() == program.getLoop())
      flow.users.push_back(carried[carriedResult.getResultNumber()]);
    else if (Operation *maker = program.definingOperation(result))
      flow.users.push_back(variableOf(maker));
    cuts.add(std::move(flow));
  }
}

StageFlows::StageFlows(const StepProgram &program,
                       const Checkpoints &checkpoints, OperationCosts &costs,
                       StageLabels &assignment)
    : program(program), checkpoints(checkpoints), costs(costs),
      assignment(assignment), microbatches(program.microbatches()),
      cuts(assignment.stages) {
  findHomes();
  for (const Donation &donation : program.donations())
    donors[donation.newValue] = donation.argument;
  for (Operation *op : program.getOperations()) {
    Placement placement = program.placementOf(op);
    if (placement == Placement::Backward || placement == Placement::Once)
      addParameterReads(op);
    if (auto stage = assignment.derivedFrom.find(op);
        stage != assignment.derivedFrom.end())
      addDerivative(op, stage->second);
    if (placement == Placement::Forward || placement == Placement::Backward ||
        placement == Placement::Once || program.isVocabulary(op))
      addResults(op);
  }
  for (unsigned i = 0; i < program.getLoop().getNumResults(); ++i)
    addCarried(i);
  addDonations();
}

void StageFlows::solve() {
  cuts.solve();
  for (auto [op, variable] : operations)
    assignment.stageOf[op] = cuts.stageOf(variable);
  assignment.carriedBy.clear();
  for (Variable variable : carried)
    assignment.carriedBy.push_back(cuts.stageOf(variable));
}

void tessera::stage::assignStages(const StepProgram &program,
                                  const Checkpoints &checkpoints,
                                  OperationCosts &costs,
                                  StageLabels &assignment) {
  StageFlows(program, checkpoints, costs, assignment).solve();
}
