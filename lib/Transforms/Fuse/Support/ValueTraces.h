//===- ValueTraces.h - values moved, and values computed alike ------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_SUPPORT_VALUETRACES_H
#define TESSERA_TRANSFORMS_FUSE_SUPPORT_VALUETRACES_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include <functional>
#include <optional>

namespace tessera::fuse {

/// `value` before operations that only change how its elements, in the same
/// order, are divided into dimensions.
mlir::Value skipReshapes(mlir::Value value);

/// Operations, each on the result of the one before, that only move the
/// elements of `value`, and the last of which gives a value for which `isGoal`
/// holds (none if `value` is one); with `rounded`, also such that convert them
/// to a narrower float type. Nothing if there are none.
std::optional<llvm::SmallVector<mlir::Operation *>>
findMoves(mlir::Value value, llvm::function_ref<bool(mlir::Value)> isGoal,
          bool rounded = false);

/// What `move`, one of those that `findMoves` finds, gives `moved` of, in the
/// type of elements that `moved` has; `moved` itself, or the result of a new
/// operation.
mlir::Value undoMove(mlir::OpBuilder &b, mlir::Operation *move,
                     mlir::Value moved);

/// Compares values of two regions by the operations that compute them.
class ValueComparison {
public:
  /// `compareInputs` is asked first: whether both values, which are before
  /// reshapes, are the same; nothing if that depends on their operations.
  using CompareInputs =
      std::function<std::optional<bool>(mlir::Value, mlir::Value)>;

  explicit ValueComparison(CompareInputs compareInputs)
      : compareInputs(std::move(compareInputs)) {}

  /// Whether `a` and `b` have the same elements in the same order because equal
  /// operations compute them from the same inputs. Linear in the number of
  /// pairs of operations that differ in nothing.
  bool isSame(mlir::Value a, mlir::Value b);

private:
  bool compare(mlir::Value a, mlir::Value b);

  CompareInputs compareInputs;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, bool> known;
};

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_SUPPORT_VALUETRACES_H
