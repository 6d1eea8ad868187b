//===- RuleCache.cpp - each sharding rule made once -----------------------===//

#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/ConstantElement.h"
#include "tessera/Dialect/Tessera/Tessera.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// Whether the rule of `op` follows from name and types alone.
static bool isPlain(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>();
}

unsigned SameRuleInfo::getHashValue(Operation *op) {
  llvm::hash_code hash = hash_value(op->getName());
  for (Value operand : op->getOperands())
    hash = llvm::hash_combine(hash, operand.getType());
  for (Value result : op->getResults())
    hash = llvm::hash_combine(hash, result.getType());
  return isPlain(op) ? hash : llvm::hash_combine(hash, op->hashProperties());
}

bool SameRuleInfo::isEqual(Operation *a, Operation *b) {
  if (a == b)
    return true;
  auto isKey = [](Operation *op) {
    return op != getEmptyKey() && op != getTombstoneKey();
  };
  if (!isKey(a) || !isKey(b) || a->getName() != b->getName() ||
      a->getOperandTypes() != b->getOperandTypes() ||
      a->getResultTypes() != b->getResultTypes())
    return false;
  if (isPlain(a))
    return true;
  return a->getNumRegions() == 0 && b->getNumRegions() == 0 &&
         a->getName().compareOpProperties(a->getPropertiesStorage(),
                                          b->getPropertiesStorage()) &&
         llvm::all_of_zip(
             a->getOperands(), b->getOperands(), [](Value first, Value second) {
               return constantElement(first) == constantElement(second);
             });
}

const ShardingRule *RuleCache::makeRule(Operation *op) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule ? &rules.emplace_back(std::move(*rule)) : nullptr;
}

const ShardingRule *RuleCache::lookup(Operation *op) {
  auto [entry, isNew] = byOperation.try_emplace(op, nullptr);
  if (!isNew)
    return entry->second;
  auto [rule, isNewRule] = shared.try_emplace(op, nullptr);
  if (isNewRule)
    rule->second = makeRule(op);
  return entry->second = rule->second;
}

const ShardingRule *RuleCache::identity(ArrayRef<int64_t> shape) {
  auto [entry, isNew] = identities.try_emplace(shape, nullptr);
  if (isNew) {
    ShardingRuleBuilder builder({shape}, {shape});
    builder.addPointwise();
    entry->second = &rules.emplace_back(builder.build());
  }
  return entry->second;
}
