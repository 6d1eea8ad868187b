//===- BlockQuantization.cpp - blocks of bytes with a scale ---------------===//

#include "Quantization/BlockQuantization.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// The byte of what is infinite or a NaN, which no multiple has.
static constexpr float kNotFinite = -128;

/// `number` at every place of a tensor like `value`.
static Value splat(OpBuilder &builder, Location loc, Value value,
                   float number) {
  RankedTensorType type = typeOf(value);
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getF32FloatAttr(number)));
}

/// `scales` for every number of the blocks, which have the shape of `like`.
static Value repeatScales(OpBuilder &builder, Location loc, Value scales,
                          Value like) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(scales).getRank()));
  return BroadcastOp::create(builder, loc, typeOf(scales).clone(shapeOf(like)),
                             scales, dims);
}

/// Where `value` is neither infinite nor a NaN.
static Value isFinite(OpBuilder &builder, Location loc, Value value) {
  return arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OLT,
      math::AbsFOp::create(builder, loc, value),
      splat(builder, loc, value, std::numeric_limits<float>::infinity()));
}

QuantizedBlocks communicate::quantize(OpBuilder &builder, Location loc,
                                      Value value) {
  RankedTensorType type = typeOf(value);
  Value isKept = isFinite(builder, loc, value);
  Value magnitude = arith::SelectOp::create(
      builder, loc, isKept, math::AbsFOp::create(builder, loc, value),
      splat(builder, loc, value, 0));
  Value largest = ReduceOp::create(
      builder, loc, type.clone(type.getShape().drop_back()),
      ReductionAttr::get(builder.getContext(), ReductionKind::Max), magnitude,
      ArrayRef<int64_t>{type.getRank() - 1});
  Value scale = arith::MulFOp::create(builder, loc, largest,
                                      splat(builder, loc, largest, 1.0f / 127));
  // Of blocks of zeros, whatever is no zero.
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       scale, splat(builder, loc, scale, 0));
  scale = arith::SelectOp::create(builder, loc, isZero,
                                  splat(builder, loc, scale, 1), scale);
  Value multiple = math::RoundEvenOp::create(
      builder, loc,
      arith::DivFOp::create(builder, loc, value,
                            repeatScales(builder, loc, scale, value)));
  // A scale of few bits, next to zero, may be too small.
  multiple = arith::MaximumFOp::create(builder, loc, multiple,
                                       splat(builder, loc, multiple, -127));
  multiple = arith::MinimumFOp::create(builder, loc, multiple,
                                       splat(builder, loc, multiple, 127));
  multiple = arith::SelectOp::create(builder, loc, isKept, multiple,
                                     splat(builder, loc, multiple, kNotFinite));
  Value numbers = arith::FPToSIOp::create(
      builder, loc, type.clone(builder.getI8Type()), multiple);
  return {numbers, scale};
}

Value communicate::dequantize(OpBuilder &builder, Location loc,
                              const QuantizedBlocks &blocks) {
  Value numbers = arith::SIToFPOp::create(
      builder, loc, typeOf(blocks.numbers).clone(builder.getF32Type()),
      blocks.numbers);
  Value isNone =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, numbers,
                            splat(builder, loc, numbers, kNotFinite));
  numbers = arith::SelectOp::create(
      builder, loc, isNone,
      splat(builder, loc, numbers, std::numeric_limits<float>::quiet_NaN()),
      numbers);
  return arith::MulFOp::create(
      builder, loc, numbers,
      repeatScales(builder, loc, blocks.scales, numbers));
}

Value communicate::residualOf(OpBuilder &builder, Location loc, Value value,
                              const QuantizedBlocks &blocks) {
  Value residual = arith::SubFOp::create(builder, loc, value,
                                         dequantize(builder, loc, blocks));
  return arith::SelectOp::create(builder, loc, isFinite(builder, loc, residual),
                                 residual, splat(builder, loc, residual, 0));
}
