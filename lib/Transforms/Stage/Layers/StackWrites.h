//===- StackWrites.h - what is written into a stack of tensors ------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_LAYERS_STACKWRITES_H
#define TESSERA_TRANSFORMS_STAGE_LAYERS_STACKWRITES_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include <optional>

namespace tessera::stage {

/// A write of `update` into `stack` at constant indices.
struct StackWrite {
  mlir::Operation *op;
  mlir::Value stack, update;
  /// Where the update begins; it lies inside of the stack.
  llvm::SmallVector<int64_t> start;

  llvm::ArrayRef<int64_t> sizes() const {
    return mlir::cast<mlir::RankedTensorType>(update.getType()).getShape();
  }
  /// Whether the part that is written and the box of `otherSizes` at `other`
  /// are apart.
  bool isApartFrom(llvm::ArrayRef<int64_t> other,
                   llvm::ArrayRef<int64_t> otherSizes) const;
};

/// What writes `value`, maybe resharded since, if it is known.
std::optional<StackWrite> writeOf(mlir::Value value);

/// The value that `value` only reshards.
mlir::Value behindReshards(mlir::Value value);

/// `value` with this sharding, resharded at the insertion point if it has
/// another one.
mlir::Value withSharding(mlir::OpBuilder &builder, mlir::Value value,
                         ShardingAttr sharding);

/// The same with the sharding of `like`, in whose place `value` is used, and
/// for the reason that `like` was resharded if that is known.
mlir::Value withShardingOf(mlir::OpBuilder &builder, mlir::Value value,
                           mlir::Value like);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_LAYERS_STACKWRITES_H
