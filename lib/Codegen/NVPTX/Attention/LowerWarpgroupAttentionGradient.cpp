//===- LowerWarpgroupAttentionGradient.cpp - Its gradient by wgmma --------===//
//
// The gradient of attention with specialised warp groups, as its forward pass
// (LowerWarpgroupAttention.cpp): one thread copies, the other warp groups have
// 64 rows each. The steps are those of LowerAttention.cpp: a tile of queries
// goes through the keys and sums up the gradient of the query, a tile of keys
// through the queries of all heads that share them and sums up those of key and
// value. No two blocks add to one element.
//
// In both, of a tile of columns two products are started: scores, and those of
// the output's gradient and values. Probabilities are computed during the
// second. Rounded, probabilities and gradients of scores are left operands in
// registers of the products that are summed up; their right operands are the
// tiles that are in shared memory already, read along their rows instead of
// their features. The two warp groups are not synchronised: each has other
// things to do than the other most of the time.
//
//===----------------------------------------------------------------------===//

#include "BiasGradient.h"
#include "WarpgroupAttention.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;
using Step = WarpgroupAttentionStep;
using Shape = WarpgroupAttentionShape;

namespace {

/// What the steps have in common: two operands whose rows stay, and two of the
/// other side. The first of each make the scores, the second the products.
class GradientStep {
public:
  GradientStep(Step &step, const AttentionOperand &scoreRows,
               const AttentionOperand &productRows,
               const AttentionOperand &scoreColumns,
               const AttentionOperand &productColumns)
      : step(step), b(step.b), problem(step.problem),
        scoreRows(step, scoreRows, step.shape.rows(), 1),
        productRows(step, productRows, step.shape.rows(), 1),
        scoreColumns(step, scoreColumns, step.shape.columns, step.shape.stages),
        productColumns(step, productColumns, step.shape.columns,
                       step.shape.stages) {}

protected:
  /// To be done by the copying warp group, once.
  void beginCopies() {
    for (OperandRing *ring :
         {&scoreRows, &productRows, &scoreColumns, &productColumns})
      ring->begin();
  }
  WarpgroupInstructions::Matrix waitRows(OperandRing &operand, Value round) {
    Value buffer = operand.ring.waitFull(round);
    return operand.alongFeatures(buffer)
        .from(b, b.mul(step.consumer(), kWarpgroupRows))
        .operand(b, operand.featureSteps());
  }
  /// Starts the products of rows with the tile of columns at `buffer`.
  Values start(const WarpgroupInstructions::Matrix &rows, OperandRing &columns,
               Value buffer) {
    return step.ptx.multiply(
        step.product(step.shape.columns, /*nMajor=*/false), {}, rows,
        columns.alongFeatures(buffer).operand(b, columns.featureSteps()));
  }
  /// Starts the addition of `left`, in registers, times the tile at `buffer`.
  Values add(ValueRange sums, ValueRange left, OperandRing &columns,
             Value buffer, int64_t features) {
    return step.ptx.multiply(
        step.product(features, /*nMajor=*/true), sums, left,
        columns.alongRows(buffer).operand(b, step.shape.columns / 16));
  }
  Values scaled(ValueRange sums, double factor) {
    Values tile = Step::asRows(sums);
    for (Value &element : tile)
      element = step.multiply(element, step.constant(factor));
    return tile;
  }
  Values zeros(int64_t features) { return step.layout().zeros(features); }

  Step &step;
  CodeBuilder &b;
  const AttentionProblem &problem;
  OperandRing scoreRows, productRows, scoreColumns, productColumns;
};

//===----------------------------------------------------------------------===//
// The gradient of the query
//===----------------------------------------------------------------------===//

class QueryGradient : GradientStep {
public:
  QueryGradient(Step &step, const GradientOperands &operands)
      : GradientStep(step, operands.query, operands.gradient, operands.key,
                     operands.value),
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

//===----------------------------------------------------------------------===//
// The gradients of key and value
//===----------------------------------------------------------------------===//

namespace {

class KeyGradient : GradientStep {
public:
  /// With many features, the two gradients are two steps.
  KeyGradient(Step &step, const GradientOperands &operands, bool keys,
              bool values)
      : GradientStep(step, operands.key, operands.value, operands.query,
                     operands.gradient),
        numbers(step.grid, step.shape.stages,
                step.shape.columns / AttentionRows::chunk *
                    AttentionRows::chunkBytes,
                step.shape.warps()),
        keyFeatures(keys ? operands.key.features() : 0),
        valueFeatures(values ? operands.value.features() : 0) {}

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
    for (int64_t place = 0; place < layout.rowCount(); ++place) {
      int64_t at = place * count + column;
      Value j = b.add(step.firstRow, layout.rowOf(place));
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

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

namespace {

/// The shapes of the steps.
struct GradientShapes {
  Shape query, key;
  /// Whether a thread has registers for the gradients of key and value at once.
  bool together;

  static std::optional<GradientShapes> choose(const GpuStage &stage,
                                              const AttentionProblem &problem);
};

} // namespace

std::optional<GradientShapes>
GradientShapes::choose(const GpuStage &stage, const AttentionProblem &problem) {
  int64_t features = std::max(problem.features, problem.valueFeatures);
  int64_t bytes =
      boxedBytes(problem.features) + boxedBytes(problem.valueFeatures);
  bool together = features <= 128;
  auto query = Shape::choose(stage, problem, "queries", {bytes, bytes, 64},
                             problem.queries, problem.heads * problem.batch);
  // A column has numbers of its row, too.
  constexpr int64_t ofRow = AttentionRows::chunkBytes / AttentionRows::chunk;
  // Beside both sums there are no registers for the slopes of so many scores.
  int64_t columns = problem.softcap != 0 && features > 64 ? 32 : 64;
  auto key =
      Shape::choose(stage, problem, "keys", {bytes, bytes + ofRow, columns},
                    problem.keys, problem.keyHeads * problem.batch);
  if (!query || !key)
    return std::nullopt;
  return GradientShapes{*query, *key, together};
}

FailureOr<bool> nvptx::lowerWarpgroupAttentionGradient(const GpuStage &stage) {
  auto op = dyn_cast_or_null<AttentionGradientOp>(stage.stage.op);
  const GpuTarget &target = stage.variant.target;
  if (!op || !target.hasTensorMemoryAccess())
    return false;
  AttentionProblem problem = AttentionProblem::of(op);
  if (!problem.usesTensorCores() || problem.keys == 0 || problem.queries == 0)
    return false;
  auto shapes = GradientShapes::choose(stage, problem);
  if (!shapes)
    return false;
  auto operands = GradientOperands::prepare(stage, op, problem.element,
                                            /*asBoxes=*/true);
  if (failed(operands))
    return failure();
  AttentionRows rows(stage, op, problem);
  lowerBiasGradient(stage, op, problem, rows, *operands);
  {
    Step step(stage, problem, shapes->query, Step::Rows::Queries);
    QueryGradient(step, *operands).run(op, rows);
  }
  auto lowerKeys = [&](bool keys, bool values) {
    Step step(stage, problem, shapes->key, Step::Rows::Keys);
    KeyGradient(step, *operands, keys, values).run(op, rows);
  };
  if (shapes->together) {
    lowerKeys(/*keys=*/true, /*values=*/true);
  } else {
    lowerKeys(/*keys=*/true, /*values=*/false);
    lowerKeys(/*keys=*/false, /*values=*/true);
  }
  return true;
}
