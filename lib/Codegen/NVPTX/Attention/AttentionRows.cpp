//===- AttentionRows.cpp - What the gradient knows of rows ----------------===//

#include "Attention/AttentionRows.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;

/// The element of row `row` (counted from the first of a chunk), of the first
/// of the three numbers.
static Value elementOf(CodeBuilder &b, Value row) {
  Value chunks = b.div(row, b.index(AttentionRows::chunk));
  return b.add(b.mul(chunks, 3 * AttentionRows::chunk),
               b.rem(row, b.index(AttentionRows::chunk)));
}

AttentionRows::AttentionRows(const GpuNest &nest, AttentionGradientOp op,
                             const AttentionProblem &problem)
    : problem(problem), temporary(nest.variant.addTemporary(
                            problem.batch * problem.heads * paddedQueries() /
                            chunk * chunkBytes)) {
  compute(nest, op);
}

namespace {

/// The step that computes rows, one per warp. It has no columns.
class RowsStep : public AttentionTile {
public:
  static constexpr int64_t warps = 4;

  RowsStep(const GpuNest &nest, const AttentionProblem &problem)
      : AttentionTile(nest, problem, warps * kWarp, {1, 1}, problem.queries,
                      problem.heads),
        quads(ScoreLayout::quads(grid, grid.warp())) {}

  const ScoreLayout &layout() const override { return quads; }

  /// The sum of products of row `i` of two tensors, [batch, heads, rows,
  /// features], in all lanes.
  Value product(Value left, Value right, Value i) {
    Accumulator add(b, ReductionKind::Sum, b.getF32Type());
    Values sum = b.loop(
        grid.lane(), b.index(problem.valueFeatures), kWarp, {add.neutral(1)},
        [&](Value feature, ValueRange sums) {
          LaneIndices at;
          for (Value index : {batch, head, i, feature})
            at.push_back(LaneIndex::scalar(index));
          auto element = [&](Value tensor) {
            Value number = e.emit(tensor, at);
            return number.getType().isF32()
                       ? number
                       : b.make<arith::ExtFOp>(b.getF32Type(), number);
          };
          return Values{add.combine(
              sums[0], b.make<arith::MulFOp>(element(left), element(right)))};
        });
    return grid.acrossLanes(add, sum[0]);
  }

  void locateRow(Value headOfAll) { locate(b.index(0), headOfAll); }

private:
  ScoreLayout quads;
};

} // namespace

/// A row behind the last query is computed as the last one, but for its shift,
/// which makes all its probabilities zero, and its sum.
void AttentionRows::compute(const GpuNest &nest, AttentionGradientOp op) {
  RowsStep step(nest, problem);
  CodeBuilder &b = step.b;
  int64_t padded = paddedQueries();
  int64_t rows = problem.batch * problem.heads * padded;
  Value number =
      b.add(b.mul(step.grid.block(), RowsStep::warps), step.grid.warp());
  step.locateRow(b.div(number, b.index(padded)));
  Value index = b.rem(number, b.index(padded));
  Value i = b.min(index, b.index(problem.queries - 1));
  Value exists = step.isLess(index, problem.queries);
  Value sum = step.rowElement(op.getSum(), step.head, i);
  // A row of nothing but minus infinity has no probabilities, either.
  if (problem.mayBeginEmpty())
    exists = b.make<arith::AndIOp>(exists, step.isNonzero(sum));
  auto choose = [&](Value value, double otherwise) -> Value {
    return b.make<arith::SelectOp>(exists, value, step.constant(otherwise));
  };
  Value maximum =
      choose(step.rowElement(op.getMaximum(), step.head, i), INFINITY);
  Value inverse = b.make<arith::DivFOp>(step.constant(1), sum);
  Value numbers[] = {step.shiftOf(maximum, 1), choose(inverse, 0),
                     step.product(op.getOutput(), op.getOutputGradient(), i)};
  b.guard(step.isLess(step.grid.lane(), 1), [&] {
    for (auto [which, value] : llvm::enumerate(numbers))
      step.e.store(value, step.grid.temporary(temporary),
                   LaneIndex::scalar(
                       b.add(elementOf(b, number), int64_t(which) * chunk)));
  });
  step.grid.finish({rows / RowsStep::warps, 1, 1});
}

/// The number of row `i` of a head among those of all.
static Value positionOf(AttentionTile &tile, Value head, Value i,
                        int64_t perHead) {
  CodeBuilder &b = tile.b;
  Value ofAll = b.add(b.mul(tile.batch, tile.problem.heads), head);
  return b.add(b.mul(ofAll, perHead), i);
}

AttentionRows::Row AttentionRows::load(AttentionTile &tile, Value head,
                                       Value i) const {
  CodeBuilder &b = tile.b;
  Value element = elementOf(b, positionOf(tile, head, i, paddedQueries()));
  Value memory = tile.grid.temporary(temporary);
  auto number = [&](int64_t which) {
    return tile.e.load(b.getF32Type(), memory,
                       LaneIndex::scalar(b.add(element, which * chunk)));
  };
  return {number(0), number(1), number(2)};
}

Value AttentionRows::chunkAddress(AttentionTile &tile, Value head,
                                  Value first) const {
  CodeBuilder &b = tile.b;
  Value row = positionOf(tile, head, first, paddedQueries());
  return b.address(tile.grid.temporary(temporary), b.getF32Type(),
                   elementOf(b, row));
}

void AttentionRows::loadPair(AttentionTile &tile, Value shared, Value i,
                             Field field, MutableArrayRef<Row> rows) {
  CodeBuilder &b = tile.b;
  int64_t which = field == &Row::shift ? 0 : field == &Row::inverseSum ? 1 : 2;
  Value element = b.add(elementOf(b, i), which * chunk);
  Value address = b.address(shared, b.getF32Type(), element);
  Value pair = LLVM::LoadOp::create(
      b, b.getLoc(), VectorType::get({2}, b.getF32Type()), address, 8);
  for (int64_t lane = 0; lane < 2; ++lane)
    rows[lane].*field = LLVM::ExtractElementOp::create(
        b, b.getLoc(), pair,
        b.splat(b.getI32Type(), b.getI32IntegerAttr(lane)));
}

Value AttentionRows::probability(AttentionTile &tile,
                                 const AttentionTile::Score &score,
                                 const Row &row) {
  return tile.multiply(tile.probability(score.value, row.shift),
                       row.inverseSum);
}

Value AttentionRows::scoreGradient(AttentionTile &tile,
                                   const AttentionTile::Score &score,
                                   Value probability, Value product,
                                   const Row &row) {
  if (tile.problem.keepScale != 1)
    product = tile.multiply(product, tile.constant(tile.problem.keepScale));
  Value result = tile.multiply(probability, tile.subtract(product, row.delta));
  if (!score.visible || tile.problem.hidesCleanly())
    return result;
  return arith::SelectOp::create(tile.b, tile.b.getLoc(), score.visible, result,
                                 tile.constant(0));
}
