//===- ReshardPlanner.cpp - The cheapest way to reshard a tensor ----------===//
#include "tessera/Sharding/ReshardPlanner.h"

#include "ReshardSearch.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// Axes are cut into primes while there are at most this many of them.
static constexpr unsigned kMaxCutAtoms = 6;
/// The states that a search with a factor on its bound may visit, the search
/// for the shortest path, and the one for a better path by finer cuts.
static constexpr size_t kMaxQuickStates = 2000, kMaxStates = 5000,
                        kMaxFineStates = 500;
/// The part of the cost that is not worth a search by finer cuts.
static constexpr double kSmallGap = 1e-3;
/// The first factor on the bound, and the one after which a search is no longer
/// repeated.
static constexpr int64_t kQuickFactor = 4, kMaxBoundFactor = 256;

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
  return search(problem, naive, options.memoryLimit.value_or(naive.peakBytes));
}

ReshardResult ReshardPlanner::search(const ReshardProblem &problem,
                                     const ReshardPlan &naive,
                                     int64_t memoryLimit) const {
  ReshardResult result;
  ReshardSearch coarse(problem, meshes, options, memoryLimit, 0);
  if (coarse.tooLarge()) {
    result.error = "expected at most 15 parts of axes that move";
    return result;
  }
  int64_t cost = std::numeric_limits<int64_t>::max();
  auto improve = [&](ReshardSearch &search, const ReshardSearchLimits &limits) {
    std::optional<ReshardPlan> plan = search.run(limits);
    if (!plan)
      return false;
    cost = search.getPlanCost();
    result.plan = std::move(plan);
    return true;
  };
  // A short path, found quickly, spares the search for the shortest most of its
  // states. That search may return the same one.
  int64_t factor = kQuickFactor;
  while (!improve(coarse, {kMaxQuickStates, cost, factor}) && coarse.gaveUp() &&
         factor < kMaxBoundFactor)
    factor *= 4;
  // One step that costs no more than any plan must is the best.
  if (result.plan && result.plan->steps.size() == 1 &&
      cost - 1 <= coarse.getBound())
    return result;
  bool isFound = result.plan.has_value();
  int64_t naiveCost =
      naive.seconds * kPicosecondsPerSecond + naive.steps.size();
  if (naive.peakBytes <= memoryLimit &&
      (isFound ? naiveCost < cost : coarse.gaveUp())) {
    cost = naiveCost;
    result.plan = naive;
  }
  if (isFound)
    improve(coarse, {kMaxStates, cost + 1});

  // Parts of axes may do better than whole ones, if anything does.
  if (result.plan && cost - coarse.getBound() <= cost * kSmallGap)
    return result;
  ReshardSearch fine(problem, meshes, options, memoryLimit, kMaxCutAtoms);
  if (fine.numAtoms() != coarse.numAtoms() && !fine.tooLarge())
    improve(fine, {kMaxFineStates, cost});
  if (!result.plan)
    result.error = "expected a plan whose steps need at most " +
                   std::to_string(memoryLimit) + " bytes, got none";
  return result;
}
