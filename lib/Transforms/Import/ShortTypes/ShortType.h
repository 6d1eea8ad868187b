//===- ShortType.h - numbers of few bits, in bytes ------------------------===//
//
// A short type has fewer bits than any type that later phases know: integers
// of 2 and 4 bits, floats of 4, 6 and 8. Its elements are stored in bytes, and
// computed with in a wider type that has all of them:
//
// | short | stored | computed in |
// |---|---|---|
// | `i2`, `i4` | `i8`, extended by the sign | `i8` |
// | `ui2`, `ui4` | `ui8` | `ui8` |
// | `f8...`, `f6...`, `f4...` | `ui8`, the bits | `f32` |
// | `!quant.uniform<i8:f32, ...>` | `i8`, its storage type | `f32`, the
// expressed |
//
// What this takes is said in StableHLO's own operations on integers.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPE_H
#define TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPE_H

#include "Complex/Real.h"

namespace tessera::importer {

/// Whether `type` is that of a tensor of a static shape and of a short type, or
/// of a quantized one.
bool isShort(mlir::Type type);
/// `type` with the integers of its storage for quantized elements.
mlir::Type withStorage(mlir::Type type);
/// The integers that store those of `storage`: bytes, or wider ones.
mlir::IntegerType storedElement(mlir::IntegerType storage);
/// The bits of an element of `type`, of numbers or quantized.
unsigned widthOf(mlir::Type type);
/// The type in which elements of `type`, a tensor of a short type, are stored.
mlir::RankedTensorType storedType(mlir::Type type);
/// The type in which elements of `type`, a tensor of a short type, are computed
/// with.
mlir::RankedTensorType computedType(mlir::Type type);

/// What `stored` elements of type `shortType` are, in its computed type.
Real widen(Real stored, mlir::Type shortType);
/// `value`, of any floats, integers or booleans, in the stored type of the
/// element type of `shortType`: floats rounded to the nearest, ties to even;
/// integers as `stablehlo.convert` has them.
Real narrow(Real value, mlir::Type shortType);
/// `stored` integers of type `shortType` as bits, with zeros before them.
Real bitsOf(Real stored, mlir::Type shortType);
/// The same with copies of the highest one before them.
Real extendSign(Real bits, mlir::Type shortType);
/// The inverse: integers of which the lowest bits are those of `shortType`.
Real fromBits(Real bits, mlir::Type shortType);
/// `value` as a tensor of `element`, by StableHLO's operation `name`.
Real changeElements(Real value, mlir::Type element,
                    llvm::StringRef name = "stablehlo.convert");
/// A constant of the shape and the integers of `like`.
Real integerLike(Real like, uint64_t value);
/// `value`, a constant of a short type, or of what stores one, as it is stored.
mlir::DenseElementsAttr storedConstant(mlir::DenseElementsAttr value);
/// The same as it is computed with.
mlir::DenseElementsAttr computedConstant(mlir::DenseElementsAttr value);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTTYPE_H
