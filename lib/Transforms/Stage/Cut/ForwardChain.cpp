//===- ForwardChain.cpp - the forward pass as a chain of blocks -----------===//

#include "Cut/ForwardChain.h"

#include "Cut/StageTransfers.h"

#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

/// The search for cuts chooses among about so many blocks per stage, and not
/// many fewer than the other number in all.
static constexpr int64_t kBlocksPerStage = 8, kBlocks = 128;

ForwardChain::ForwardChain(const StepProgram &program,
                           const Checkpoints &checkpoints,
                           OperationCosts &costs,
                           llvm::function_ref<bool(Operation *)> isElsewhere)
    : program(program), checkpoints(checkpoints), costs(costs) {
  for (Operation *op : program.getOperations())
    if (program.is(op, Placement::Forward) && !isElsewhere(op)) {
      indices[op] = links.size();
      links.push_back({op, costs.seconds(op)});
    }
  findUsers();
  addBackwardCosts(isElsewhere);
  measureCrossings();
}

int32_t tessera::stage::blockOf(int64_t index, ArrayRef<int64_t> cuts) {
  return llvm::upper_bound(cuts, index) - cuts.begin();
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

/// Whether `op` is a matmul, or contains one.
static bool contracts(Operation *op) {
  return op->walk([](DotGeneralOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Finds what every layer may use: constants, and what is made of nothing else.
void ForwardChain::findConstants() {
  for (Operation *op : program.getOperations())
    if (op->getNumRegions() == 0 &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return constants.contains(operand.getDefiningOp());
        }))
      constants.insert(op);
}

/// The operation of the forward pass that `op`, of the backward pass, seems to
/// be the derivative of: the last maker or user, of the same kind, of a value
/// or parameter that both need, but none behind `latest`. There are two kinds,
/// matmuls and others. Of several such values the one decides that points
/// to the earliest: a mask that all layers use says less than a parameter.
std::optional<int64_t> ForwardChain::findPrimal(Operation *op,
                                                int64_t latest) const {
  std::optional<int64_t> primal;
  bool isMatmul = contracts(op);
  auto vote = [&](Value value) {
    std::optional<int64_t> last;
    for (int64_t user : users.lookup(value))
      if (user <= latest && matmuls.test(user) == isMatmul)
        last = std::max(last.value_or(0), user);
    if (last)
      primal = std::min(primal.value_or(*last), *last);
  };
  for (Value read : program.readsOf(op)) {
    Value original = checkpoints.originalOf(read);
    if (constants.contains(original.getDefiningOp()))
      continue;
    vote(original);
    for (Value parameter : program.parametersOf(original))
      if (parameter != original)
        vote(parameter);
  }
  return primal;
}

/// The operation of the forward pass to which `op` of the backward pass counts:
/// the one that it repeats or seems to be the derivative of, but none behind
/// those of its operands from the backward pass, which are `known`.
int64_t ForwardChain::primalOf(Operation *op,
                               const DenseMap<Operation *, size_t> &known) {
  if (Operation *twin = checkpoints.twinOf(op))
    if (std::optional<int64_t> primal = indexOf(twin))
      return *primal;
  int64_t latest = links.size() - 1;
  for (Value read : program.readsOf(op))
    if (auto maker = known.find(read.getDefiningOp());
        maker != known.end() && !checkpoints.twinOf(maker->first))
      latest = std::min(latest, derivatives[maker->second].primal);
  std::optional<int64_t> primal = findPrimal(op, latest);
  if (primal && contracts(op))
    derivedFrom[op] = *primal;
  return primal.value_or(latest);
}

/// Adds the cost of each operation of the backward pass to that of the forward
/// pass to which it counts.
void ForwardChain::addBackwardCosts(
    llvm::function_ref<bool(Operation *)> isElsewhere) {
  if (links.empty())
    return;
  for (const Link &link : links)
    matmuls.push_back(contracts(link.op));
  findConstants();
  DenseMap<Operation *, size_t> known;
  for (Operation *op : program.getOperations()) {
    if (!program.is(op, Placement::Backward) || isElsewhere(op))
      continue;
    int64_t primal = primalOf(op, known);
    known[op] = derivatives.size();
    derivatives.push_back({primal, primal, costs.seconds(op)});
    links[primal].backward += derivatives.back().seconds;
  }
  findEarliest(known);
}

void ForwardChain::findEarliest(const DenseMap<Operation *, size_t> &known) {
  for (Operation *op : llvm::reverse(program.getOperations())) {
    auto own = known.find(op);
    if (own == known.end())
      continue;
    for (Value read : program.readsOf(op))
      if (auto maker = known.find(read.getDefiningOp()); maker != known.end()) {
        int64_t &earliest = derivatives[maker->second].earliest;
        earliest = std::min(earliest, derivatives[own->second].earliest);
      }
  }
}

SmallVector<double>
ForwardChain::inputGradientSeconds(ArrayRef<int64_t> cuts) const {
  SmallVector<double> seconds(cuts.size() + 1, 0);
  for (const Derivative &derivative : derivatives) {
    int32_t stage = blockOf(derivative.primal, cuts);
    if (stage > 0 && derivative.earliest < cuts[stage - 1])
      seconds[stage] += derivative.seconds;
  }
  return seconds;
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
  for (size_t cut = 1; cut < crossing.size(); ++cut)
    crossing[cut] += crossing[cut - 1];
}

/// The cuts behind marks; marks with nothing in between are one.
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

/// Whether `cut` is where one would cut by hand: no fewer bytes cross the
/// cuts next to it.
bool ForwardChain::isNarrow(int64_t cut) const {
  int64_t last = links.size() - 1;
  return (cut == 1 || crossing[cut] <= crossing[cut - 1]) &&
         (cut == last || crossing[cut] <= crossing[cut + 1]);
}

/// The cuts to choose from for `stages`, ascending, without both ends: the
/// narrow ones, and all between two of these that have more than a stage's
/// share of the work, or if there are too few. Of those in the same small part
/// of the work, the one with the fewest bytes is kept.
SmallVector<int64_t> ForwardChain::candidateCuts(int64_t stages) const {
  SmallVector<double> before = {0};
  for (const Link &link : links)
    before.push_back(before.back() + link.forward + link.backward);
  double part =
      before.back() / double(std::max(kBlocksPerStage * stages, kBlocks));
  auto partOf = [&](int64_t cut) {
    return part > 0 ? std::floor(before[cut] / part) : double(cut);
  };
  auto addCut = [&](SmallVectorImpl<int64_t> &found, int64_t cut) {
    if (!found.empty() && partOf(found.back()) == partOf(cut)) {
      if (crossing[cut] > crossing[found.back()])
        return;
      found.pop_back();
    }
    found.push_back(cut);
  };
  int64_t end = links.size();
  SmallVector<int64_t> narrow, all;
  for (int64_t cut = 1; cut < end; ++cut)
    if (isNarrow(cut))
      addCut(narrow, cut);
  bool areTooFew = int64_t(narrow.size()) + 1 < stages;
  double share = before.back() / double(stages);
  int64_t last = 0;
  for (size_t next = 0; next <= narrow.size(); ++next) {
    int64_t limit = next < narrow.size() ? narrow[next] : end;
    if (areTooFew || before[limit] - before[last] > share)
      for (int64_t cut = last + 1; cut < limit; ++cut)
        addCut(all, cut);
    if (limit < end)
      addCut(all, limit);
    last = limit;
  }
  return all;
}

int64_t ForwardChain::sentBytes(Value value) const {
  ShardingAttr sliced = slicedSharding(value, costs.getMesh());
  if (!sliced)
    return costs.bytes(value);
  auto type = cast<RankedTensorType>(value.getType());
  return ShapedType::getNumElements(
             sliced.getValue().localShape(type.getShape(), costs.getMesh())) *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Adds the values that cross `cuts`.
void ForwardChain::addValues(StagePartitionProblem &problem,
                             ArrayRef<int64_t> cuts) const {
  for (auto [index, link] : llvm::enumerate(links))
    for (Value result : link.op->getResults()) {
      ChainValue value{blockOf(index, cuts), {}, 0, 0};
      std::set<int32_t> uses;
      for (Operation *user : result.getUsers())
        if (std::optional<int64_t> use = indexOf(program.outermost(user)))
          uses.insert(blockOf(*use, cuts));
      uses.erase(value.from);
      if (uses.empty())
        continue;
      value.uses.assign(uses.begin(), uses.end());
      value.forwardBytes = sentBytes(result);
      value.backwardBytes = link.kept ? value.forwardBytes : 0;
      problem.values.push_back(std::move(value));
    }
}

/// Adds the memory of parameters, with their gradients, to the blocks that use
/// them; those of several blocks are tied.
void ForwardChain::addParameters(StagePartitionProblem &problem,
                                 ArrayRef<int64_t> cuts) const {
  llvm::MapVector<Value, std::set<int32_t>> users;
  for (auto [index, link] : llvm::enumerate(links))
    for (Value read : program.readsOf(link.op))
      for (Value parameter : program.parametersOf(read))
        users[parameter].insert(blockOf(index, cuts));
  for (auto &[parameter, blocks] : users) {
    int64_t bytes = costs.bytes(parameter);
    if (blocks.size() == 1)
      problem.blocks[*blocks.begin()].residentBytes += 2 * bytes;
    else
      problem.tied.push_back(
          {{blocks.begin(), blocks.end()}, 2 * bytes, bytes});
  }
}

/// The blocks between `cuts`, and what passes between them.
StagePartitionProblem ForwardChain::makeProblem(ArrayRef<int64_t> cuts) const {
  StagePartitionProblem problem;
  problem.blocks.resize(cuts.size() + 1);
  for (auto [index, link] : llvm::enumerate(links)) {
    ChainBlock &block = problem.blocks[blockOf(index, cuts)];
    block.forward += link.forward;
    block.inputGradient += link.backward;
    block.activationBytes += link.kept;
  }
  addValues(problem, cuts);
  addParameters(problem, cuts);
  problem.microbatches = program.microbatches();
  return problem;
}
