//===- Windows.h - windows and their positions along a dimension ----------===//
//
// A window's element k at position o is element o * stride + k of its tensor.
// To take one k for all o, or one o for all k, is to take elements at regular
// distances, some of which may lie outside. `take` and its reverse `place` do
// it such that what a partitioner sees is a split of the dimension into blocks
// of `stride` elements, of which one element each is taken, and a shift (a
// `pad` that adds on one side what it removes on the other): parts of the
// result stay above parts of the operand, and only the shift moves data, by its
// distance.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWS_H
#define TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWS_H

#include "Conversions/Conversion.h"

namespace tessera::importer {

/// The positions `start`, `start + stride`, ..., `count` of them, along a
/// dimension. They may lie outside of it.
struct Positions {
  int64_t start, stride, count;

  /// Whether none of them is one of the first `size`.
  bool missAll(int64_t size) const;
  /// Whether all of them are.
  bool areWithin(int64_t size) const;
};

/// The windows along one dimension: position k of window o is element
/// `o * stride + k * dilation - low`.
struct Window {
  int64_t size, stride, dilation, low, count;

  /// Position `k` of all windows.
  Positions at(int64_t k) const { return {k * dilation - low, stride, count}; }
  /// From the first element of a window to behind its last.
  int64_t extent() const { return (size - 1) * dilation + 1; }
};

/// The windows of an operation, per dimension.
struct Windows {
  llvm::SmallVector<Window> dims;
  /// How far the elements lie apart that windows are laid over.
  llvm::SmallVector<int64_t> baseDilations;
};

/// Reads the windows of `op` on a tensor of type `type`. Dimension i has
/// `counts[i]` of them; a diagnostic where its attributes say otherwise.
mlir::FailureOr<Windows> readWindows(mlir::Operation *op,
                                     mlir::RankedTensorType type,
                                     llvm::ArrayRef<int64_t> counts,
                                     Conversion &c);

/// The size of dimension `dim` of `value`, a tensor.
int64_t dimSize(mlir::Value value, int64_t dim);

/// Reshapes `value` to `shape`, unless it has it.
mlir::Value reshapeTo(Conversion &c, mlir::Value value,
                      llvm::ArrayRef<int64_t> shape);

/// The elements of `value` at `positions` along `dim`; the scalar `fill` where
/// there is none.
mlir::Value take(Conversion &c, mlir::Value value, int64_t dim,
                 Positions positions, mlir::Value fill);

/// The reverse: `value` has one element per position along `dim`, the result
/// has `size`; elements whose position lies outside are dropped, and `fill`
/// stands where there is no position.
mlir::Value place(Conversion &c, mlir::Value value, int64_t dim,
                  Positions positions, int64_t size, mlir::Value fill);

/// Elements [start, start + size) of `value` along `dim`, which exist.
mlir::Value sliceDim(Conversion &c, mlir::Value value, int64_t dim,
                     int64_t start, int64_t size, int64_t stride = 1);

/// `value` with its elements `dilations` apart, and the scalar `fill` between
/// them.
mlir::Value dilate(Conversion &c, mlir::Value value,
                   llvm::ArrayRef<int64_t> dilations, mlir::Value fill);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWS_H
