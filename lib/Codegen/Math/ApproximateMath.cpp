//===- ApproximateMath.cpp - Functions of f32 as arithmetic ---------------===//
//
// MLIR has polynomials for most functions. Here it is decided which of them are
// used, and which are replaced because they are wrong by more than 3 units in
// the last place somewhere (MathTest).
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Math/ApproximateMath.h"
#include "SingleMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tessera/Codegen/Math/DoubleMath.h"

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

/// Functions of f64 of which the C library, or what MLIR makes of them, is not
/// right to 3 units in the last place for all arguments. Null for other
/// operations.
static Value expandDouble(Operation *op) {
  if (!isa<math::ExpM1Op, math::Log1pOp, math::CbrtOp, math::SinOp, math::CosOp,
           math::TanOp>(op) ||
      !getElementTypeOrSelf(op->getResult(0).getType()).isF64())
    return {};
  return evaluateInDouble(op);
}

/// What replaces `op`: a function of the same name in it is right but for the
/// ends. Null: nothing.
static Value expandSingle(Operation *op) {
  // Those of which MLIR's polynomials are not right to 3 units in the last
  // place, and which are rare.
  if (isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
          math::AtanhOp, math::CbrtOp, math::CoshOp, math::ErfcOp, math::PowFOp,
          math::SinhOp, math::TanOp>(op))
    return evaluateInDouble(op);
  return SingleMath(op, op->getResult(0).getType()).evaluate(op);
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
