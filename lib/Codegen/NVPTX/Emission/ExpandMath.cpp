//===- ExpandMath.cpp - Mathematical functions on a GPU -------------------===//
//
// Functions of f32 are the polynomials that the CPU uses, but for those that a
// special function unit gives to the last bits: 2^x for small x, 1 / sqrt(x).
// Those that have no polynomial are computed in f64, as are functions of f64
// themselves (DoubleMath.h).
//
//===----------------------------------------------------------------------===//

#include "Emission/ExpandMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "tessera/Codegen/Math/ApproximateMath.h"
#include "tessera/Codegen/Math/DoubleMath.h"
#include "tessera/Codegen/Math/ShortFloats.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

namespace {

/// Emits arithmetic on values of one type: f32 or vectors of it.
class FloatBuilder : public ImplicitLocOpBuilder {
public:
  FloatBuilder(Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op),
        type(op->getResult(0).getType()) {}

  Value constant(float value) { return splat(type, getF32FloatAttr(value)); }
  Value splat(Type like, TypedAttr scalar) {
    if (auto vector = dyn_cast<VectorType>(like))
      scalar = SplatElementsAttr::get(vector, Attribute(scalar));
    return arith::ConstantOp::create(*this, scalar);
  }
  Value mul(Value x, Value y) { return arith::MulFOp::create(*this, x, y); }
  Value fma(Value x, float y, Value z) {
    return math::FmaOp::create(*this, x, constant(y), z);
  }
  /// 2^n for integers n in [-127, 128]; 0 and infinity at the ends.
  Value powerOfTwo(Value n) {
    Type integer = getI32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      integer = vector.clone(integer);
    Value exponent = arith::FPToSIOp::create(*this, integer, n);
    exponent = arith::AddIOp::create(*this, exponent,
                                     splat(integer, getI32IntegerAttr(127)));
    exponent = arith::ShLIOp::create(*this, exponent,
                                     splat(integer, getI32IntegerAttr(23)));
    return arith::BitcastOp::create(*this, type, exponent);
  }

  Type type;
};

} // namespace

/// e^x = 2^n 2^f with n the integer below x log2(e), f computed with ln 2 in
/// two parts (Cody and Waite), 2^f by the special function unit.
static void expandExp(math::ExpOp op) {
  FloatBuilder b(op);
  constexpr float log2e = 1.44269504f;
  constexpr float ln2High = 0.693145752f, ln2Low = 1.42860677e-6f;
  Value x = op.getOperand();
  Value n = math::FloorOp::create(b, b.mul(x, b.constant(log2e)));
  n = arith::MaxNumFOp::create(b, n, b.constant(-127));
  n = arith::MinNumFOp::create(b, n, b.constant(128));
  Value rest = b.fma(n, -ln2Low, b.fma(n, -ln2High, x));
  Value fraction =
      LLVM::Exp2Op::create(b, b.type, b.mul(rest, b.constant(log2e)));
  op.replaceAllUsesWith(b.mul(fraction, b.powerOfTwo(n)));
  op.erase();
}

/// For each element of `op`, which has one operand, the intrinsic `name`.
static void replaceByIntrinsic(Operation *op, StringRef name) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto call = [&](Value operand) -> Value {
    return LLVM::CallIntrinsicOp::create(
               b, operand.getType(), b.getStringAttr(name), ValueRange{operand})
        .getResult(0);
  };
  Value operand = op->getOperand(0), result;
  if (auto vector = dyn_cast<VectorType>(operand.getType())) {
    result = operand;
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value lane = arith::ConstantOp::create(b, b.getI32IntegerAttr(i));
      Value element = LLVM::ExtractElementOp::create(b, operand, lane);
      result = LLVM::InsertElementOp::create(b, result, call(element), lane);
    }
  } else {
    result = call(operand);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// What LLVM has instructions for, on integers or floats.
static bool isInstruction(Operation *op) {
  return isa<math::FmaOp, math::SqrtOp, math::AbsFOp, math::FloorOp,
             math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp,
             math::CopySignOp, math::AbsIOp, math::CtPopOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}

/// Replaces `op` by arithmetic on f64.
static LogicalResult replaceByDouble(Operation *op) {
  Value result = codegen::evaluateInDouble(op);
  if (!result)
    return op->emitError("unsupported operation: '")
           << op->getName() << "' of " << op->getResult(0).getType()
           << " has no code for GPUs";
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return success();
}

/// Comparisons of bf16 are done in f32: for compute capability 9.0 LLVM 22
/// writes instructions that ptxas refuses (`setp.ftz.bf16`), also for compared
/// extensions, which it takes for comparisons of what is extended. So the bits
/// are moved.
static void compareInSingle(arith::CmpFOp op) {
  Type type = op.getLhs().getType();
  if (!getElementTypeOrSelf(type).isBF16())
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto like = [&](Type element) -> Type {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? Type(vector.clone(element)) : element;
  };
  TypedAttr half = b.getI32IntegerAttr(16);
  if (auto vector = dyn_cast<VectorType>(like(b.getI32Type())))
    half = SplatElementsAttr::get(vector, Attribute(half));
  Value shift = arith::ConstantOp::create(b, half);
  for (OpOperand &operand : op->getOpOperands()) {
    Value bits =
        arith::BitcastOp::create(b, like(b.getI16Type()), operand.get());
    Value word = arith::ExtUIOp::create(b, like(b.getI32Type()), bits);
    word = arith::ShLIOp::create(b, word, shift);
    operand.set(arith::BitcastOp::create(b, like(b.getF32Type()), word));
  }
}

LogicalResult nvptx::expandMath(ModuleOp module) {
  module.walk(compareInSingle);
  module.walk([](Operation *op) {
    if (op->getNumResults() != 1 ||
        !getElementTypeOrSelf(op->getResult(0)).isF32())
      return;
    if (auto exp = dyn_cast<math::ExpOp>(op))
      expandExp(exp);
    else if (isa<math::RsqrtOp>(op))
      replaceByIntrinsic(op, "llvm.nvvm.rsqrt.approx.ftz.f");
  });
  codegen::expandReciprocalRoots(module);
  codegen::expandRemainders(module);
  codegen::expandIntegerPowers(module);
  codegen::convertShortFloatsBySingle(module);
  if (failed(codegen::approximateMath(module)))
    return failure();
  SmallVector<Operation *> rest;
  module.walk([&](Operation *op) {
    if (isa<math::MathDialect>(op->getDialect()) && !isInstruction(op))
      rest.push_back(op);
  });
  return success(llvm::all_of(
      rest, [](Operation *op) { return succeeded(replaceByDouble(op)); }));
}
