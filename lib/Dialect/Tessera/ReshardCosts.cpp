//===- ReshardCosts.cpp - what it costs to move tensors of the program ----===//

#include "tessera/Dialect/Tessera/ReshardCosts.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <tuple>

using namespace mlir;
using namespace tessera;

/// `problem` without dimensions of one element that stay whole, and the others
/// in an order that follows from their sizes and axes: neither matters to what
/// the plan costs, and a model has many tensors that differ only so.
static ReshardProblem normalized(const ReshardProblem &problem) {
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < problem.shape.size(); ++dim)
    if (problem.shape[dim] != 1 || !problem.source.dims[dim].axes.empty() ||
        !problem.target.dims[dim].axes.empty())
      order.push_back(dim);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    auto key = [&](const unsigned &dim) {
      return std::tie(problem.source.dims[dim].axes,
                      problem.target.dims[dim].axes, problem.shape[dim], dim);
    };
    return key(a) < key(b);
  });
  ReshardProblem result = problem;
  result.source.dims.clear();
  result.target.dims.clear();
  result.shape.clear();
  for (unsigned dim : order) {
    result.source.dims.push_back(problem.source.dims[dim]);
    result.target.dims.push_back(problem.target.dims[dim]);
    result.shape.push_back(problem.shape[dim]);
  }
  return result;
}

double ReshardCosts::seconds(RankedTensorType type,
                             const TensorSharding &source,
                             const TensorSharding &target) {
  if (source == target)
    return 0;
  // Where parts are unequal, padded ones are moved.
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    size =
        llvm::alignTo(size, std::lcm(source.numShards(dim, planner.getMesh()),
                                     target.numShards(dim, planner.getMesh())));
  ReshardProblem problem{
      source, target, shape,
      int64_t(llvm::divideCeil(type.getElementTypeBitWidth(), 8))};
  const ReshardResult &result = planner.plan(normalized(problem));
  return result.plan ? result.plan->seconds
                     : std::numeric_limits<double>::infinity();
}

double ReshardCosts::seconds(RankedTensorType type, ShardingAttr source,
                             ShardingAttr target) {
  if (source == target)
    return 0;
  auto [entry, isNew] = known.try_emplace({type, source, target}, 0);
  if (isNew)
    entry->second = seconds(type, source.getValue(), target.getValue());
  return entry->second;
}
