//===- ReshardSearch.cpp - Shortest paths between shardings ---------------===//
#include "Reshard/ReshardSearch.h"

#include <algorithm>

using namespace tessera;

/// The part of what moving the target once costs that an atom is taken for that
/// is not where the target has it. More finds paths sooner, but dearer ones.
static constexpr double kMisplacedPart = 0.3;

ReshardSearch::ReshardSearch(ReshardSpace &space, const ReshardBound &bound,
                             int64_t memoryLimit)
    : space(space), bound(bound), memoryLimit(memoryLimit),
      misplacedCost(kMisplacedPart *
                    (bound.fastestLinks().latency +
                     bound.targetBytes() / bound.fastestLinks().bandwidth) *
                    kPicosecondsPerSecond) {}

/// What it costs at least to gather parts of `bytes` bytes, without a pending
/// reduction, until they are as large as those of the target.
int64_t ReshardSearch::growthCost(int64_t bytes) const {
  if (space.target().unreduced)
    return 0;
  return std::max<int64_t>(0, bound.targetBytes() - bytes) /
         bound.fastestLinks().bandwidth * kPicosecondsPerSecond;
}

/// Whether all paths that go on with a step of cost `stepCost` to states of
/// `bytes` local bytes, without a pending reduction, cost too much. Spares
/// listing them.
bool ReshardSearch::isTooDear(int64_t stepCost, int64_t bytes) const {
  return nodes[current].cost + stepCost + growthCost(bytes) >=
         limits.upperBound;
}

/// What a search for a short path adds to the bound of `state`, so that of
/// states whose bounds are equal those come first that have more atoms where
/// the target has them. Atoms that are to become unreduced may wait.
int64_t ReshardSearch::guidance(const ReshardState &state) const {
  const ReshardState &target = space.target();
  int64_t misplaced = llvm::popcount(state.unreduced & ~target.unreduced);
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    const AtomList &now = state.dims[dim], &wanted = target.dims[dim];
    unsigned common = std::min(now.size(), wanted.size());
    while (!now.sharesPrefix(wanted, common))
      --common;
    unsigned end = now.size();
    while (end > common && (target.unreduced >> now[end - 1] & 1))
      --end;
    misplaced += end + wanted.size() - 2 * common;
  }
  return misplaced * misplacedCost;
}

void ReshardSearch::reach(const ReshardState &next, ReshardEdge edge,
                          int64_t stepCost) {
  // One more per step: of equal costs, fewer steps win, and simpler ones.
  int64_t total = nodes[current].cost + stepCost +
                  (edge.kind == Kind::Exchange     ? 2
                   : edge.kind != Kind::ChangeMesh ? 1
                                                   : 0);
  if (total >= limits.upperBound)
    return;
  // A slice is a view of what is there, another grid of the same as well.
  bool isView = edge.kind == Kind::Slice || edge.kind == Kind::ChangeMesh;
  if (!isView && currentBytes + space.localBytes(next) > memoryLimit)
    return;
  ReshardKey key = keyOf(next);
  auto found = indexOf.find(key);
  bool isNew = found == indexOf.end();
  bool isOnlyReduced =
      nodes[current].isOnlyReduced &&
      (edge.kind == Kind::Slice || edge.kind == Kind::ReduceScatter ||
       edge.kind == Kind::AllReduce);
  // Of equally long paths, one after which pieces may be exchanged is better.
  if (!isNew && std::tuple(total, !isOnlyReduced) >=
                    std::tuple(nodes[found->second].cost,
                               !nodes[found->second].isOnlyReduced))
    return;
  int64_t rest = isNew ? estimate(next) : nodes[found->second].rest;
  int64_t affordable = limits.upperBound - total;
  if (rest >= affordable ||
      (isNew && isRough && isBounded && bound.lowerBound(next) >= affordable))
    return;
  Node node{key, total, rest, current, edge, isOnlyReduced};
  int index = isNew ? nodes.size() : found->second;
  if (isNew) {
    indexOf.try_emplace(key, index);
    nodes.push_back(node);
  } else {
    nodes[index] = node;
  }
  int64_t priority = total + int64_t(limits.boundFactor * rest);
  if (limits.isQuick)
    priority += guidance(next);
  queue.emplace_back(priority, generated++, index);
  std::push_heap(queue.begin(), queue.end(), std::greater<>());
  // From now on only what is shorter matters.
  if (space.isGoal(next)) {
    limits.upperBound = total;
    goal = index;
  }
}

void ReshardSearch::expand(int index) {
  current = index;
  nodes[index].isClosed = true;
  ReshardState state = stateOf(nodes[index]);
  currentBytes = space.localBytes(state);
  currentGrowthCost = growthCost(currentBytes);
  expandSlices(state);
  expandGathers(state);
  expandExchanges(state, state, 0, 0, 0, 0);
  expandReductions(state);
  expandToUnreduced(state);
  expandPermutations(state);
  expandReassembly(state);
  expandGridChanges(state);
}

ReshardSearch::Path ReshardSearch::pathToGoal() const {
  Path path;
  for (int index = goal; index >= 0; index = nodes[index].parent) {
    path.states.push_back(stateOf(nodes[index]));
    if (nodes[index].parent >= 0)
      path.edges.push_back(nodes[index].edge);
  }
  std::reverse(path.states.begin(), path.states.end());
  std::reverse(path.edges.begin(), path.edges.end());
  return path;
}

std::optional<ReshardSearch::Path>
ReshardSearch::run(const ReshardSearchLimits &searchLimits) {
  limits = searchLimits;
  isRough = limits.isQuick || !hasFewAtoms();
  isBounded = limits.upperBound < std::numeric_limits<int64_t>::max();
  nodes.clear();
  indexOf.clear();
  queue.clear();
  goal = space.isGoal(space.source()) ? 0 : -1;
  nodes.push_back({keyOf(space.source()), 0, estimate(space.source()), -1, {}});
  indexOf[nodes[0].key] = 0;
  queue.emplace_back(0, generated++, 0);
  while (!queue.empty() && !gaveUp()) {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    int index = std::get<2>(queue.back());
    queue.pop_back();
    if (index == goal)
      break;
    if (!nodes[index].isClosed)
      expand(index);
  }
  if (goal < 0)
    return std::nullopt;
  cost = nodes[goal].cost;
  return pathToGoal();
}
