//===- ShardingGroups.h - whose members contradict each other -------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PROPAGATION_SHARDINGGROUPS_H
#define TESSERA_TRANSFORMS_SHARD_PROPAGATION_SHARDINGGROUPS_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::shard {

/// Operations `tessera.sharding_group`.
using GroupMembers = llvm::DenseSet<ShardingGroupOp>;

/// What an annotation asks for on `mesh`: without axes of one device, and with
/// adjacent parts of an axis as one.
TensorSharding annotatedSharding(ShardingAttr attribute, const Mesh &mesh);

/// Whether propagation may choose everything.
bool saysNothing(const TensorSharding &sharding);

/// The members of sharding groups in `function` for which the user asks for
/// another sharding than for an earlier member of the group, after a warning
/// for each: as for Shardy, the user's shardings stay, and the group is that of
/// the other members.
GroupMembers contradictingMembers(mlir::func::FuncOp function,
                                  const Mesh &mesh);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PROPAGATION_SHARDINGGROUPS_H
