//===- LowerAttention.cpp - Attention without its scores ------------------===//
//
// FlashAttention-2 (Dao, 2023, "FlashAttention-2: Faster attention with better
// parallelism and work partitioning"; Dao et al., 2022). A block has some
// queries of one head and goes through the keys, a tile at a time: it computes
// their scores in registers, raises the rows' maxima where they exceed them,
// scales down what it has summed up so far, and adds the tile's share. Scores
// are never stored; what remains of a row are its maximum and its sum.
//
// The gradient computes scores again. One step has delta[i] = sum over e of
// output * its gradient; one goes, for some queries, through the keys and sums
// up the gradient of the query; one goes, for some keys, through the queries of
// all heads that share them and sums up the gradients of key and value. So
// every sum is one block's, in one order: results do not change from run to
// run.
//
// In all of them a warp's tile of probabilities is, in registers, the left
// operand of the next product, whichever side its rows are (ScoreEngine).
//
// Tiles of keys that a causal mask hides from all of a block's queries are
// skipped. Where other masks may hide all of a row, and the model then gives
// its keys equal probabilities, the forward pass goes through them after all if
// it meets such a row.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionRecord.h"
#include "Attention/AttentionRules.h"
#include "Attention/AttentionStep.h"
#include "Attention/BiasGradient.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionStep::Values;

/// The most columns of a tile: fewer where more features, or a second tile of
/// scores, need registers.
static int64_t widestTile(const AttentionProblem &problem, bool isGradient) {
  int64_t features = std::max(problem.features, problem.valueFeatures);
  if (!problem.usesTensorCores())
    return isGradient && features > 64 ? 16 : 32;
  if (features > 128)
    return isGradient ? 16 : 32;
  return isGradient && features > 64 ? 32 : 64;
}

static int64_t bytesOf(const AttentionOperand &operand) {
  return SharedRows{{}, operand.features(), operand.elementBytes()}.rowBytes();
}

/// The shape of a step (AttentionRecord.h names them) for rows and columns of
/// so many bytes: a tuning record's, if it can be.
static AttentionShape chooseShape(const GpuNest &gpu,
                                  const AttentionProblem &problem,
                                  StringRef step, int64_t rowBytes,
                                  int64_t columnBytes) {
  constexpr int64_t mostBuffers = 2;
  const GpuTarget &target = gpu.variant.target;
  int64_t widest = widestTile(problem, /*isGradient=*/step != "forward");
  auto tuned = AttentionRecord::find(gpu, problem, step);
  if (tuned && !tuned->isWarpgroup && tuned->columns <= widest &&
      tuned->buffers <= mostBuffers) {
    AttentionShape shape{tuned->groups, tuned->columns, tuned->buffers};
    if (shape.fits(rowBytes, columnBytes, target))
      return shape;
  }
  return AttentionShape::choose(rowBytes, columnBytes, widest, target);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {

class ForwardLowering {
public:
  ForwardLowering(const GpuNest &gpu, AttentionOp op)
      : gpu(gpu), op(op), problem(AttentionProblem::of(op)) {}

  LogicalResult run();

private:
  struct State {
    AttentionTile::Softmax softmax;
    Values outputs;
  };
  Values emptyState(AttentionStep &step);
  State split(AttentionStep &step, ValueRange state);
  Values addTile(AttentionStep &step, const SharedRows &query, Value first,
                 ArrayRef<SharedRows> columns, ValueRange state);
  Values visitKeys(AttentionStep &step, const SharedRows &query, Value begin,
                   Value end, ValueRange state);
  Value meetsHiddenRow(AttentionStep &step, ValueRange state);

  const GpuNest &gpu;
  AttentionOp op;
  AttentionProblem problem;
  int64_t valueColumns = 0;
};

} // namespace

/// The state of a thread: its part of the softmax, and its elements of the
/// output, not yet divided.
Values ForwardLowering::emptyState(AttentionStep &step) {
  Values state = step.emptySoftmax().values();
  llvm::append_range(state, step.layout().zeros(valueColumns));
  return state;
}

ForwardLowering::State ForwardLowering::split(AttentionStep &step,
                                              ValueRange state) {
  int64_t numbers = 2 * step.layout().rowCount();
  return {AttentionTile::Softmax::of(state.take_front(numbers)),
          Values(state.drop_front(numbers))};
}

Values ForwardLowering::addTile(AttentionStep &step, const SharedRows &query,
                                Value first, ArrayRef<SharedRows> columns,
                                ValueRange state) {
  Values tile = step.engine->product(query, columns[0], step.shape.columns);
  auto [softmax, outputs] = split(step, state);
  Values factors = step.meet(softmax, tile, first);
  step.scaleRows(outputs, factors);
  Values next = softmax.values();
  llvm::append_range(next, step.engine->accumulate(outputs, tile, columns[1],
                                                   step.shape.columns));
  return next;
}

Values ForwardLowering::visitKeys(AttentionStep &step, const SharedRows &query,
                                  Value begin, Value end, ValueRange state) {
  CodeBuilder &b = step.b;
  Value keyHead = b.div(step.head, b.index(problem.group()));
  auto firstOf = [&](Value trip) { return b.mul(trip, step.shape.columns); };
  return step.stream(
      begin, end, state,
      [&](Value trip, unsigned) {
        return AttentionStep::RowBlock{keyHead, firstOf(trip)};
      },
      [&](Value trip, ArrayRef<SharedRows> columns, ValueRange carried) {
        return addTile(step, query, firstOf(trip), columns, carried);
      });
}

/// Whether all keys that a row of the block has met are hidden.
Value ForwardLowering::meetsHiddenRow(AttentionStep &step, ValueRange state) {
  CodeBuilder &b = step.b;
  Value least = state[0];
  for (int64_t row = 1; row < step.layout().rowCount(); ++row)
    least = arith::MinNumFOp::create(b, b.getLoc(), least, state[row]);
  Accumulator minimum(b, ReductionKind::Min, b.getF32Type());
  least = step.grid.acrossBlock(minimum, least);
  return arith::CmpFOp::create(b, b.getLoc(), arith::CmpFPredicate::OLE, least,
                               step.constant(problem.fill));
}

LogicalResult ForwardLowering::run() {
  auto query = AttentionOperand::prepare(gpu, op.getQuery(), problem.element),
       key = AttentionOperand::prepare(gpu, op.getKey(), problem.element),
       value = AttentionOperand::prepare(gpu, op.getValue(), problem.element);
  if (failed(query) || failed(key) || failed(value))
    return failure();
  valueColumns = value->features();
  AttentionShape shape = chooseShape(gpu, problem, "forward", bytesOf(*query),
                                     bytesOf(*key) + bytesOf(*value));
  AttentionStep step(gpu, problem, shape, problem.queries, problem.heads);
  CodeBuilder &b = step.b;
  SharedRows queryRows = step.loadRows(*query);
  step.addColumns(*key);
  step.addColumns(*value);
  Value all = b.index(llvm::divideCeil(problem.keys, shape.columns)), end = all;
  bool skips = problem.causal && problem.hidesAll();
  if (skips)
    end = step.tilesUpTo(b.add(step.firstRow, shape.rows() + *problem.causal),
                         problem.keys, shape.columns);
  Values state = visitKeys(step, queryRows, b.index(0), end, emptyState(step));
  if (skips && problem.mayHideRows()) {
    Value rest = arith::SelectOp::create(b, b.getLoc(),
                                         meetsHiddenRow(step, state), all, end);
    state = visitKeys(step, queryRows, end, rest, state);
  }
  auto [softmax, outputs] = split(step, state);
  step.store(op, softmax, outputs, valueColumns);
  step.finish();
  return success();
}

//===----------------------------------------------------------------------===//
// Gradient
//===----------------------------------------------------------------------===//

namespace {

class GradientLowering {
public:
  GradientLowering(const GpuNest &gpu, AttentionGradientOp op)
      : gpu(gpu), op(op), problem(AttentionProblem::of(op)) {}

  LogicalResult run();

private:
  void lowerQuery(const AttentionRows &rows);
  void lowerKey(const AttentionRows &rows, bool keys, bool values);
  Values scaled(AttentionStep &step, ValueRange tile, double factor);

  const GpuNest &gpu;
  AttentionGradientOp op;
  AttentionProblem problem;
  GradientOperands operands;
  const AttentionOperand &query = operands.query, &key = operands.key,
                         &value = operands.value, &gradient = operands.gradient;
};

} // namespace

Values GradientLowering::scaled(AttentionStep &step, ValueRange tile,
                                double factor) {
  return llvm::map_to_vector(tile, [&](Value element) {
    return step.multiply(element, step.constant(factor));
  });
}

/// For a tile of queries, through the keys.
void GradientLowering::lowerQuery(const AttentionRows &allRows) {
  AttentionShape shape =
      chooseShape(gpu, problem, "queries", bytesOf(query) + bytesOf(gradient),
                  bytesOf(key) + bytesOf(value));
  AttentionStep step(gpu, problem, shape, problem.queries, problem.heads);
  CodeBuilder &b = step.b;
  ScoreEngine &engine = *step.engine;
  const ScoreLayout &layout = step.layout();
  SharedRows queryRows = step.loadRows(query),
             gradientRows = step.loadRows(gradient);
  step.addColumns(key);
  step.addColumns(value);
  SmallVector<AttentionRows::Row> rows;
  SmallVector<Value> positions;
  for (int64_t row = 0; row < layout.rowCount(); ++row) {
    positions.push_back(b.add(step.firstRow, layout.rowOf(row)));
    rows.push_back(allRows.load(step, step.head, positions.back()));
  }
  Value end = b.index(llvm::divideCeil(problem.keys, shape.columns));
  // Hidden scores have no gradient.
  if (problem.causal)
    end = step.tilesUpTo(b.add(step.firstRow, shape.rows() + *problem.causal),
                         problem.keys, shape.columns);
  Value keyHead = b.div(step.head, b.index(problem.group()));
  int64_t count = layout.columnCount(shape.columns);
  Values sums = step.stream(
      b.index(0), end, layout.zeros(query.features()),
      [&](Value trip, unsigned) {
        return AttentionStep::RowBlock{keyHead, b.mul(trip, shape.columns)};
      },
      [&](Value trip, ArrayRef<SharedRows> columns, ValueRange carried) {
        Values tile = engine.product(queryRows, columns[0], shape.columns);
        Values products =
            engine.product(gradientRows, columns[1], shape.columns);
        for (int64_t row = 0; row < layout.rowCount(); ++row)
          for (int64_t column = 0; column < count; ++column) {
            Value &element = tile[row * count + column];
            Value j =
                b.add(b.mul(trip, shape.columns), layout.columnOf(column));
            AttentionStep::Score score =
                step.score(element, step.head, positions[row], j);
            Value p = AttentionRows::probability(step, score, rows[row]);
            Value product = step.dropped(products[row * count + column],
                                         step.head, positions[row], j);
            element = AttentionRows::productGradient(step, score, p, product,
                                                     rows[row]);
          }
        return engine.accumulate(carried, tile, columns[0], shape.columns);
      });
  step.store(op.getQueryGradient(), scaled(step, sums, problem.scale),
             query.features());
  step.finish();
}

/// For a tile of keys, through the queries of the heads that share them. With
/// many features, the two gradients are two steps.
void GradientLowering::lowerKey(const AttentionRows &allRows, bool keys,
                                bool values) {
  int64_t rowBytes = bytesOf(key) + (keys ? bytesOf(value) : 0);
  AttentionShape shape = chooseShape(gpu, problem, "keys", rowBytes,
                                     bytesOf(query) + bytesOf(gradient));
  AttentionStep step(gpu, problem, shape, problem.keys, problem.keyHeads);
  CodeBuilder &b = step.b;
  ScoreEngine &engine = *step.engine;
  const ScoreLayout &layout = step.layout();
  SharedRows keyRows = step.loadRows(key), valueRows;
  if (keys)
    valueRows = step.loadRows(value);
  step.addColumns(query);
  step.addColumns(gradient);

  // Trips: the tiles of queries from the first that sees a key, of all heads.
  Value begin = b.index(0);
  int64_t tiles = llvm::divideCeil(problem.queries, shape.columns);
  if (problem.causal && problem.hidesAll() && !problem.mayHideRows())
    begin = b.min(
        b.div(b.max(b.sub(step.firstRow, b.index(*problem.causal)), b.index(0)),
              b.index(shape.columns)),
        b.index(tiles));
  Value perHead = b.sub(b.index(tiles), begin);
  auto headOf = [&](Value trip) {
    return b.add(b.mul(step.head, problem.group()), b.div(trip, perHead));
  };
  auto firstOf = [&](Value trip) {
    return b.mul(b.add(begin, b.rem(trip, perHead)), shape.columns);
  };

  int64_t count = layout.columnCount(shape.columns);
  int64_t keyElements = layout.rowCount() * layout.columnCount(key.features());
  Values state;
  if (keys)
    state = layout.zeros(key.features());
  if (values)
    llvm::append_range(state, layout.zeros(value.features()));
  Values sums = step.stream(
      b.index(0), b.mul(perHead, problem.group()), state,
      [&](Value trip, unsigned) {
        return AttentionStep::RowBlock{headOf(trip), firstOf(trip)};
      },
      [&](Value trip, ArrayRef<SharedRows> columns, ValueRange carried) {
        Values tile = engine.product(keyRows, columns[0], shape.columns);
        Values products;
        if (keys)
          products = engine.product(valueRows, columns[1], shape.columns);
        Value head = headOf(trip);
        for (int64_t column = 0; column < count; ++column) {
          Value i = b.add(firstOf(trip), layout.columnOf(column));
          AttentionRows::Row row = allRows.load(step, head, i);
          for (int64_t keyRow = 0; keyRow < layout.rowCount(); ++keyRow) {
            int64_t number = keyRow * count + column;
            Value j = b.add(step.firstRow, layout.rowOf(keyRow));
            AttentionStep::Score score = step.score(tile[number], head, i, j);
            Value p = AttentionRows::probability(step, score, row);
            tile[number] = step.dropped(p, head, i, j);
            if (keys)
              products[number] = AttentionRows::productGradient(
                  step, score, p, step.dropped(products[number], head, i, j),
                  row);
          }
        }
        Values next;
        if (keys)
          next = engine.accumulate(carried.take_front(keyElements), products,
                                   columns[0], shape.columns);
        if (values)
          llvm::append_range(
              next,
              engine.accumulate(carried.drop_front(keys ? keyElements : 0),
                                tile, columns[1], shape.columns));
        return next;
      });
  ValueRange all(sums);
  if (keys)
    step.store(op.getKeyGradient(),
               scaled(step, all.take_front(keyElements), problem.scale),
               key.features());
  if (values)
    step.store(
        op.getValueGradient(),
        scaled(step, all.drop_front(keys ? keyElements : 0), problem.keepScale),
        value.features());
  step.finish();
}

LogicalResult GradientLowering::run() {
  /// Features up to which a thread has registers for both sums.
  constexpr int64_t together = 128;
  auto prepared = GradientOperands::prepare(gpu, op, problem.element);
  if (failed(prepared))
    return failure();
  operands = *prepared;
  AttentionRows rows(gpu, op, problem);
  lowerBiasGradient(gpu, op, problem, rows, operands);
  lowerQuery(rows);
  if (std::max(key.features(), value.features()) <= together) {
    lowerKey(rows, /*keys=*/true, /*values=*/true);
  } else {
    lowerKey(rows, /*keys=*/true, /*values=*/false);
    lowerKey(rows, /*keys=*/false, /*values=*/true);
  }
  return success();
}

FailureOr<bool> nvptx::lowerAttention(const GpuNest &nest) {
  LogicalResult lowered = failure();
  if (auto attention = dyn_cast_or_null<AttentionOp>(nest.loops.op))
    lowered = ForwardLowering(nest, attention).run();
  else if (auto gradient = dyn_cast_or_null<AttentionGradientOp>(nest.loops.op))
    lowered = GradientLowering(nest, gradient).run();
  else
    return false;
  if (failed(lowered))
    return failure();
  return true;
}
