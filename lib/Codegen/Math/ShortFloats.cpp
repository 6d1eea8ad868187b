//===- ShortFloats.cpp - Conversions to and from f16 and bf16 -------------===//
//
// To round a number to f32 first and then to 16 bits gives what rounding it
// once would if the first result, where it is not exact, has an odd last bit
// (Boldo, Melquiond: Emulation of FMA and correctly rounded sums, 2008). So f64
// is rounded, and so are integers that f64 does not hold.
//
// LLVM has no instructions for these conversions on most processors, and calls
// functions of a compiler's library, one element at a time.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Math/ShortFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tessera/Codegen/Math/RealBuilder.h"

using namespace mlir;
using namespace tessera::codegen;

static bool isShortFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// `type` with elements of `element`.
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

/// `value` (f64) as f32, rounded to odd.
static Value roundToOdd(Operation *op, Value value) {
  RealBuilder wide(op, value.getType());
  Type single = wide.like(wide.getF32Type());
  RealBuilder b(op, single);
  Value nearest = arith::TruncFOp::create(b, single, value);
  Value widened = arith::ExtFOp::create(b, value.getType(), nearest);
  Value isExact = wide.equal(widened, value);
  Value isLarger = wide.less(wide.abs(value), wide.abs(widened));
  Value word = b.bits(nearest);
  Value down =
      b.subInteger(word, arith::ExtUIOp::create(b, word.getType(), isLarger));
  Value odd = b.bitOr(down, b.integer(1));
  return b.fromBits(b.select(isExact, word, odd));
}

/// `value`, integers of 64 bits, rounded to odd so that f64 holds them.
static Value keepFractionBits(Operation *op, Value value, bool isSigned) {
  RealBuilder b(op, withElement(value.getType(), Builder(op).getF64Type()));
  constexpr uint64_t limit = uint64_t(1) << 53, dropped = 0x7ff;
  Value shifted = isSigned ? b.addInteger(value, b.integer(limit)) : value;
  Value isExact =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, shifted,
                            b.integer(isSigned ? 2 * limit : limit));
  Value isInexact = b.isNonzero(b.bitAnd(value, b.integer(dropped)));
  Value last = b.select(isInexact, b.integer(dropped + 1), b.integer(0));
  Value odd = b.bitOr(b.bitAnd(value, b.integer(~dropped)), last);
  return b.select(isExact, value, odd);
}

/// The integers `value` as floats that, rounded to `to`, are as if rounded
/// once: f32 if that is so for all of them.
static Value floatOfInteger(Operation *op, Value value, Type to) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  unsigned width =
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  bool isSigned = isa<arith::SIToFPOp>(op);
  // An integer that f32 does not hold is infinite in f16.
  bool fitsSingle = width <= 24 || getElementTypeOrSelf(to).isF16();
  if (width > 53 && !fitsSingle)
    value = keepFractionBits(op, value, isSigned);
  Type type = withElement(to, fitsSingle ? b.getF32Type() : b.getF64Type());
  return isSigned ? arith::SIToFPOp::create(b, type, value).getResult()
                  : arith::UIToFPOp::create(b, type, value).getResult();
}

/// Makes the conversion `op` to 16 bits a truncation of f32.
static void narrowFromSingle(Operation *op) {
  Value value = op->getOperand(0);
  Type to = op->getResult(0).getType();
  if (!isa<arith::TruncFOp>(op))
    value = floatOfInteger(op, value, to);
  if (getElementTypeOrSelf(value.getType()).isF64())
    value = roundToOdd(op, value);
  OpBuilder b(op);
  auto narrowed = arith::TruncFOp::create(b, op->getLoc(), to, value);
  op->getResult(0).replaceAllUsesWith(narrowed);
  op->erase();
}

void tessera::codegen::convertShortFloatsBySingle(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op) &&
        isShortFloat(op->getOperand(0).getType())) {
      OpBuilder b(op);
      Value value = op->getOperand(0);
      op->setOperand(
          0, arith::ExtFOp::create(b, op->getLoc(),
                                   withElement(value.getType(), b.getF32Type()),
                                   value));
      return;
    }
    bool fromInteger = isa<arith::SIToFPOp, arith::UIToFPOp>(op);
    bool fromDouble = isa<arith::TruncFOp>(op) &&
                      getElementTypeOrSelf(op->getOperand(0)).isF64();
    if ((fromInteger || fromDouble) && isShortFloat(op->getResult(0).getType()))
      narrowFromSingle(op);
  });
}

LogicalResult tessera::codegen::expandBFloat16(ModuleOp module) {
  SmallVector<Operation *> conversions;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        (getElementTypeOrSelf(op->getOperand(0)).isBF16() ||
         getElementTypeOrSelf(op->getResult(0)).isBF16()))
      conversions.push_back(op);
  });
  if (conversions.empty())
    return success();
  RewritePatternSet patterns(module.getContext());
  arith::populateExpandBFloat16Patterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  return applyOpPatternsGreedily(conversions, std::move(patterns), config);
}
