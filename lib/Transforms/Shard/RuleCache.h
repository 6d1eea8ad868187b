//===- RuleCache.h - each sharding rule made once -------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_RULECACHE_H
#define TESSERA_TRANSFORMS_SHARD_RULECACHE_H

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>

namespace tessera {

/// Whether all tensors of `rule` but scalars are made of the same factors in
/// the same dimensions, none of which needs communication when split: the rule
/// of element-wise operations. Tensors that are split alike agree under it.
bool isElementwise(const ShardingRule &rule);

/// The sharding rules of operations, made when first asked for. Rules stay
/// where they are as long as the cache lives.
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
  /// Element-wise operations of one name and of equal types share a rule.
  std::map<llvm::SmallVector<const void *, 4>, const ShardingRule *>
      elementwise;
  llvm::DenseMap<llvm::ArrayRef<int64_t>, const ShardingRule *> identities;
};

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SHARD_RULECACHE_H
