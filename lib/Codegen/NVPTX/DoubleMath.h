//===- DoubleMath.h - Mathematical functions of f64 -----------------------===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_DOUBLEMATH_H
#define TESSERA_LIB_CODEGEN_NVPTX_DOUBLEMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::nvptx {

/// Emits functions of f64 (scalars or vectors of one type) as arithmetic, for
/// machines without a mathematical library. Errors are a few units in the last
/// place, but for: sine, cosine and tangent beyond |x| = 1e6, where what is
/// left of x is less and less exact; the power, whose error grows with
/// |y log x|; erfc, 1e-11 relative.
class DoubleMath : public mlir::ImplicitLocOpBuilder {
public:
  using Value = mlir::Value;

  /// Emits before `op`, on values of `type`.
  DoubleMath(mlir::Operation *op, mlir::Type type)
      : ImplicitLocOpBuilder(op->getLoc(), op), type(type) {}

  /// The value of the operation `op` of the dialect math at `operands`; null if
  /// it is none of these functions.
  Value evaluate(mlir::Operation *op, mlir::ValueRange operands);

private:
  Value exp(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value log1p(Value x);
  Value pow(Value x, Value y);
  Value cbrt(Value x);
  Value tanh(Value x);
  Value sinh(Value x);
  Value cosh(Value x);
  Value asinh(Value x);
  Value acosh(Value x);
  Value atanh(Value x);
  /// The sine, or the cosine, of x + `quarters` right angles.
  Value sine(Value x, int64_t quarters);
  Value atan(Value x);
  Value atan2(Value y, Value x);
  Value erfc(Value x);
  Value erf(Value x);
  /// erf of a in [0, 3].
  Value erfSeries(Value a);

  // Arithmetic.
  Value number(double value);
  Value integer(int64_t value);
  Value add(Value x, Value y);
  Value add(Value x, double y) { return add(x, number(y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, double y) { return mul(x, number(y)); }
  Value div(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  Value fma(Value x, double y, Value z) { return fma(x, number(y), z); }
  Value abs(Value x);
  Value root(Value x);
  Value round(Value x);
  Value withSign(Value magnitude, Value sign);
  /// Comparisons; false if an operand is NaN.
  Value less(Value x, Value y);
  Value less(Value x, double y) { return less(x, number(y)); }
  Value equal(Value x, Value y);
  Value isNan(Value x);
  Value select(Value condition, Value x, Value y);
  Value select(Value condition, double x, Value y) {
    return select(condition, number(x), y);
  }
  Value toInteger(Value x);
  Value fromInteger(Value x);
  Value bits(Value x);
  Value fromBits(Value x);
  /// 2^n for an integer n in [-1022, 1023].
  Value powerOfTwo(Value n);
  /// c[0] + c[1] x + ...
  Value polynomial(Value x, llvm::ArrayRef<double> c);

  mlir::Type like(mlir::Type element);
  mlir::Type type;
};

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_DOUBLEMATH_H
