//===- OperationSharding.h - how an operation itself is split -------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_OPERATIONSHARDING_H
#define TESSERA_TRANSFORMS_SHARD_OPERATIONSHARDING_H

#include "ReshardCosts.h"

#include "tessera/Sharding/FactorShardings.h"

#include "mlir/IR/Operation.h"

#include "llvm/ADT/BitVector.h"

namespace tessera {

/// What an operation needs of its operands and makes of its results when it is
/// split in one way.
struct OperationSharding {
  llvm::SmallVector<TensorSharding, 4> operands;
  llvm::SmallVector<TensorSharding, 2> results;
};

/// The choice of one operation's own sharding.
struct OperationShardingProblem {
  mlir::Operation *op;
  const ShardingRule &rule;
  /// The shardings that operands come in and results are wanted in, operands
  /// first; a scalar that is no tensor has one of rank 0.
  llvm::ArrayRef<TensorSharding> wanted;
  /// Operands that can be had in any sharding for nothing.
  llvm::BitVector freeOperands;
};

/// The best sharding for an operation. Where operands and results agree, it is
/// what they agree on: the user's annotations say how work is divided. Where
/// they do not, it is the candidate that takes the least time for moving
/// operands in, moving (and reducing) results out, and computing. Candidates
/// follow one tensor and fill in what the others say about the factors that are
/// left. Permutation factors are not split, for no exchange between neighbours
/// is known yet.
OperationSharding
chooseOperationSharding(const OperationShardingProblem &problem,
                        ReshardCosts &costs);

/// What an operation needs and makes when each factor of `rule` is split over
/// `factorAxes`, which must be feasible.
OperationSharding shardingFromFactors(const ShardingRule &rule,
                                      llvm::ArrayRef<AxisList> factorAxes,
                                      const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SHARD_OPERATIONSHARDING_H
