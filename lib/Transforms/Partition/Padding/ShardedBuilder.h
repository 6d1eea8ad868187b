//===- ShardedBuilder.h - operations that have shardings ------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PADDING_SHARDEDBUILDER_H
#define TESSERA_TRANSFORMS_PARTITION_PADDING_SHARDEDBUILDER_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::partition {

/// Makes operations of one result between propagation and partitioning, where
/// every tensor has a sharding, and keeps the shardings of all tensors at hand.
class ShardedBuilder {
public:
  using ShardingMap = llvm::DenseMap<mlir::Value, ShardingAttr>;

  /// Shardings are on the mesh named `mesh`; those of values that were not made
  /// here are `shardings`.
  explicit ShardedBuilder(mlir::FlatSymbolRefAttr mesh,
                          ShardingMap shardings = ShardingMap())
      : mesh(mesh), shardings(std::move(shardings)) {}

  const ShardingMap &getShardings() const { return shardings; }
  ShardingAttr shardingOf(mlir::Value value) const {
    return shardings.at(value);
  }
  /// The sharding of `value` without its pending reduction.
  ShardingAttr reducedShardingOf(mlir::Value value) const;
  ShardingAttr attribute(TensorSharding sharding) const {
    return ShardingAttr::get(mesh.getContext(), mesh, sharding);
  }
  ShardingAttr replicated(int64_t rank) const {
    return attribute(TensorSharding::getReplicated(rank));
  }

  /// The result of a new `Op`, in `sharding`.
  template <typename Op, typename... Args>
  mlir::Value create(mlir::ImplicitLocOpBuilder &builder, ShardingAttr sharding,
                     Args &&...args) {
    mlir::Value value = Op::create(builder, std::forward<Args>(args)...);
    setSharding(value, sharding);
    shardings[value] = sharding;
    return value;
  }
  /// A scalar tensor that may hold anything.
  mlir::Value poison(mlir::ImplicitLocOpBuilder &builder, mlir::Type element);
  /// A constant of equal elements.
  mlir::Value splat(mlir::ImplicitLocOpBuilder &builder,
                    mlir::RankedTensorType type, mlir::TypedAttr element,
                    ShardingAttr sharding);
  /// `value`, padded with the scalar tensor `element` or cropped at the high
  /// ends of its dimensions to `shape`.
  mlir::Value resized(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                      llvm::ArrayRef<int64_t> shape, ShardingAttr sharding,
                      mlir::Value element);
  /// `value` in the sharding `to`.
  mlir::Value reshard(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                      const TensorSharding &to);

private:
  mlir::FlatSymbolRefAttr mesh;
  ShardingMap shardings;
};

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_PADDING_SHARDEDBUILDER_H
