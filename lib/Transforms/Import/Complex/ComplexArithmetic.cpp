//===- ComplexArithmetic.cpp - products, powers, exponentials, logarithms
//--===//

#include "Complex/ComplexFunctions.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Products and quotients
//===----------------------------------------------------------------------===//

Complex tessera::importer::multiply(Complex l, Complex r) {
  return {l.re * r.re - l.im * r.im, l.re * r.im + l.im * r.re};
}

Complex tessera::importer::conj(Complex z) { return {z.re, -z.im}; }

/// 1 or -1 where `x` is infinite, else 0.
static Real signOfInfinity(Real x) {
  return select(isInfinite(x), select(x < 0, x.number(-1), x.number(1)),
                x.number(0));
}

Complex tessera::importer::select(Truth condition, Complex l, Complex r) {
  return {select(condition, l.re, r.re), select(condition, l.im, r.im)};
}

Complex tessera::importer::maximum(Complex l, Complex r) {
  return select(l.re > r.re || (l.re == r.re && l.im > r.im), l, r);
}

Complex tessera::importer::minimum(Complex l, Complex r) {
  return select(l.re < r.re || (l.re == r.re && l.im < r.im), l, r);
}

/// `l` times the conjugate of `r`, each part times `factor`.
static Complex timesConjugate(Complex l, Complex r, Real factor) {
  return {factor * (l.re * r.re + l.im * r.im),
          factor * (l.im * r.re - l.re * r.im)};
}

/// R. L. Smith, "Algorithm 116: complex division" (1962): the smaller part of
/// the divisor over the larger one does not overflow. Zeros and infinities, of
/// which it knows nothing, are those of Annex G of C.
Complex tessera::importer::divide(Complex l, Complex r) {
  Truth isSteep = abs(r.re) < abs(r.im);
  Real larger = select(isSteep, r.im, r.re);
  Real smaller = select(isSteep, r.re, r.im);
  Real ratio = smaller / larger;
  Real divisor = larger + smaller * ratio;
  Complex steep = {l.re * ratio + l.im, l.im * ratio - l.re};
  Complex flat = {l.re + l.im * ratio, l.im - l.re * ratio};
  Complex quotient = select(isSteep, steep, flat);
  quotient = {quotient.re / divisor, quotient.im / divisor};

  Complex signs = {signOfInfinity(r.re), signOfInfinity(r.im)};
  Truth byInfinity = isFinite(l.re) && isFinite(l.im) &&
                     (isInfinite(r.re) || isInfinite(r.im));
  quotient =
      select(byInfinity, timesConjugate(l, signs, l.re.number(0)), quotient);
  signs = {signOfInfinity(l.re), signOfInfinity(l.im)};
  Truth ofInfinity = (isInfinite(l.re) || isInfinite(l.im)) && isFinite(r.re) &&
                     isFinite(r.im);
  quotient =
      select(ofInfinity, timesConjugate(signs, r, l.re.infinity()), quotient);
  Truth byZero = r.re == 0 && r.im == 0 && (l.re == l.re || l.im == l.im);
  Real infinite = 1 / r.re;
  return select(byZero, {infinite * l.re, infinite * l.im}, quotient);
}

//===----------------------------------------------------------------------===//
// Magnitudes and roots
//===----------------------------------------------------------------------===//

/// sqrt(x * x + y * y) without overflow, and with the digits of a small part.
static Real hypot(Real x, Real y) {
  Real larger = max(abs(x), abs(y)), smaller = min(abs(x), abs(y));
  Real ratio = smaller / larger;
  Real square = ratio * ratio, root = sqrt(1 + square);
  Real length = select(root == 1 && square > 0, larger + larger * square / 2,
                       larger * root);
  return select(larger == smaller, std::numbers::sqrt2 * larger, length);
}

Real tessera::importer::magnitude(Complex z) { return hypot(z.re, z.im); }

Complex tessera::importer::sign(Complex z) {
  Real length = magnitude(z);
  return select(length == 0, z, {z.re / length, z.im / length});
}

Complex tessera::importer::square(Complex z) {
  Truth isDiagonal = isFinite(z.re) && abs(z.re) == abs(z.im);
  return {select(isDiagonal, z.re.number(0), (z.re - z.im) * (z.re + z.im)),
          2 * (z.re * z.im)};
}

/// With u = sqrt((|z| + |x|) / 2) the parts are u and |y| / (2 u), in the order
/// that the sign of x says. Where the sum overflows or underflows, u is the
/// root of the larger part times a factor near 1.
Complex tessera::importer::sqrt(Complex z) {
  using std::numbers::sqrt2;
  Real x = z.re, y = z.im, ax = abs(x), ay = abs(y), one = x.number(1);
  Real rootX = sqrt(ax), rootY = sqrt(ay);
  double rootEqual = std::sqrt(1 + sqrt2);
  Truth isEqual = ax == ay, isSteep = ax < ay;
  Real general = sqrt(hypot(ax, ay) / 2 + ax / 2);
  Real ratio = select(isEqual, one, select(isSteep, ax / ay, ay / ax));
  Real rootRatio =
      select(isEqual, one, select(isSteep, rootX / rootY, rootY / rootX));
  Real length = hypot(one, ratio);
  Real flat = sqrt(1 + length), steep = sqrt(ratio + length);
  Truth isExtreme = general == 0 || general == general.infinity();
  Real u =
      select(isExtreme,
             select(ax > ay, rootX * (flat / sqrt2), rootY * (steep / sqrt2)),
             general);
  u = select(isEqual, rootX * rootEqual / sqrt2, u);
  Real v = select(isExtreme,
                  select(ax > ay, rootY * rootRatio / (flat * sqrt2),
                         rootY / (steep * sqrt2)),
                  ay / (general * 2));
  v = select(isEqual, rootY / (rootEqual * sqrt2), v);
  Real im = select(x < 0, u, v);
  return {select(x >= 0, u, v), select(y < 0, -im, im)};
}

/// Unlike that of the square root, its imaginary part has the sign of a zero.
Complex tessera::importer::rsqrt(Complex z) {
  Real zero = z.re.number(0);
  Complex inverse = divide({z.re.number(1), zero}, sqrt(z));
  inverse = select(isInfinite(z.re) || isInfinite(z.im), {zero, zero}, inverse);
  Truth isNegative = z.im < 0 || 1 / z.im < 0;
  Real im = abs(inverse.im);
  return {inverse.re, select(isNegative, im, -im)};
}

Complex tessera::importer::cbrt(Complex z) {
  return power(z, {z.re.number(1.0 / 3), z.re.number(0)});
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

/// e^x times `factor`, which may be small where e^x overflows.
static Real timesExp(Real x, Real factor) {
  Real e = exp(x), root = exp(x * 0.5);
  return select(e == e.infinity(), root * factor * root, e * factor);
}

Complex tessera::importer::exp(Complex z) {
  Real im = timesExp(z.re, sin(z.im));
  return {timesExp(z.re, cos(z.im)), select(z.im == 0, z.im.number(0), im)};
}

/// e^x cos(y) - 1 = (e^x - 1) cos(y) - 2 sin(y / 2)^2.
Complex tessera::importer::expm1(Complex z) {
  Complex e = exp(z);
  Real half = sin(z.im * 0.5);
  Real re = expm1(z.re) * cos(z.im) - 2 * (half * half);
  return {select(z.re < 1, select(z.im == 0, expm1(z.re), re), e.re - 1),
          select(z.im == 0, z.im, e.im)};
}

namespace {
/// An unevaluated sum: `low` is what rounding took from `high`.
struct Sum {
  Real high, low;
};
} // namespace

/// D. Knuth's sum of two numbers.
static Sum twoSum(Real x, Real y) {
  Real sum = x + y, z = sum - x;
  return {sum, (x - (sum - z)) + (y - z)};
}

/// T. J. Dekker's square, with G. W. Veltkamp's split into halves.
static Sum squareExactly(Real x) {
  unsigned half = (APFloat::semanticsPrecision(x.semantics()) + 1) / 2;
  Real scaled = std::ldexp(1.0, half) * x + x;
  Real high = scaled + (x - scaled), low = x - high, square = x * x;
  Real error = (-square + high * high) + high * low + high * low + low * low;
  return {square, error};
}

/// The sum of `terms` in twice the precision.
static Real sumExactly(ArrayRef<Real> terms) {
  Sum sum = twoSum(terms[0], terms[1]);
  for (Real term : terms.drop_front(2)) {
    Sum next = twoSum(sum.high, term);
    sum = {next.high, sum.low + next.low};
  }
  return sum.high + sum.low;
}

/// log of the magnitude from its larger and smaller part, far from 1.
static Real logFarFromOne(Real larger, Real smaller) {
  Real ratio = select(larger == smaller, larger.number(1), smaller / larger);
  return log(larger) + 0.5 * log1p(ratio * ratio);
}

/// Near magnitude 1 the logarithm is that of 1 + (|z|^2 - 1), summed exactly.
Complex tessera::importer::log(Complex z) {
  Sum xx = squareExactly(z.re), yy = squareExactly(z.im);
  Truth isSteep = yy.high > xx.high;
  Real excess = sumExactly({z.re.number(-1), select(isSteep, yy.high, xx.high),
                            select(isSteep, xx.high, yy.high), yy.low, xx.low});
  Real ax = abs(z.re), ay = abs(z.im);
  Real re = select(abs(excess) < 0.5, 0.5 * log1p(excess),
                   logFarFromOne(max(ax, ay), min(ax, ay)));
  return {re, atan2(z.im, z.re)};
}

Complex tessera::importer::atan2(Complex y, Complex x) {
  Complex rotated = {x.re - y.im, x.im + y.re}; // x + i y
  Complex xx = square(x), yy = square(y);
  Complex length = sqrt({xx.re + yy.re, xx.im + yy.im});
  Complex angle = log(divide(rotated, length));
  return {angle.im, -angle.re};
}

Complex tessera::importer::log1p(Complex z) {
  Real x = z.re, y = z.im, moved = x + 1, ax = abs(x), ay = abs(y);
  Sum xx = squareExactly(x), yy = squareExactly(y);
  Real excess = sumExactly({x + x, yy.high, xx.high, yy.low, xx.low});
  Real nearMinusOne = 0.5 * log(moved * moved + y * y);
  Real larger = max(ax, ay);
  Real re = select(
      larger > sqrt(x.largest()) * 0.01, logFarFromOne(larger, min(ax, ay)),
      select(abs(moved) + ay < 0.2, nearMinusOne, 0.5 * log1p(excess)));
  return {re, atan2(y, moved)};
}

Complex tessera::importer::logistic(Complex z) {
  Complex e = exp({-z.re, -z.im});
  return divide({z.re.number(1), z.re.number(0)}, {1 + e.re, e.im});
}

/// |b|^c e^(-d arg b) at the angle c arg b + d log |b|, for the exponent
/// c + i d. Anything to the power of 0 is 1; 0 to a positive one is 0.
Complex tessera::importer::power(Complex base, Complex exponent) {
  Real length = magnitude(base), angle = atan2(base.im, base.re);
  Real c = exponent.re, d = exponent.im, zero = c.number(0), one = c.number(1);
  Truth isReal = d == 0;
  Real factor =
      select(isReal, pow(length, c), pow(length, c) * exp(-(d * angle)));
  Real turned = select(isReal, c * angle, c * angle + d * log(length));
  Complex result = {factor * cos(turned),
                    select(turned == 0, turned, factor * sin(turned))};
  result = select(length == 0 && isReal && c > 0, {zero, zero}, result);
  return select(c == 0 && isReal, {one, zero}, result);
}
