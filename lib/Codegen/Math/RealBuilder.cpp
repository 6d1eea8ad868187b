//===- RealBuilder.cpp - Emits arithmetic of f32 or f64 -------------------===//

#include "tessera/Codegen/Math/RealBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera::codegen;

RealBuilder::RealBuilder(Operation *op, Type type)
    : ImplicitLocOpBuilder(op->getLoc(), op), numberType(type),
      isDouble(getElementTypeOrSelf(type).isF64()) {
  assert((isDouble || getElementTypeOrSelf(type).isF32()) &&
         "expected numbers of f32 or f64");
}

Type RealBuilder::like(Type element) const {
  auto vector = dyn_cast<VectorType>(numberType);
  return vector ? Type(vector.clone(element)) : element;
}

static TypedAttr splat(Type type, TypedAttr scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    return SplatElementsAttr::get(vector, Attribute(scalar));
  return scalar;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value RealBuilder::number(double value) {
  TypedAttr scalar = getFloatAttr(getElementTypeOrSelf(numberType), value);
  return arith::ConstantOp::create(*this, splat(numberType, scalar));
}
Value RealBuilder::add(Value x, Value y) {
  return arith::AddFOp::create(*this, x, y);
}
Value RealBuilder::sub(Value x, Value y) {
  return arith::SubFOp::create(*this, x, y);
}
Value RealBuilder::mul(Value x, Value y) {
  return arith::MulFOp::create(*this, x, y);
}
Value RealBuilder::div(Value x, Value y) {
  return arith::DivFOp::create(*this, x, y);
}
Value RealBuilder::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(*this, x, y, z);
}
Value RealBuilder::negate(Value x) { return arith::NegFOp::create(*this, x); }
Value RealBuilder::abs(Value x) { return math::AbsFOp::create(*this, x); }
Value RealBuilder::root(Value x) { return math::SqrtOp::create(*this, x); }
Value RealBuilder::round(Value x) {
  return math::RoundEvenOp::create(*this, x);
}
Value RealBuilder::truncate(Value x) { return math::TruncOp::create(*this, x); }
Value RealBuilder::withSign(Value magnitude, Value sign) {
  return math::CopySignOp::create(*this, magnitude, sign);
}

Value RealBuilder::polynomial(Value x, ArrayRef<double> c) {
  Value sum = number(c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(sum, x, number(coefficient));
  return sum;
}

Value RealBuilder::powerOfTwo(Value n) {
  Value exponent = addInteger(n, integer(bias()));
  return fromBits(shiftLeft(exponent, integer(fractionBits())));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Value RealBuilder::less(Value x, Value y) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, x, y);
}
Value RealBuilder::equal(Value x, Value y) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, x, y);
}
Value RealBuilder::isNan(Value x) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::UNO, x, x);
}
Value RealBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(*this, condition, x, y);
}
Value RealBuilder::both(Value x, Value y) {
  return arith::AndIOp::create(*this, x, y);
}
Value RealBuilder::anyLane(Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  return vector::ReductionOp::create(*this, vector::CombiningKind::OR,
                                     condition);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Value RealBuilder::integer(uint64_t value) {
  TypedAttr scalar = IntegerAttr::get(getIntegerType(width()),
                                      APInt(width(), value, /*isSigned=*/false,
                                            /*implicitTrunc=*/true));
  return arith::ConstantOp::create(
      *this, splat(like(getIntegerType(width())), scalar));
}
Value RealBuilder::toInteger(Value x) {
  return arith::FPToSIOp::create(*this, like(getIntegerType(width())), x);
}
Value RealBuilder::fromInteger(Value x) {
  return arith::SIToFPOp::create(*this, numberType, x);
}
Value RealBuilder::fromUnsigned(Value x) {
  return arith::UIToFPOp::create(*this, numberType, x);
}
Value RealBuilder::bits(Value x) {
  return arith::BitcastOp::create(*this, like(getIntegerType(width())), x);
}
Value RealBuilder::fromBits(Value x) {
  return arith::BitcastOp::create(*this, numberType, x);
}
Value RealBuilder::addInteger(Value x, Value y) {
  return arith::AddIOp::create(*this, x, y);
}
Value RealBuilder::subInteger(Value x, Value y) {
  return arith::SubIOp::create(*this, x, y);
}
Value RealBuilder::bitAnd(Value x, Value y) {
  return arith::AndIOp::create(*this, x, y);
}
Value RealBuilder::bitOr(Value x, Value y) {
  return arith::OrIOp::create(*this, x, y);
}
Value RealBuilder::bitXor(Value x, Value y) {
  return arith::XOrIOp::create(*this, x, y);
}
Value RealBuilder::shiftLeft(Value x, Value count) {
  return arith::ShLIOp::create(*this, x, count);
}
Value RealBuilder::shiftRight(Value x, Value count) {
  return arith::ShRUIOp::create(*this, x, count);
}
Value RealBuilder::isNonzero(Value x) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, x, integer(0));
}

SmallVector<double> tessera::codegen::inverseFactorials(unsigned first,
                                                        unsigned step,
                                                        unsigned count,
                                                        double sign) {
  SmallVector<double> list;
  double factor = 1;
  for (unsigned k = 1; k <= first; ++k)
    factor /= k;
  for (unsigned i = 0, k = first; i < count; ++i) {
    list.push_back(factor);
    for (unsigned j = 0; j < step; ++j)
      factor /= ++k;
    factor *= sign;
  }
  return list;
}

SmallVector<double> tessera::codegen::inverseOddNumbers(unsigned count,
                                                        double sign) {
  SmallVector<double> list;
  for (unsigned i = 0; i < count; ++i)
    list.push_back((i % 2 ? sign : 1.0) / (2 * i + 1));
  return list;
}
