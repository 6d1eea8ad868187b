//===- IterationPoints.h - How much an operation computes -----------------===//
#ifndef TESSERA_SHARDING_RULES_ITERATIONPOINTS_H
#define TESSERA_SHARDING_RULES_ITERATIONPOINTS_H

#include "tessera/Sharding/Rules/ShardingRule.h"

namespace tessera {

/// The points of the iteration space of an operation with `rule` whose factors
/// have `sizes` (one per factor; on one device, for example), at least as many
/// as its largest tensor has elements. A factor that only one tensor has adds
/// no points of its own: it is summed up, repeated, or looked up.
double iterationPoints(const ShardingRule &rule, llvm::ArrayRef<double> sizes);

} // namespace tessera

#endif // TESSERA_SHARDING_RULES_ITERATIONPOINTS_H
