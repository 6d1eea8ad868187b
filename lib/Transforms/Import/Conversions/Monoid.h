//===- Monoid.h - what the bodies of reductions combine by ----------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_MONOID_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_MONOID_H

#include "Conversions/Conversion.h"

#include "tessera/Sharding/Algebra/ReductionKind.h"

#include <optional>

namespace tessera::importer {

/// A monoid on the elements of a foreign tensor.
struct Monoid {
  ReductionKind kind;
  /// Of `Min` and `Max`: whether integers are compared as unsigned ones, which
  /// `kind` alone does not say.
  bool isUnsigned = false;
};

/// The only operation of `body` before its end; null where there are others,
/// but for constraints.
mlir::Operation *onlyOperation(mlir::Block &body);

/// The monoid that `body` is: one operation on its two arguments, in any order,
/// and its result returned.
std::optional<Monoid> recogniseMonoid(mlir::Block &body);

/// Whether `scalar` (null for a value that is not constant) is neutral.
bool isNeutral(Monoid monoid, mlir::Attribute scalar);

/// A scalar constant of type `scalar`, a tensor of rank 0, that is neutral.
mlir::Value neutralScalar(Conversion &conversion, Monoid monoid,
                          mlir::RankedTensorType scalar);

/// `lhs` and `rhs` combined, element by element.
mlir::Value combine(Conversion &conversion, Monoid monoid, mlir::Value lhs,
                    mlir::Value rhs);

/// Puts into `body` what it uses from outside: the bodies of functions that it
/// calls, so long as there are few operations, and constants.
void closeBody(mlir::Block &body);

/// Whether `body`, on scalars, can also be done on tensors, element by element,
/// and returns `numResults` values.
bool isElementwise(mlir::Block &body, size_t numResults = 1);

/// Converts `body`, which is element-wise, for `arguments`, tensors of one
/// shape, in place of its own. Empty after a diagnostic.
llvm::SmallVector<mlir::Value> applyAllToElements(Conversion &conversion,
                                                  mlir::Block &body,
                                                  mlir::ValueRange arguments);

/// The same for one that returns one value. Null after a diagnostic.
mlir::Value applyToElements(Conversion &conversion, mlir::Block &body,
                            mlir::ValueRange arguments);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_MONOID_H
