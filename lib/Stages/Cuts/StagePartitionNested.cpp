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

#include "Cuts/NestedProgram.h"

#include <algorithm>

using namespace tessera;

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
