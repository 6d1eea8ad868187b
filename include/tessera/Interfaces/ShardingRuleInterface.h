//===- ShardingRuleInterface.h - how an operation may be split --------------===//
#ifndef TESSERA_INTERFACES_SHARDINGRULEINTERFACE_H
#define TESSERA_INTERFACES_SHARDINGRULEINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "tessera/Sharding/ShardingRule.h"

#include "tessera/Interfaces/ShardingRuleInterface.h.inc"

namespace tessera {

/// The sharding rule of `op`: what its interface says, the pointwise rule for element-wise operations, and nothing for
/// an operation that has no rule (control flow, terminators).
std::optional<ShardingRule> getShardingRule(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_INTERFACES_SHARDINGRULEINTERFACE_H
