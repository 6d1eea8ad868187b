//===- ReshardPlanner.cpp - The cheapest way to reshard a tensor ----------===//
#include "tessera/Sharding/Reshard/ReshardPlanner.h"

#include "Reshard/ReshardSteps.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// Axes are cut into primes while there are at most this many of them.
static constexpr unsigned kMaxCutAtoms = 6;
/// The states that a search for any short path may visit, the one for a short
/// path with many atoms, the one for the shortest path, with few, and the one
/// for a better path by finer cuts.
static constexpr size_t kMaxQuickStates = 700, kMaxStates = 600,
                        kMaxExactStates = 5000, kMaxFineStates = 300;
/// The factor on the bound with many atoms.
static constexpr double kManyAtomsFactor = 1.3;
/// The part of the cost that is not worth a search by finer cuts.
static constexpr double kSmallGap = 1e-3;
/// The first factor on the bound, and the one after which a search is no longer
/// repeated.
static constexpr int64_t kQuickFactor = 4, kMaxBoundFactor = 256;

// NOLINTNEXTLINE(performance-unnecessary-value-param): once per mesh.
ReshardPlanner::ReshardPlanner(Mesh mesh, ReshardOptions options)
    : meshes{mesh, mesh, CollectiveCosts(mesh, options.links),
             CollectiveCosts(mesh, options.links), false},
      options(std::move(options)) {}

// NOLINTNEXTLINE(performance-unnecessary-value-param): once per mesh.
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

namespace {

/// A way to cut the axes of a problem, and the searches over its states.
struct CutSearch {
  CutSearch(const ReshardProblem &problem, const ReshardMeshes &meshes,
            ReshardAtoms atoms, int64_t memoryLimit)
      : space(problem, meshes, std::move(atoms)), bound(space),
        search(space, bound, memoryLimit) {}

  ReshardSpace space;
  ReshardBound bound;
  ReshardSearch search;
};

} // namespace

ReshardResult ReshardPlanner::search(const ReshardProblem &problem,
                                     const ReshardPlan &naive,
                                     int64_t memoryLimit) const {
  ReshardResult result;
  ReshardAtoms wholeAtoms =
      cutIntoAtoms(problem, meshes, options.useIdleAxes, 0);
  if (wholeAtoms.tooLarge()) {
    result.error = "expected at most " +
                   std::to_string(ReshardAtoms::kMaxAtoms) +
                   " parts of axes that move";
    return result;
  }
  unsigned numWhole = wholeAtoms.atoms.size();
  CutSearch coarse(problem, meshes, std::move(wholeAtoms), memoryLimit);
  int64_t cost = std::numeric_limits<int64_t>::max();
  auto improve = [&](CutSearch &cut, const ReshardSearchLimits &limits) {
    std::optional<ReshardSearch::Path> path = cut.search.run(limits);
    if (!path)
      return false;
    cost = cut.search.getCost();
    result.plan = planOf(*path, cut.space, problem, meshes);
    return true;
  };
  // A short path, found quickly, spares the search for the shortest most of its
  // states. That search may return the same one.
  int64_t factor = kQuickFactor;
  while (!improve(coarse, {kMaxQuickStates, cost, double(factor), true}) &&
         coarse.search.gaveUp() && factor < kMaxBoundFactor)
    factor *= 4;
  int64_t bound = coarse.bound.lowerBound(coarse.space.source());
  // One step that costs no more than any plan must is the best.
  if (result.plan && result.plan->steps.size() == 1 && cost - 1 <= bound)
    return result;
  bool isFound = result.plan.has_value();
  int64_t naiveCost =
      naive.seconds * kPicosecondsPerSecond + naive.steps.size();
  if (naive.peakBytes <= memoryLimit &&
      (isFound ? naiveCost < cost : coarse.search.gaveUp())) {
    cost = naiveCost;
    result.plan = naive;
  }
  if (isFound && coarse.search.hasFewAtoms())
    improve(coarse, {kMaxExactStates, cost + 1});
  else if (isFound)
    improve(coarse, {kMaxStates, cost + 1, kManyAtomsFactor});

  // Parts of axes may do better than whole ones, if anything does.
  if (result.plan && cost - bound <= cost * kSmallGap)
    return result;
  ReshardAtoms parts =
      cutIntoAtoms(problem, meshes, options.useIdleAxes, kMaxCutAtoms);
  if (parts.atoms.size() != numWhole && !parts.tooLarge()) {
    CutSearch fine(problem, meshes, std::move(parts), memoryLimit);
    improve(fine, {kMaxFineStates, cost});
  }
  if (!result.plan)
    result.error = "expected a plan whose steps need at most " +
                   std::to_string(memoryLimit) + " bytes, got none";
  return result;
}
