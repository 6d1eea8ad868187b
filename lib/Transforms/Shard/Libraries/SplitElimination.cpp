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
// columns; no row is sent to another device when rows change places. A matrix
// with more columns than rows ends with rows of U in all columns that are left,
// one with more rows with rows of L in all columns.
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
      : b(b), call(call), deal(deal),
        rows(b.size(call.getOperands().front(), 1)) {}

  /// The factors in one matrix, the pivots and the status.
  SmallVector<Value> rewrite(Value matrix);

private:
  /// What is known after a round's columns have been gathered: their factors,
  /// pivots and status.
  struct Panel {
    Value factors, pivots, status;
  };
  /// `count` of the `columns` are the matrix's.
  Panel eliminate(Value columns, int64_t count);
  /// `columns`, dealt, with the rows of `pivots` in their places.
  Value swapRows(Value columns, Value pivots);
  /// The `count` rows of U that `left`, dealt columns with their rows in place,
  /// has in the round of `panel`.
  Value solveRows(Value left, int64_t count, const Panel &panel);
  /// What is left of `left` below these `rows`.
  Value update(Value left, Value rows, const Panel &panel);
  Value countFrom(Value pivots, int64_t before);
  /// How the matrix is dealt out and collected, with so many rows that these
  /// can be split instead of columns.
  DealtSplit splitOfDeal() const;
  int64_t paddedRows() const { return llvm::alignTo(rows, deal.parts); }
  Value dealOut(Value matrix);
  Value collect(Value dealt);

  BatchBuilder &b;
  LibraryCallOp call;
  const Deal &deal;
  /// Of the matrix, whose columns are the deal's.
  int64_t rows;
};

} // namespace

static constexpr int64_t kWhole = BatchBuilder::kWhole;

DealtSplit EliminationSplitter::splitOfDeal() const {
  DealtSplit split;
  if (!deal.isByRows)
    split.columnsBefore = deal.axes;
  return split;
}

Value EliminationSplitter::dealOut(Value matrix) {
  Value padded = b.resize(matrix, 1, paddedRows(), deal.squareSplit());
  return b.slice(dealRows(b, padded, deal, splitOfDeal()), 3, 0, rows);
}

Value EliminationSplitter::collect(Value dealt) {
  Value padded = b.resize(dealt, 3, paddedRows(), {deal.axes});
  return b.resize(collectRows(b, padded, deal, splitOfDeal()), 1, rows,
                  deal.squareSplit());
}

EliminationSplitter::Panel EliminationSplitter::eliminate(Value columns,
                                                          int64_t count) {
  Value panel =
      b.reshape(columns, {deal.width(), b.size(columns, 3)}, {deal.axes});
  // A column of zeros would have no pivot.
  if (count < deal.width())
    panel = b.slice(b.split(panel, {}), 0, 0, count);
  Type status = call.getResult(2).getType();
  SmallVector<int64_t> shape(shapeOf(call.getResult(2)));
  shape.push_back(std::min(count, b.size(columns, 3)));
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

Value EliminationSplitter::solveRows(Value left, int64_t count,
                                     const Panel &panel) {
  int64_t rounds = b.size(left, 1);
  Value merged =
      b.reshape(b.slice(left, 3, 0, count),
                {deal.parts * rounds * deal.hand, count}, {deal.axes});
  Value block = b.slice(b.slice(panel.factors, 0, 0, count), 1, 0, count);
  Operation *solved =
      b.call(routineBeside(call, "trsm"), {block, merged}, merged.getType(),
             b.builder().getDictionaryAttr(
                 {b.letter("side", 'L'), b.letter("uplo", 'L'),
                  b.letter("diag", 'U'), b.letter("trans_x", 'N')}),
             {{kWhole, kWhole}, {0, kWhole}, {0, kWhole}}, {1});
  return b.reshape(b.split(solved->getResult(0), {deal.axes}),
                   {deal.parts, rounds, deal.hand, count}, {deal.axes});
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
  // Dealt columns that are left; those of earlier rounds, below their rows
  // that are done; and the latter, of all columns.
  Value left = dealOut(matrix), finished, status;
  SmallVector<Value> done, pivots;
  int64_t width = deal.width();
  for (int64_t first = 0; first < std::min(deal.size, rows); first += width) {
    int64_t below = rows - first, count = std::min(width, below);
    Panel panel =
        eliminate(b.slice(left, 1, 0, 1), std::min(width, deal.size - first));
    status = b.firstStatus(status, panel.status, first);
    pivots.push_back(countFrom(panel.pivots, first));
    // From left to right: columns of earlier rounds, of this one, and others.
    SmallVector<Value> columns;
    if (finished)
      columns.push_back(swapRows(finished, panel.pivots));
    columns.push_back(b.reshape(b.resize(panel.factors, 0, width, {}),
                                {deal.parts, 1, deal.hand, below},
                                {deal.axes}));
    finished = b.concatenate(columns, 1);
    SmallVector<Value> row = {b.slice(finished, 3, 0, count)};
    int64_t rounds = b.size(left, 1);
    left = rounds > 1 ? b.slice(left, 1, 1, rounds) : Value();
    if (first + width < deal.size) {
      left = swapRows(left, panel.pivots);
      row.push_back(solveRows(left, count, panel));
      if (below > count)
        left = update(left, row.back(), panel);
    } else if (left) {
      // Only what columns are filled up with.
      row.push_back(b.slice(left, 3, 0, count));
      if (below > count)
        left = b.slice(left, 3, count, below);
    }
    finished = below > count ? b.slice(finished, 3, count, below) : Value();
    done.push_back(b.concatenate(row, 1));
  }
  if (finished) {
    SmallVector<Value> row = {finished};
    if (left)
      row.push_back(left);
    done.push_back(b.concatenate(row, 1));
  }
  return {collect(b.concatenate(done, 3)), b.concatenate(pivots, 0), status};
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
  // Every round's columns, from the diagonal down, in which all devices
  // eliminate.
  int64_t rows = typeOf(matrix).getShape().back(),
          least = std::min(deal.size, rows);
  double rounds = double(llvm::divideCeil(least, deal.width()));
  return blocked.gather() + work <=
         2 * blocked.deal() +
             rounds * blocked.part(deal.width(), rows - least / 2) +
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
  if (typeOf(matrix).getNumElements() == 0 || deal.parts == 1 ||
      deal.rounds == 1 || isBetterGathered(call, deal, costs))
    return {};
  return EliminationSplitter(b, call, deal).rewrite(matrix);
}
