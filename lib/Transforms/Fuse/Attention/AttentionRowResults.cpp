//===- AttentionRowResults.cpp - numbers per row beside attention ---------===//
//
// What a sink makes of the results of attention, and values of the program that
// have one element per row of scores (AttentionRowValues.cpp says which).
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionRewriter.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// `value` with elements of f32.
Value AttentionRewriter::toRowType(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType().isF32())
    return value;
  if (type.getElementTypeBitWidth() > 32)
    return arith::TruncFOp::create(b, type.clone(b.getF32Type()), value);
  return arith::ExtFOp::create(b, type.clone(b.getF32Type()), value);
}

/// `rows` for every feature of an output of type `output`, in f32.
Value AttentionRewriter::alongOutput(Value rows, RankedTensorType output) {
  return BroadcastOp::create(b, output.clone(b.getF32Type()), rows,
                             ArrayRef<int64_t>{0, 1, 2});
}

/// Adds the sink's exponential to the sums, and takes its share of the output.
void AttentionRewriter::addSink(AttentionOp forward) {
  auto rows = cast<RankedTensorType>(sum.getType());
  Value score;
  if (match.sink->tensor.value)
    score = toRowType(toDims(match.sink->tensor, rowLists()));
  else
    score = arith::ConstantOp::create(
        b, DenseElementsAttr::get(rows, b.getF32FloatAttr(match.sink->number)));
  Value maximum = forward.getMaximum();
  auto exponential = [&](Value exponent, Value less) -> Value {
    return math::ExpOp::create(b, arith::SubFOp::create(b, exponent, less));
  };
  sum = arith::AddFOp::create(b, forward.getSum(), exponential(score, maximum));
  // Also where the maximum is so far below the sink that `sum` is infinite.
  Value one = arith::ConstantOp::create(
      b, DenseElementsAttr::get(rows, b.getF32FloatAttr(1)));
  Value others =
      arith::MulFOp::create(b, forward.getSum(), exponential(maximum, score));
  sinkShare =
      arith::DivFOp::create(b, one, arith::AddFOp::create(b, one, others));
  Value share = arith::DivFOp::create(b, forward.getSum(), sum);
  auto type = cast<RankedTensorType>(output.getType());
  output =
      arith::MulFOp::create(b, toRowType(output), alongOutput(share, type));
  if (output.getType() != type)
    output = arith::TruncFOp::create(b, type, output);
}

/// The sum over keys of the probabilities times their gradients, which is that
/// over features of the output times its gradient.
Value AttentionRewriter::sumGradient(Value outputGradient) {
  insertBehind({output, sum, outputGradient});
  Value product =
      arith::MulFOp::create(b, toRowType(output), toRowType(outputGradient));
  return ReduceOp::create(
      b, cast<RankedTensorType>(sum.getType()),
      ReductionAttr::get(b.getContext(), ReductionKind::Sum), product,
      ArrayRef<int64_t>{3});
}

void AttentionRewriter::emitRow(const AttentionMatch::RowResult &row,
                                AttentionOp forward, ArrayRef<Value> rowSums) {
  SmallVector<Value> read(rowSums);
  read.append({output, sum, sinkShare});
  insertBehind(read);
  Value total;
  for (const auto &summand : row.summands) {
    Value product = arith::ConstantOp::create(
        b, DenseElementsAttr::get(cast<RankedTensorType>(sum.getType()),
                                  b.getF32FloatAttr(summand.factor)));
    auto multiply = [&](Value factor, int power) {
      for (int i = 0; i < std::abs(power); ++i)
        product = power > 0
                      ? arith::MulFOp::create(b, product, factor).getResult()
                      : arith::DivFOp::create(b, product, factor).getResult();
    };
    // In quotients by the sum.
    for (unsigned gradient : summand.gradients)
      multiply(rowSums[gradient], 1);
    if (sinkShare)
      multiply(sinkShare, summand.sinks);
    multiply(sum, summand.sums + summand.sinks + int(summand.gradients.size()));
    multiply(forward.getMaximum(), summand.maxima);
    if (summand.logarithms > 0)
      multiply(math::LogOp::create(b, sum), summand.logarithms);
    total =
        total ? arith::AddFOp::create(b, total, product).getResult() : product;
  }
  replaceOne({row.value, row.layout, 1}, total, concat(rowLists()));
}
