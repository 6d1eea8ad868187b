//===- DoubleMath.cpp - Mathematical functions of f64 ---------------------===//
//
// Textbook reductions (Muller: Elementary functions, 3rd edition) to intervals
// where a few terms of a Taylor series are exact to the last bits: these need
// no tables of fitted coefficients, and how fast functions of f64 are matters
// to no model that we know.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Math/DoubleMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace tessera::codegen;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// ln 2 in two parts, of which the first has few enough bits that multiples of
/// it by exponents are exact.
static constexpr double kLn2High = 0x1.62e42fee00000p-1;
static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

/// 2^n e^r with |r| < 0.35.
Value DoubleMath::exp(Value x) {
  // Beyond these all results are infinite or zero; NaN stays.
  Value clamped = select(less(x, -746), -746, x);
  clamped = select(less(number(710), clamped), 710, clamped);
  Value n = round(mul(clamped, std::numbers::log2e));
  Value r = fma(n, -kLn2Low, fma(n, -kLn2High, clamped));
  Value sum = polynomial(r, inverseFactorials(0, 1, 14, 1));
  // Half of the exponent at a time, as 2^n may be no normal number.
  Value whole = toInteger(n);
  Value half = arith::ShRSIOp::create(*this, whole, integer(1));
  Value rest = arith::SubIOp::create(*this, whole, half);
  return mul(mul(sum, powerOfTwo(half)), powerOfTwo(rest));
}

Value DoubleMath::expm1(Value x) {
  Value series = mul(x, polynomial(x, inverseFactorials(1, 1, 14, 1)));
  return select(less(abs(x), 0.35), series, add(exp(x), -1));
}

/// e ln 2 + 2 artanh(f / (2 + f)), x = 2^e (1 + f), |f| < 0.42. What is left of
/// the division and of the sum goes to the second part (Dekker).
DoubleMath::Parts DoubleMath::logParts(Value x) {
  Value isSmall = less(x, std::numeric_limits<double>::min());
  Value normal = select(isSmall, mul(x, 0x1p54), x);
  Value word = bits(normal);
  Value exponent = subInteger(shiftRight(word, integer(52)), integer(1023));
  Value fraction = bitAnd(word, integer((uint64_t(1) << 52) - 1));
  Value m = fromBits(bitOr(fraction, integer(uint64_t(1023) << 52)));
  Value isLarge = less(number(std::numbers::sqrt2), m);
  m = select(isLarge, mul(m, 0.5), m);
  Value e = add(fromInteger(exponent), add(select(isLarge, 1, number(0)),
                                           select(isSmall, -54, number(0))));
  Value f = add(m, -1), divisor = add(m, 1);
  Value lost = sub(m, add(divisor, -1));
  Value s = div(f, divisor);
  Value rest = fma(negate(s), divisor, f);
  rest = div(fma(negate(s), lost, rest), divisor);
  Value square = mul(s, s), twice = mul(s, 2);
  SmallVector<double> series = inverseOddNumbers(13, 1);
  Value tail = mul(mul(twice, square),
                   polynomial(square, ArrayRef(series).drop_front()));
  Value whole = mul(e, kLn2High), high = add(whole, twice);
  Value low = add(sub(whole, high), twice);
  low = add(low, add(tail, fma(rest, 2, mul(e, kLn2Low))));
  Value sum = add(high, low);
  return {sum, add(sub(high, sum), low)};
}

Value DoubleMath::log(Value x) {
  Parts parts = logParts(x);
  Value result = select(less(x, kInfinity), parts.high, x);
  result = select(equal(x, number(0)), -kInfinity, result);
  return select(less(x, 0), kNan, result);
}

/// What rounding 1 + x loses is put back (Kahan).
Value DoubleMath::log1p(Value x) {
  Value u = add(x, 1);
  Value lost = sub(add(u, -1), x);
  Value result = sub(log(u), div(lost, u));
  result = select(equal(u, number(1)), x, result);
  Value isFinite =
      arith::AndIOp::create(*this, less(number(-1), x), less(x, kInfinity));
  return select(isFinite, result, log(u));
}

/// e^(y log x), with the logarithm and its product by y in two parts.
Value DoubleMath::pow(Value x, Value y) {
  Value a = abs(x);
  Value isRegular = both(less(number(0), a), less(a, kInfinity));
  Parts parts = logParts(a);
  Value high = select(isRegular, parts.high, log(a));
  Value product = mul(y, high);
  Value lost = fma(y, parts.low, fma(y, high, negate(product)));
  Value magnitude = exp(product);
  magnitude = select(both(isRegular, less(abs(product), 800)),
                     fma(magnitude, lost, magnitude), magnitude);
  // 0 * inf where the logarithm or y is infinite.
  magnitude = select(equal(a, number(1)), 1, magnitude);
  Value half = mul(y, 0.5);
  Value isInteger = equal(round(y), y), isEven = equal(round(half), half);
  Value negative = select(isEven, magnitude, negate(magnitude));
  Value between = select(isRegular, kNan, magnitude);
  negative = select(isInteger, negative, between);
  Value isNegative = less(withSign(number(1), x), 0);
  Value result = select(isNegative, negative, magnitude);
  result = select(equal(y, number(0)), 1, result);
  return select(equal(x, number(1)), 1, result);
}

Value DoubleMath::cbrt(Value x) {
  Value a = abs(x);
  Value t = exp(mul(log(a), 1.0 / 3));
  t = sub(t, mul(sub(t, div(a, mul(t, t))), 1.0 / 3));
  Value isRegular =
      arith::AndIOp::create(*this, less(number(0), a), less(a, kInfinity));
  return withSign(select(isRegular, t, a), x);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

Value DoubleMath::tanh(Value x) {
  Value t = expm1(mul(abs(x), 2));
  Value ratio = div(t, add(t, 2));
  return withSign(select(less(number(22), abs(x)), 1, ratio), x);
}

Value DoubleMath::sinh(Value x) {
  Value a = abs(x), t = expm1(a), half = exp(mul(a, 0.5));
  Value small = mul(add(t, div(t, add(t, 1))), 0.5);
  Value large = mul(mul(half, 0.5), half);
  return withSign(select(less(number(700), a), large, small), x);
}

Value DoubleMath::cosh(Value x) {
  Value a = abs(x), e = exp(a), half = exp(mul(a, 0.5));
  Value small = fma(e, 0.5, div(number(0.5), e));
  Value large = mul(mul(half, 0.5), half);
  return select(less(number(700), a), large, small);
}

Value DoubleMath::asinh(Value x) {
  Value a = abs(x), square = mul(a, a);
  Value small = log1p(add(a, div(square, add(root(add(square, 1)), 1))));
  Value large = add(log(a), std::numbers::ln2);
  return withSign(select(less(number(1e8), a), large, small), x);
}

Value DoubleMath::acosh(Value x) {
  Value t = add(x, -1);
  Value small = log1p(add(t, root(fma(t, t, mul(t, 2)))));
  Value large = add(log(x), std::numbers::ln2);
  Value result = select(less(number(1e8), x), large, small);
  return select(less(x, 1), kNan, result);
}

Value DoubleMath::atanh(Value x) {
  Value a = abs(x);
  Value ratio = div(mul(a, 2), sub(number(1), a));
  return withSign(mul(log1p(ratio), 0.5), x);
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

/// 2 / sqrt(pi) a e^(-a a) (1 + z/3 (1 + z/5 (1 + ...))), z = 2 a a.
Value DoubleMath::erfSeries(Value a) {
  constexpr int terms = 75;
  Value z = mul(mul(a, a), 2), sum = number(1);
  for (int k = terms; k > 0; --k)
    sum = fma(mul(z, 1.0 / (2 * k + 1)), sum, number(1));
  Value scale = mul(exp(mul(mul(a, a), -1)), 2 * std::numbers::inv_sqrtpi);
  return mul(mul(a, scale), sum);
}

/// Beyond 3 by Laplace's continued fraction, e^(-a a) / sqrt(pi) /
/// (a + 1/2 / (a + 2/2 / (a + 3/2 / (a + ...)))).
Value DoubleMath::erfc(Value x) {
  constexpr int levels = 25;
  Value a = abs(x), isLarge = less(number(3), a);
  Value bounded = select(isLarge, 3, a);
  Value fraction = a;
  for (int k = levels; k > 0; --k)
    fraction = add(a, div(number(k / 2.0), fraction));
  Value large =
      div(mul(exp(mul(mul(a, a), -1)), std::numbers::inv_sqrtpi), fraction);
  Value result = select(isLarge, large, sub(number(1), erfSeries(bounded)));
  result = select(equal(a, number(kInfinity)), 0, result);
  result = select(less(x, 0), sub(number(2), result), result);
  return select(isNan(x), x, result);
}

Value DoubleMath::erf(Value x) {
  Value a = abs(x), isLarge = less(number(3), a);
  Value small = erfSeries(select(isLarge, 3, a));
  Value large = sub(number(1), erfc(a));
  return withSign(select(isLarge, large, small), x);
}

Value DoubleMath::evaluate(Operation *op, ValueRange v) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::ExpOp>([&](auto) { return exp(v[0]); })
      .Case<math::ExpM1Op>([&](auto) { return expm1(v[0]); })
      .Case<math::LogOp>([&](auto) { return log(v[0]); })
      .Case<math::Log1pOp>([&](auto) { return log1p(v[0]); })
      .Case<math::PowFOp>([&](auto) { return pow(v[0], v[1]); })
      .Case<math::CbrtOp>([&](auto) { return cbrt(v[0]); })
      .Case<math::TanhOp>([&](auto) { return tanh(v[0]); })
      .Case<math::SinhOp>([&](auto) { return sinh(v[0]); })
      .Case<math::CoshOp>([&](auto) { return cosh(v[0]); })
      .Case<math::AsinhOp>([&](auto) { return asinh(v[0]); })
      .Case<math::AcoshOp>([&](auto) { return acosh(v[0]); })
      .Case<math::AtanhOp>([&](auto) { return atanh(v[0]); })
      .Case<math::SinOp>([&](auto) { return sine(v[0]); })
      .Case<math::CosOp>([&](auto) { return cosine(v[0]); })
      .Case<math::TanOp>([&](auto) { return tangent(v[0]); })
      .Case<math::AtanOp>([&](auto) { return arctangent(v[0]); })
      .Case<math::Atan2Op>([&](auto) { return angle(v[0], v[1]); })
      // The other leg of the triangle with hypotenuse 1.
      .Case<math::AsinOp>([&](auto) {
        Value leg = root(mul(sub(number(1), v[0]), add(v[0], 1)));
        return arctangent(div(v[0], leg));
      })
      .Case<math::AcosOp>([&](auto) {
        return mul(arctangent(root(div(sub(number(1), v[0]), add(v[0], 1)))),
                   2);
      })
      .Case<math::ErfOp>([&](auto) { return erf(v[0]); })
      .Case<math::ErfcOp>([&](auto) { return erfc(v[0]); })
      .Default([](Operation *) { return Value(); });
}
