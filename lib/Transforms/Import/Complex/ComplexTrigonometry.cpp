//===- ComplexTrigonometry.cpp - circular, hyperbolic, inverse functions
//---===//

#include "Complex/ComplexFunctions.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Hyperbolic and circular functions
//===----------------------------------------------------------------------===//

namespace {
/// cosh(x) and sinh(x) times factors that may be small where they overflow.
class Hyperbolics {
public:
  explicit Hyperbolics(Real x) : x(x), size(abs(x)), root(exp(size * 0.5)) {
    Real e = expm1(size);
    isLarge = e == e.infinity();
    cosine = 1 + e * e / (2 * (e + 1));
    cosine = select(e > kHuge, 0.5 * e, cosine);
    Real half = 0.5 * (e + e / (e + 1));
    sine = select(e > kHuge, 0.5 * e, half);
    sine = select(x < 0, -sine, select(x == 0, x, sine));
  }
  Real timesCosh(Real factor) {
    return select(isLarge, root * 0.5 * factor * root, cosine * factor);
  }
  Real timesSinh(Real factor) {
    Real large = root * 0.5 * factor * root;
    return select(isLarge, select(x < 0, -large, large), sine * factor);
  }

  Real x, size;
  Real cosine = x, sine = x;

private:
  /// Beyond it 1 makes no difference, also in double precision.
  static constexpr double kHuge = 1e17;

  Real root;
  Truth isLarge = {x.context, {}};
};
} // namespace

Complex tessera::importer::sinh(Complex z) {
  Hyperbolics h(z.re);
  return {select(z.re == 0, z.re, h.timesSinh(cos(z.im))),
          select(z.im == 0, z.im, h.timesCosh(sin(z.im)))};
}

Complex tessera::importer::cosh(Complex z) {
  Hyperbolics h(z.re);
  Real im = h.timesSinh(sin(z.im));
  return {h.timesCosh(cos(z.im)),
          select(z.im == 0 || z.re == 0, z.re.number(0), im)};
}

/// `z` times i.
static Complex turned(Complex z) { return {-z.im, z.re}; }
/// `z` divided by i.
static Complex turnedBack(Complex z) { return {z.im, -z.re}; }

Complex tessera::importer::sin(Complex z) {
  return turnedBack(sinh(turned(z)));
}

Complex tessera::importer::cos(Complex z) { return cosh(turned(z)); }

/// (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2), in which
/// nothing cancels. Beyond 40 the imaginary part is 4 sin(y) cos(y) e^(-2|x|).
Complex tessera::importer::tanh(Complex z) {
  Real x = z.re, y = z.im;
  Truth isLarge = abs(x) > 40;
  Real bounded = select(isLarge, x.number(1), x);
  Hyperbolics h(bounded);
  Real cosine = cos(y), product = sin(y) * cosine;
  Real divisor = h.sine * h.sine + cosine * cosine;
  Real limit = select(x < 0, x.number(-1), x.number(1));
  // No number for an angle that is none.
  limit = select(isInfinite(x) || isFinite(y), limit, y - y);
  Real small = 4 * product * exp(-2 * abs(x));
  small = select(isInfinite(x), x.number(0), small);
  Real im = select(isLarge, small, product / divisor);
  return {select(isLarge, limit, h.sine * h.cosine / divisor),
          select(y == 0, y, im)};
}

Complex tessera::importer::tan(Complex z) {
  return turnedBack(tanh(turned(z)));
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

namespace {
/// What the inverses of sine and cosine and of their hyperbolic forms share,
/// for x = |re| and y = |im|: with a = (|z + 1| + |z - 1|) / 2,
/// `root` is sqrt(a^2 - x^2) and `logarithm` is log(a + sqrt(a^2 - 1)).
///
/// T. E. Hull, T. F. Fairgrieve, P. T. P. Tang, "Implementing the complex
/// arcsine and arccosine functions using exception handling" (1997), with
/// their regions as `functional_algorithms` joins them.
class ArcKernel {
public:
  explicit ArcKernel(Complex z)
      : x(abs(z.re)), y(abs(z.im)),
        isSmall(y < limit(std::sqrt(smallest()) * 4) && x < 1), xp1(x + 1),
        xm1(x - 1), r(magnitude({xp1, y})), s(magnitude({xm1, y})),
        a(0.5 * (r + s)), rpxp1(r + xp1), spxm1(s + xm1), smxm1(s - xm1),
        largeEnough(std::sqrt(largest()) / 8) {}

  Real root() {
    Real half = 0.5 * (a + x);
    Real near = sqrt(half * (y * y / rpxp1 + smxm1));
    Real far = y * sqrt(half / rpxp1 + half / spxm1);
    return select(max(x, y) >= largeEnough, y, select(x <= 1, near, far));
  }

  Real logarithm() {
    double large = largeEnough;
    Real halfSquare = 0.5 * (y * y);
    Real above = halfSquare / rpxp1 + 0.5 * spxm1;
    Real below =
        select(a <= 1.5, halfSquare / rpxp1 + halfSquare / smxm1, a - 1);
    Real excess =
        select(isSmall, -(xp1 * xm1 / (a + 1)), select(x >= 1, above, below));
    Real bound =
        select(x < large * 1e12, limit(large * 1e-6), limit(large * 1e2));
    Truth isSteep = y >= bound;
    Real larger = select(isSteep, y, x);
    Real rest = sqrt(excess * (a + 1));
    Real ratio = select(isSteep && y < y.infinity(), x / y, x.number(0));
    Real huge = std::numbers::ln2 + log(larger) + 0.5 * log1p(ratio * ratio);
    return select(larger >= select(isSteep, bound, limit(large)), huge,
                  select(isSmall, y / rest, log1p(excess + rest)));
  }

private:
  double smallest() {
    return APFloat::getSmallestNormalized(x.semantics()).convertToDouble();
  }
  double largest() {
    return APFloat::getLargest(x.semantics()).convertToDouble();
  }
  Real limit(double value) { return x.number(value); }

  Real x, y;
  Truth isSmall;
  Real xp1, xm1, r, s, a, rpxp1, spxm1, smxm1;
  double largeEnough;
};
} // namespace

/// `x` with the sign of `of`; zeros count as positive.
static Real withSign(Real x, Real of) { return select(of < 0, -x, x); }

Complex tessera::importer::asin(Complex z) {
  ArcKernel kernel(z);
  return {atan2(z.re, kernel.root()), withSign(kernel.logarithm(), z.im)};
}

Complex tessera::importer::acos(Complex z) {
  ArcKernel kernel(z);
  return {atan2(kernel.root(), z.re), -withSign(kernel.logarithm(), z.im)};
}

Complex tessera::importer::asinh(Complex z) {
  ArcKernel kernel(turned(z));
  return {withSign(kernel.logarithm(), z.re), atan2(z.im, kernel.root())};
}

Complex tessera::importer::acosh(Complex z) {
  ArcKernel kernel(z);
  return {kernel.logarithm(), withSign(atan2(kernel.root(), z.re), z.im)};
}

/// The logarithm of (1 + z) / (1 - z), half of it. Beyond the square of the
/// least number that absorbs 1, the terms with 1 are left out.
Complex tessera::importer::atanh(Complex z) {
  Real x = z.re, y = z.im, ax = abs(x), ay = abs(y), one = x.number(1);
  double absorbing =
      std::ldexp(1.0, APFloat::semanticsPrecision(x.semantics())) *
      (1 +
       std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(x.semantics()))));
  double bound = absorbing * absorbing;
  Truth isSafe = ax < x.number(bound) && ay < x.number(bound);
  Real rest = 1 - ax, yy = y * y;
  Real far = 1 / (ax / y + y / ax) / y;
  far = select(isInfinite(x) || isInfinite(y), x.number(0), far);
  far = select(ay * absorbing < ax, 1 / ax, far);
  Real argument = select(isSafe, ax / (rest * rest + yy), far);
  Real re = withSign(one, x) * log1p(4 * argument) * 0.25;
  Real angle = select(isSafe, atan2(y + y, rest * (1 + ax) - yy),
                      withSign(one, y) * std::numbers::pi);
  return {re, angle * 0.5};
}

Complex tessera::importer::atan(Complex z) {
  return turnedBack(atanh(turned(z)));
}
