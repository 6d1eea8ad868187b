//===- UpdateShards.h - what could be computed in shards ------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_REDUCTIONS_UPDATESHARDS_H
#define TESSERA_TRANSFORMS_SHARD_REDUCTIONS_UPDATESHARDS_H

#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace tessera::shard {

/// The operations and arguments of a function that could be *scattered*: work
/// on, or be kept as, shards of what is whole on every device along some axes.
///
/// It begins at *seeds*: reshards that complete a pending sum and whose result
/// leads to results of the function alone, by operations on elements and by
/// reductions to scalars (the norm of all gradients). The sum is split, over
/// the axes along which it was pending, in its first dimension that divides.
/// From there the split spreads along the factors of operations: forwards as
/// far as the update goes, backwards to what enters it.
///
/// Never changes the program.
class UpdateShards {
public:
  /// What is scattered or not: an operation; an argument and the result that
  /// takes over its memory, neither of them annotated.
  struct Party {
    /// Null for an argument and result.
    mlir::Operation *op = nullptr;
    /// A seed is scattered as soon as nobody needs the whole sum.
    bool isSeed = false;
    /// If it is scattered: of the operands, then of the results. Empty for
    /// seeds and arguments.
    llvm::SmallVector<ShardingAttr, 4> tensors;
    /// The seconds of work that are saved.
    double seconds = 0;
  };

  /// Sums so small that no update behind them takes `seconds` are no seeds.
  UpdateShards(mlir::func::FuncOp function, const Mesh &mesh, RuleCache &rules,
               double seconds);

  llvm::ArrayRef<Party> getParties() const { return parties; }
  /// The values that parties make, and what each is if its party is scattered;
  /// also the values that parties would take shards of.
  const llvm::MapVector<mlir::Value, ShardingAttr> &getAlternatives() const {
    return alternatives;
  }
  ShardingAttr alternativeOf(mlir::Value value) const {
    return alternatives.lookup(value);
  }
  /// The party that makes `value`, or null.
  const Party *makerOf(mlir::Value value) const;
  /// The party that takes the alternative of the value at `use` if it is
  /// scattered; null if the use needs the value as it is.
  const Party *followerOf(mlir::OpOperand &use) const;
  /// The argument, not annotated, whose memory result number `result`, not
  /// annotated, takes over; null if there is none.
  mlir::BlockArgument openArgument(unsigned result) const {
    return openState.lookup(result);
  }

private:
  bool isOnElements(mlir::Operation *op, bool mayReduce);
  bool leadsToResults(mlir::Operation *op);
  void findUpdates();
  void findOpenState();
  bool isOpen(mlir::Value value);
  bool isWorthwhile(ReshardOp seed);
  void addSeeds();
  void addOperation(mlir::Operation *op, size_t tensor, ShardingAttr scattered);
  /// What an operation takes and makes in shards, and the seconds that saves.
  struct Shards {
    llvm::SmallVector<ShardingAttr, 4> tensors;
    double seconds = 0;
  };
  const std::optional<Shards> &shardsOf(mlir::Operation *op, size_t tensor,
                                        ShardingAttr scattered);
  std::optional<Shards> findShards(mlir::Operation *op, size_t tensor,
                                   ShardingAttr scattered);
  void addValue(mlir::Value value, ShardingAttr scattered);
  void spread();
  ShardingAttr attribute(TensorSharding sharding) const {
    return ShardingAttr::get(meshName.getContext(), meshName,
                             std::move(sharding));
  }

  mlir::func::FuncOp function;
  mlir::Block &body;
  const Mesh &mesh;
  RuleCache &rules;
  double leastSeconds;
  mlir::FlatSymbolRefAttr meshName;
  /// What leads to results of the function alone.
  llvm::DenseSet<mlir::Operation *> updates;
  /// By the number of the result.
  llvm::DenseMap<unsigned, mlir::BlockArgument> openState;
  std::vector<Party> parties;
  llvm::DenseMap<mlir::Operation *, unsigned> partyOfOperation;
  llvm::DenseMap<mlir::Value, unsigned> partyOfArgument;
  llvm::MapVector<mlir::Value, ShardingAttr> alternatives;
  llvm::SmallVector<mlir::Value> queue;
  /// By rule, tensor and shardings: equal layers have equal updates.
  std::map<std::vector<const void *>, std::optional<Shards>> knownShards;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_REDUCTIONS_UPDATESHARDS_H
