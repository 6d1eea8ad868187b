//===- DoubleMath.h - Mathematical functions of f64 -----------------------===//
#ifndef TESSERA_CODEGEN_MATH_DOUBLEMATH_H
#define TESSERA_CODEGEN_MATH_DOUBLEMATH_H

#include "tessera/Codegen/Math/CircularFunctions.h"

namespace tessera::codegen {

/// Emits functions of f64 (scalars or vectors of one type) as arithmetic, for
/// machines without a mathematical library. Errors are at most 3 units in the
/// last place.
class DoubleMath : public CircularFunctions {
public:
  using CircularFunctions::CircularFunctions;

  /// The value of the operation `op` of the dialect math at `operands`; null if
  /// it is none of these functions.
  Value evaluate(mlir::Operation *op, mlir::ValueRange operands);

private:
  /// A number as the sum of two, the second far smaller than the first.
  struct Parts {
    Value high, low;
  };

  /// e^(x + low) 2^-shift; without `low`, which is far smaller than x, e^x.
  Value exp(Value x, Value low = {}, int shift = 0);
  Value expm1(Value x);
  Value log(Value x);
  /// `log` where that is the logarithm of x, and what takes its place at zero,
  /// infinity, NaN and numbers below zero.
  Value logAtEnds(Value x, Value log);
  /// The logarithm of what is positive and finite.
  Parts logParts(Value x);
  Value log1p(Value x);
  Value pow(Value x, Value y);
  Value cbrt(Value x);
  Value tanh(Value x);
  Value sinh(Value x);
  Value cosh(Value x);
  Value asinh(Value x);
  Value acosh(Value x);
  Value atanh(Value x);
  Value erfc(Value x);
  Value erf(Value x);
  /// erf of a in [0, 1).
  Value erfSeries(Value a);
  /// erfc of a in [0.5, 28].
  Value erfcTail(Value a);
};

/// What replaces `op`, a function of f32 or f64 in the dialect math: its value
/// computed in f64. Null if there is no such code, after some that is not used.
mlir::Value evaluateInDouble(mlir::Operation *op);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_DOUBLEMATH_H
