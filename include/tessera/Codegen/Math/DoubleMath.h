//===- DoubleMath.h - Mathematical functions of f64 -----------------------===//
#ifndef TESSERA_CODEGEN_MATH_DOUBLEMATH_H
#define TESSERA_CODEGEN_MATH_DOUBLEMATH_H

#include "tessera/Codegen/Math/CircularFunctions.h"

namespace tessera::codegen {

/// Emits functions of f64 (scalars or vectors of one type) as arithmetic, for
/// machines without a mathematical library. Errors are a few units in the last
/// place, but for erfc: 1e-11 relative.
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

  Value exp(Value x);
  Value expm1(Value x);
  Value log(Value x);
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
  /// erf of a in [0, 3].
  Value erfSeries(Value a);
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_DOUBLEMATH_H
