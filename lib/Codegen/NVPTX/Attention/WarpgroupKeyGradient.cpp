//===- WarpgroupKeyGradient.cpp - The gradients of key and value by wgmma -===//

#include "Attention/WarpgroupGradient.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;
using Step = WarpgroupAttentionStep;

namespace {

/// A tile of keys goes through the queries of all heads that share them and
/// sums up the gradients of keys, of values, or of both.
class KeyGradient : WarpgroupGradientStep {
public:
  /// With many features, the two gradients are two steps.
  KeyGradient(Step &step, const GradientOperands &operands,
              const KeyGradients &wanted)
      : WarpgroupGradientStep(step, operands.key, operands.value,
                              operands.query, operands.gradient),
        numbers(step.grid, step.shape.buffers,
                step.shape.columns / AttentionRows::chunk *
                    AttentionRows::chunkBytes,
                step.shape.warps()),
        keyFeatures(wanted.keys ? operands.key.features() : 0),
        valueFeatures(wanted.values ? operands.value.features() : 0) {}

  void run(AttentionGradientOp op, const AttentionRows &rows);

private:
  /// Tiles of queries of a head that are visited: from `begin` to `end`, from
  /// `whole` on without hidden scores.
  struct Range {
    Value begin, whole, end;
  };
  Range range();
  void forEachTile(
      function_ref<Values(Value round, Value before, const Range &range)> body);
  void copyTile(const AttentionRows &rows, Value round, Value before,
                const Range &range);
  Values visit(Value number, Value head, Value first, ValueRange sums,
               bool isWhole);
  Values visitHead(Value head, Value before, const Range &range,
                   ValueRange sums);

  /// Of the rows, chunks for the columns of a tile.
  BufferRing numbers;
  int64_t keyFeatures, valueFeatures;
  /// The warp group's rows.
  WarpgroupInstructions::Matrix ofScores, ofProducts;
};

} // namespace

KeyGradient::Range KeyGradient::range() {
  int64_t columns = step.shape.columns;
  Value end = b.index(llvm::divideCeil(problem.queries, columns));
  if (!problem.causal)
    return {b.index(0), problem.mask ? end : b.index(0), end};
  // The first query that sees the first key, and that sees the last one.
  Value first = b.sub(step.firstRow, b.index(*problem.causal));
  Value all = b.add(first, step.shape.rows() - 1);
  Value begin = b.index(0);
  if (problem.hidesAll() && !problem.mayHideRows())
    begin = b.min(b.div(b.max(first, b.index(0)), b.index(columns)), end);
  Value whole = end;
  if (!problem.mask)
    whole = b.max(step.tilesUpTo(all, problem.queries, columns), begin);
  return {begin, whole, end};
}

void KeyGradient::copyTile(const AttentionRows &rows, Value round, Value before,
                           const Range &range) {
  scoreRows.copy(round, step.head, step.firstRow);
  productRows.copy(round, step.head, step.firstRow);
  Value perHead = b.sub(range.end, range.begin);
  Value firstHead = b.mul(step.head, problem.group());
  b.loop(b.index(0), b.index(problem.group()), 1, [&](Value member) {
    Value head = b.add(firstHead, member);
    Value skipped = b.sub(b.add(before, b.mul(member, perHead)), range.begin);
    b.loop(range.begin, range.end, 1, [&](Value tile) {
      Value number = b.add(skipped, tile);
      Value first = b.mul(tile, step.shape.columns);
      scoreColumns.copy(number, head, first);
      BufferRing::Target target = numbers.fill(number);
      step.ptx.loadBytes(target.buffer, rows.chunkAddress(step, head, first),
                         numbers.bufferBytes(), target.barrier);
      productColumns.copy(number, head, first);
    });
  });
}

/// The sums, of keys and then of values, after the tile of queries that is the
/// `number`-th of the block.
Values KeyGradient::visit(Value number, Value head, Value first,
                          ValueRange sums, bool isWhole) {
  const ScoreLayout &layout = step.layout();
  int64_t columns = step.shape.columns, count = layout.columnCount(columns);
  Value queries = scoreColumns.ring.waitFull(number);
  Values tile = start(ofScores, scoreColumns, queries);
  Value gradients = productColumns.ring.waitFull(number);
  Values products;
  if (keyFeatures)
    products = start(ofProducts, productColumns, gradients);
  Value rows = b.make<LLVM::IntToPtrOp>(
      LLVM::LLVMPointerType::get(b.getContext(), 3), numbers.waitFull(number));
  tile = Step::asRows(step.ptx.wait(keyFeatures ? 1 : 0, tile));
  SmallVector<AttentionTile::Score> marked(tile.size());
  // Numbers of rows come when they are needed: registers are few.
  SmallVector<AttentionRows::Row> rowOf(count);
  auto load = [&](int64_t column, AttentionRows::Field field) {
    if (column % 2 == 0)
      AttentionRows::loadPair(step, rows, layout.columnOf(column), field,
                              MutableArrayRef(rowOf).slice(column, 2));
  };
  for (int64_t column = 0; column < count; ++column) {
    load(column, &AttentionRows::Row::shift);
    load(column, &AttentionRows::Row::inverseSum);
    Value i = b.add(first, layout.columnOf(column));
    for (int64_t row = 0; row < layout.rowCount(); ++row) {
      int64_t at = row * count + column;
      Value j = b.add(step.firstRow, layout.rowOf(row));
      marked[at] = step.score(tile[at], head, i, j, isWhole);
      tile[at] = AttentionRows::probability(step, marked[at], rowOf[column]);
    }
  }
  size_t ofKeys = keyFeatures / 2;
  Values keySums(sums.take_front(ofKeys)), valueSums(sums.drop_front(ofKeys));
  auto dropped = [&](Value value, int64_t at) {
    return step.dropped(value, head, b.add(first, layout.columnOf(at % count)),
                        b.add(step.firstRow, layout.rowOf(at / count)));
  };
  Values inUse;
  if (valueFeatures) {
    Values left;
    for (auto [at, element] : llvm::enumerate(tile))
      left.push_back(dropped(element, at));
    left = step.leftOperand(left);
    valueSums = add(valueSums, left, productColumns, gradients, valueFeatures);
    inUse = left;
  }
  if (keyFeatures) {
    products = Step::asRows(step.ptx.wait(valueFeatures ? 1 : 0, products));
    for (int64_t column = 0; column < count; ++column) {
      load(column, &AttentionRows::Row::delta);
      for (int64_t at = column; at < int64_t(tile.size()); at += count)
        products[at] = AttentionRows::productGradient(
            step, marked[at], tile[at], dropped(products[at], at),
            rowOf[column]);
    }
    Values more = step.leftOperand(products);
    keySums = add(keySums, more, scoreColumns, queries, keyFeatures);
    llvm::append_range(inUse, more);
  }
  Values next(keySums);
  llvm::append_range(next, valueSums);
  next = step.ptx.wait(0, next, inUse);
  numbers.release(number);
  scoreColumns.ring.release(number);
  productColumns.ring.release(number);
  return next;
}

Values KeyGradient::visitHead(Value head, Value before, const Range &range,
                              ValueRange sums) {
  auto visitAll = [&](Value first, Value end, ValueRange from, bool isWhole) {
    return b.loop(first, end, 1, from, [&](Value tile, ValueRange carried) {
      return visit(b.add(before, b.sub(tile, range.begin)), head,
                   b.mul(tile, step.shape.columns), carried, isWhole);
    });
  };
  Values cut = visitAll(range.begin, range.whole, sums, /*isWhole=*/false);
  return visitAll(range.whole, range.end, cut, /*isWhole=*/true);
}

void KeyGradient::forEachTile(
    function_ref<Values(Value, Value, const Range &)> body) {
  step.forEachTile(b.index(0), [&](Value round, ValueRange before) {
    return body(round, before.front(), range());
  });
}

void KeyGradient::run(AttentionGradientOp op, const AttentionRows &rows) {
  BufferRing::begin(step.grid,
                    {&scoreRows.ring, &productRows.ring, &scoreColumns.ring,
                     &productColumns.ring, &numbers});
  auto after = [&](Value before, const Range &range) {
    Value perHead = b.sub(range.end, range.begin);
    return Values{b.add(before, b.mul(perHead, problem.group()))};
  };
  specialise(
      step.grid, step.shape.consumers,
      [&] {
        beginCopies();
        forEachTile([&](Value round, Value before, const Range &range) {
          copyTile(rows, round, before, range);
          return after(before, range);
        });
      },
      [&] {
        forEachTile([&](Value round, Value before, const Range &range) {
          ofScores = waitRows(scoreRows, round);
          ofProducts = waitRows(productRows, round);
          Value perHead = b.sub(range.end, range.begin);
          Value firstHead = b.mul(step.head, problem.group());
          Values sums =
              b.loop(b.index(0), b.index(problem.group()), 1,
                     zeros(keyFeatures + valueFeatures),
                     [&](Value member, ValueRange carried) {
                       return visitHead(b.add(firstHead, member),
                                        b.add(before, b.mul(member, perHead)),
                                        range, carried);
                     });
          scoreRows.ring.release(round);
          productRows.ring.release(round);
          size_t ofKeys = keyFeatures / 2;
          ValueRange all(sums);
          if (keyFeatures)
            step.store(op.getKeyGradient(),
                       scaled(all.take_front(ofKeys), problem.scale),
                       keyFeatures);
          if (valueFeatures)
            step.store(op.getValueGradient(),
                       scaled(all.drop_front(ofKeys), problem.keepScale),
                       valueFeatures);
          return after(before, range);
        });
      });
  step.finish();
}

void nvptx::emitKeyGradient(Step &step, AttentionGradientOp op,
                            const AttentionRows &rows,
                            const GradientOperands &operands,
                            const KeyGradients &wanted) {
  KeyGradient(step, operands, wanted).run(op, rows);
}
