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
    : meshes{mesh, mesh, CollectiveCosts(mesh, options.links),
             CollectiveCosts(mesh, options.links), false},
      options(std::move(options)) {}

ReshardPlanner::ReshardPlanner(Mesh source, Mesh target, ReshardOptions options,
                               llvm::ArrayRef<LinkCosts> targetLinks)
    : meshes{source, target, CollectiveCosts(source, options.links),
             CollectiveCosts(target, targetLinks), source != target},
      options(std::move(options)) {}

const ReshardResult &ReshardPlanner::plan(const ReshardProblem &problem) {
  auto found = cache.find(problem);
  if (found == cache.end())
    found = cache.emplace(problem, solve(problem)).first;
  return found->second;
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
  result.error = original.check(meshes.source, meshes.target);
  if (!result.error.empty())
    return result;
  ReshardProblem problem = original;
  problem.source = original.source.placement(meshes.source);
  problem.target = original.target.placement(meshes.target);
  if (!meshes.differ && problem.source == problem.target) {
    result.plan.emplace();
    return result;
  }
  ReshardPlan naive = gatherThenSlice(problem, meshes.source,
                                      meshes.sourceCosts, meshes.target);
  return search(problem, options.memoryLimit.value_or(naive.peakBytes));
}

ReshardResult ReshardPlanner::search(const ReshardProblem &problem,
                                     int64_t memoryLimit) const {
  ReshardResult result;
  ReshardSearchLimits limits;
  ReshardSearch coarse(problem, meshes, options, memoryLimit, limits);
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
  ReshardSearch fine(problem, meshes, options, memoryLimit, limits);
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
  if (!meshes.differ && !problem.target.unreduced.empty() &&
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
    ReshardSearch search(problem, meshes, options, memoryLimit, limits);
    result.plan = search.run();
    if (result.plan)
      return result;
  }
  result.plan = gatherThenSlice(problem, meshes.source, meshes.sourceCosts,
                                meshes.target);
  return result;
}
