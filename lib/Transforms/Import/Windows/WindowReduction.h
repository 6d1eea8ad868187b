//===- WindowReduction.h - windows reduced along a dimension --------------===//
//
// Windows are reduced dimension by dimension, in one of these ways:
//
//   few         the elements at each position of all windows, combined one by
//               one.
//   whole       one window, or windows that do not overlap, become a dimension
//               of their own, which is reduced.
//   doubling    the combination of m neighbours, shifted by m and combined with
//               itself, is that of 2m: O(log size) operations for a window of
//               any size.
//   cumulative  windows that grow from one end to the other: within blocks by
//               doubling, then the same of what the blocks give, moved on by
//               one block. Split over devices, only one number per block moves.
//   spread      windows that hold one element at most, because the elements lie
//               far apart, repeat it: the gradient of a mean over windows.
//               Split over devices, nothing moves.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWREDUCTION_H
#define TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWREDUCTION_H

#include "Conversions/Monoid.h"
#include "Windows/Windows.h"

namespace tessera::importer {

/// Reduces windows along one dimension at a time by `body`, which is `monoid`
/// or an element-wise one without a name; `neutral` is a scalar.
class WindowReduction {
public:
  WindowReduction(Conversion &c, std::optional<Monoid> monoid,
                  mlir::Block &body, mlir::Value neutral)
      : c(c), monoid(monoid), body(body), neutral(neutral) {}

  /// One element per window of `x` along `dim`.
  mlir::Value reduce(mlir::Value x, int64_t dim, const Window &window);

  /// Whether windows along a dimension whose elements lie `distance` apart hold
  /// one of them at most.
  static bool spreads(const Window &window, int64_t distance);
  /// The same as `reduce` for such windows, where `x` has the elements without
  /// what lies between them.
  mlir::Value spread(mlir::Value x, int64_t dim, const Window &window,
                     int64_t distance);

private:
  mlir::Value combined(mlir::Value first, mlir::Value second);
  mlir::Value inOrder(int64_t direction, mlir::Value near, mlir::Value far);
  mlir::Value combineOneByOne(mlir::Value x, int64_t dim, const Window &window);
  mlir::Value reduceWhole(mlir::Value x, int64_t dim, const Window &window);
  mlir::Value cumulative(mlir::Value x, int64_t dim, int64_t direction);
  mlir::Value doubling(mlir::Value ends, int64_t dim, const Window &window,
                       int64_t direction);
  mlir::Value slide(mlir::Value x, int64_t dim, Window window);

  Conversion &c;
  std::optional<Monoid> monoid;
  mlir::Block &body;
  mlir::Value neutral;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWREDUCTION_H
