//===- ApproximateMath.cpp - Functions of f32 as arithmetic ---------------===//
//
// MLIR has polynomials for most functions. Here are those that it has not, or
// not for all arguments: angles, and numbers at the ends (zeros of both signs,
// infinities).
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Math/ApproximateMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tessera/Codegen/Math/DoubleMath.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

void codegen::expandReciprocalRoots(ModuleOp module) {
  module.walk([](math::RsqrtOp op) {
    RealBuilder b(op, op.getType());
    op.replaceAllUsesWith(b.div(b.number(1), b.root(op.getOperand())));
    op.erase();
  });
}

/// MLIR computes e^x - 1 and log(1 + x) of f64 from e^x and log x, which loses
/// what is small. Null for other operations.
static Value expandDouble(Operation *op) {
  if (!isa<math::ExpM1Op, math::Log1pOp>(op) ||
      !getElementTypeOrSelf(op->getResult(0)).isF64())
    return {};
  return DoubleMath(op, op->getResult(0).getType())
      .evaluate(op, op->getOperands());
}

/// What replaces `op`: all of it, or with a function in it that is right but
/// for the ends. Null: nothing.
static Value expandSingle(Operation *op) {
  CircularFunctions b(op, op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<math::SinOp>([&](auto sin) { return b.sine(sin.getOperand()); })
      .Case<math::CosOp>([&](auto cos) { return b.cosine(cos.getOperand()); })
      .Case<math::TanOp>([&](auto tan) { return b.tangent(tan.getOperand()); })
      .Case<math::AtanOp>(
          [&](auto atan) { return b.arctangent(atan.getOperand()); })
      .Case<math::Atan2Op>(
          [&](auto atan2) { return b.angle(atan2.getLhs(), atan2.getRhs()); })
      // It is odd.
      .Case<math::ErfOp>([&](auto erf) {
        Value x = erf.getOperand();
        return b.withSign(math::ErfOp::create(b, x), x);
      })
      // Infinities and NaN stay.
      .Case<math::CbrtOp>([&](auto cbrt) {
        Value x = cbrt.getOperand();
        Value isFinite =
            b.less(b.abs(x), std::numeric_limits<double>::infinity());
        return b.select(isFinite, math::CbrtOp::create(b, x), x);
      })
      .Default([](Operation *) { return Value(); });
}

/// Functions of f32 that are no instructions.
static SmallVector<Operation *> findFunctions(ModuleOp module) {
  SmallVector<Operation *> functions;
  module.walk([&](Operation *op) {
    bool isInstruction =
        isa<math::FmaOp, math::SqrtOp, math::AbsFOp, math::FloorOp,
            math::CeilOp, math::RoundEvenOp, math::CopySignOp, math::AbsIOp>(
            op);
    if (isa<math::MathDialect>(op->getDialect()) && !isInstruction &&
        getElementTypeOrSelf(op->getResult(0)).isF32())
      functions.push_back(op);
  });
  return functions;
}

LogicalResult codegen::approximateMath(ModuleOp module) {
  auto replace = [](Operation *op, Value result) {
    if (!result)
      return;
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  };
  module.walk([&](Operation *op) { replace(op, expandDouble(op)); });
  for (Operation *op : findFunctions(module))
    replace(op, expandSingle(op));
  SmallVector<Operation *> functions = findFunctions(module);
  if (functions.empty())
    return success();
  RewritePatternSet patterns(module.getContext());
  auto always = [](StringRef) { return true; };
  populateMathF32ExpansionPatterns(patterns, always);
  populateMathPolynomialApproximationPatterns(patterns, always);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(functions, std::move(patterns), config);
}
