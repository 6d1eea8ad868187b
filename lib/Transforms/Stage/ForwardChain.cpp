//===- ForwardChain.cpp - the forward pass as a chain of blocks -----------===//

#include "ForwardChain.h"

#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace tessera;

/// The search for cuts chooses among about so many blocks per stage, and not
/// many fewer than the other number in all.
static constexpr int64_t kBlocksPerStage = 8, kBlocks = 128;

ForwardChain::ForwardChain(const StepProgram &program,
                           const Checkpoints &checkpoints,
                           OperationCosts &costs)
    : program(program), checkpoints(checkpoints), costs(costs) {
  for (Operation *op : program.getOperations())
    if (program.is(op, Placement::Forward)) {
      indices[op] = links.size();
      links.push_back({op, costs.seconds(op)});
    }
  findUsers();
  addBackwardCosts();
  measureCrossings();
}

int32_t tessera::blockOf(int64_t index, ArrayRef<int64_t> places) {
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

/// Adds the cost of each operation of the backward pass to the operation of the
/// forward pass that it seems to be the derivative of: the last maker or user,
/// of the same kind, of a value or parameter that both need, but none behind
/// those of its operands from the backward pass. There are two kinds,
/// contractions and others. What repeats an operation counts with it.
void ForwardChain::addBackwardCosts() {
  if (links.empty())
    return;
  DenseMap<Operation *, int64_t> placeOf;
  for (Operation *op : program.getOperations()) {
    if (!program.is(op, Placement::Backward))
      continue;
    if (Operation *twin = checkpoints.twinOf(op)) {
      links[indices.at(twin)].backward += costs.seconds(op);
      continue;
    }
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
      Value original = checkpoints.originalOf(read);
      share(original);
      llvm::for_each(program.parametersOf(original), share);
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
/// places next to it.
bool ForwardChain::isNarrow(int64_t place) const {
  int64_t last = links.size() - 1;
  return (place == 1 || crossing[place] <= crossing[place - 1]) &&
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
  problem.microbatches = program.microbatches();
  return problem;
}
