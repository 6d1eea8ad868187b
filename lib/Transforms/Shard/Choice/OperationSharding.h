//===- OperationSharding.h - how an operation itself may be split ---------===//
#ifndef TESSERA_TRANSFORMS_SHARD_CHOICE_OPERATIONSHARDING_H
#define TESSERA_TRANSFORMS_SHARD_CHOICE_OPERATIONSHARDING_H

#include "tessera/Sharding/Rules/FactorShardings.h"

#include "llvm/ADT/BitVector.h"

namespace tessera::shard {

/// One way to split an operation: what it needs of its operands and makes of
/// its results.
struct OperationSharding {
  /// Operands first, then results; closed, with pending reductions.
  llvm::SmallVector<TensorSharding, 4> tensors;
  /// The seconds of the computation on one device.
  double seconds = 0;
};

/// The seconds that one device computes for an operation with `rule` whose
/// factors are split over `axes`, one list per factor.
double computingSeconds(const ShardingRule &rule, llvm::ArrayRef<AxisList> axes,
                        const Mesh &mesh);

/// One operation whose sharding is to be chosen.
struct OperationShardingProblem {
  const ShardingRule &rule;
  /// Of operands, then results.
  Shapes shapes;
  const Mesh &mesh;
  /// Per tensor (operands first) the shardings it might have, the preferred one
  /// first; at least one.
  llvm::ArrayRef<llvm::SmallVector<TensorSharding, 2>> candidates;
  /// Operands that can be had in any sharding for nothing.
  llvm::BitVector freeOperands;
  /// Whether the operation runs more often than some operand is made.
  bool isRepeated = false;
};

/// The ways to split an operation that are worth weighing, without repetition.
///
/// Where the preferred shardings of all tensors agree on the axes of every
/// factor, the operation runs with these (which come first) or, if that leaves
/// pending sums, with reduction factors whole; nothing else is considered
/// unless some tensor has a second candidate: the user's annotations say how
/// work is divided. (But what a loop looks up in a split dimension, position
/// after position, may be split along another dimension before.) Otherwise each
/// way follows one candidate of one tensor and
/// takes from the preferred shardings of the others what fits; the last resort
/// splits nothing. Where an operand may be a pending sum in which the operation
/// is linear, each way has a variant that carries the sum over to the results.
llvm::SmallVector<OperationSharding, 0>
enumerateOperationShardings(const OperationShardingProblem &problem);

/// How an operation with `rule` is split to make each of its results, of
/// `shapes` behind those of the operands, as `results` says, or as it comes
/// where that is null; every operand can be had in any sharding for nothing.
/// Results that cannot be made so are made otherwise.
OperationSharding
shardingForResults(const ShardingRule &rule, Shapes shapes, const Mesh &mesh,
                   llvm::ArrayRef<const TensorSharding *> results);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_CHOICE_OPERATIONSHARDING_H
