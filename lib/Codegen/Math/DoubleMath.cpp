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
Value DoubleMath::exp(Value x, Value low, int shift) {
  // Beyond these all results are infinite or zero; NaN stays.
  Value clamped = select(less(x, -746), -746, x);
  double most = 710 + shift;
  clamped = select(less(number(most), clamped), most, clamped);
  Value n = round(mul(clamped, std::numbers::log2e));
  Value r = fma(n, -kLn2Low, fma(n, -kLn2High, clamped));
  if (low)
    r = add(r, low);
  Value sum = polynomial(r, inverseFactorials(0, 1, 14, 1));
  // Half of the exponent at a time, as 2^n may be no normal number.
  Value whole = subInteger(toInteger(n), integer(shift));
  Value half = arith::ShRSIOp::create(*this, whole, integer(1));
  Value rest = arith::SubIOp::create(*this, whole, half);
  return mul(mul(sum, powerOfTwo(half)), powerOfTwo(rest));
}

/// 2 (2^(n-1) (e^r - 1) + 2^(n-1) - 1/2), |r| < 0.35.
Value DoubleMath::expm1(Value x) {
  Value clamped = select(less(x, -50), -50, x);
  clamped = select(less(number(710), clamped), 710, clamped);
  Value n = round(mul(clamped, std::numbers::log2e));
  Value high = fma(n, -kLn2High, clamped), r = fma(n, -kLn2Low, high);
  Value lost = fma(n, -kLn2Low, sub(high, r));
  Value tail =
      fma(mul(r, r), polynomial(r, inverseFactorials(2, 1, 13, 1)), lost);
  Value scale = powerOfTwo(subInteger(toInteger(n), integer(1)));
  Value result = mul(fma(add(r, tail), scale, add(scale, -0.5)), 2);
  return select(less(abs(x), 0x1p-60), x, result);
}

/// e ln 2 + 2 artanh(s), s = f / (2 + f), x = 2^e (1 + f), |f| < 0.42. What is
/// left of the division, of s^3 and of sums goes to the second part (Dekker).
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
  // s^2 and s^3 in two parts.
  Value square = mul(s, s), cube = mul(s, square);
  Value squareLow = fma(s, s, negate(square));
  squareLow = fma(mul(s, 2), rest, squareLow);
  Value cubeLow = fma(s, square, negate(cube));
  cubeLow = add(cubeLow, fma(s, squareLow, mul(rest, square)));
  constexpr double third = 2.0 / 3, thirdLow = 0x1.5555555555555p-55;
  Value term = mul(cube, third);
  Value termLow = fma(cube, third, negate(term));
  termLow = add(termLow, fma(cube, thirdLow, mul(cubeLow, third)));
  SmallVector<double> series = inverseOddNumbers(13, 1);
  Value tail = mul(mul(mul(cube, square), 2),
                   polynomial(square, ArrayRef(series).drop_front(2)));
  // The sum of e ln 2, 2 s and the term.
  Value twice = mul(s, 2), whole = mul(e, kLn2High);
  Value first = add(whole, twice);
  Value low = add(sub(whole, first), twice);
  Value high = add(first, term), moved = sub(high, first);
  low = add(low, add(sub(first, sub(high, moved)), sub(term, moved)));
  low = add(low, add(add(termLow, tail), fma(rest, 2, mul(e, kLn2Low))));
  Value sum = add(high, low);
  return {sum, add(sub(high, sum), low)};
}

Value DoubleMath::logAtEnds(Value x, Value log) {
  Value result = select(less(x, kInfinity), log, x);
  result = select(equal(x, number(0)), -kInfinity, result);
  return select(less(x, 0), kNan, result);
}

Value DoubleMath::log(Value x) { return logAtEnds(x, logParts(x).high); }

/// What rounding 1 + x loses is put back (Kahan).
Value DoubleMath::log1p(Value x) {
  Value u = add(x, 1);
  Value lost = sub(add(u, -1), x);
  Parts parts = logParts(u);
  Value result = sub(parts.high, sub(div(lost, u), parts.low));
  result = select(equal(u, number(1)), x, result);
  Value isFinite =
      arith::AndIOp::create(*this, less(number(-1), x), less(x, kInfinity));
  return select(isFinite, result, logAtEnds(u, parts.high));
}

/// e^(y log x), with the logarithm and its product by y in two parts.
Value DoubleMath::pow(Value x, Value y) {
  Value a = abs(x);
  Value isRegular = both(less(number(0), a), less(a, kInfinity));
  Parts parts = logParts(a);
  Value high = logAtEnds(a, parts.high);
  Value product = mul(y, high);
  Value lost = fma(y, parts.low, fma(y, high, negate(product)));
  lost = select(both(isRegular, less(abs(product), 800)), lost, number(0));
  Value magnitude = exp(product, lost);
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
  Value a = abs(x), t = expm1(a);
  Value small = mul(add(t, div(t, add(t, 1))), 0.5);
  Value isLarge = less(number(22), a);
  return withSign(select(isLarge, exp(a, {}, 1), small), x);
}

Value DoubleMath::cosh(Value x) {
  Value a = abs(x), half = exp(a, {}, 1);
  return add(half, div(number(0.25), half));
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

/// (1 + 2 a) e^(a a) erfc(a) as a polynomial in (a - 4) / (a + 4), for a from
/// 0.5 to 28 (Shepherd, Laframboise: Chebyshev approximation of
/// (1 + 2x) exp(x^2) erfc x, 1981); interpolated, relative error 7e-19.
static constexpr double kScaledErfc[] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a28ep-3,  0x1.f7f5df66fd76dp-7,
    0x1.16ecefcfa52b5p-4,   -0x1.9ddb23c3e8e00p-4,  0x1.7fee004e14c37p-4,
    -0x1.0fb06dfe4e4f9p-4,  0x1.3079edf61e7a1p-5,   -0x1.09623883f080cp-6,
    0x1.49c672aa08182p-8,   -0x1.8d4a9b1376eaep-11, -0x1.a1df44d0d357ap-13,
    0x1.3be055036ec36p-13,  -0x1.9954dbbbdf343p-16, -0x1.788966f85ff88p-17,
    0x1.7ef4d531cf830p-18,  0x1.3abf792a3125dp-22,  -0x1.b7f86449a0aa8p-21,
    0x1.43dc50b7baccdp-24,  0x1.bb7be885c5a0bp-24,  -0x1.3c396538d8d44p-26,
    -0x1.4ba5c49bc26a7p-27, 0x1.0eff5654f9fd0p-29};

/// 2 / sqrt(pi) (a - a^3 / 3 + a^5 / (2! 5) - ...), the first coefficient in
/// two parts.
Value DoubleMath::erfSeries(Value a) {
  constexpr double first = 2 * std::numbers::inv_sqrtpi;
  constexpr double firstLow = 0x1.1ae3a914fed80p-56;
  SmallVector<double> series = inverseFactorials(0, 1, 18, -1);
  for (auto [n, coefficient] : llvm::enumerate(series))
    coefficient *= first / (2 * n + 1);
  Value square = mul(a, a);
  Value rest = fma(square, polynomial(square, ArrayRef(series).drop_front()),
                   number(firstLow));
  return fma(a, first, mul(a, rest));
}

/// e^(-a a) p / (1 + 2 a), where what the square, 1 + 2 a and the division lose
/// is put back.
Value DoubleMath::erfcTail(Value a) {
  Value ratio = div(add(a, -4), add(a, 4));
  Value p = polynomial(ratio, kScaledErfc);
  Value divisor = fma(a, 2, number(1));
  Value divisorLow = fma(a, 2, sub(number(1), divisor));
  Value quotient = div(p, divisor);
  Value lost = fma(negate(quotient), divisor, p);
  lost = div(fma(negate(quotient), divisorLow, lost), divisor);
  Value square = mul(a, a), squareLow = fma(a, a, negate(square));
  Value scale = exp(negate(square), negate(squareLow));
  return fma(scale, quotient, mul(scale, lost));
}

Value DoubleMath::erfc(Value x) {
  Value a = abs(x), isSmall = less(a, 0.5);
  Value bounded = select(less(number(28), a), 28, a);
  Value tail = erfcTail(select(isSmall, 0.5, bounded));
  tail = select(less(x, 0), sub(number(2), tail), tail);
  Value small = sub(number(1), erfSeries(select(isSmall, x, number(0))));
  Value result = select(isSmall, small, tail);
  return select(isNan(x), x, result);
}

Value DoubleMath::erf(Value x) {
  Value a = abs(x), isSmall = less(a, 0.75);
  Value small = erfSeries(select(isSmall, a, number(0)));
  Value bounded = select(less(number(6), a), 6, a);
  Value large = sub(number(1), erfcTail(select(isSmall, 0.75, bounded)));
  Value result = withSign(select(isSmall, small, large), x);
  return select(isNan(x), x, result);
}

Value tessera::codegen::evaluateInDouble(Operation *op) {
  Type type = op->getResult(0).getType();
  if (!isa<FloatType>(getElementTypeOrSelf(type)))
    return {};
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto vector = dyn_cast<VectorType>(type);
  Type wide = vector ? Type(vector.clone(b.getF64Type())) : b.getF64Type();
  SmallVector<Value> operands(op->getOperands());
  if (type != wide)
    for (Value &operand : operands)
      operand = arith::ExtFOp::create(b, wide, operand);
  Value result = DoubleMath(op, wide).evaluate(op, operands);
  if (!result || type == wide)
    return result;
  return arith::TruncFOp::create(b, type, result);
}

/// The value of a function of `math` on doubles `v`, in arithmetic and bit
/// operations alone; null for an operation that is none of them.
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
