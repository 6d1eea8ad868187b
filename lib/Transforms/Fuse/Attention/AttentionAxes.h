//===- AttentionAxes.h - which dimension is which in attention ------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONAXES_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONAXES_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include <optional>

namespace tessera::fuse {

/// A part of a tensor's dimension.
struct AxisPiece {
  /// All elements along the piece are equal.
  static constexpr int kRepeated = -1;

  /// At least 2.
  int64_t size;
  /// An axis of the table, `kRepeated`, or below that an unknown axis.
  int axis;

  bool isRepeated() const { return axis == kRepeated; }
  bool isUnknown() const { return axis < kRepeated; }
  bool operator==(const AxisPiece &other) const {
    return size == other.size && axis == other.axis;
  }
};

/// The pieces of a dimension from major to minor; none for size 1.
using AxisDim = llvm::SmallVector<AxisPiece, 2>;
/// What the dimensions of a tensor are.
using AxisLayout = llvm::SmallVector<AxisDim, 4>;

/// A tensor and what its dimensions are.
struct AxisTensor {
  mlir::Value value;
  AxisLayout layout;
};

/// The axes of one computation (batch, heads, queries, keys, features), and how
/// the dimensions of tensors are made of them. What a dimension is follows an
/// axis through operations that only move elements. Where it is not known yet,
/// an *unknown* stands for it until it meets a known one.
class AxisTable {
public:
  /// Adds an axis.
  int add(int64_t size);
  /// A dimension of this size that is one new axis (nothing for size 1).
  AxisDim addDim(int64_t size);
  /// A dimension of this size that will turn out to be some axes.
  AxisDim addUnknownDim(int64_t size);
  int64_t sizeOf(int axis) const { return sizes[axis]; }

  /// `layout` with everything replaced that is known by now.
  AxisLayout resolve(const AxisLayout &layout) const;
  /// What the dimensions of an element-wise operation are whose operands have
  /// these layouts, of equal shapes. Nothing if they contradict each other.
  std::optional<AxisLayout> unify(const AxisLayout &a, const AxisLayout &b);
  /// Makes every unknown piece of `tensor` an axis of its own.
  AxisTensor nameUnknowns(AxisTensor tensor);
  /// Whether both are the same tensor, perhaps in a wider type, whatever its
  /// dimensions turn out to be.
  bool isSame(const AxisTensor &a, const AxisTensor &b);

  /// The layout of the result of `op`, which only moves elements (reshape,
  /// transpose, broadcast), and that of its operand. Nothing if an axis would
  /// be cut.
  static std::optional<AxisLayout> forward(mlir::Operation *op,
                                           const AxisLayout &operand);
  static std::optional<AxisLayout> backward(mlir::Operation *op,
                                            const AxisLayout &result);
  /// The layout of a tensor of another shape with the same elements.
  static std::optional<AxisLayout> regroup(const AxisLayout &layout,
                                           llvm::ArrayRef<int64_t> shape);
  /// The value that `tensor` reads through operations that only move elements;
  /// through those that repeat them only `throughRepeats`.
  AxisTensor trace(AxisTensor tensor, bool throughRepeats) const;

private:
  void bind(const AxisPiece &unknown, llvm::ArrayRef<AxisPiece> pieces);
  std::optional<AxisDim> unifyDim(AxisDim a, AxisDim b);

  llvm::SmallVector<int64_t> sizes;
  llvm::DenseMap<int, AxisDim> bindings;
  int nextUnknown = AxisPiece::kRepeated - 1;
};

/// The axes of a layout in the order of its elements.
llvm::SmallVector<int> axesOf(const AxisLayout &layout);
llvm::SmallVector<int> axesOf(const AxisDim &dim);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONAXES_H
