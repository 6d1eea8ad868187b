//===- ReshardPlanner.cpp - The cheapest way to reshard a tensor ----------===//
#include "tessera/Sharding/ReshardPlanner.h"

#include "ReshardSearch.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

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
    ReshardResult head = solve(first), tail = solve(second);
    if (!head.plan || !tail.plan)
      return head.plan ? tail : head;
    result.plan = std::move(head.plan);
    result.plan->bytes += tail.plan->bytes;
    result.plan->seconds += tail.plan->seconds;
    result.plan->peakBytes =
        std::max(result.plan->peakBytes, tail.plan->peakBytes);
    llvm::append_range(result.plan->steps, tail.plan->steps);
    return result;
  }

  int64_t memoryLimit = options.memoryLimit.value_or(
      gatherThenSlice(problem, mesh, costs).peakBytes);
  // The finest cut first; coarser cuts and rougher bounds if that is too much.
  ReshardSearchLimits limits;
  while (true) {
    ReshardSearch search(problem, mesh, costs, options, memoryLimit, limits);
    if (search.tooLarge()) {
      result.error = "expected at most 15 parts of axes that move";
      return result;
    }
    result.plan = search.run();
    if (result.plan)
      return result;
    if (!search.gaveUp()) {
      result.error = "expected a plan whose steps need at most " +
                     std::to_string(memoryLimit) + " bytes, got none";
      return result;
    }
    if (limits.maxPrimeAtoms > 0)
      limits.maxPrimeAtoms = 0;
    else
      limits.boundFactor *= 4;
    if (limits.boundFactor > kMaxBoundFactor) {
      result.plan = gatherThenSlice(problem, mesh, costs);
      return result;
    }
  }
}
