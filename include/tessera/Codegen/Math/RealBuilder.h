//===- RealBuilder.h - Emits arithmetic of f32 or f64 ---------------------===//
#ifndef TESSERA_CODEGEN_MATH_REALBUILDER_H
#define TESSERA_CODEGEN_MATH_REALBUILDER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::codegen {

/// Emits arithmetic on values of one type: f32 or f64, or vectors of them.
/// Integers are as wide as the numbers, in as many lanes.
class RealBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Value = mlir::Value;

  /// Emits before `op`, on values of `type`.
  RealBuilder(mlir::Operation *op, mlir::Type type);

  /// The format: its bits, those of its fraction, and what the exponent of 1 is
  /// stored as.
  unsigned width() const { return isDouble ? 64 : 32; }
  unsigned fractionBits() const { return isDouble ? 52 : 23; }
  int64_t bias() const { return isDouble ? 1023 : 127; }

  Value number(double value);
  Value integer(uint64_t value);

  Value add(Value x, Value y);
  Value add(Value x, double y) { return add(x, number(y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, double y) { return mul(x, number(y)); }
  Value div(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  Value fma(Value x, double y, Value z) { return fma(x, number(y), z); }
  Value negate(Value x);
  Value abs(Value x);
  Value root(Value x);
  /// To the nearest integer, ties to even; towards zero.
  Value round(Value x);
  Value truncate(Value x);
  Value withSign(Value magnitude, Value sign);
  /// c[0] + c[1] x + ...
  Value polynomial(Value x, llvm::ArrayRef<double> c);
  /// 2^n for integers n that are exponents of normal numbers.
  Value powerOfTwo(Value n);

  /// Comparisons; false if an operand is NaN, but for the last, which is true
  /// for NaN alone.
  Value less(Value x, Value y);
  Value less(Value x, double y) { return less(x, number(y)); }
  Value equal(Value x, Value y);
  Value isNan(Value x);
  /// `x` where the condition holds, else `y`.
  Value select(Value condition, Value x, Value y);
  Value select(Value condition, double x, Value y) {
    return select(condition, number(x), y);
  }
  Value both(Value x, Value y);
  /// Whether the condition holds in some lane: no vector.
  Value anyLane(Value condition);

  /// The integer that a number is; the number that a signed integer is nearest
  /// to, or an unsigned one.
  Value toInteger(Value x);
  Value fromInteger(Value x);
  Value fromUnsigned(Value x);
  /// The same bits.
  Value bits(Value x);
  Value fromBits(Value x);

  // Integers.
  Value addInteger(Value x, Value y);
  Value subInteger(Value x, Value y);
  Value bitAnd(Value x, Value y);
  Value bitOr(Value x, Value y);
  Value bitXor(Value x, Value y);
  Value shiftLeft(Value x, Value count);
  /// Fills with zeros.
  Value shiftRight(Value x, Value count);
  Value isNonzero(Value x);

  /// The type of numbers, and of as many lanes of `element`.
  mlir::Type type() const { return numberType; }
  mlir::Type like(mlir::Type element) const;

private:
  mlir::Type numberType;
  bool isDouble;
};

/// 1 / k! for `count` numbers k from `first` on in steps of `step`, each times
/// `sign` more than the one before: the coefficients of e^x, sin and cos.
llvm::SmallVector<double> inverseFactorials(unsigned first, unsigned step,
                                            unsigned count, double sign);
/// 1, sign / 3, 1 / 5, ...: those of arctan and artanh.
llvm::SmallVector<double> inverseOddNumbers(unsigned count, double sign);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_REALBUILDER_H
