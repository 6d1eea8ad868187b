//===- SpecialFunctions.h - functions that are several operations ---------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_SPECIALFUNCTIONS_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_SPECIALFUNCTIONS_H

#include "Conversions/Conversion.h"

namespace tessera::importer {

/// The inverse error function; null after a diagnostic if the operand has more
/// than 32 bits.
mlir::Value erfInv(Conversion &c, mlir::ValueRange operands);

/// The number next to the first operand on the way to the second.
mlir::Value nextAfter(Conversion &c, mlir::ValueRange operands);

/// The logarithm of the gamma function's magnitude.
mlir::Value logGamma(Conversion &c, mlir::ValueRange operands);

/// Its derivative.
mlir::Value digamma(Conversion &c, mlir::ValueRange operands);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_SPECIALFUNCTIONS_H
