//===- SpecialFunctions.cpp - functions that are several operations -------===//

#include "Conversions/Composed/SpecialFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Value importer::select(Conversion &c, Value condition, Value a, Value b) {
  return arith::SelectOp::create(c.builder, condition, a, b);
}

/// The polynomial with these coefficients, highest power first, at `x`.
static Value polynomial(Conversion &c, Value x, ArrayRef<double> coefficients) {
  Value sum = c.splat(x.getType(), coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = arith::AddFOp::create(c.builder,
                                arith::MulFOp::create(c.builder, sum, x),
                                c.splat(x.getType(), coefficient));
  return sum;
}

/// M. Giles, "Approximating the erfinv function" (GPU Computing Gems, 2010), in
/// single precision: a polynomial in w = -log(1 - x^2), another one in its root
/// near the ends; infinite at the ends.
Value tessera::importer::erfInv(Conversion &c, ValueRange operands) {
  ImplicitLocOpBuilder &b = c.builder;
  Value x = operands[0];
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getElementTypeBitWidth() > 32)
    return erfInvDouble(c, operands);
  Type f32 = type.clone(b.getF32Type());
  if (type != f32)
    x = arith::ExtFOp::create(b, f32, x);
  Value minusSquare = arith::NegFOp::create(b, arith::MulFOp::create(b, x, x));
  Value w = arith::NegFOp::create(b, math::Log1pOp::create(b, minusSquare));
  Value isCentral =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, w, c.splat(f32, 5.0));
  Value central = polynomial(c, arith::SubFOp::create(b, w, c.splat(f32, 2.5)),
                             {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                              -4.39150654e-06, 0.00021858087, -0.00125372503,
                              -0.00417768164, 0.246640727, 1.50140941});
  Value tail = polynomial(
      c,
      arith::SubFOp::create(b, math::SqrtOp::create(b, w), c.splat(f32, 3.0)),
      {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
       0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  Value atEnd =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                            math::AbsFOp::create(b, x), c.splat(f32, 1.0));
  Value factor = select(c, isCentral, central, tail);
  factor = select(c, atEnd,
                  c.splat(f32, APFloat::getInf(APFloat::IEEEsingle())), factor);
  Value result = arith::MulFOp::create(b, factor, x);
  if (type != f32)
    result = arith::TruncFOp::create(b, type, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Bits of numbers
//===----------------------------------------------------------------------===//

/// The bits of numbers of one sign count up with their magnitude.
Value tessera::importer::nextAfter(Conversion &c, ValueRange operands) {
  using arith::CmpFPredicate;
  ImplicitLocOpBuilder &b = c.builder;
  Value x = operands[0], y = operands[1];
  auto type = cast<RankedTensorType>(x.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type integers = type.clone(b.getIntegerType(width));
  auto compare = [&](CmpFPredicate predicate, Value l, Value r) -> Value {
    return arith::CmpFOp::create(b, predicate, l, r);
  };
  Value zero = c.splat(type, 0.0), one = c.splat(integers, APInt(width, 1));
  Value bits = arith::BitcastOp::create(b, integers, x);
  Value up = arith::AddIOp::create(b, bits, one);
  Value down = arith::SubIOp::create(b, bits, one);
  Value outwards = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         compare(CmpFPredicate::OLT, x, y),
                                         compare(CmpFPredicate::OGT, x, zero));
  Value sign =
      arith::AndIOp::create(b, arith::BitcastOp::create(b, integers, y),
                            c.splat(integers, APInt::getSignMask(width)));
  Value least = arith::OrIOp::create(b, sign, one);
  Value next = select(c, compare(CmpFPredicate::OEQ, x, zero), least,
                      select(c, outwards, up, down));
  Value result = arith::BitcastOp::create(b, type, next);
  result = select(c, compare(CmpFPredicate::OEQ, x, y), y, result);
  Value isNaN = compare(CmpFPredicate::UNO, x, y);
  return select(c, isNaN, arith::AddFOp::create(b, x, y), result);
}

/// The upper half of the product of `l` and `r`, extended by `Extend` to twice
/// their width.
template <typename Extend>
static Value mulHighByWiderNumbers(Conversion &c, Value l, Value r) {
  ImplicitLocOpBuilder &b = c.builder;
  auto type = cast<RankedTensorType>(l.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type wide = type.clone(b.getIntegerType(2 * width));
  Value product = arith::MulIOp::create(b, Extend::create(b, wide, l),
                                        Extend::create(b, wide, r));
  Value high = arith::ShRUIOp::create(b, product,
                                      c.splat(wide, APInt(2 * width, width)));
  return arith::TruncIOp::create(b, type, high);
}

/// Of unsigned numbers of 64 bits, by the products of their halves.
static Value mulHighByHalves(Conversion &c, Value l, Value r) {
  ImplicitLocOpBuilder &b = c.builder;
  Type type = l.getType();
  auto low = [&](Value x) -> Value {
    return arith::AndIOp::create(b, x, c.splat(type, APInt(64, 0xFFFFFFFF)));
  };
  auto high = [&](Value x) -> Value {
    return arith::ShRUIOp::create(b, x, c.splat(type, APInt(64, 32)));
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, x, y);
  };
  auto mul = [&](Value x, Value y) -> Value {
    return arith::MulIOp::create(b, x, y);
  };
  Value outer = mul(high(l), low(r)), inner = mul(low(l), high(r));
  Value middle = add(add(high(mul(low(l), low(r))), low(outer)), low(inner));
  return add(add(mul(high(l), high(r)), high(middle)),
             add(high(outer), high(inner)));
}

Value tessera::importer::mulHighUnsigned(Conversion &c, ValueRange operands) {
  Value l = operands[0], r = operands[1];
  if (cast<RankedTensorType>(l.getType()).getElementTypeBitWidth() < 64)
    return mulHighByWiderNumbers<arith::ExtUIOp>(c, l, r);
  return mulHighByHalves(c, l, r);
}

/// A negative factor counts as 2^64 too much.
Value tessera::importer::mulHighSigned(Conversion &c, ValueRange operands) {
  ImplicitLocOpBuilder &b = c.builder;
  Value l = operands[0], r = operands[1];
  if (cast<RankedTensorType>(l.getType()).getElementTypeBitWidth() < 64)
    return mulHighByWiderNumbers<arith::ExtSIOp>(c, l, r);
  Value signBit = c.splat(l.getType(), APInt(64, 63));
  auto whereNegative = [&](Value sign, Value value) -> Value {
    return arith::AndIOp::create(b, arith::ShRSIOp::create(b, sign, signBit),
                                 value);
  };
  Value excess =
      arith::AddIOp::create(b, whereNegative(l, r), whereNegative(r, l));
  return arith::SubIOp::create(b, mulHighByHalves(c, l, r), excess);
}

//===----------------------------------------------------------------------===//
// The gamma function
//===----------------------------------------------------------------------===//

namespace {

/// C. Lanczos, "A precision approximation of the gamma function" (1964), with
/// g = 7 and nine terms: for z >= -1/2, gamma(z + 1) is
///   sqrt(2 pi) * t^(z + 1/2) * exp(-t) * S(z), t = z + g + 1/2,
/// where S is a sum of fractions. Arguments below 1/2 are reflected. All is
/// computed in double precision: sums cancel near the zeros of its logarithm.
class LanczosSeries {
public:
  LanczosSeries(Conversion &c, Value argument)
      : c(c), b(c.builder), original(argument.getType()) {
    auto element = cast<FloatType>(getElementTypeOrSelf(original));
    Type wide = cast<RankedTensorType>(original).clone(b.getF64Type());
    x = element.getWidth() < 64 ? arith::ExtFOp::create(b, wide, argument)
                                : argument;
    isReflected = less(x, number(0.5));
    z = select(c, isReflected, arith::NegFOp::create(b, x), sub(x, number(1)));
    t = add(z, number(kG + 0.5));
    logT = add(number(std::log(kG + 0.5)),
               math::Log1pOp::create(b, div(z, number(kG + 0.5))));
    sum = number(kBase);
    derivative = number(0);
    for (auto [i, coefficient] : llvm::enumerate(kCoefficients)) {
      Value divisor = add(z, number(i + 1.0));
      Value term = div(number(coefficient), divisor);
      sum = add(sum, term);
      derivative = sub(derivative, div(term, divisor));
    }
  }

  Value logGamma();
  Value digamma();

private:
  static constexpr double kG = 7;
  static constexpr double kBase = 0.99999999999980993227684700473478;
  static constexpr double kCoefficients[] = {
      676.520368121885098567009190444019, -1259.13921672240287047156078755283,
      771.3234287776530788486528258894,   -176.61502916214059906584551354,
      12.507343278686904814458936853,     -0.13857109526572011689554707,
      9.984369578019570859563e-6,         1.50563273514931155834e-7};

  Value number(double value) { return c.splat(x.getType(), value); }
  Value add(Value l, Value r) { return arith::AddFOp::create(b, l, r); }
  Value sub(Value l, Value r) { return arith::SubFOp::create(b, l, r); }
  Value mul(Value l, Value r) { return arith::MulFOp::create(b, l, r); }
  Value div(Value l, Value r) { return arith::DivFOp::create(b, l, r); }
  Value less(Value l, Value r) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, l, r);
  }
  Value equal(Value l, Value r) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, l, r);
  }
  Value infinity() {
    auto element = cast<FloatType>(getElementTypeOrSelf(x.getType()));
    return c.splat(x.getType(), APFloat::getInf(element.getFloatSemantics()));
  }
  Value narrow(Value value) {
    return value.getType() == original
               ? value
               : arith::TruncFOp::create(b, original, value).getResult();
  }

  Conversion &c;
  ImplicitLocOpBuilder &b;
  Type original;
  Value x, isReflected, z, t, logT, sum, derivative;
};

} // namespace

/// Below 1/2: gamma(x) * gamma(1 - x) = pi / sin(pi x), with the sine of the
/// distance to the nearest integer.
Value LanczosSeries::logGamma() {
  Value exponent = sub(add(z, number(0.5)), div(t, logT));
  Value direct = add(
      add(number(0.5 * std::log(2 * std::numbers::pi)), mul(exponent, logT)),
      math::LogOp::create(b, sum));
  Value magnitude = math::AbsFOp::create(b, x);
  Value fraction = sub(magnitude, math::FloorOp::create(b, magnitude));
  fraction = select(c, less(number(0.5), fraction), sub(number(1), fraction),
                    fraction);
  Value sine = math::LogOp::create(
      b, math::SinOp::create(b, mul(number(std::numbers::pi), fraction)));
  Value isPole = equal(sine, arith::NegFOp::create(b, infinity()));
  Value reflected =
      select(c, isPole, infinity(),
             sub(sub(number(std::log(std::numbers::pi)), sine), direct));
  Value result = select(c, isReflected, reflected, direct);
  return narrow(select(c, equal(magnitude, infinity()), infinity(), result));
}

/// Below 1/2: digamma(x) = digamma(1 - x) - pi / tan(pi x); no number at its
/// poles.
Value LanczosSeries::digamma() {
  Value direct = sub(add(logT, div(derivative, sum)), div(number(kG), t));
  Value rounded = math::FloorOp::create(b, add(x, number(0.5)));
  Value angle =
      mul(number(std::numbers::pi), add(x, math::AbsFOp::create(b, rounded)));
  Value cotangent =
      div(math::CosOp::create(b, angle), math::SinOp::create(b, angle));
  Value reflected = sub(direct, mul(number(std::numbers::pi), cotangent));
  Value result = select(c, isReflected, reflected, direct);
  auto element = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  Value nan =
      c.splat(x.getType(), APFloat::getNaN(element.getFloatSemantics()));
  Value isPole = arith::AndIOp::create(b, equal(x, math::FloorOp::create(b, x)),
                                       less(x, number(0.5)));
  return narrow(select(c, isPole, nan, result));
}

Value tessera::importer::logGamma(Conversion &c, ValueRange operands) {
  return LanczosSeries(c, operands[0]).logGamma();
}

Value tessera::importer::digamma(Conversion &c, ValueRange operands) {
  return LanczosSeries(c, operands[0]).digamma();
}
