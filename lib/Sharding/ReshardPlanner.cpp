//===- ReshardPlanner.cpp - The cheapest way to reshard a tensor ----------===//
#include "tessera/Sharding/ReshardPlanner.h"

#include "ReshardSearch.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// Axes are cut into primes while there are at most this many of them.
static constexpr unsigned kMaxCutAtoms = 6;
/// The states that a search for a better plan by finer cuts may visit.
static constexpr size_t kMaxFineStates = 500;
/// Beyond this factor on its lower bound a search is no longer repeated.
static constexpr int64_t kMaxBoundFactor = 256;

ReshardPlanner::ReshardPlanner(Mesh mesh, ReshardOptions options)
    : mesh(std::move(mesh)), options(std::move(options)),
      costs(this->mesh, this->options.links) {}

const ReshardResult &ReshardPlanner::plan(const ReshardProblem &problem) {
  auto found = cache.find(problem);
  if (found == cache.end())
    found = cache.emplace(problem, solve(problem)).first;
  return found->second;
}

/// The sharding between `source` and `target` that a plan has to pass through
/// because they cut an axis at boundaries that do not divide each other:
/// `source` without such axes and what is minor to them. None where no axis is
/// cut so.
static std::optional<TensorSharding> waypoint(const TensorSharding &source,
                                              const TensorSharding &target,
                                              const Mesh &mesh) {
  AxisList wanted = target.usedAxes();
  auto clashes = [&](const AxisRef &axis) {
    return llvm::any_of(wanted, [&](const AxisRef &other) {
      return !axis.canCoexist(other, mesh);
    });
  };
  TensorSharding between = source;
  for (DimSharding &dim : between.dims)
    dim.axes.erase(llvm::find_if(dim.axes, clashes), dim.axes.end());
  llvm::erase_if(between.unreduced, clashes);
  if (between == source)
    return std::nullopt;
  return between;
}

/// The plan that runs `head`, then `tail`.
static ReshardResult concatenate(ReshardResult head, ReshardResult tail) {
  if (!head.plan || !tail.plan)
    return head.plan ? tail : head;
  head.plan->bytes += tail.plan->bytes;
  head.plan->seconds += tail.plan->seconds;
  head.plan->peakBytes = std::max(head.plan->peakBytes, tail.plan->peakBytes);
  llvm::append_range(head.plan->steps, tail.plan->steps);
  return head;
}

ReshardResult ReshardPlanner::solve(const ReshardProblem &original) const {
  ReshardResult result;
  result.error = original.check(mesh);
  if (!result.error.empty())
    return result;
  ReshardProblem problem = original;
  problem.source = original.source.placement(mesh);
  problem.target = original.target.placement(mesh);
  if (problem.source == problem.target) {
    result.plan.emplace();
    return result;
  }

  if (std::optional<TensorSharding> between =
          waypoint(problem.source, problem.target, mesh)) {
    ReshardProblem first = problem, second = problem;
    first.target = second.source = *between;
    return concatenate(solve(first), solve(second));
  }

  int64_t memoryLimit = options.memoryLimit.value_or(
      gatherThenSlice(problem, mesh, costs).peakBytes);
  return search(problem, memoryLimit);
}

ReshardResult ReshardPlanner::search(const ReshardProblem &problem,
                                     int64_t memoryLimit) const {
  ReshardResult result;
  ReshardSearchLimits limits;
  ReshardSearch coarse(problem, mesh, costs, options, memoryLimit, limits);
  if (coarse.tooLarge()) {
    result.error = "expected at most 15 parts of axes that move";
    return result;
  }
  result.plan = coarse.run();
  if (!result.plan && coarse.gaveUp())
    return searchRoughly(problem, memoryLimit);

  // Parts of axes may do better than whole ones.
  if (result.plan)
    limits.upperBound = coarse.getPlanCost();
  limits.maxCutAtoms = kMaxCutAtoms;
  limits.maxStates = kMaxFineStates;
  ReshardSearch fine(problem, mesh, costs, options, memoryLimit, limits);
  if (fine.numAtoms() != coarse.numAtoms() && !fine.tooLarge())
    if (std::optional<ReshardPlan> better = fine.run())
      result.plan = std::move(better);
  if (!result.plan)
    result.error = "expected a plan whose steps need at most " +
                   std::to_string(memoryLimit) + " bytes, got none";
  return result;
}

ReshardResult ReshardPlanner::searchRoughly(const ReshardProblem &problem,
                                            int64_t memoryLimit) const {
  // Pending sums in the target leave the bound nothing to go by: reach the
  // target without them, which makes them free.
  if (!problem.target.unreduced.empty() &&
      problem.target.unreduced != problem.source.unreduced) {
    ReshardProblem first = problem, second = problem;
    first.target.unreduced.clear();
    first.target.unreducedKind = ReductionKind::Sum;
    second.source = first.target;
    return concatenate(solve(first), solve(second));
  }
  ReshardSearchLimits limits;
  ReshardResult result;
  for (limits.boundFactor = 4; limits.boundFactor <= kMaxBoundFactor;
       limits.boundFactor *= 4) {
    ReshardSearch search(problem, mesh, costs, options, memoryLimit, limits);
    result.plan = search.run();
    if (result.plan)
      return result;
  }
  result.plan = gatherThenSlice(problem, mesh, costs);
  return result;
}
