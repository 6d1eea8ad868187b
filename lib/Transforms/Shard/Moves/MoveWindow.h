//===- MoveWindow.h - moves by constants as windows of a tensor -----------===//
#ifndef TESSERA_TRANSFORMS_SHARD_MOVES_MOVEWINDOW_H
#define TESSERA_TRANSFORMS_SHARD_MOVES_MOVEWINDOW_H

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::shard {

/// Per dimension the elements that are added (or, if negative, removed) before
/// and behind those of a tensor.
struct MoveWindow {
  /// The tensor whose elements the value has.
  mlir::Value origin;
  llvm::SmallVector<int64_t> low, high;
  /// What is added; null where nothing is.
  mlir::Value added;

  explicit MoveWindow(mlir::Value origin)
      : origin(origin), low(typeOf(origin).getRank(), 0), high(low) {}

  mlir::RankedTensorType originType() const { return typeOf(origin); }
  /// Of the value that the window is.
  llvm::SmallVector<int64_t> shape() const;
  /// Whether nothing is added.
  bool isCrop() const;
  /// Applies `outer`, a window of the value that this one describes; returns
  /// whether the result is a window.
  bool compose(const MoveWindow &outer);
};

/// `op` without its strides.
MoveWindow windowOf(SliceOp op);
/// What the operation that made `value` says of it, if that is a window.
std::optional<MoveWindow> windowOf(mlir::Value value);
/// `outer`, seen as a window of its origin's origin if that is a window, and
/// they compose.
MoveWindow throughOrigin(const MoveWindow &outer);
/// The value that `window` is: its origin, a slice or a pad.
mlir::Value buildWindow(mlir::ImplicitLocOpBuilder &builder,
                        const MoveWindow &window);

/// Whether every one of `values` is `expected`.
bool areAll(llvm::ArrayRef<int64_t> values, int64_t expected);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_MOVES_MOVEWINDOW_H
