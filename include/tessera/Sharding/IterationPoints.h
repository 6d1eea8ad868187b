//===- IterationPoints.h - How much an operation computes -----------------===//
#pragma once

#include "tessera/Sharding/ShardingRule.h"

namespace tessera {

/// The points of the iteration space of an operation with `rule` whose factors
/// have `sizes` (one per factor; on one device, for example), at least as many
/// as its largest tensor has elements. A factor that only one tensor has adds
/// no points of its own: it is summed up, repeated, or looked up.
double iterationPoints(const ShardingRule &rule, llvm::ArrayRef<double> sizes);

} // namespace tessera
