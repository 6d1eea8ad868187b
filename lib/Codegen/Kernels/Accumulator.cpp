//===- Accumulator.cpp - Reductions of elements ---------------------------===//

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Kernels/NestLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

Accumulator::Accumulator(CodeBuilder &b, ReduceOp reduce)
    : Accumulator(b, reduce.getKind().getKind(),
                  getElementTypeOrSelf(reduce.getType())) {}

Accumulator::Accumulator(CodeBuilder &b, ReductionKind kind, Type element)
    : b(b), kind(kind), element(element), accumulated(element) {
  if (element.isF16() || element.isBF16())
    accumulated = b.getF32Type();
}

static TypedAttr neutralValue(OpBuilder &b, ReductionKind kind, Type type) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (kind) {
    case ReductionKind::Product:
      return b.getFloatAttr(type, 1.0);
    case ReductionKind::Min:
      return b.getFloatAttr(type, APFloat::getInf(semantics));
    case ReductionKind::Max:
      return b.getFloatAttr(type, APFloat::getInf(semantics, true));
    default:
      return b.getFloatAttr(type, 0.0);
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReductionKind::Product:
    return b.getIntegerAttr(type, APInt(width, 1));
  case ReductionKind::Min:
    return b.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  case ReductionKind::Max:
    return b.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case ReductionKind::And:
    return b.getIntegerAttr(type, APInt::getAllOnes(width));
  default:
    return b.getIntegerAttr(type, APInt::getZero(width));
  }
}

Value Accumulator::neutral(unsigned lanes) {
  return b.splat(CodeBuilder::vectorOf(accumulated, lanes),
                 neutralValue(b, kind, accumulated));
}

static Type like(Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
}

Value Accumulator::widen(Value value) {
  return accumulated == element
             ? value
             : b.make<arith::ExtFOp>(like(value, accumulated), value);
}

Value Accumulator::narrow(Value value) {
  return accumulated == element
             ? value
             : b.make<arith::TruncFOp>(like(value, element), value);
}

Value Accumulator::combine(Value x, Value y) {
  bool floating = isa<FloatType>(accumulated);
  switch (kind) {
  case ReductionKind::Sum:
    return floating ? b.make<arith::AddFOp>(x, y) : b.make<arith::AddIOp>(x, y);
  case ReductionKind::Product:
    return floating ? b.make<arith::MulFOp>(x, y) : b.make<arith::MulIOp>(x, y);
  case ReductionKind::Min:
    return floating ? b.make<arith::MinimumFOp>(x, y)
                    : b.make<arith::MinSIOp>(x, y);
  case ReductionKind::Max:
    return floating ? b.make<arith::MaximumFOp>(x, y)
                    : b.make<arith::MaxSIOp>(x, y);
  case ReductionKind::And:
    return b.make<arith::AndIOp>(x, y);
  case ReductionKind::Or:
    return b.make<arith::OrIOp>(x, y);
  case ReductionKind::Xor:
    return b.make<arith::XOrIOp>(x, y);
  }
  llvm_unreachable("unknown reduction");
}

Value Accumulator::across(Value vector) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  // Halves are combined until one lane is left.
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < half; ++lane) {
      low.push_back(lane);
      high.push_back(half + lane);
    }
    Value x = b.make<vector::ShuffleOp>(vector, vector, low);
    Value y = b.make<vector::ShuffleOp>(vector, vector, high);
    vector = combine(x, y);
  }
  return b.make<vector::ExtractOp>(vector, ArrayRef<int64_t>{0});
}
