//===- PropagationSteps.cpp - each step of propagation taken once ---------===//

#include "Propagation/PropagationSteps.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::shard;

PropagationSteps::Number
PropagationSteps::number(const TensorSharding &sharding) {
  auto [entry, isNew] = numbers.try_emplace(sharding, shardings.size());
  if (isNew)
    shardings.push_back(&entry->first);
  return entry->second;
}

PropagationSteps::Number PropagationSteps::open(size_t rank) {
  if (openOfRank.size() <= rank)
    openOfRank.resize(rank + 1);
  if (!openOfRank[rank])
    openOfRank[rank] = number(TensorSharding::getOpen(rank));
  return *openOfRank[rank];
}

llvm::ArrayRef<PropagationSteps::Number>
PropagationSteps::step(const ShardingRule &rule, Shapes shapes,
                       llvm::ArrayRef<Number> tensors,
                       const PropagationOptions &options) {
  llvm::SmallVector<uint64_t, 8> key = {
      reinterpret_cast<uintptr_t>(&rule), uint64_t(options.maxPriority),
      uint64_t(options.direction) << 2 | uint64_t(options.aggressive) << 1 |
          uint64_t(options.passThroughOnly)};
  llvm::append_range(key, tensors);
  auto found = known.find(key);
  if (found == known.end())
    found = known
                .try_emplace(Key(key).copy(storage),
                             compute(rule, shapes, tensors, options))
                .first;
  return found->second;
}

llvm::ArrayRef<PropagationSteps::Number>
PropagationSteps::compute(const ShardingRule &rule, Shapes shapes,
                          llvm::ArrayRef<Number> tensors,
                          const PropagationOptions &options) {
  llvm::SmallVector<TensorSharding, 4> grown;
  for (Number tensor : tensors)
    grown.push_back(sharding(tensor));
  size_t numOperands = rule.operands.size();
  llvm::MutableArrayRef<TensorSharding> all(grown);
  if (!propagateFactors(rule, shapes.take_front(numOperands),
                        shapes.drop_front(numOperands), mesh,
                        all.take_front(numOperands),
                        all.drop_front(numOperands), options))
    return {};
  llvm::SmallVector<Number, 4> result;
  for (const TensorSharding &sharding : grown)
    result.push_back(number(sharding));
  if (llvm::ArrayRef<Number>(result) == tensors)
    return {};
  return llvm::ArrayRef<Number>(result).copy(storage);
}
