//===- ReshardCosts.cpp - what it costs to move tensors of the program ----===//

#include "tessera/Dialect/Tessera/ReshardCosts.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tessera;

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
  const ReshardResult &result = planner.plan(problem);
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
