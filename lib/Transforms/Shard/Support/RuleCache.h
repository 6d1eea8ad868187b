//===- RuleCache.h - each sharding rule made once -------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_SUPPORT_RULECACHE_H
#define TESSERA_TRANSFORMS_SHARD_SUPPORT_RULECACHE_H

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace tessera::shard {

/// What a sharding rule may depend on, as the key of a map: the operation's
/// name, types and properties, and operands that are constants (a pad with
/// zeros is linear). An operation with regions is like no other.
struct SameRuleInfo : llvm::DenseMapInfo<mlir::Operation *> {
  static unsigned getHashValue(mlir::Operation *op);
  static bool isEqual(mlir::Operation *a, mlir::Operation *b);
};

/// The sharding rules of operations, made when first asked for. Operations that
/// must have the same rule, and so the same types, share one. Rules stay where
/// they are as long as the cache lives, so that their addresses stand for them.
class RuleCache {
public:
  /// The rule of `op`, or null if it has none. The operation must live as long
  /// as the cache.
  const ShardingRule *lookup(mlir::Operation *op);
  /// The rule of handing a tensor of `shape` on: one operand, one result.
  const ShardingRule *identity(llvm::ArrayRef<int64_t> shape);

private:
  const ShardingRule *makeRule(mlir::Operation *op);

  std::deque<ShardingRule> rules;
  llvm::DenseMap<mlir::Operation *, const ShardingRule *> byOperation;
  llvm::DenseMap<mlir::Operation *, const ShardingRule *, SameRuleInfo> shared;
  llvm::DenseMap<llvm::ArrayRef<int64_t>, const ShardingRule *> identities;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_SUPPORT_RULECACHE_H
