//===- StagePartitionNested.cpp - Exact partition of nested placements ----===//
//
// If every rank has one stage, or the stages s and S - 1 - s, then a partition
// can be grown from both ends of the chain: step s decides stage s, which takes
// blocks from the front, and with it stage S - 1 - s, which takes them from the
// back. What the ranks of these stages cost depends on nothing else, for all
// they share with other ranks (a value, a tied parameter) is paid by the rank
// that uses it. The state after a step is the blocks that are left, [begin,
// end); contiguous placements leave the end alone.
//
// The objective has a sum and a largest term. As in Alpa, the dynamic program
// minimises the sum with every rank's time under a threshold; the thresholds
// that matter are visited from above, each below the largest time of the
// previous solution, so that every solution is a new Pareto point. The walk
// ends where even the least sum cannot make up for the largest time; as the
// computation in the sum is the same for all partitions, these are few.
//
// Blocks left over that the remaining ranks cannot take under the threshold end
// a branch, which leaves close to one state per step and block for contiguous
// placements, and few more for pairs. So does a sum that cannot beat the best
// solution even with ranks that are equally busy: where two ways lead to a
// state, the one that is kept has the lesser sum, so no solution is lost.
//
//===----------------------------------------------------------------------===//

#include "Cuts/StagePartitionTerms.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace tessera;

namespace {

/// A rank of a step: with which weights its routes run the step's stages, and
/// how many microbatches it holds at its worst moments.
struct StepRank {
  int64_t frontWeight = 0;
  int64_t backWeight = 0;
  /// Of routes that have both stages here, between which nothing is sent.
  int64_t bothWeight = 0;
  struct Held {
    int64_t frontActivations = 0, frontWeightGradients = 0;
    int64_t backActivations = 0, backWeightGradients = 0;
  };
  std::vector<Held> moments;
};

struct Step {
  bool hasBack = false;
  std::vector<StepRank> ranks;
};

} // namespace

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

bool tessera::isNested(const StageAssignment &assignment) {
  std::vector<std::vector<int32_t>> stagesOf = assignment.stagesOfRanks();
  int32_t stages = assignment.stages;
  auto isSingle = [](const std::vector<int32_t> &found) {
    return found.size() == 1;
  };
  if (std::all_of(stagesOf.begin(), stagesOf.end(), isSingle))
    return true;
  return std::all_of(
      stagesOf.begin(), stagesOf.end(), [&](const std::vector<int32_t> &found) {
        return found.front() + found.back() == stages - 1 &&
               (found.size() == 2 || (found.size() == 1 && stages % 2 == 1));
      });
}

static StepRank rankOfStep(const StageAssignment &assignment, int32_t rank,
                           int32_t front, int32_t back) {
  StepRank result;
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
    StepRank::Held held;
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
static std::vector<Step> stepsOf(const StageAssignment &assignment) {
  std::vector<std::vector<int32_t>> stagesOf = assignment.stagesOfRanks();
  int32_t stages = assignment.stages;
  bool pairs = assignment.chunks() == 2;
  std::vector<Step> steps(pairs ? (stages + 1) / 2 : stages);
  for (int32_t front = 0; front < static_cast<int32_t>(steps.size()); ++front) {
    int32_t back = pairs ? stages - 1 - front : front;
    steps[front].hasBack = back != front;
    for (int32_t rank = 0; rank < assignment.ranks; ++rank)
      if (stagesOf[rank].front() == front)
        steps[front].ranks.push_back(rankOfStep(assignment, rank, front, back));
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {

/// What the stages of a rank need not send to each other, and hold once.
struct Savings {
  TransferTerms transfer;
  int64_t residentBytes = 0;
  int64_t once = 0;

  void add(const Savings &other) {
    transfer.add(other.transfer, 1);
    residentBytes += other.residentBytes;
    once += other.once;
  }
};

/// What a step costs.
struct StepCost {
  int64_t busiest = 0;
  int64_t extra = 0;
  int64_t memory = 0;
};

struct State {
  int32_t begin, end;
  int64_t extra, busiest, memory;
  /// In the level before.
  int32_t parent;
};

/// Solutions under thresholds for time and memory.
class NestedProgram {
public:
  explicit NestedProgram(PartitionTerms &terms)
      : terms(terms), steps(stepsOf(terms.problem.assignment)),
        last(terms.problem.values.size()) {
    for (size_t i = 0; i < terms.problem.values.size(); ++i)
      if (!terms.problem.values[i].uses.empty())
        last[i] = terms.problem.values[i].uses.back();
    valuesFrom.resize(terms.blocks());
    columns.resize(terms.blocks() + 1);
    for (size_t i = 0; i < terms.problem.values.size(); ++i)
      valuesFrom[terms.problem.values[i].from].push_back(
          static_cast<int32_t>(i));
  }

  /// The partition of least extra, and then least busiest, whose ranks are busy
  /// for at most `busiest` and hold at most `memory`, if that extra is less
  /// than `extra`.
  std::optional<SolvedPartition>
  solve(int64_t busiest, int64_t memory,
        int64_t extra = std::numeric_limits<int64_t>::max());

private:
  void expand(size_t step, int32_t parent);
  void expandFront(size_t step, int32_t parent, int32_t begin);
  void addState(size_t step, int32_t parent, int32_t begin, int32_t end,
                const Savings &savings);
  StepCost costOf(const Step &step, const StageTerms &front,
                  const StageTerms *back, const Savings &savings) const;
  void addShared(int32_t block, int32_t begin, int32_t end, bool closes);
  bool fitsLater(int32_t begin, int32_t end) const;
  const StageTerms &backStage(int32_t begin, int32_t end);
  int32_t lastEnd(int32_t begin, int32_t limit) const;

  PartitionTerms &terms;
  std::vector<Step> steps;
  std::vector<int32_t> last;
  std::vector<std::vector<int32_t>> valuesFrom;
  /// The terms of stages by their end, for one end's are visited together.
  std::vector<std::vector<StageTerms>> columns;

  int64_t busyLimit = 0, memoryLimit = 0, extraLimit = 0;
  /// Stages and ranks after the step at hand.
  int32_t stagesLeft = 0;
  int64_t ranksLeft = 0;
  /// The limits of all those ranks together.
  int64_t busyCapacity = 0, memoryCapacity = 0;
  std::vector<std::vector<State>> levels;
  llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t> index;
  /// What the values and tied parameters of the front stage save, by the last
  /// block before the back stage's end that has them too.
  std::vector<Savings> shared;
};

} // namespace

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
  const State *best = nullptr;
  for (const State &state : levels.back())
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
    const State &state = levels[level][parent];
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
  State state = levels[step][parent];
  shared.assign(state.end, {});
  const std::vector<StepRank> &ranks = steps[step].ranks;
  for (int32_t begin = state.begin + 1; begin <= state.end; ++begin) {
    const StageTerms &front = terms.stage(state.begin, begin);
    for (const StepRank &rank : ranks)
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
  State state = levels[step][parent];
  if (begin == state.end)
    return;
  // What a back stage that starts at `from` shares with the front stage.
  Savings savings;
  int32_t from = state.end;
  for (int32_t end = lastEnd(begin, state.end); end >= begin; --end) {
    while (from > end)
      savings.add(shared[--from]);
    const StageTerms &back = backStage(end, state.end);
    for (const StepRank &rank : steps[step].ranks)
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
                             int32_t end, const Savings &savings) {
  const State &state = levels[step][parent];
  const StageTerms &front = terms.stage(state.begin, begin);
  StepCost cost;
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

  State next{begin,
             end,
             state.extra + cost.extra,
             std::max(state.busiest, cost.busiest),
             std::max(state.memory, cost.memory),
             parent};
  std::vector<State> &level = levels[step + 1];
  auto [found, isNew] =
      index.try_emplace({begin, end}, static_cast<int32_t>(level.size()));
  if (isNew) {
    level.push_back(next);
    return;
  }
  State &known = level[found->second];
  if (std::make_pair(next.extra, next.busiest) <
      std::make_pair(known.extra, known.busiest))
    known = next;
}

StepCost NestedProgram::costOf(const Step &step, const StageTerms &front,
                               const StageTerms *back,
                               const Savings &savings) const {
  static const StageTerms none;
  if (!back)
    back = &none;
  StepCost cost;
  for (const StepRank &rank : step.ranks) {
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
    for (const StepRank::Held &moment : rank.moments)
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

//===----------------------------------------------------------------------===//
// All thresholds
//===----------------------------------------------------------------------===//

namespace {

/// The walk along the Pareto front of busiest and extra.
class ParetoWalk {
public:
  ParetoWalk(PartitionTerms &terms, NestedProgram &program)
      : terms(terms), program(program),
        work(terms.computeOf(0, terms.blocks()) * terms.totalWeight),
        least(work / terms.problem.assignment.ranks) {}

  /// The best partition; none if the memory suffices for none.
  std::optional<SolvedPartition> run() {
    findFeasible();
    if (!best)
      return std::nullopt;
    // No sum is less than the computation in it. Once a threshold is solved, no
    // sum under lower ones is less than that solution's.
    int64_t threshold = worthwhile(work);
    while (threshold >= least) {
      std::optional<SolvedPartition> next =
          program.solve(threshold, terms.memoryLimit, worthwhileExtra());
      if (!next)
        break;
      take(*next);
      threshold = std::min(next->busiest - 1, worthwhile(next->extra));
    }
    return best;
  }

private:
  /// Finds some partition, under a threshold that is tight if there are tight
  /// ones.
  void findFeasible() {
    for (int64_t slack = least / 1024 + 1;; slack += slack / 4 + 1) {
      int64_t threshold = std::min(least + slack, longest());
      if (std::optional<SolvedPartition> found =
              program.solve(threshold, terms.memoryLimit)) {
        take(*found);
        return;
      }
      if (threshold == longest())
        return;
    }
  }

  /// A time that no rank exceeds.
  int64_t longest() const {
    int64_t transfers = 0;
    for (const std::vector<ValueUse> &uses : terms.usesOf)
      for (const ValueUse &use : uses)
        transfers += use.terms.fill;
    return work + transfers * terms.totalWeight;
  }

  /// The largest time of a rank with which a sum of `extra` beats the best.
  int64_t worthwhile(int64_t extra) const {
    int64_t gap = terms.objective(best->busiest, best->extra) - extra - 1;
    if (terms.bottleneckFactor == 0)
      return gap >= 0 ? longest() : -1;
    return gap < 0 ? -1 : std::min(gap / terms.bottleneckFactor, longest());
  }

  /// A sum of this or more does not beat the best, however short the largest
  /// time of a rank is.
  int64_t worthwhileExtra() const {
    return terms.objective(best->busiest, best->extra) -
           terms.bottleneckFactor * least;
  }

  void take(const SolvedPartition &found) {
    if (!best || terms.objective(found.busiest, found.extra) <
                     terms.objective(best->busiest, best->extra))
      best = found;
  }

  PartitionTerms &terms;
  NestedProgram &program;
  /// Computation of all ranks, and the mean.
  int64_t work, least;
  std::optional<SolvedPartition> best;
};

/// The least memory limit that has a partition, by bisection; every solution
/// tells how much it really needs.
int64_t leastMemory(PartitionTerms &terms, NestedProgram &program) {
  int64_t unlimited = std::numeric_limits<int64_t>::max();
  int64_t low = terms.memoryLimit;
  int64_t high = 0;
  for (int64_t step = low / 64 + 1; high == 0; step *= 2) {
    int64_t limit = step < unlimited / 4 - low ? low + step : unlimited;
    if (std::optional<SolvedPartition> found = program.solve(unlimited, limit))
      high = found->memory;
    else
      low = limit;
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (std::optional<SolvedPartition> found = program.solve(unlimited, middle))
      high = found->memory;
    else
      low = middle;
  }
  return high;
}

} // namespace

void tessera::solveNested(PartitionTerms &terms, StagePartitionResult &result) {
  NestedProgram program(terms);
  result.exact = true;
  if (std::optional<SolvedPartition> best = ParetoWalk(terms, program).run())
    result.partition = std::move(best->partition);
  else
    result.feasibleMemory = leastMemory(terms, program);
}
