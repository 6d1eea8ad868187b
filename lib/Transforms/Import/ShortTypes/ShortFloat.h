//===- ShortFloat.h - the bits of floats of eight bits and fewer ----------===//
//
// Formats differ in their numbers of bits, the bias of the exponent, and in
// what the largest bit patterns and negative zero stand for; all of this is
// read off LLVM's description of the format. One has neither sign, zero nor
// fraction: E8M0, which is nothing but an exponent.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTFLOAT_H
#define TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTFLOAT_H

#include "Complex/Real.h"

namespace tessera::importer {

/// The numbers in f32 of which `bits` (ui8) are the bits in `format`. Exact.
Real decodeFloat(Real bits, mlir::FloatType format);

/// The bits in `format`, in ui8, of `value` (f32 or f64) rounded once: to the
/// nearest, ties to even, but upwards to E8M0, as XLA does. What is too large
/// becomes infinity, or NaN in a format without, or the largest number where
/// there is no NaN either. NaN keeps its sign, and becomes negative zero there.
Real encodeFloat(Real value, mlir::FloatType format);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_SHORTFLOAT_H
