//===- RuleCache.cpp - each sharding rule made once -----------------------===//

#include "RuleCache.h"

using namespace mlir;
using namespace tessera;

bool tessera::isElementwise(const ShardingRule &rule) {
  const TensorFactors *first = nullptr;
  for (size_t i = 0; i < rule.numTensors(); ++i) {
    const TensorFactors &tensor = rule.tensor(i);
    if (tensor.dims.empty())
      continue;
    if (first && !(tensor == *first))
      return false;
    first = &tensor;
  }
  return llvm::all_of(rule.factors, [](const Factor &factor) {
    return factor.kind == FactorKind::PassThrough;
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
  if (!op->hasTrait<OpTrait::Elementwise>())
    return entry->second = makeRule(op);
  SmallVector<const void *, 4> key = {op->getName().getAsOpaquePointer()};
  for (Type type : op->getOperandTypes())
    key.push_back(type.getAsOpaquePointer());
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  auto [shared, isNewKey] = elementwise.try_emplace(std::move(key), nullptr);
  if (isNewKey)
    shared->second = makeRule(op);
  return entry->second = shared->second;
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
