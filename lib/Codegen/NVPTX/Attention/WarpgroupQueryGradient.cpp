//===- WarpgroupQueryGradient.cpp - The gradient of the query by wgmma ----===//

#include "Attention/WarpgroupGradient.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;
using Step = WarpgroupAttentionStep;

namespace {

/// A tile of queries goes through the keys and sums up its gradient.
class QueryGradient : WarpgroupGradientStep {
public:
  QueryGradient(Step &step, const GradientOperands &operands)
      : WarpgroupGradientStep(step, operands.query, operands.gradient,
                              operands.key, operands.value),
        features(operands.query.features()) {}

  void run(AttentionGradientOp op, const AttentionRows &rows);

private:
  void copyTile(Value round, Value before, Value count);
  Values visit(Value number, Value first, ValueRange sums,
               ArrayRef<AttentionRows::Row> rows, bool isWhole);

  int64_t features;
  /// The warp group's rows.
  WarpgroupInstructions::Matrix ofScores, ofProducts;
};

} // namespace

void QueryGradient::copyTile(Value round, Value before, Value count) {
  Value head = b.div(step.head, b.index(problem.group()));
  scoreRows.copy(round, step.head, step.firstRow);
  productRows.copy(round, step.head, step.firstRow);
  b.loop(b.index(0), count, 1, [&](Value tile) {
    Value number = b.add(before, tile);
    Value first = b.mul(tile, step.shape.columns);
    scoreColumns.copy(number, head, first);
    productColumns.copy(number, head, first);
  });
}

/// The sums after the tile of keys that is the `number`-th of the block.
Values QueryGradient::visit(Value number, Value first, ValueRange sums,
                            ArrayRef<AttentionRows::Row> rows, bool isWhole) {
  const ScoreLayout &layout = step.layout();
  Value keys = scoreColumns.ring.waitFull(number);
  Values scores = start(ofScores, scoreColumns, keys);
  Value values = productColumns.ring.waitFull(number);
  Values products = start(ofProducts, productColumns, values);
  Values tile = Step::asRows(step.ptx.wait(1, scores));
  int64_t count = layout.columnCount(step.shape.columns);
  SmallVector<AttentionTile::Score> marked;
  for (int64_t i = 0; i < int64_t(tile.size()); ++i) {
    Value row = b.add(step.firstRow, layout.rowOf(i / count));
    Value column = b.add(first, layout.columnOf(i % count));
    marked.push_back(step.score(tile[i], step.head, row, column, isWhole));
    tile[i] = AttentionRows::probability(step, marked.back(), rows[i / count]);
  }
  products = Step::asRows(step.ptx.wait(0, products));
  productColumns.ring.release(number);
  for (int64_t i = 0; i < int64_t(tile.size()); ++i) {
    Value row = b.add(step.firstRow, layout.rowOf(i / count));
    Value column = b.add(first, layout.columnOf(i % count));
    tile[i] = AttentionRows::productGradient(
        step, marked[i], tile[i],
        step.dropped(products[i], step.head, row, column), rows[i / count]);
  }
  Values left = step.leftOperand(tile);
  Values next =
      step.ptx.wait(0, add(sums, left, scoreColumns, keys, features), left);
  scoreColumns.ring.release(number);
  return next;
}

void QueryGradient::run(AttentionGradientOp op, const AttentionRows &allRows) {
  BufferRing::begin(step.grid, {&scoreRows.ring, &productRows.ring,
                                &scoreColumns.ring, &productColumns.ring});
  // Hidden scores have no gradient.
  auto forEachTile = [&](function_ref<void(Value, Value, Value)> body) {
    step.forEachTile(b.index(0), [&](Value round, ValueRange before) {
      Value count = step.visibleTiles();
      body(round, before.front(), count);
      return Values{b.add(before.front(), count)};
    });
  };
  specialise(
      step.grid, step.shape.consumers,
      [&] {
        beginCopies();
        forEachTile([&](Value round, Value before, Value count) {
          copyTile(round, before, count);
        });
      },
      [&] {
        forEachTile([&](Value round, Value before, Value count) {
          SmallVector<AttentionRows::Row> rows;
          for (int64_t row = 0; row < step.layout().rowCount(); ++row)
            rows.push_back(
                allRows.load(step, step.head,
                             b.add(step.firstRow, step.layout().rowOf(row))));
          ofScores = waitRows(scoreRows, round);
          ofProducts = waitRows(productRows, round);
          Value whole = b.min(step.wholeTiles(), count);
          Values sums = zeros(features);
          auto visitAll = [&](Value first, Value end, bool isWhole) {
            sums = b.loop(first, end, 1, sums,
                          [&](Value tile, ValueRange carried) {
                            return visit(b.add(before, tile),
                                         b.mul(tile, step.shape.columns),
                                         carried, rows, isWhole);
                          });
          };
          visitAll(b.index(0), whole, /*isWhole=*/true);
          visitAll(whole, count, /*isWhole=*/false);
          scoreRows.ring.release(round);
          productRows.ring.release(round);
          step.store(op.getQueryGradient(), scaled(sums, problem.scale),
                     features);
        });
      });
  step.finish();
}

void nvptx::emitQueryGradient(Step &step, AttentionGradientOp op,
                              const AttentionRows &rows,
                              const GradientOperands &operands) {
  QueryGradient(step, operands).run(op, rows);
}
