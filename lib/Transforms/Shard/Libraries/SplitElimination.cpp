//===- SplitElimination.cpp - the factors L and U of a split matrix -------===//
//
// Gauss's elimination with partial pivoting, right-looking and by blocks, on
// columns that are dealt out: by rows as they lie, those of the transposed
// matrix. Of every round,
//
//   - the columns of the round are gathered from the diagonal down, and all
//     devices eliminate in them, so that all know the pivots;
//   - each device changes places of rows in its columns, those of earlier
//     rounds as well, which sends nothing;
//   - of its columns that are left, each device computes the rows of U, and
//     subtracts what they are times the gathered columns of L.
//
// Half of the matrix is received by each device, in pieces of a round's
// columns; no row is sent to another device when rows change places.
//
// Columns are filled up to all rounds, rows are not: where a matrix has values
// that are not numbers, a row behind it would be a pivot.
//
//===----------------------------------------------------------------------===//

#include "Libraries/BlockedCosts.h"
#include "Libraries/DealtRows.h"
#include "Libraries/SplitRoutines.h"

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// Columns are rows of the values here: [parts, rounds, hand, rows].
class EliminationSplitter {
public:
  EliminationSplitter(BatchBuilder &b, LibraryCallOp call, const Deal &deal)
      : b(b), call(call), deal(deal) {}

  /// The factors in one matrix, the pivots and the status.
  SmallVector<Value> rewrite(Value matrix);

private:
  /// What is known after a round's columns have been gathered: their factors,
  /// pivots and status.
  struct Panel {
    Value factors, pivots, status;
  };
  Panel eliminate(Value columns);
  /// `columns`, dealt, with the rows of `pivots` in their places.
  Value swapRows(Value columns, Value pivots);
  /// The rows of U that `left`, dealt columns with their rows in place, has in
  /// the round of `panel`.
  Value solveRows(Value left, const Panel &panel);
  /// What is left of `left` below these `rows`.
  Value update(Value left, Value rows, const Panel &panel);
  Value countFrom(Value pivots, int64_t before);

  BatchBuilder &b;
  LibraryCallOp call;
  const Deal &deal;
};

} // namespace

static constexpr int64_t kWhole = BatchBuilder::kWhole;

EliminationSplitter::Panel EliminationSplitter::eliminate(Value columns) {
  int64_t width = deal.width();
  Value panel = b.reshape(columns, {width, b.size(columns, 3)}, {deal.axes});
  Type status = call.getResult(2).getType();
  SmallVector<int64_t> shape(shapeOf(call.getResult(2)));
  shape.push_back(std::min(width, b.size(columns, 3)));
  Type pivots = cast<RankedTensorType>(status).clone(shape);
  Operation *done =
      b.call(call.getRoutine(), panel, {panel.getType(), pivots, status},
             b.builder().getDictionaryAttr({}),
             {{kWhole, kWhole}, {kWhole, kWhole}, {kWhole}, {}}, {0, -1, -1});
  return {b.split(done->getResult(0), {}), b.split(done->getResult(1), {}),
          b.split(done->getResult(2), {})};
}

Value EliminationSplitter::swapRows(Value columns, Value pivots) {
  int64_t rounds = b.size(columns, 1), rows = b.size(columns, 3);
  Value merged =
      b.reshape(columns, {deal.parts * rounds * deal.hand, rows}, {deal.axes});
  Operation *swapped =
      b.call(routineBeside(call, "laswp"), {merged, pivots}, merged.getType(),
             b.builder().getDictionaryAttr({}),
             {{0, kWhole}, {kWhole}, {0, kWhole}}, {0});
  return b.reshape(b.split(swapped->getResult(0), {deal.axes}),
                   {deal.parts, rounds, deal.hand, rows}, {deal.axes});
}

Value EliminationSplitter::solveRows(Value left, const Panel &panel) {
  int64_t width = deal.width(), rounds = b.size(left, 1);
  Value merged =
      b.reshape(b.slice(left, 3, 0, width),
                {deal.parts * rounds * deal.hand, width}, {deal.axes});
  Value block = b.slice(panel.factors, 1, 0, width);
  Operation *solved =
      b.call(routineBeside(call, "trsm"), {block, merged}, merged.getType(),
             b.builder().getDictionaryAttr(
                 {b.letter("side", 'L'), b.letter("uplo", 'L'),
                  b.letter("diag", 'U'), b.letter("trans_x", 'N')}),
             {{kWhole, kWhole}, {0, kWhole}, {0, kWhole}}, {1});
  return b.reshape(b.split(solved->getResult(0), {deal.axes}),
                   {deal.parts, rounds, deal.hand, width}, {deal.axes});
}

Value EliminationSplitter::update(Value left, Value rows, const Panel &panel) {
  int64_t width = deal.width(), size = b.size(left, 3);
  return b.subtract(b.slice(left, 3, width, size),
                    b.contract(rows, {3},
                               b.slice(panel.factors, 1, width, size), {0},
                               {deal.axes}));
}

Value EliminationSplitter::countFrom(Value pivots, int64_t before) {
  auto type = cast<RankedTensorType>(pivots.getType());
  Value offset =
      b.split(arith::ConstantOp::create(
                  b.builder(), DenseElementsAttr::get(type, int32_t(before))),
              {});
  return b.split(arith::AddIOp::create(b.builder(), pivots, offset), {});
}

SmallVector<Value> EliminationSplitter::rewrite(Value matrix) {
  Value left = b.slice(dealSquare(b, matrix, deal), 3, 0, deal.size), finished,
        status;
  SmallVector<Value> rows, pivots;
  int64_t width = deal.width();
  for (int64_t first = 0; first < deal.size; first += width) {
    int64_t below = deal.size - first, rounds = b.size(left, 1);
    Panel panel = eliminate(b.slice(left, 1, 0, 1));
    status = b.firstStatus(status, panel.status, first);
    pivots.push_back(countFrom(panel.pivots, first));
    Value own = b.reshape(panel.factors, {deal.parts, 1, deal.hand, below},
                          {deal.axes});
    // From left to right: columns of earlier rounds, of this one, and others.
    SmallVector<Value> columns;
    if (finished)
      columns.push_back(swapRows(finished, panel.pivots));
    columns.push_back(own);
    Value done = b.concatenate(columns, 1);
    SmallVector<Value> row = {b.slice(done, 3, 0, std::min(width, below))};
    if (rounds > 1)
      left = b.slice(left, 1, 1, rounds);
    if (below > width) {
      left = swapRows(left, panel.pivots);
      row.push_back(solveRows(left, panel));
      left = update(left, row.back(), panel);
      finished = b.slice(done, 3, width, below);
    } else if (rounds > 1) {
      // Only what columns are filled up with.
      row.push_back(left);
    }
    rows.push_back(b.concatenate(row, 1));
  }
  Value all = b.resize(b.concatenate(rows, 3), 3, deal.padded(), {deal.axes});
  return {collectSquare(b, all, deal), b.concatenate(pivots, 0), status};
}

//===----------------------------------------------------------------------===//
// Is it worth it
//===----------------------------------------------------------------------===//

/// Whether the described memory holds the matrix and less time passes when all
/// devices gather it and compute the same.
static bool isBetterGathered(LibraryCallOp call, const Deal &deal,
                             RoutineCosts &costs) {
  Value matrix = call.getOperands().front();
  BlockedCosts blocked(matrix, deal, costs);
  if (!blocked.isHeld(2))
    return false;
  double work = double(countRoutineOperations(call)) / costs.machine.compute;
  // Every round's columns, half of the matrix on the average, in which all
  // devices eliminate.
  double rounds = double(deal.rounds);
  return blocked.gather() + work <=
         2 * blocked.deal() +
             rounds * blocked.part(deal.width(), deal.padded() / 2) +
             work * (1.5 / double(deal.parts) + 0.75 / rounds);
}

SmallVector<Value> tessera::shard::splitElimination(LibraryCallOp call,
                                                    RoutineCosts &costs) {
  Value matrix = call.getOperands().front();
  if (!isa<FloatType>(call.getBuffer(0).getElement()) || !getSharding(matrix))
    return {};
  BatchBuilder b(call, costs.getMesh());
  Deal deal(b.size(matrix, 0), b.axes(matrix, 0), b.axes(matrix, 1),
            costs.getMesh());
  if (b.size(matrix, 0) != b.size(matrix, 1) || deal.parts == 1 ||
      deal.rounds == 1 || isBetterGathered(call, deal, costs))
    return {};
  return EliminationSplitter(b, call, deal).rewrite(matrix);
}
