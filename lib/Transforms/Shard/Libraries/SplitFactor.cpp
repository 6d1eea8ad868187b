//===- SplitFactor.cpp - Cholesky's factor of a split matrix --------------===//
//
// The right-looking blocked algorithm on rows that are dealt out. Of every
// round,
//
//   - its block on the diagonal is gathered, and all devices compute its
//     factor;
//   - of the rows below, each device computes its part of the factor's columns,
//     which does not depend on other rows;
//   - these columns are gathered, and every device subtracts from what is left
//     of its rows the product of its part with all of them.
//
// Half of the matrix is received by each device, in pieces of a round's
// columns; gathering the matrix takes twice that, the memory for it, and all of
// the work on every device.
//
// What the other triangle holds is left alone, as LAPACK does.
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

/// The factor of matrices whose lower triangle is given by rows.
class FactorSplitter {
public:
  FactorSplitter(BatchBuilder &b, LibraryCallOp call, const Deal &deal)
      : b(b), call(call), deal(deal) {}

  /// The factor, which may be transposed, and its status.
  std::pair<Value, Value> rewrite(Value matrix);

private:
  /// The factor of the first block of `left`, and its status.
  std::pair<Value, Value> factorBlock(Value left);
  /// The columns of the factor below `block`, of `left`'s rows.
  Value solveBelow(Value left, Value block);
  /// What is left of `left` without its first round, for which the factor has
  /// `below`.
  Value update(Value left, Value below);

  BatchBuilder &b;
  LibraryCallOp call;
  const Deal &deal;
};

} // namespace

std::pair<Value, Value> FactorSplitter::factorBlock(Value left) {
  int64_t width = deal.width();
  Value rows = b.slice(b.slice(left, 1, 0, 1), 3, 0, width);
  Value block = b.reshape(rows, {width, width}, {deal.axes});
  SmallVector<Type> types = {block.getType(), call.getResult(1).getType()};
  // By columns, as LAPACK reads it, the lower triangle is the upper one.
  Operation *factor =
      b.call(call.getRoutine(), block, types,
             b.builder().getDictionaryAttr(b.letter("uplo", 'U')),
             {{BatchBuilder::kWhole, BatchBuilder::kWhole},
              {BatchBuilder::kWhole, BatchBuilder::kWhole},
              {}},
             {0, -1});
  return {b.split(factor->getResult(0), {}), b.split(factor->getResult(1), {})};
}

Value FactorSplitter::solveBelow(Value left, Value block) {
  int64_t width = deal.width(), rounds = b.size(left, 1) - 1;
  Value rows = b.slice(b.slice(left, 1, 1, rounds + 1), 3, 0, width);
  Value merged =
      b.reshape(rows, {deal.parts * rounds * deal.hand, width}, {deal.axes});
  // Rows times the transposed factor are given. By columns all is transposed.
  Operation *solved =
      b.call(routineBeside(call, "trsm"), {block, merged}, merged.getType(),
             b.builder().getDictionaryAttr(
                 {b.letter("side", 'L'), b.letter("uplo", 'U'),
                  b.letter("diag", 'N'), b.letter("trans_x", 'T')}),
             {{BatchBuilder::kWhole, BatchBuilder::kWhole},
              {0, BatchBuilder::kWhole},
              {0, BatchBuilder::kWhole}},
             {1});
  return b.reshape(b.split(solved->getResult(0), {deal.axes}),
                   {deal.parts, rounds, deal.hand, width}, {deal.axes});
}

Value FactorSplitter::update(Value left, Value below) {
  int64_t width = deal.width(), rounds = b.size(below, 1);
  // In the order of the columns that are left.
  Value all = b.transpose(below, {1, 0, 2, 3}, {});
  all = b.reshape(all, {rounds * width, width}, {});
  Value rest =
      b.slice(b.slice(left, 1, 1, rounds + 1), 3, width, (rounds + 1) * width);
  return b.subtract(rest, b.contract(below, {3}, all, {1}, {deal.axes}));
}

std::pair<Value, Value> FactorSplitter::rewrite(Value matrix) {
  Value dealt = dealSquare(b, matrix, deal);
  Value left = dealt, status;
  SmallVector<Value> columns;
  for (int64_t round = 0; round < deal.rounds; ++round) {
    auto [block, blockStatus] = factorBlock(left);
    status = b.firstStatus(status, blockStatus, round * deal.width());
    SmallVector<Value> column;
    // Of the other triangle nothing is kept in the end.
    if (round > 0)
      column.push_back(b.slice(b.slice(dealt, 1, 0, round), 3,
                               round * deal.width(),
                               (round + 1) * deal.width()));
    column.push_back(b.reshape(block, {deal.parts, 1, deal.hand, deal.width()},
                               {deal.axes}));
    if (round + 1 < deal.rounds) {
      Value below = solveBelow(left, block);
      column.push_back(below);
      left = update(left, below);
    }
    columns.push_back(b.concatenate(column, 1));
  }
  Value factor = collectSquare(b, b.concatenate(columns, 3), deal);
  return {b.joinTriangles(factor, matrix), status};
}

//===----------------------------------------------------------------------===//
// Is it worth it
//===----------------------------------------------------------------------===//

/// Whether the described memory holds the matrix and less time passes when all
/// devices gather it and compute the same.
static bool isBetterWhole(LibraryCallOp call, const Deal &deal,
                          RoutineCosts &costs) {
  BlockedCosts blocked(call.getOperands().front(), deal, costs);
  // The gathered matrix, and its factor before it is split.
  if (!blocked.isHeld(2))
    return false;
  double work = double(countRoutineOperations(call)) / costs.machine.compute;
  // Every round's columns, half of the matrix on the average, and its block.
  double rounds = double(deal.rounds);
  return blocked.gather() + work <=
         2 * blocked.deal() +
             rounds * (blocked.part(deal.padded() / 2, deal.width()) +
                       blocked.part(deal.width(), deal.width())) +
             work * (1.5 / double(deal.parts) + 1 / (rounds * rounds));
}

SmallVector<Value> tessera::shard::splitFactor(LibraryCallOp call,
                                               RoutineCosts &costs) {
  Value matrix = call.getOperands().front();
  bool isUpper =
      cast<IntegerAttr>(call.getParameters().get("uplo")).getValue() == 'L';
  if (!isa<FloatType>(call.getBuffer(0).getElement()) || !getSharding(matrix))
    return {};
  BatchBuilder b(call, costs.getMesh());
  AxisList rows = b.axes(matrix, 0), columns = b.axes(matrix, 1);
  if (isUpper)
    std::swap(rows, columns);
  Deal deal(b.size(matrix, 0), rows, columns, costs.getMesh());
  if (deal.parts == 1 || deal.rounds == 1 || isBetterWhole(call, deal, costs))
    return {};
  auto transposed = [&](Value value, BatchBuilder::Split split) {
    return isUpper ? b.transpose(value, {1, 0}, split) : value;
  };
  auto [factor, status] = FactorSplitter(b, call, deal)
                              .rewrite(transposed(matrix, deal.squareSplit()));
  return {transposed(factor, {b.axes(factor, 1), b.axes(factor, 0)}), status};
}
