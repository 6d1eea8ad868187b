//===- DoubleMath.cpp - Mathematical functions of f64 ---------------------===//
//
// Textbook reductions (Muller: Elementary functions, 3rd edition) to intervals
// where a few terms of a Taylor series are exact to the last bits: these need
// no tables of fitted coefficients, and how fast functions of f64 are matters
// to no model that we know.
//
//===----------------------------------------------------------------------===//

#include "DoubleMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace tessera::nvptx;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kPi = std::numbers::pi;
/// ln 2 in two parts, of which the first has few enough bits that multiples of
/// it by exponents are exact.
static constexpr double kLn2High = 0x1.62e42fee00000p-1;
static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Type DoubleMath::like(Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

static TypedAttr splat(Type type, TypedAttr scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    return SplatElementsAttr::get(vector, Attribute(scalar));
  return scalar;
}

Value DoubleMath::number(double value) {
  return arith::ConstantOp::create(*this, splat(type, getF64FloatAttr(value)));
}
Value DoubleMath::integer(int64_t value) {
  return arith::ConstantOp::create(
      *this, splat(like(getI64Type()), getI64IntegerAttr(value)));
}
Value DoubleMath::add(Value x, Value y) {
  return arith::AddFOp::create(*this, x, y);
}
Value DoubleMath::sub(Value x, Value y) {
  return arith::SubFOp::create(*this, x, y);
}
Value DoubleMath::mul(Value x, Value y) {
  return arith::MulFOp::create(*this, x, y);
}
Value DoubleMath::div(Value x, Value y) {
  return arith::DivFOp::create(*this, x, y);
}
Value DoubleMath::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(*this, x, y, z);
}
Value DoubleMath::abs(Value x) { return math::AbsFOp::create(*this, x); }
Value DoubleMath::root(Value x) { return math::SqrtOp::create(*this, x); }
Value DoubleMath::round(Value x) { return math::RoundEvenOp::create(*this, x); }
Value DoubleMath::withSign(Value magnitude, Value sign) {
  return math::CopySignOp::create(*this, magnitude, sign);
}
Value DoubleMath::less(Value x, Value y) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, x, y);
}
Value DoubleMath::equal(Value x, Value y) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, x, y);
}
Value DoubleMath::isNan(Value x) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::UNO, x, x);
}
Value DoubleMath::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(*this, condition, x, y);
}
Value DoubleMath::toInteger(Value x) {
  return arith::FPToSIOp::create(*this, like(getI64Type()), x);
}
Value DoubleMath::fromInteger(Value x) {
  return arith::SIToFPOp::create(*this, type, x);
}
Value DoubleMath::bits(Value x) {
  return arith::BitcastOp::create(*this, like(getI64Type()), x);
}
Value DoubleMath::fromBits(Value x) {
  return arith::BitcastOp::create(*this, type, x);
}

Value DoubleMath::powerOfTwo(Value n) {
  Value exponent = arith::AddIOp::create(*this, n, integer(1023));
  return fromBits(arith::ShLIOp::create(*this, exponent, integer(52)));
}

Value DoubleMath::polynomial(Value x, ArrayRef<double> c) {
  Value sum = number(c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(sum, x, number(coefficient));
  return sum;
}

/// 1 / k! for `count` numbers k from `first` on in steps of `step`, each times
/// `sign` more than the one before.
static SmallVector<double> inverseFactorials(unsigned first, unsigned step,
                                             unsigned count, double sign) {
  SmallVector<double> list;
  double factor = 1;
  for (unsigned k = 1; k <= first; ++k)
    factor /= k;
  for (unsigned i = 0, k = first; i < count; ++i) {
    list.push_back(factor);
    for (unsigned j = 0; j < step; ++j)
      factor /= ++k;
    factor *= sign;
  }
  return list;
}

/// 1, sign / 3, 1 / 5, ...
static SmallVector<double> inverseOddNumbers(unsigned count, double sign) {
  SmallVector<double> list;
  for (unsigned i = 0; i < count; ++i)
    list.push_back((i % 2 ? sign : 1.0) / (2 * i + 1));
  return list;
}

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

/// e ln 2 + 2 artanh(f / (2 + f)), x = 2^e (1 + f), |f| < 0.42.
Value DoubleMath::log(Value x) {
  Value isSmall = less(x, std::numeric_limits<double>::min());
  Value normal = select(isSmall, mul(x, 0x1p54), x);
  Value word = bits(normal);
  Value exponent = arith::SubIOp::create(
      *this, arith::ShRUIOp::create(*this, word, integer(52)), integer(1023));
  Value fraction =
      arith::AndIOp::create(*this, word, integer((int64_t(1) << 52) - 1));
  Value m = fromBits(
      arith::OrIOp::create(*this, fraction, integer(int64_t(1023) << 52)));
  Value isLarge = less(number(std::numbers::sqrt2), m);
  m = select(isLarge, mul(m, 0.5), m);
  Value e = add(fromInteger(exponent), add(select(isLarge, 1, number(0)),
                                           select(isSmall, -54, number(0))));
  Value f = add(m, -1);
  Value s = div(f, add(f, 2));
  Value series = polynomial(mul(s, s), inverseOddNumbers(12, 1));
  Value result = fma(e, kLn2High, fma(mul(s, 2), series, mul(e, kLn2Low)));
  result = select(less(x, kInfinity), result, x);
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

Value DoubleMath::pow(Value x, Value y) {
  Value magnitude = exp(mul(y, log(abs(x))));
  // 0 * inf where the logarithm or y is infinite.
  magnitude = select(equal(abs(x), number(1)), 1, magnitude);
  Value half = mul(y, 0.5);
  Value isInteger = equal(round(y), y), isEven = equal(round(half), half);
  Value negative = select(isEven, magnitude, mul(magnitude, -1));
  negative = select(isInteger, negative, number(kNan));
  Value result = select(less(x, 0), negative, magnitude);
  result = select(equal(y, number(0)), 1, result);
  return select(equal(x, number(1)), 1, result);
}

Value DoubleMath::cbrt(Value x) {
  Value a = abs(x);
  Value t = exp(mul(log(a), 1.0 / 3));
  t = sub(t, div(sub(mul(mul(t, t), t), a), mul(mul(t, t), 3)));
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
  return select(less(number(1e8), x), large, small);
}

Value DoubleMath::atanh(Value x) {
  Value a = abs(x);
  Value ratio = div(mul(a, 2), sub(number(1), a));
  return withSign(mul(log1p(ratio), 0.5), x);
}

//===----------------------------------------------------------------------===//
// Circular functions
//===----------------------------------------------------------------------===//

/// x = n pi / 2 + r, with pi / 2 in three parts (Cody and Waite).
Value DoubleMath::sine(Value x, int64_t quarters) {
  Value n = round(mul(x, 2 / kPi));
  Value r = fma(n, -0x1.921fb54442d18p0, x);
  r = fma(n, -0x1.1a62633145c07p-54, r);
  r = fma(n, 0x1.f1976b7ed8fbcp-110, r);
  Value square = mul(r, r);
  Value odd = mul(r, polynomial(square, inverseFactorials(1, 2, 10, -1)));
  Value even = polynomial(square, inverseFactorials(0, 2, 10, -1));
  Value quadrant =
      arith::AddIOp::create(*this, toInteger(n), integer(quarters));
  auto hasBit = [&](int64_t bit) -> Value {
    Value masked = arith::AndIOp::create(*this, quadrant, integer(bit));
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, masked,
                                 integer(0));
  };
  Value result = select(hasBit(1), even, odd);
  return select(hasBit(2), mul(result, -1), result);
}

/// The angle is halved twice, to a tangent below 0.2.
Value DoubleMath::atan(Value x) {
  Value a = abs(x), isLarge = less(number(1), a);
  Value t = select(isLarge, div(number(1), a), a);
  for (int i = 0; i < 2; ++i)
    t = div(t, add(root(fma(t, t, number(1))), 1));
  Value series = polynomial(mul(t, t), inverseOddNumbers(13, -1));
  Value angle = mul(mul(t, 4), series);
  angle = select(isLarge, sub(number(kPi / 2), angle), angle);
  return withSign(angle, x);
}

Value DoubleMath::atan2(Value y, Value x) {
  Value up = abs(y), right = abs(x);
  // Equal sides are 45 degrees, also if both are infinite; 0 / 0 is 0.
  Value ratio = select(equal(up, right), 1, div(up, right));
  ratio = select(equal(up, number(0)), 0, ratio);
  Value angle = atan(ratio);
  Value isLeft = less(withSign(number(1), x), 0);
  angle = select(isLeft, sub(number(kPi), angle), angle);
  angle = withSign(angle, y);
  return select(isNan(x), x, angle);
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
      .Case<math::SinOp>([&](auto) { return sine(v[0], 0); })
      .Case<math::CosOp>([&](auto) { return sine(v[0], 1); })
      .Case<math::TanOp>(
          [&](auto) { return div(sine(v[0], 0), sine(v[0], 1)); })
      .Case<math::AtanOp>([&](auto) { return atan(v[0]); })
      .Case<math::Atan2Op>([&](auto) { return atan2(v[0], v[1]); })
      // The other leg of the triangle with hypotenuse 1.
      .Case<math::AsinOp>([&](auto) {
        Value leg = root(mul(sub(number(1), v[0]), add(v[0], 1)));
        return atan(div(v[0], leg));
      })
      .Case<math::AcosOp>([&](auto) {
        return mul(atan(root(div(sub(number(1), v[0]), add(v[0], 1)))), 2);
      })
      .Case<math::ErfOp>([&](auto) { return erf(v[0]); })
      .Case<math::ErfcOp>([&](auto) { return erfc(v[0]); })
      .Default([](Operation *) { return Value(); });
}
