//===- PropagationSteps.h - each step of propagation taken once -----------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PROPAGATION_PROPAGATIONSTEPS_H
#define TESSERA_TRANSFORMS_SHARD_PROPAGATION_PROPAGATIONSTEPS_H

#include "tessera/Sharding/Rules/PropagateFactors.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

#include <deque>
#include <unordered_map>

namespace tessera::shard {

/// `propagateFactors` with a memory: operations of one rule whose tensors are
/// sharded alike take one step, as the equal layers of a deep network do.
/// Shardings are numbered, equal ones alike, so that remembering a step takes a
/// few words.
class PropagationSteps {
public:
  using Number = unsigned;

  explicit PropagationSteps(const Mesh &mesh) : mesh(mesh) {}

  /// The number of `sharding`.
  Number number(const TensorSharding &sharding);
  /// The number of an open sharding that splits none of `rank` dimensions.
  Number open(size_t rank);
  /// The sharding of a number; stays where it is.
  const TensorSharding &sharding(Number number) const {
    return *shardings[number];
  }

  /// What the shardings of the operands and results (in that order) of an
  /// operation become by one step along `rule`; nothing if none of them
  /// changes. A rule always comes with the same `shapes`.
  llvm::ArrayRef<Number> step(const ShardingRule &rule, Shapes shapes,
                              llvm::ArrayRef<Number> tensors,
                              const PropagationOptions &options);

private:
  struct Hash {
    size_t operator()(const TensorSharding &sharding) const {
      return hash_value(sharding);
    }
  };
  using Key = llvm::ArrayRef<uint64_t>;

  llvm::ArrayRef<Number> compute(const ShardingRule &rule, Shapes shapes,
                                 llvm::ArrayRef<Number> tensors,
                                 const PropagationOptions &options);

  const Mesh &mesh;
  std::unordered_map<TensorSharding, Number, Hash> numbers;
  std::deque<const TensorSharding *> shardings;
  /// By rank, once they have been asked for.
  llvm::SmallVector<std::optional<Number>, 8> openOfRank;
  llvm::DenseMap<Key, llvm::ArrayRef<Number>> known;
  llvm::BumpPtrAllocator storage;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PROPAGATION_PROPAGATIONSTEPS_H
