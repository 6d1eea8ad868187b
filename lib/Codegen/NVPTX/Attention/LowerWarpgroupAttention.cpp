//===- LowerWarpgroupAttention.cpp - Attention by TMA and wgmma -----------===//
//
// FlashAttention-3 (Shah et al., 2024, "FlashAttention-3: Fast and accurate
// attention with asynchrony and low-precision"), forward. What is computed is
// what LowerAttention.cpp computes, with the work of the block's warp groups
// specialised:
//
// One thread of the first copies the tiles of queries, and those of keys and
// values into a ring of buffers each. Every other warp group has 64 queries. It
// has the product of two tiles in flight while it computes a softmax: of tile
// t + 1 it starts the scores, then adds tile t's share to the output; as soon
// as the scores are there it computes their probabilities, while tensor cores
// are still busy with the output. Probabilities go, rounded, from registers to
// the second product.
//
// Two warp groups take turns: a pair of named barriers lets one start its
// products when the other has started its own, so that one computes
// exponentials while tensor cores work for the other.
//
// Tiles of keys without hidden scores, and with, are loops of their own: the
// former need no comparisons. A block has several tiles of queries, one after
// the other; keys and values of the next are under way while the output of one
// is stored.
//
//===----------------------------------------------------------------------===//

#include "Attention/WarpgroupAttention.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;
using Step = WarpgroupAttentionStep;

namespace {

class WarpgroupForward {
public:
  WarpgroupForward(Step &step, AttentionOp op, const AttentionOperand &query,
                   const AttentionOperand &key, const AttentionOperand &value)
      : step(step), b(step.b), problem(step.problem), op(op),
        valueColumns(value.features()),
        queries(step, query, step.shape.rows(), 1),
        keys(step, key, step.shape.columns, step.shape.buffers),
        values(step, value, step.shape.columns, step.shape.buffers) {}

  void run();

private:
  /// What a loop over tiles of keys carries: the softmax, the output, and the
  /// probabilities of the last tile, whose share it has not yet.
  struct State {
    AttentionTile::Softmax softmax;
    Values outputs, probabilities;

    Values values() const;
    State with(ValueRange values) const;
  };

  Value tileCount();
  Value firstOf(Value tile) { return b.mul(tile, step.shape.columns); }
  void copyTile(Value round, Value before);
  void multiplyTile(Value round, Value before);
  State begin(Value round, Value before);
  State meet(State state, Value tile, Value before, bool isWhole);
  Values addShare(const State &state, Value number,
                  std::optional<int64_t> pending);
  Values startScores(Value buffer);
  void waitForTurn();
  void passTurn();

  Step &step;
  CodeBuilder &b;
  const AttentionProblem &problem;
  AttentionOp op;
  int64_t valueColumns;
  OperandRing queries, keys, values;
  /// The warp group's queries.
  WarpgroupInstructions::Matrix queryRows;
};

} // namespace

Values WarpgroupForward::State::values() const {
  Values all = softmax.values();
  llvm::append_range(all, outputs);
  llvm::append_range(all, probabilities);
  return all;
}

WarpgroupForward::State WarpgroupForward::State::with(ValueRange all) const {
  size_t numbers = softmax.maxima.size() + softmax.sums.size();
  return {AttentionTile::Softmax::of(all.take_front(numbers)),
          Values(all.slice(numbers, outputs.size())),
          Values(all.drop_front(numbers + outputs.size()))};
}

/// Tiles of keys that the tile's queries meet, at least one.
Value WarpgroupForward::tileCount() {
  // A row of hidden keys only meets them all.
  if (!problem.hidesAll() || problem.mayHideRows())
    return b.index(llvm::divideCeil(problem.keys, step.shape.columns));
  return b.max(step.visibleTiles(), b.index(1));
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// In the order in which the tiles are needed, and their buffers become empty:
/// scores are a tile ahead.
void WarpgroupForward::copyTile(Value round, Value before) {
  Value head = b.div(step.head, b.index(problem.group()));
  auto copy = [&](OperandRing &operand, Value tile) {
    operand.copy(b.add(before, tile), head, firstOf(tile));
  };
  Value count = tileCount(), one = b.index(1);
  queries.copy(round, step.head, step.firstRow);
  copy(keys, b.index(0));
  b.loop(one, count, 1, [&](Value tile) {
    copy(keys, tile);
    copy(values, b.sub(tile, one));
  });
  copy(values, b.sub(count, one));
}

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

/// Barrier 1 + i is where warp group i waits for the other.
static Value turnBarrier(CodeBuilder &b, Value consumer) {
  return b.make<arith::TruncIOp>(b.getI32Type(), b.add(consumer, 1));
}

void WarpgroupForward::waitForTurn() {
  if (step.shape.consumers == 2)
    step.ptx.namedBarrier(turnBarrier(b, step.consumer()), 2 * kWarpgroup);
}

void WarpgroupForward::passTurn() {
  if (step.shape.consumers == 2)
    step.ptx.arriveAtNamedBarrier(
        turnBarrier(b, b.sub(b.index(1), step.consumer())), 2 * kWarpgroup);
}

/// Starts the products of the queries with the tile of keys at `buffer`.
Values WarpgroupForward::startScores(Value buffer) {
  return step.ptx.multiply(
      step.product(step.shape.columns, /*nMajor=*/false), {}, queryRows,
      keys.alongFeatures(buffer).operand(b, keys.featureSteps()));
}

/// The outputs with the share of the last probabilities and the tile of values
/// that is the `number`-th of the block.
Values WarpgroupForward::addShare(const State &state, Value number,
                                  std::optional<int64_t> pending) {
  Value buffer = values.ring.waitFull(number);
  return step.ptx.multiply(
      step.product(valueColumns, /*nMajor=*/true), state.outputs,
      state.probabilities,
      values.alongRows(buffer).operand(b, step.shape.columns / 16), pending);
}

/// The state after the scores of the first tile of keys.
WarpgroupForward::State WarpgroupForward::begin(Value round, Value before) {
  Value buffer = queries.ring.waitFull(round);
  queryRows = queries.alongFeatures(buffer)
                  .from(b, b.mul(step.consumer(), kWarpgroupRows))
                  .operand(b, queries.featureSteps());
  State state{step.emptySoftmax(), step.layout().zeros(valueColumns), {}};
  Values scores = step.ptx.wait(0, startScores(keys.ring.waitFull(before)));
  keys.ring.release(before);
  Values tile = Step::asRows(scores);
  bool isWhole =
      !problem.mask && !problem.causal && problem.keys >= step.shape.columns;
  step.meet(state.softmax, tile, b.index(0), isWhole);
  state.probabilities = step.leftOperand(tile);
  return state;
}

/// The state after the scores of tile `tile` and the share of the one before.
WarpgroupForward::State WarpgroupForward::meet(State state, Value tile,
                                               Value before, bool isWhole) {
  Value number = b.add(before, tile), last = b.sub(number, b.index(1));
  Value buffer = keys.ring.waitFull(number);
  waitForTurn();
  Values scores = startScores(buffer);
  Values outputs = addShare(state, last, std::nullopt);
  passTurn();
  Values rows = Step::asRows(step.ptx.wait(1, scores));
  keys.ring.release(number);
  Values factors = step.meet(state.softmax, rows, firstOf(tile), isWhole);
  outputs = Step::asRows(step.ptx.wait(0, outputs, state.probabilities));
  values.ring.release(last);
  step.scaleRows(outputs, factors);
  return {state.softmax, Step::asAccumulators(outputs), step.leftOperand(rows)};
}

void WarpgroupForward::multiplyTile(Value round, Value before) {
  State state = begin(round, before);
  Value count = tileCount(), one = b.index(1);
  Value whole = b.max(step.wholeTiles(), one);
  auto visit = [&](Value first, Value end, bool isWhole) {
    Values all = b.loop(
        first, end, 1, state.values(), [&](Value tile, ValueRange carried) {
          return meet(state.with(carried), tile, before, isWhole).values();
        });
    state = state.with(all);
  };
  visit(one, whole, /*isWhole=*/true);
  visit(whole, count, /*isWhole=*/false);
  queries.ring.release(round);
  Value last = b.sub(b.add(before, count), one);
  Values outputs = addShare(state, last, /*pending=*/0);
  values.ring.release(last);
  step.store(op, state.softmax, Step::asRows(outputs), valueColumns);
}

void WarpgroupForward::run() {
  BufferRing::begin(step.grid, {&queries.ring, &keys.ring, &values.ring});
  auto forEachTile = [&](function_ref<void(Value, Value)> body) {
    step.forEachTile(b.index(0), [&](Value round, ValueRange before) {
      body(round, before.front());
      return Values{b.add(before.front(), tileCount())};
    });
  };
  auto isConsumer = [&](int64_t number) {
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, step.consumer(),
                                 b.index(number));
  };
  bool takeTurns = step.shape.consumers == 2;
  specialise(
      step.grid, step.shape.consumers,
      [&] {
        for (OperandRing *operand : {&queries, &keys, &values})
          operand->begin();
        forEachTile(
            [&](Value round, Value before) { copyTile(round, before); });
      },
      [&] {
        // The first turn is the first warp group's; the last one that is passed
        // on is, too.
        if (takeTurns)
          b.guard(isConsumer(1), [&] { passTurn(); });
        forEachTile(
            [&](Value round, Value before) { multiplyTile(round, before); });
        if (takeTurns)
          b.guard(isConsumer(0), [&] { waitForTurn(); });
      });
  step.finish();
}

/// Columns for which a thread has registers: its scores, as many probabilities,
/// and its outputs are some 180 of them.
static int64_t widestTile(int64_t valueFeatures) {
  return valueFeatures <= 128 ? 128 : 64;
}

FailureOr<bool> nvptx::lowerWarpgroupAttention(const GpuNest &nest) {
  auto op = dyn_cast_or_null<AttentionOp>(nest.loops.op);
  const GpuTarget &target = nest.variant.target;
  if (!op || !target.hasTensorMemoryAccess())
    return false;
  AttentionProblem problem = AttentionProblem::of(op);
  if (!problem.usesTensorCores() || problem.keys == 0)
    return false;
  WarpgroupAttentionShape::Needs needs{boxedBytes(problem.features),
                                       boxedBytes(problem.features) +
                                           boxedBytes(problem.valueFeatures),
                                       widestTile(problem.valueFeatures)};
  auto shape = WarpgroupAttentionShape::choose(nest, problem, "forward", needs,
                                               problem.queries,
                                               problem.heads * problem.batch);
  if (!shape)
    return false;
  auto prepare = [&](Value tensor) {
    return AttentionOperand::prepare(nest, tensor, problem.element,
                                     /*asBoxes=*/true);
  };
  auto query = prepare(op.getQuery()), key = prepare(op.getKey()),
       value = prepare(op.getValue());
  if (failed(query) || failed(key) || failed(value))
    return failure();
  Step step(nest, problem, *shape, Step::Rows::Queries);
  WarpgroupForward(step, op, *query, *key, *value).run();
  return true;
}
