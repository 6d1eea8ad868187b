//===- NestedProgram.cpp - Nested placements under one threshold ----------===//

#include "Cuts/NestedProgram.h"

#include <algorithm>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static NestedRank rankOfStep(const StageAssignment &assignment, int32_t rank,
                             int32_t front, int32_t back) {
  NestedRank result;
  for (const StageRoute &route : assignment.routes) {
    bool hasFront = route.ranks[front] == rank;
    bool hasBack = back != front && route.ranks[back] == rank;
    result.frontWeight += hasFront ? route.weight : 0;
    result.backWeight += hasBack ? route.weight : 0;
    result.bothWeight += hasFront && hasBack ? route.weight : 0;
  }
  if (assignment.moments.empty())
    return result;
  for (const std::vector<StageLoad> &moment : assignment.moments[rank]) {
    NestedRank::Held held;
    for (const StageLoad &load : moment) {
      bool isFront = load.stage == front;
      (isFront ? held.frontActivations : held.backActivations) +=
          load.activations;
      (isFront ? held.frontWeightGradients : held.backWeightGradients) +=
          load.weightGradients;
    }
    result.moments.push_back(held);
  }
  return result;
}

/// The steps from the outside in.
static std::vector<NestedStep> stepsOf(const StageAssignment &assignment) {
  std::vector<std::vector<int32_t>> stagesOf = assignment.stagesOfRanks();
  int32_t stages = assignment.stages;
  bool pairs = assignment.chunks() == 2;
  std::vector<NestedStep> steps(pairs ? (stages + 1) / 2 : stages);
  for (int32_t front = 0; front < static_cast<int32_t>(steps.size()); ++front) {
    int32_t back = pairs ? stages - 1 - front : front;
    steps[front].hasBack = back != front;
    for (int32_t rank = 0; rank < assignment.ranks; ++rank)
      if (stagesOf[rank].front() == front)
        steps[front].ranks.push_back(rankOfStep(assignment, rank, front, back));
  }
  return steps;
}

NestedProgram::NestedProgram(PartitionTerms &terms)
    : terms(terms), steps(stepsOf(terms.problem.assignment)),
      last(terms.problem.values.size()) {
  for (size_t i = 0; i < terms.problem.values.size(); ++i)
    if (!terms.problem.values[i].uses.empty())
      last[i] = terms.problem.values[i].uses.back();
  valuesFrom.resize(terms.blocks());
  columns.resize(terms.blocks() + 1);
  for (size_t i = 0; i < terms.problem.values.size(); ++i)
    valuesFrom[terms.problem.values[i].from].push_back(static_cast<int32_t>(i));
}

//===----------------------------------------------------------------------===//
// One threshold
//===----------------------------------------------------------------------===//

/// `limit` for each of `count` ranks, or the largest number there is.
static int64_t times(int64_t limit, int64_t count) {
  int64_t most = std::numeric_limits<int64_t>::max();
  return count > 0 && limit > most / count ? most : limit * count;
}

std::optional<SolvedPartition>
NestedProgram::solve(int64_t busiest, int64_t memory, int64_t extra) {
  busyLimit = busiest;
  memoryLimit = memory;
  extraLimit = extra;
  levels.assign(1, {{0, terms.blocks(), 0, 0, 0, -1}});
  stagesLeft = terms.problem.assignment.stages;
  ranksLeft = terms.problem.assignment.ranks;
  for (size_t step = 0; step < steps.size(); ++step) {
    stagesLeft -= steps[step].hasBack ? 2 : 1;
    ranksLeft -= static_cast<int64_t>(steps[step].ranks.size());
    busyCapacity = times(busyLimit, ranksLeft);
    memoryCapacity = times(memoryLimit, ranksLeft);
    index.clear();
    levels.emplace_back();
    for (size_t i = 0; i < levels[step].size(); ++i)
      expand(step, static_cast<int32_t>(i));
  }
  const NestedState *best = nullptr;
  for (const NestedState &state : levels.back())
    if (!best || std::make_pair(state.extra, state.busiest) <
                     std::make_pair(best->extra, best->busiest))
      best = &state;
  if (!best)
    return std::nullopt;

  SolvedPartition solved{best->extra, best->busiest, best->memory, {}};
  std::vector<int32_t> &begins = solved.partition.begins;
  begins = {0, terms.blocks()};
  int32_t parent = best->parent;
  // The last state closes the chain: where its step has no back stage, its
  // begin is the chain's end, which is there already.
  if (steps.back().hasBack)
    begins.push_back(best->begin);
  for (size_t level = steps.size() - 1; level > 0; --level) {
    const NestedState &state = levels[level][parent];
    begins.push_back(state.begin);
    begins.push_back(state.end);
    parent = state.parent;
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return solved;
}

/// Whether the ranks that are left can take the blocks that are left.
bool NestedProgram::fitsLater(int32_t begin, int32_t end) const {
  if (stagesLeft == 0)
    return begin == end;
  return end - begin >= stagesLeft &&
         terms.computeOf(begin, end) * terms.totalWeight <= busyCapacity &&
         terms.residentOf(begin, end) <= memoryCapacity;
}

const StageTerms &NestedProgram::backStage(int32_t begin, int32_t end) {
  std::vector<StageTerms> &column = columns[end];
  while (static_cast<int32_t>(column.size()) < end - begin)
    column.push_back(
        terms.stage(end - 1 - static_cast<int32_t>(column.size()), end));
  return column[end - begin - 1];
}

/// Makes all states that follow a state by `step`.
void NestedProgram::expand(size_t step, int32_t parent) {
  NestedState state = levels[step][parent];
  shared.assign(state.end, {});
  const std::vector<NestedRank> &ranks = steps[step].ranks;
  for (int32_t begin = state.begin + 1; begin <= state.end; ++begin) {
    const StageTerms &front = terms.stage(state.begin, begin);
    for (const NestedRank &rank : ranks)
      if (front.compute * rank.frontWeight > busyLimit)
        return;
    if (front.residentBytes > memoryLimit)
      return;
    if (!steps[step].hasBack) {
      if (fitsLater(begin, state.end))
        addState(step, parent, begin, state.end, {});
      continue;
    }
    addShared(begin - 1, state.begin, state.end, stagesLeft == 0);
    expandFront(step, parent, begin);
  }
}

/// The largest end before `limit` with which the remaining ranks can take the
/// blocks from `begin` on.
int32_t NestedProgram::lastEnd(int32_t begin, int32_t limit) const {
  if (stagesLeft == 0)
    return begin;
  int32_t low = begin, high = limit - 1;
  while (low < high) {
    int32_t middle = high - (high - low) / 2;
    bool fits =
        terms.computeOf(begin, middle) * terms.totalWeight <= busyCapacity;
    (fits ? low : high) = fits ? middle : middle - 1;
  }
  return low;
}

/// Makes the states in which the front stage ends before `begin`, for every
/// back stage.
void NestedProgram::expandFront(size_t step, int32_t parent, int32_t begin) {
  NestedState state = levels[step][parent];
  if (begin == state.end)
    return;
  // What a back stage that starts at `from` shares with the front stage.
  NestedSavings savings;
  int32_t from = state.end;
  for (int32_t end = lastEnd(begin, state.end); end >= begin; --end) {
    while (from > end)
      savings.add(shared[--from]);
    const StageTerms &back = backStage(end, state.end);
    for (const NestedRank &rank : steps[step].ranks)
      if (back.compute * rank.backWeight +
              terms.computeOf(state.begin, begin) * rank.frontWeight >
          busyLimit)
        return;
    if (back.residentBytes > memoryLimit)
      return;
    if (fitsLater(begin, end))
      addState(step, parent, begin, end, savings);
  }
}

/// Adds to the next level the state that leaves blocks `begin` to `end` after
/// cutting front and back off `parent`, unless it exceeds a limit of the
/// search. Of states for the same blocks the one with the least extra time
/// stays, then the one with the least busy stage.
void NestedProgram::addState(size_t step, int32_t parent, int32_t begin,
                             int32_t end, const NestedSavings &savings) {
  const NestedState &state = levels[step][parent];
  const StageTerms &front = terms.stage(state.begin, begin);
  NestedCost cost;
  if (steps[step].hasBack)
    cost = costOf(steps[step], front, &backStage(end, state.end), savings);
  else
    cost = costOf(steps[step], front, nullptr, savings);
  if (cost.busiest > busyLimit || cost.memory > memoryLimit)
    return;
  // The computation of the blocks that are left will be in the sum.
  if (state.extra + cost.extra +
          terms.computeOf(begin, end) * terms.totalWeight >=
      extraLimit)
    return;

  NestedState next{begin,
                   end,
                   state.extra + cost.extra,
                   std::max(state.busiest, cost.busiest),
                   std::max(state.memory, cost.memory),
                   parent};
  std::vector<NestedState> &level = levels[step + 1];
  auto [found, isNew] =
      index.try_emplace({begin, end}, static_cast<int32_t>(level.size()));
  if (isNew) {
    level.push_back(next);
    return;
  }
  NestedState &known = level[found->second];
  if (std::make_pair(next.extra, next.busiest) <
      std::make_pair(known.extra, known.busiest))
    known = next;
}

NestedCost NestedProgram::costOf(const NestedStep &step,
                                 const StageTerms &front,
                                 const StageTerms *back,
                                 const NestedSavings &savings) const {
  static const StageTerms none;
  if (!back)
    back = &none;
  NestedCost cost;
  for (const NestedRank &rank : step.ranks) {
    int64_t compute =
        front.compute * rank.frontWeight + back->compute * rank.backWeight;
    TransferTerms transfer;
    transfer.add(front.transfer, rank.frontWeight);
    transfer.add(back->transfer, rank.backWeight);
    transfer.add(savings.transfer, -rank.bothWeight);
    int64_t once = front.once + back->once - savings.once;
    cost.busiest = std::max({cost.busiest, compute, transfer.in, transfer.out});
    cost.extra +=
        compute + transfer.fill + terms.chunks * terms.totalWeight * once;

    int64_t held = 0;
    for (const NestedRank::Held &moment : rank.moments)
      held = std::max(
          held, moment.frontActivations * front.activationBytes +
                    moment.frontWeightGradients * front.weightGradientBytes +
                    moment.backActivations * back->activationBytes +
                    moment.backWeightGradients * back->weightGradientBytes);
    cost.memory =
        std::max(cost.memory, front.residentBytes + back->residentBytes -
                                  savings.residentBytes + held);
  }
  return cost;
}

/// Adds what `block`, the newest of a front stage that starts at `begin`, may
/// share with a back stage that ends at `end`. A value used by the next block
/// alone matters only if the back stage follows at once (`closes`).
void NestedProgram::addShared(int32_t block, int32_t begin, int32_t end,
                              bool closes) {
  for (int32_t i : valuesFrom[block]) {
    if (last[i] <= block + 1 && !closes)
      continue;
    const std::vector<int32_t> &uses = terms.problem.values[i].uses;
    auto after = std::lower_bound(uses.begin(), uses.end(), end);
    if (after != uses.begin())
      shared[*std::prev(after)].add({terms.transferOf[i], 0, 0});
  }
  for (const TiedUse &use : terms.tiedOf[block]) {
    if (use.previous >= begin)
      continue;
    const TiedParameter &tied = terms.problem.tied[use.group];
    int32_t other = *std::prev(
        std::lower_bound(tied.blocks.begin(), tied.blocks.end(), end));
    shared[other].add({{}, tied.residentBytes, terms.onceOf[use.group]});
  }
}
