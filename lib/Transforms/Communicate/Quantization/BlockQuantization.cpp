//===- BlockQuantization.cpp - numbers as bytes with a scale for each block
//===//

#include "Quantization/BlockQuantization.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

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

QuantizedBlocks communicate::quantize(OpBuilder &builder, Location loc,
                                      Value value) {
  RankedTensorType type = typeOf(value);
  Value magnitude = math::AbsFOp::create(builder, loc, value);
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
  // What is no number cannot be converted; the scale says that it was there.
  Value isNumber =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE,
                            math::AbsFOp::create(builder, loc, multiple),
                            splat(builder, loc, multiple, 127));
  multiple = arith::SelectOp::create(builder, loc, isNumber, multiple,
                                     splat(builder, loc, multiple, 0));
  Value numbers = arith::FPToSIOp::create(
      builder, loc, type.clone(builder.getI8Type()), multiple);
  return {numbers, scale};
}

Value communicate::dequantize(OpBuilder &builder, Location loc,
                              const QuantizedBlocks &blocks) {
  Value numbers = arith::SIToFPOp::create(
      builder, loc, typeOf(blocks.numbers).clone(builder.getF32Type()),
      blocks.numbers);
  return arith::MulFOp::create(
      builder, loc, numbers,
      repeatScales(builder, loc, blocks.scales, numbers));
}

Value communicate::residualOf(OpBuilder &builder, Location loc, Value value,
                              const QuantizedBlocks &blocks) {
  Value residual = arith::SubFOp::create(builder, loc, value,
                                         dequantize(builder, loc, blocks));
  Value isFinite = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OLT,
      math::AbsFOp::create(builder, loc, residual),
      splat(builder, loc, residual, std::numeric_limits<float>::infinity()));
  return arith::SelectOp::create(builder, loc, isFinite, residual,
                                 splat(builder, loc, residual, 0));
}
