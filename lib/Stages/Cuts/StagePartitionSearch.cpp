//===- StagePartitionSearch.cpp - Partition for any assignment ------------===//
//
// Where a rank's stages lie anywhere in the chain (interleaved placements), the
// load of a rank couples cuts far apart and no small state describes half a
// partition: with two chunks per rank the problem contains that of balancing
// pairs of numbers against each other. So:
//
//   1. Cut the chain into as many stages as if each had its own rank (an exact
//      dynamic program), which is balanced up to the size of blocks.
//   2. Improve by moving one cut, or by shifting a run of neighbouring cuts
//      along by a block, which carries work from any stage to any other.
//   3. Prove it best, or find the best, by depth-first search over the ends of
//      the stages with lower bounds, if the chain is small enough for that.
//
// Partitions are compared first by the bytes that exceed the memory limit, then
// by the objective, then by the squares of the ranks' loads, which leads
// across plateaus of the largest one.
//
//===----------------------------------------------------------------------===//

#include "Cuts/StagePartitionTerms.h"

#include <algorithm>
#include <cassert>
#include <tuple>

using namespace tessera;

/// Per stage the ranks that have it, ascending.
static std::vector<std::vector<int32_t>>
ranksOfStages(const StageAssignment &assignment) {
  std::vector<std::vector<int32_t>> ranks(assignment.stages);
  std::vector<std::vector<int32_t>> stagesOf = assignment.stagesOfRanks();
  for (int32_t rank = 0; rank < assignment.ranks; ++rank)
    for (int32_t stage : stagesOf[rank])
      ranks[stage].push_back(rank);
  return ranks;
}

namespace {

/// The first stages of a partition and what they cost, grown and shrunk at the
/// end.
class PartialPartition {
public:
  explicit PartialPartition(PartitionTerms &terms)
      : terms(terms), assignment(terms.problem.assignment),
        ranksOf(ranksOfStages(assignment)), compute(assignment.ranks),
        in(assignment.ranks), out(assignment.ranks), resident(assignment.ranks),
        holders(terms.problem.tied.size(),
                std::vector<int32_t>(assignment.ranks)),
        held(assignment.stages), stageOf(terms.blocks()) {}

  int32_t stages() const { return static_cast<int32_t>(begins.size()) - 1; }
  const std::vector<int32_t> &cuts() const { return begins; }

  /// The next stage gets the blocks up to `end`.
  void push(int32_t end) {
    begins.push_back(end);
    std::fill(stageOf.begin() + begins[stages() - 1], stageOf.begin() + end,
              stages() - 1);
    apply(stages() - 1, 1);
  }

  void pop() {
    apply(stages() - 1, -1);
    begins.pop_back();
  }

  /// Removes all stages after the first `count`.
  void shrink(int32_t count) {
    while (stages() > count)
      pop();
  }

  /// A lower bound of the objective of all partitions that start like this
  /// one, and the objective itself of a whole one.
  int64_t bound() const {
    int64_t rest =
        terms.computeOf(begins.back(), terms.blocks()) * terms.totalWeight;
    int64_t busiest = (work + rest) / assignment.ranks;
    for (int32_t rank = 0; rank < assignment.ranks; ++rank)
      busiest = std::max({busiest, compute[rank], in[rank], out[rank]});
    return terms.objective(busiest, extra + rest);
  }

  int64_t memoryOf(int32_t rank) const {
    int64_t most = 0;
    if (!assignment.moments.empty())
      for (const std::vector<StageLoad> &moment : assignment.moments[rank]) {
        int64_t bytes = 0;
        for (const StageLoad &load : moment)
          if (load.stage < stages())
            bytes +=
                load.activations * held[load.stage].activationBytes +
                load.weightGradients * held[load.stage].weightGradientBytes;
        most = std::max(most, bytes);
      }
    return resident[rank] + most;
  }

  int64_t peakMemory() const {
    int64_t peak = 0;
    for (int32_t rank = 0; rank < assignment.ranks; ++rank)
      peak = std::max(peak, memoryOf(rank));
    return peak;
  }

  int64_t excess() const {
    int64_t sum = 0;
    for (int32_t rank = 0; rank < assignment.ranks; ++rank)
      sum += std::max<int64_t>(0, memoryOf(rank) - terms.memoryLimit);
    return sum;
  }

  double squares() const {
    double sum = 0;
    for (int64_t load : compute)
      sum += static_cast<double>(load) * static_cast<double>(load);
    return sum;
  }

private:
  void apply(int32_t stage, int64_t sign) {
    int32_t begin = begins[stage], end = begins[stage + 1];
    const StageTerms &stageTerms = terms.stage(begin, end);
    held[stage] = stageTerms;
    int64_t ticks = stageTerms.compute * sign;
    for (const StageRoute &route : assignment.routes)
      compute[route.ranks[stage]] += ticks * route.weight;
    work += ticks * terms.totalWeight;
    extra += ticks * terms.totalWeight;
    for (int32_t block = begin; block < end; ++block) {
      for (const ValueUse &use : terms.usesOf[block])
        if (use.previous < begin)
          addTransfer(use, stage, sign);
      for (const TiedUse &use : terms.tiedOf[block])
        if (use.previous < begin)
          addTied(use.group, stage, sign);
    }
    int64_t bytes = terms.residentOf(begin, end) * sign;
    forRanksOf(stage, [&](int32_t rank) { resident[rank] += bytes; });
  }

  void addTransfer(const ValueUse &use, int32_t stage, int64_t sign) {
    for (const StageRoute &route : assignment.routes) {
      int32_t rank = route.ranks[stage];
      if (rank == route.ranks[stageOf[use.from]])
        continue;
      in[rank] += use.terms.in * route.weight * sign;
      out[rank] += use.terms.out * route.weight * sign;
      extra += use.terms.fill * route.weight * sign;
    }
  }

  /// Counts the stages of each rank that have a tied parameter.
  void addTied(int32_t group, int32_t stage, int64_t sign) {
    forRanksOf(stage, [&](int32_t rank) {
      int32_t &count = holders[group][rank];
      bool was = count > 0;
      count += static_cast<int32_t>(sign);
      if (was == (count > 0))
        return;
      resident[rank] += terms.problem.tied[group].residentBytes * sign;
      extra += terms.chunks * terms.totalWeight * terms.onceOf[group] * sign;
    });
  }

  /// Calls `function` once for every rank that runs `stage`.
  template <typename Function>
  void forRanksOf(int32_t stage, Function function) {
    for (int32_t rank : ranksOf[stage])
      function(rank);
  }

  PartitionTerms &terms;
  const StageAssignment &assignment;
  /// By stage.
  std::vector<std::vector<int32_t>> ranksOf;
  std::vector<int32_t> begins{0};
  std::vector<int64_t> compute, in, out, resident;
  std::vector<std::vector<int32_t>> holders;
  std::vector<StageTerms> held;
  std::vector<int32_t> stageOf;
  int64_t work = 0, extra = 0;
};

/// Steps 2 and 3, for the objective or, if `forMemory`, for the peak memory.
class PartitionSearch {
public:
  PartitionSearch(PartitionTerms &terms, const StagePartitionOptions &options,
                  bool forMemory)
      : terms(terms), options(options), forMemory(forMemory), current(terms) {}

  /// Improves `cuts`, a partition, until no move does.
  void improve(std::vector<int32_t> cuts) {
    bestKey = keyOf(cuts);
    best = std::move(cuts);
    while (tryMoves())
      ;
  }

  /// Looks for something better than the best so far; returns whether all was
  /// looked at.
  bool prove() {
    current.shrink(0);
    nodes = 0;
    return descend();
  }

  /// The best partition; it may exceed the memory limit if no better was found.
  const std::vector<int32_t> &cuts() const { return best; }
  bool isFeasible() const { return std::get<0>(bestKey) == 0; }
  /// The objective, or the peak memory.
  int64_t value() const { return std::get<1>(bestKey); }

private:
  using Key = std::tuple<int64_t, int64_t, double>;

  Key currentKey() const {
    if (forMemory)
      return {0, current.peakMemory(), 0};
    return {current.excess(), current.bound(), current.squares()};
  }

  /// The key of any partition; what it shares with the one looked at before is
  /// not computed again.
  Key keyOf(const std::vector<int32_t> &cuts) {
    int32_t same = 0;
    while (same < current.stages() &&
           current.cuts()[same + 1] == cuts[same + 1])
      ++same;
    current.shrink(same);
    for (size_t i = same + 1; i < cuts.size(); ++i)
      current.push(cuts[i]);
    return currentKey();
  }

  /// One round over all moves; returns whether one was taken and the budget is
  /// not used up.
  bool tryMoves() {
    bool improved = false;
    auto count = static_cast<int32_t>(best.size()) - 1;
    for (int32_t first = 1; first < count; ++first)
      for (int32_t end = first + 1; end <= count; ++end)
        for (int32_t shift : {-1, 1, -2, 2, -4, 4, -8, 8}) {
          if (end > first + 1 && shift != 1 && shift != -1)
            continue;
          if (looked++ >= options.neighbours)
            return false;
          improved |= tryMove(first, end, shift);
        }
    return improved;
  }

  bool tryMove(int32_t first, int32_t end, int32_t shift) {
    if (best[first] + shift <= best[first - 1] ||
        best[end - 1] + shift >= best[end])
      return false;
    std::vector<int32_t> cuts = best;
    for (int32_t i = first; i < end; ++i)
      cuts[i] += shift;
    Key key = keyOf(cuts);
    if (!(key < bestKey))
      return false;
    best = cuts;
    bestKey = key;
    return true;
  }

  bool canWin() const {
    if (forMemory)
      return current.peakMemory() < value();
    return current.peakMemory() <= terms.memoryLimit &&
           (!isFeasible() || current.bound() < value());
  }

  bool descend() {
    int32_t stages = terms.problem.assignment.stages;
    if (current.stages() == stages) {
      best = current.cuts();
      bestKey = currentKey();
      return true;
    }
    int32_t begin = current.cuts().back();
    int32_t left = stages - current.stages() - 1;
    int32_t first = left == 0 ? terms.blocks() : begin + 1;
    for (int32_t end = first; end <= terms.blocks() - left; ++end) {
      nodes += end - begin;
      if (nodes > options.nodes)
        return false;
      current.push(end);
      bool complete = !canWin() || descend();
      current.pop();
      if (!complete)
        return false;
    }
    return true;
  }

  PartitionTerms &terms;
  const StagePartitionOptions &options;
  bool forMemory;
  PartialPartition current;
  std::vector<int32_t> best;
  Key bestKey;
  int64_t nodes = 0, looked = 0;
};

/// Cuts as if every stage had a rank of its own, without a memory limit.
std::vector<int32_t> balancedCuts(const StagePartitionProblem &problem) {
  StagePartitionProblem alone = problem;
  alone.assignment = StageAssignment::contiguous(problem.assignment.stages,
                                                 problem.microbatches);
  alone.memoryLimit = std::nullopt;
  return solve(alone).partition->begins;
}

} // namespace

void tessera::searchPartition(PartitionTerms &terms,
                              const StagePartitionOptions &options,
                              StagePartitionResult &result) {
  std::vector<int32_t> start = balancedCuts(terms.problem);
  PartitionSearch search(terms, options, /*forMemory=*/false);
  search.improve(start);
  result.exact = search.prove();
  if (search.isFeasible()) {
    result.partition = StagePartition{search.cuts()};
    return;
  }
  PartitionSearch least(terms, options, /*forMemory=*/true);
  least.improve(search.cuts());
  result.exact &= least.prove();
  result.feasibleMemory = least.value();
}
