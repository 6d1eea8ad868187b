//===- RuleCache.cpp - each sharding rule made once
//-------------------------===//

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

const ShardingRule *RuleCache::lookup(Operation *op) {
  auto [entry, isNew] = byOperation.try_emplace(op, nullptr);
  if (!isNew)
    return entry->second;
  if (std::optional<ShardingRule> rule = getShardingRule(op))
    entry->second = &rules.emplace_back(std::move(*rule));
  return entry->second;
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
