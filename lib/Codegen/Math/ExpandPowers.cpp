//===- ExpandPowers.cpp - Powers of integers as products ------------------===//
//
// By repeated squaring: the loop ends when no lane has bits of its exponent
// left. Overflow wraps around.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "tessera/Codegen/Math/ApproximateMath.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Emits arithmetic on integers of one type, or vectors of them, before `op`.
class PowerBuilder : public ImplicitLocOpBuilder {
public:
  explicit PowerBuilder(math::IPowIOp op)
      : ImplicitLocOpBuilder(op.getLoc(), op), type(op.getType()) {}

  /// `base` to the power of `exponent`; to a negative one it is rounded to 0
  /// unless `base` is 1 or -1.
  Value power(Value base, Value exponent) {
    Value isNegative = compare(arith::CmpIPredicate::slt, exponent, 0);
    Value isOne = compare(arith::CmpIPredicate::eq, base, 1);
    Value isMinusOne = compare(arith::CmpIPredicate::eq, base, -1);
    Value last = arith::AndIOp::create(*this, exponent, integer(1));
    Value bits = arith::SelectOp::create(*this, isNegative, last, exponent);
    Value product = multiply(base, bits);
    Value inverse = arith::SelectOp::create(
        *this, arith::OrIOp::create(*this, isOne, isMinusOne), product,
        integer(0));
    return arith::SelectOp::create(*this, isNegative, inverse, product);
  }

private:
  Value integer(int64_t value) {
    TypedAttr scalar = getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      scalar = SplatElementsAttr::get(vector, Attribute(scalar));
    return arith::ConstantOp::create(*this, scalar);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, int64_t y) {
    return arith::CmpIOp::create(*this, predicate, x, integer(y));
  }

  /// Whether a lane of `exponent` has bits left.
  Value hasBits(Value exponent) {
    Value any = compare(arith::CmpIPredicate::ne, exponent, 0);
    if (!isa<VectorType>(type))
      return any;
    return vector::ReductionOp::create(*this, vector::CombiningKind::OR, any);
  }

  /// The product of the powers of `base` that the bits of `exponent` stand for.
  Value multiply(Value base, Value exponent) {
    auto loop = scf::WhileOp::create(
        *this, TypeRange{type, type, type},
        ValueRange{integer(1), base, exponent},
        [&](OpBuilder &, Location, ValueRange state) {
          scf::ConditionOp::create(*this, hasBits(state[2]), state);
        },
        [&](OpBuilder &, Location, ValueRange state) {
          Value last = arith::AndIOp::create(*this, state[2], integer(1));
          Value more = arith::MulIOp::create(*this, state[0], state[1]);
          Value result = arith::SelectOp::create(
              *this, compare(arith::CmpIPredicate::ne, last, 0), more,
              state[0]);
          Value factor = arith::MulIOp::create(*this, state[1], state[1]);
          Value rest = arith::ShRUIOp::create(*this, state[2], integer(1));
          scf::YieldOp::create(*this, ValueRange{result, factor, rest});
        });
    return loop.getResult(0);
  }

  Type type;
};

} // namespace

void codegen::expandIntegerPowers(ModuleOp module) {
  module.walk([](math::IPowIOp op) {
    op.replaceAllUsesWith(PowerBuilder(op).power(op.getLhs(), op.getRhs()));
    op.erase();
  });
}
