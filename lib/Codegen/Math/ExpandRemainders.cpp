//===- ExpandRemainders.cpp - Remainders of floats as arithmetic ----------===//
//
// Long division: as long as the remainder r is not below the divisor d, some
// multiple q t is taken from it, t = 2^k d. With k so that the quotient has
// fewer bits than a fraction, and q at most one too large because the division
// rounds, the fused multiply-add is exact: its result is a multiple of the last
// bit of t and not larger than t. A step takes away all but two bits of a
// fraction; most remainders need one.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tessera/Codegen/Math/ApproximateMath.h"
#include "tessera/Codegen/Math/RealBuilder.h"
#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

namespace {

/// Builds remainders by long division; see the top of this file.
class RemainderBuilder : public RealBuilder {
public:
  using RealBuilder::RealBuilder;

  /// x - n y, with n so that the result is smaller than y and has the sign of
  /// x; NaN if x is infinite or y zero.
  Value remainder(Value x, Value y) {
    Value divisor = abs(y), magnitude = abs(x);
    Value isDefined =
        both(less(magnitude, std::numeric_limits<double>::infinity()),
             less(number(0), divisor));
    // No loop runs for NaN.
    Value start = select(isDefined, magnitude,
                         number(std::numeric_limits<double>::quiet_NaN()));
    auto loop = scf::WhileOp::create(
        *this, TypeRange{type()}, ValueRange{start},
        [&](OpBuilder &, Location, ValueRange rest) {
          scf::ConditionOp::create(
              *this, anyLane(isAtLeast(rest.front(), divisor)), rest);
        },
        [&](OpBuilder &, Location, ValueRange rest) {
          Value next = select(isAtLeast(rest.front(), divisor),
                              step(rest.front(), divisor), rest.front());
          scf::YieldOp::create(*this, next);
        });
    return withSign(loop.getResult(0), x);
  }

private:
  Value isAtLeast(Value x, Value y) {
    return arith::CmpFOp::create(*this, arith::CmpFPredicate::OGE, x, y);
  }

  /// The exponent of a positive number; subnormal ones are looked at 2^64 times
  /// larger.
  Value exponent(Value x) {
    double least = width() == 64 ? std::numeric_limits<double>::min()
                                 : std::numeric_limits<float>::min();
    Value isSmall = less(x, least);
    Value normal = select(isSmall, mul(x, 0x1p64), x);
    Value biased = shiftRight(bits(normal), integer(fractionBits()));
    return subInteger(biased,
                      select(isSmall, integer(bias() + 64), integer(bias())));
  }

  Value step(Value rest, Value divisor) {
    Value above = subInteger(exponent(rest), exponent(divisor));
    Value k = arith::MaxSIOp::create(
        *this, subInteger(above, integer(fractionBits() - 1)), integer(0));
    // Half of the exponent at a time, as 2^k may be no number.
    Value half = shiftRight(k, integer(1));
    Value multiple =
        mul(mul(divisor, powerOfTwo(half)), powerOfTwo(subInteger(k, half)));
    Value quotient = truncate(div(rest, multiple));
    Value next = fma(negate(quotient), multiple, rest);
    return select(less(next, 0), add(next, multiple), next);
  }
};

} // namespace

void codegen::expandRemainders(ModuleOp module) {
  module.walk([](arith::RemFOp op) {
    Type type = op.getType(), wide = type;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    // Remainders of short numbers are short numbers.
    bool isShort = getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32;
    if (isShort) {
      auto vector = dyn_cast<VectorType>(type);
      wide = vector ? Type(vector.clone(b.getF32Type())) : b.getF32Type();
    }
    auto widen = [&](Value value) -> Value {
      return isShort ? arith::ExtFOp::create(b, wide, value) : value;
    };
    Value x = widen(op.getLhs()), y = widen(op.getRhs());
    Value result = RemainderBuilder(op, wide).remainder(x, y);
    if (isShort)
      result = arith::TruncFOp::create(b, type, result);
    op.replaceAllUsesWith(result);
    op.erase();
  });
}
