//===- SeriesFunctions.cpp - special functions by sums of many terms ------===//
//
// All of them are computed in double precision, and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Composed/SpecialFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

using arith::CmpFPredicate;

namespace {

/// Arithmetic on tensors of doubles, for operands and a result of another type.
class Doubles {
public:
  Doubles(Conversion &c, RankedTensorType original)
      : c(c), b(c.builder), original(original),
        type(original.clone(c.builder.getF64Type())) {}

  Value widen(Value value) { return convertFloat(c, value, type); }
  Value narrow(Value value) { return convertFloat(c, value, original); }
  Value number(double value) { return c.splat(type, value); }
  Value infinity() { return number(std::numeric_limits<double>::infinity()); }
  Value nan() { return number(std::numeric_limits<double>::quiet_NaN()); }
  Value add(Value l, Value r) { return arith::AddFOp::create(b, l, r); }
  Value sub(Value l, Value r) { return arith::SubFOp::create(b, l, r); }
  Value mul(Value l, Value r) { return arith::MulFOp::create(b, l, r); }
  Value div(Value l, Value r) { return arith::DivFOp::create(b, l, r); }
  Value pow(Value l, Value r) { return math::PowFOp::create(b, l, r); }
  Value is(Value l, CmpFPredicate predicate, Value r) {
    return arith::CmpFOp::create(b, predicate, l, r);
  }
  Value both(Value l, Value r) { return arith::AndIOp::create(b, l, r); }
  Value select(Value condition, Value l, Value r) {
    return arith::SelectOp::create(b, condition, l, r);
  }
  Value isWhole(Value x) {
    return is(x, CmpFPredicate::OEQ, math::FloorOp::create(b, x));
  }
  /// The polynomial with these coefficients, highest power first.
  Value polynomial(Value x, ArrayRef<double> coefficients);
  /// The sum of these multiples of Chebyshev's polynomials, lowest first, by
  /// Clenshaw's recurrence.
  Value chebyshev(Value x, ArrayRef<double> coefficients);
  Value zeta(Value s, Value q);

  Conversion &c;
  ImplicitLocOpBuilder &b;
  RankedTensorType original, type;
};

} // namespace

Value Doubles::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = number(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = add(mul(sum, x), number(coefficient));
  return sum;
}

Value Doubles::chebyshev(Value x, ArrayRef<double> coefficients) {
  Value twice = mul(number(2), x), next = number(0), afterNext = number(0);
  for (double coefficient : llvm::reverse(coefficients.drop_front())) {
    Value sum = add(sub(mul(twice, next), afterNext), number(coefficient));
    afterNext = next;
    next = sum;
  }
  return add(sub(mul(x, next), afterNext), number(coefficients.front()));
}

//===----------------------------------------------------------------------===//
// The inverse error function
//===----------------------------------------------------------------------===//

/// M. Giles, "Approximating the erfinv function" (GPU Computing Gems, 2010), in
/// double precision: polynomials in w = -log(1 - x^2), in its root near the
/// ends; infinite at the ends.
Value tessera::importer::erfInvDouble(Conversion &c, ValueRange operands) {
  static constexpr double
      kCentral[] = {-3.6444120640178196996e-21, -1.685059138182016589e-19,
                    1.2858480715256400167e-18,  1.115787767802518096e-17,
                    -1.333171662854620906e-16,  2.0972767875968561637e-17,
                    6.6376381343583238325e-15,  -4.0545662729752068639e-14,
                    -8.1519341976054721522e-14, 2.6335093153082322977e-12,
                    -1.2975133253453532498e-11, -5.4154120542946279317e-11,
                    1.051212273321532285e-09,   -4.1126339803469836976e-09,
                    -2.9070369957882005086e-08, 4.2347877827932403518e-07,
                    -1.3654692000834678645e-06, -1.3882523362786468719e-05,
                    0.0001867342080340571352,   -0.00074070253416626697512,
                    -0.0060336708714301490533,  0.24015818242558961693,
                    1.6536545626831027356},
      kMiddle[] = {2.2137376921775787049e-09,  9.0756561938885390979e-08,
                   -2.7517406297064545428e-07, 1.8239629214389227755e-08,
                   1.5027403968909827627e-06,  -4.013867526981545969e-06,
                   2.9234449089955446044e-06,  1.2475304481671778723e-05,
                   -4.7318229009055733981e-05, 6.8284851459573175448e-05,
                   2.4031110387097893999e-05,  -0.0003550375203628474796,
                   0.00095328937973738049703,  -0.0016882755560235047313,
                   0.0024914420961078508066,   -0.0037512085075692412107,
                   0.005370914553590063617,    1.0052589676941592334,
                   3.0838856104922207635},
      kTail[] = {-2.7109920616438573243e-11, -2.5556418169965252055e-10,
                 1.5076572693500548083e-09,  -3.7894654401267369937e-09,
                 7.6157012080783393804e-09,  -1.4960026627149240478e-08,
                 2.9147953450901080826e-08,  -6.7711997758452339498e-08,
                 2.2900482228026654717e-07,  -9.9298272942317002539e-07,
                 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
                 7.5995277030017761139e-05,  -0.00021503011930044477347,
                 -0.00013871931833623122026, 1.0103004648645343977,
                 4.8499064014085844221};
  Doubles d(c, typeOf(operands[0]));
  Value x = d.widen(operands[0]);
  // Of 1 - x^2 near the ends, the square would leave few bits.
  Value w = arith::NegFOp::create(
      d.b, d.add(math::Log1pOp::create(d.b, x),
                 math::Log1pOp::create(d.b, arith::NegFOp::create(d.b, x))));
  Value root = math::SqrtOp::create(d.b, w);
  Value central = d.polynomial(d.sub(w, d.number(3.125)), kCentral);
  Value middle = d.polynomial(d.sub(root, d.number(3.25)), kMiddle);
  Value tail = d.polynomial(d.sub(root, d.number(5)), kTail);
  Value factor =
      d.select(d.is(w, CmpFPredicate::OLT, d.number(16)), middle, tail);
  factor =
      d.select(d.is(w, CmpFPredicate::OLT, d.number(6.25)), central, factor);
  Value atEnd =
      d.is(math::AbsFOp::create(d.b, x), CmpFPredicate::OEQ, d.number(1));
  return d.narrow(d.mul(d.select(atEnd, d.infinity(), factor), x));
}

//===----------------------------------------------------------------------===//
// Bessel functions
//===----------------------------------------------------------------------===//

/// exp(-|x|) I1(x): Chebyshev's expansions of the quotient by x up to 8, and of
/// the product with the root of |x| in 1/x from there on.
Value tessera::importer::besselI1e(Conversion &c, ValueRange operands) {
  static constexpr double
      kNear[] = {0.126293593221816827,     -0.176416518357834055,
                 0.102643658689847095,     -0.0529459812080949914,
                 0.0247264490306265168,    -0.0105640848946261982,
                 0.00415642294431288816,   -0.00151357245063125315,
                 0.000512285956168575773,  -0.000161760815825896746,
                 0.0000478156510755005423, -0.0000132731636560394358,
                 3.47025130813767848e-6,   -8.56872026469545474e-7,
                 2.00329475355213526e-7,   -4.44505912879632808e-8,
                 9.38153738649577178e-9,   -1.88724975172282929e-9,
                 3.62559028155211704e-10,  -6.66348972350202774e-11,
                 1.17361862988909016e-11,  -1.98397439776494372e-12,
                 3.22379336594557471e-13,  -5.04218550472791169e-14,
                 7.60068429473540693e-15,  -1.10559694773538631e-15,
                 1.55363195773620047e-16,  -2.11142121435816608e-17,
                 2.77791411276104637e-18},
      kFar[] = {0.38928811750914006,      -0.00976109749136146841,
                -0.000110588938762623716, -3.88256480887769039e-6,
                -2.51223623787020893e-7,  -2.63146884688951951e-8,
                -3.83538038596423702e-9,  -5.58974346219658381e-10,
                -1.89749581235054123e-11, 3.25260358301548824e-11,
                1.41258074366137813e-11,  2.03562854414708951e-12,
                -7.19855177624590851e-13, -4.08355111109219732e-13,
                -2.10154184277266431e-14, 4.27244001671195135e-14,
                1.04202769841288028e-14,  -3.8144030724370078e-15,
                -1.88035477551078245e-15, 3.30820231092092828e-16,
                2.96262899764595014e-16,  -3.20952592199342396e-17,
                -4.65030536848935833e-17, 4.41434832307170795e-18,
                7.51729631084210481e-18};
  Doubles d(c, typeOf(operands[0]));
  Value x = d.widen(operands[0]), magnitude = math::AbsFOp::create(d.b, x);
  Value isNear = d.is(magnitude, CmpFPredicate::OLE, d.number(8));
  // Where the other one is taken, each has an argument within its range.
  Value least = d.select(isNear, magnitude, d.number(8));
  Value most = d.select(isNear, d.number(8), magnitude);
  Value near =
      d.mul(d.chebyshev(d.sub(d.div(least, d.number(4)), d.number(1)), kNear),
            magnitude);
  Value far =
      d.div(d.chebyshev(d.sub(d.div(d.number(16), most), d.number(1)), kFar),
            math::SqrtOp::create(d.b, most));
  return d.narrow(
      math::CopySignOp::create(d.b, d.select(isNear, near, far), x));
}

//===----------------------------------------------------------------------===//
// Zeta functions
//===----------------------------------------------------------------------===//

/// Hurwitz' zeta function, the sum of (q + k)^-s over all k >= 0: nine terms,
/// and the rest by Euler's and Maclaurin's formula with twelve of Bernoulli's
/// numbers. Infinite for s = 1, and at whole q <= 0 for even s; no number for
/// s < 1, or where a negative one would be raised to a broken power.
Value Doubles::zeta(Value s, Value q) {
  static constexpr int64_t kTerms = 9;
  // Bernoulli's numbers of even index 2j, over the factorial of 2j.
  static constexpr double kBernoulli[] = {
      0.083333333333333333333,    -0.0013888888888888888889,
      0.000033068783068783068783, -8.2671957671957671958e-7,
      2.0876756987868098979e-8,   -5.2841901386874931848e-10,
      1.3382536530678468833e-11,  -3.3896802963225828668e-13,
      8.5860620562778445641e-15,  -2.174868698558061873e-16,
      5.5090028283602295152e-18,  -1.3954464685812523341e-19};
  Value exponent = arith::NegFOp::create(b, s), sum = pow(q, exponent);
  for (int64_t k = 1; k < kTerms; ++k)
    sum = add(sum, pow(add(q, number(k)), exponent));
  Value end = add(q, number(kTerms)), last = pow(end, exponent);
  Value rest = div(mul(last, end), sub(s, number(1)));
  rest = add(rest, mul(last, number(0.5)));
  Value factor = div(mul(last, s), end);
  for (auto [j, bernoulli] : llvm::enumerate(kBernoulli)) {
    rest = add(rest, mul(factor, number(bernoulli)));
    factor = mul(factor, div(add(s, number(2 * j + 1.0)), end));
    factor = mul(factor, div(add(s, number(2 * j + 2.0)), end));
  }
  Value result = add(sum, rest);
  Value isNegative = is(q, CmpFPredicate::OLE, number(0));
  Value isBroken = is(s, CmpFPredicate::UNE, math::FloorOp::create(b, s));
  Value half = mul(s, number(0.5));
  result = select(both(isNegative, isBroken), nan(), result);
  result = select(both(isNegative, isWhole(q)),
                  select(isWhole(half), infinity(), nan()), result);
  result = select(is(s, CmpFPredicate::OLT, number(1)), nan(), result);
  return select(is(s, CmpFPredicate::OEQ, number(1)), infinity(), result);
}

Value tessera::importer::zeta(Conversion &c, ValueRange operands) {
  Doubles d(c, typeOf(operands[0]));
  return d.narrow(d.zeta(d.widen(operands[0]), d.widen(operands[1])));
}

/// (-1)^(n + 1) n! zeta(n + 1, x), and the digamma function for n = 0; no
/// number for other than natural n.
Value tessera::importer::polygamma(Conversion &c, ValueRange operands) {
  Doubles d(c, typeOf(operands[0]));
  Value n = d.widen(operands[0]), x = d.widen(operands[1]);
  Value next = d.add(n, d.number(1));
  Value factorial = math::ExpOp::create(d.b, logGamma(c, {next}));
  Value magnitude = d.mul(factorial, d.zeta(next, x));
  Value isEven = d.isWhole(d.mul(n, d.number(0.5)));
  Value result =
      d.select(isEven, arith::NegFOp::create(d.b, magnitude), magnitude);
  result = d.select(d.is(n, CmpFPredicate::OEQ, d.number(0)), digamma(c, {x}),
                    result);
  Value isNatural =
      d.both(d.is(n, CmpFPredicate::OGE, d.number(0)), d.isWhole(n));
  return d.narrow(d.select(isNatural, result, d.nan()));
}
