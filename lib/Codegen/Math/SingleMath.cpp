//===- SingleMath.cpp - Mathematical functions of f32 ---------------------===//

#include "SingleMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>
#include <numbers>

using namespace mlir;
using namespace tessera::codegen;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// ln 2 in two parts, of which the first has few enough bits that multiples of
/// it by exponents are exact.
static constexpr double kLn2High = 0x1.62e4p-1;
static constexpr double kLn2Low = std::numbers::ln2 - kLn2High;

/// 2^n e^r with |r| < 0.35; n is added to the exponent of e^r.
Value SingleMath::exp(Value x) {
  // Between these results are normal numbers.
  constexpr double least = -0x1.5d589ep6, most = 0x1.62e42ep6;
  Value n = round(mul(x, std::numbers::log2e));
  Value r = fma(n, -kLn2Low, fma(n, -kLn2High, x));
  Value power = polynomial(r, inverseFactorials(0, 1, 8, 1));
  Value exponent = shiftLeft(toInteger(n), integer(fractionBits()));
  Value result = fromBits(addInteger(bits(power), exponent));
  result = select(less(x, least), number(0), result);
  // NaN, or infinity.
  Value isSmall =
      arith::CmpFOp::create(*this, arith::CmpFPredicate::OLE, x, number(most));
  return select(isSmall, result, add(x, kInfinity));
}

/// 2 (2^(n-1) (e^r - 1) + 2^(n-1) - 1/2), |r| < 0.35.
Value SingleMath::expm1(Value x) {
  Value clamped = select(less(x, -20), -20, x);
  clamped = select(less(number(89), clamped), 89, clamped);
  Value n = round(mul(clamped, std::numbers::log2e));
  Value r = fma(n, -kLn2Low, fma(n, -kLn2High, clamped));
  Value tail = polynomial(r, inverseFactorials(2, 1, 7, 1));
  Value rest = fma(mul(r, r), tail, r);
  Value scale = powerOfTwo(subInteger(toInteger(n), integer(1)));
  Value result = mul(fma(rest, scale, add(scale, -0.5)), 2);
  return select(less(abs(x), 0x1p-30), x, result);
}

/// A polynomial for normal numbers.
Value SingleMath::log(Value x) {
  Value isSmall = less(x, std::numeric_limits<float>::min());
  Value normal = select(isSmall, mul(x, 0x1p24), x);
  Value moved = select(isSmall, -24 * std::numbers::ln2, number(0));
  return add(math::LogOp::create(*this, normal), moved);
}

/// t / (t + 2), t = e^2x - 1.
Value SingleMath::tanh(Value x) {
  Value a = abs(x), t = expm1(mul(a, 2));
  Value ratio = div(t, add(t, 2));
  return withSign(select(less(number(10), a), 1, ratio), x);
}

/// x + x P(x x) to 0.92, then 1 - e^(Q(x) - x), of which P and Q were
/// interpolated.
Value SingleMath::erf(Value x) {
  constexpr double small[] = {0.1283791666,   -0.3761263352,  0.1128369152,
                              -0.02685915147, 0.005200368587, -0.0008134709332,
                              8.334718615e-05};
  constexpr double large[] = {
      0.0003628993326, -0.1304466949,   -0.6313739073,   -0.1106159898,
      0.02681335481,   -0.004943877761, 0.0006525363406, -5.654668978e-05,
      2.754702862e-06, -5.148567375e-08};
  Value a = abs(x), isSmall = less(a, 0.92);
  Value near = fma(a, polynomial(mul(a, a), small), a);
  Value bounded = select(less(number(4), a), 4, a);
  Value far = exp(sub(polynomial(bounded, large), bounded));
  Value result = select(isSmall, near, sub(number(1), far));
  return select(isNan(x), x, withSign(result, x));
}

Value SingleMath::evaluate(Operation *op) {
  Value x = op->getOperand(0);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::ExpOp>([&](auto) { return exp(x); })
      .Case<math::ExpM1Op>([&](auto) { return expm1(x); })
      .Case<math::LogOp>([&](auto) { return log(x); })
      .Case<math::TanhOp>([&](auto) { return tanh(x); })
      .Case<math::ErfOp>([&](auto) { return erf(x); })
      .Case<math::SinOp>([&](auto) { return sine(x); })
      .Case<math::CosOp>([&](auto) { return cosine(x); })
      .Case<math::AtanOp>([&](auto) { return arctangent(x); })
      .Case<math::Atan2Op>([&](auto atan2) { return angle(x, atan2.getRhs()); })
      .Default([](Operation *) { return Value(); });
}
