//===- AttentionTile.cpp - What steps of attention have in common ---------===//

#include "Attention/AttentionTile.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// e^x is 2 to the power of x times this.
static constexpr double kLog2E = 1.4426950408889634;

AttentionTile::AttentionTile(const GpuNest &nest,
                             const AttentionProblem &problem, int64_t threads,
                             Extent extent, int64_t rowCount, int64_t heads)
    : grid(nest, threads), b(grid.b), e(b, 1), problem(problem), extent(extent),
      rowCount(rowCount), heads(heads) {
  grid.lowering.bindMemory(e);
}

void AttentionTile::locate(Value tile, Value headOfAll) {
  firstRow = b.mul(tile, extent.rows);
  head = b.rem(headOfAll, b.index(heads));
  batch = b.div(headOfAll, b.index(heads));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value AttentionTile::constant(double value) {
  return b.splat(b.getF32Type(), b.getF32FloatAttr(value));
}
Value AttentionTile::multiply(Value x, Value y) {
  return arith::MulFOp::create(b, b.getLoc(), x, y);
}
Value AttentionTile::subtract(Value x, Value y) {
  return arith::SubFOp::create(b, b.getLoc(), x, y);
}
Value AttentionTile::tanh(Value x) {
  if (!problem.usesTensorCores())
    return math::TanhOp::create(b, b.getLoc(), x);
  return LLVM::InlineAsmOp::create(
             b, b.getLoc(), TypeRange(b.getF32Type()), ValueRange{x},
             "tanh.approx.f32 $0, $1;", "=f,f", /*has_side_effects=*/false,
             /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}
Value AttentionTile::isNonzero(Value x) {
  return b.make<arith::CmpFOp>(arith::CmpFPredicate::UNE, x, constant(0));
}
Value AttentionTile::isLess(Value x, Value y) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
}
Value AttentionTile::clamp(Value x, int64_t limit) {
  int64_t tile = std::max(extent.rows, extent.columns);
  return limit % tile == 0 ? x : b.min(x, b.index(limit - 1));
}
Value AttentionTile::tilesUpTo(Value position, int64_t limit, int64_t tile) {
  Value inside = b.min(b.max(position, b.index(0)), b.index(limit));
  return b.div(b.add(inside, tile - 1), b.index(tile));
}

/// `value` as f32.
static Value toF32(CodeBuilder &b, Value value) {
  if (value.getType().isF32())
    return value;
  return b.make<arith::ExtFOp>(b.getF32Type(), value);
}

Value AttentionTile::rowElement(Value tensor, Value ofHead, Value row) {
  LaneIndices at;
  for (Value index : {batch, ofHead, row})
    at.push_back(LaneIndex::scalar(index));
  return toF32(b, e.emit(tensor, at));
}

//===----------------------------------------------------------------------===//
// Scores and probabilities
//===----------------------------------------------------------------------===//

/// The element of `tensor`, [batch, heads, queries, keys] or of size 1 there.
Value AttentionTile::scoreElement(Value tensor, Value scoreHead, Value i,
                                  Value j) {
  Value indices[] = {batch, scoreHead, clamp(i, problem.queries),
                     clamp(j, problem.keys)};
  LaneIndices at;
  for (auto [size, index] : llvm::zip(shapeOf(tensor), indices))
    at.push_back(size == 1 ? LaneIndex::constant(0) : LaneIndex::scalar(index));
  return e.emit(tensor, at);
}

Value AttentionTile::dropped(Value value, Value scoreHead, Value i, Value j) {
  if (!problem.keep)
    return value;
  return arith::SelectOp::create(b, b.getLoc(),
                                 scoreElement(problem.keep, scoreHead, i, j),
                                 value, constant(0));
}

AttentionTile::Score AttentionTile::score(Value product, Value scoreHead,
                                          Value i, Value j, bool isWhole) {
  Score score{product, {}, {}};
  if (problem.softcap != 0) {
    score.value =
        tanh(multiply(product, constant(problem.scale / problem.softcap)));
    score.slope = math::FmaOp::create(
        b, b.getLoc(), arith::NegFOp::create(b, b.getLoc(), score.value),
        score.value, constant(1));
  }
  double factor = problem.factor() / problem.unit();
  if (factor != 1)
    score.value = multiply(score.value, constant(factor));
  auto element = [&](Value tensor) {
    return scoreElement(tensor, scoreHead, i, j);
  };
  for (Value bias : problem.biases)
    score.value = arith::AddFOp::create(b, b.getLoc(), score.value,
                                        toF32(b, element(bias)));
  if (isWhole)
    return score;
  if (problem.mask)
    score.visible = element(problem.mask);
  if (problem.causal) {
    Value seen = b.make<arith::CmpIOp>(arith::CmpIPredicate::sle, j,
                                       b.add(i, *problem.causal));
    score.visible =
        score.visible ? b.make<arith::AndIOp>(score.visible, seen) : seen;
  }
  auto choose = [&](Value condition, double otherwise) {
    score.value = arith::SelectOp::create(b, b.getLoc(), condition, score.value,
                                          constant(otherwise));
  };
  if (score.visible)
    choose(score.visible, problem.fill / problem.unit());
  if (problem.keys % std::max(extent.rows, extent.columns) != 0)
    choose(isLess(j, problem.keys), -INFINITY);
  return score;
}

Value AttentionTile::shiftOf(Value maximum, double unit) {
  return problem.hasPlainScores()
             ? b.make<arith::MulFOp>(maximum, constant(-unit * kLog2E))
             : maximum;
}

/// One multiply-add for plain scores. Others may be as far down as -1e30, where
/// the rounding of their multiple is a large number, but a difference is exact.
Value AttentionTile::probability(Value score, Value shift) {
  Value exponent;
  if (problem.hasPlainScores())
    exponent = math::FmaOp::create(b, b.getLoc(), score,
                                   constant(problem.unit() * kLog2E), shift);
  else
    exponent = multiply(subtract(score, shift), constant(kLog2E));
  return LLVM::Exp2Op::create(b, b.getLoc(), b.getF32Type(), exponent);
}

AttentionTile::Values AttentionTile::Softmax::values() const {
  Values all(maxima);
  llvm::append_range(all, sums);
  return all;
}

AttentionTile::Softmax AttentionTile::Softmax::of(ValueRange values) {
  size_t rows = values.size() / 2;
  return {Values(values.take_front(rows)), Values(values.drop_front(rows))};
}

AttentionTile::Softmax AttentionTile::emptySoftmax() {
  int64_t rows = layout().rowCount();
  return {Values(rows, constant(-INFINITY)), Values(rows, constant(0))};
}

AttentionTile::Values AttentionTile::meet(Softmax &softmax,
                                          MutableArrayRef<Value> tile,
                                          Value first, bool isWhole) {
  Accumulator maximum(b, ReductionKind::Max, b.getF32Type());
  int64_t count = tile.size() / layout().rowCount();
  Values factors;
  for (int64_t row = 0; row < layout().rowCount(); ++row) {
    MutableArrayRef<Value> scores = tile.slice(row * count, count);
    Value i = b.add(firstRow, layout().rowOf(row));
    Value largest = softmax.maxima[row];
    for (int64_t column = 0; column < count; ++column) {
      Value j = b.add(first, layout().columnOf(column));
      scores[column] = score(scores[column], head, i, j, isWhole).value;
      largest = maximum.combine(largest, scores[column]);
    }
    largest = layout().acrossRow(maximum, largest);
    Value finite = largest;
    if (problem.mayBeginEmpty()) {
      // Where nothing is finite yet, probabilities are zero, not NaN.
      Value nothing =
          arith::CmpFOp::create(b, b.getLoc(), arith::CmpFPredicate::OEQ,
                                largest, constant(-INFINITY));
      finite =
          arith::SelectOp::create(b, b.getLoc(), nothing, constant(0), largest);
    }
    Value shift = shiftOf(finite, problem.unit());
    factors.push_back(probability(softmax.maxima[row], shift));
    Value sum = multiply(softmax.sums[row], factors.back());
    for (auto [column, element] : llvm::enumerate(scores)) {
      element = probability(element, shift);
      sum = arith::AddFOp::create(b, b.getLoc(), sum, element);
      Value j = b.add(first, layout().columnOf(column));
      element = dropped(element, head, i, j);
    }
    softmax.maxima[row] = largest;
    softmax.sums[row] = sum;
  }
  return factors;
}

void AttentionTile::scaleRows(MutableArrayRef<Value> tile, ValueRange factors) {
  int64_t count = tile.size() / factors.size();
  for (auto [position, element] : llvm::enumerate(tile))
    element = multiply(element, factors[position / count]);
}
