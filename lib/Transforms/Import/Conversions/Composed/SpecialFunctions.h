//===- SpecialFunctions.h - functions that are several operations ---------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_COMPOSED_SPECIALFUNCTIONS_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_COMPOSED_SPECIALFUNCTIONS_H

#include "Conversions/Conversion.h"

namespace tessera::importer {

/// `a` where `condition` holds, otherwise `b`.
mlir::Value select(Conversion &c, mlir::Value condition, mlir::Value a,
                   mlir::Value b);

/// The inverse error function, of up to 32 bits and of any number of them.
mlir::Value erfInv(Conversion &c, mlir::ValueRange operands);
mlir::Value erfInvDouble(Conversion &c, mlir::ValueRange operands);

/// The modified Bessel function I1 of the first kind, times exp(-|x|).
mlir::Value besselI1e(Conversion &c, mlir::ValueRange operands);

/// Hurwitz' zeta function of the first operand, from the second one on.
mlir::Value zeta(Conversion &c, mlir::ValueRange operands);

/// The derivative of order n, the first operand, of the digamma function.
mlir::Value polygamma(Conversion &c, mlir::ValueRange operands);

/// The number next to the first operand on the way to the second.
mlir::Value nextAfter(Conversion &c, mlir::ValueRange operands);

/// The upper half of the bits of the product of two integers, of a width of up
/// to 64 bits.
mlir::Value mulHighSigned(Conversion &c, mlir::ValueRange operands);
mlir::Value mulHighUnsigned(Conversion &c, mlir::ValueRange operands);

/// The logarithm of the gamma function's magnitude.
mlir::Value logGamma(Conversion &c, mlir::ValueRange operands);

/// Its derivative.
mlir::Value digamma(Conversion &c, mlir::ValueRange operands);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_COMPOSED_SPECIALFUNCTIONS_H
