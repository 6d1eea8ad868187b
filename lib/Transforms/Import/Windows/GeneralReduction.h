//===- GeneralReduction.h - windows reduced by a body without a name ------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_WINDOWS_GENERALREDUCTION_H
#define TESSERA_TRANSFORMS_IMPORT_WINDOWS_GENERALREDUCTION_H

#include "Windows/Windows.h"

namespace tessera::importer {

/// Elements of several tensors of one shape, some of which may be missing:
/// those that windows hold of what lies beyond a tensor's ends, or between its
/// elements.
struct Elements {
  llvm::SmallVector<mlir::Value> values;
  /// Which of them there are; null for all.
  mlir::Value exist;
};

/// Windows of any number of operands, combined by `body`, of element-wise
/// operations. An element that is missing is left out, whatever the initial
/// values are, and these count once.
class GeneralReduction {
public:
  /// Up to so many positions of windows are combined one by one.
  static constexpr int64_t kFewPositions = 16;

  GeneralReduction(Conversion &c, mlir::Block &body, mlir::ValueRange inits)
      : c(c), body(body), inits(inits) {}

  /// `values` spread out by `dilations`.
  Elements spread(mlir::ValueRange values, llvm::ArrayRef<int64_t> dilations);
  /// The elements of all windows, combined one by one in row-major order, from
  /// the initial values on; no values after a diagnostic.
  llvm::SmallVector<mlir::Value> fold(const Elements &x,
                                      const Windows &windows);
  /// The same for a body that is associative: dimension by dimension, the last
  /// one first, for row-major order.
  llvm::SmallVector<mlir::Value> reduce(Elements x, const Windows &windows);

private:
  mlir::Value allExist(llvm::ArrayRef<int64_t> shape);
  Elements initial(llvm::ArrayRef<int64_t> shape);
  Elements takeAll(const Elements &x, int64_t dim, Positions positions);
  Elements combined(const Elements &first, const Elements &second);
  Elements foldFrom(Elements sum, const Elements &x, const Windows &windows,
                    size_t dim);
  Elements combinePositions(const Elements &x, int64_t dim,
                            const Window &window);

  Conversion &c;
  mlir::Block &body;
  mlir::ValueRange inits;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_WINDOWS_GENERALREDUCTION_H
