//===- SplitSolution.cpp - systems of equations with a split triangle -----===//
//
// Unknowns are solved round by round of the matrix's dealt rows, from the end
// where one equation has one unknown. With A x = b, what is known of x is
// subtracted from the equations that are left, times the column block of A
// below (or above) the diagonal; with A' x = b, the same block says what of the
// unknowns that are known goes into the next equations. So both read A by
// blocks of columns, of which
//
//   - few right-hand sides let every device use its rows: the unknowns of a
//     round are gathered, or the sums reduced;
//   - many right-hand sides are split by themselves, and the blocks of columns
//     are gathered one by one.
//
//===----------------------------------------------------------------------===//

#include "Libraries/BlockedCosts.h"
#include "Libraries/DealtRows.h"
#include "Libraries/SplitRoutines.h"

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// The system `A x = b`, or `A' x = b`, of matrices by rows.
struct System {
  bool isLower, isTransposed;
  /// Whether the call has the transposed matrix, or the whole equation
  /// transposed.
  bool isByColumns, isFromLeft;
  /// What splits the rows and the columns of the matrix.
  AxisList rows, columns;
};

class SolutionSplitter {
public:
  SolutionSplitter(BatchBuilder &b, LibraryCallOp call, const Deal &deal,
                   const System &system, const DealtSplit &split)
      : b(b), call(call), deal(deal), system(system), split(split) {
    dealtAxes = {
        split.areRowsSplit ? deal.axes : AxisList(), {}, {}, split.columns};
    mergedAxes = {dealtAxes[0], split.columns};
  }

  /// The unknowns, which split as right-hand sides are.
  Value rewrite(Value matrix, Value sides);

private:
  /// The columns of `round`, in the rounds that stand on its other side.
  Value besideBlock(int64_t round);
  Value solveBlock(int64_t round, Value sides);
  Value merged(Value dealt);
  Value dealt(Value merged);
  Value solveByUpdates();
  Value solveBySums();

  BatchBuilder &b;
  LibraryCallOp call;
  const Deal &deal;
  const System &system;
  const DealtSplit &split;
  /// How unknowns and right-hand sides are split, dealt, and those of one round
  /// as rows of a matrix.
  SmallVector<AxisList> dealtAxes, mergedAxes;
  /// The dealt matrix and right-hand sides.
  Value matrix, sides;
};

} // namespace

Value SolutionSplitter::besideBlock(int64_t round) {
  Value columns =
      b.slice(matrix, 3, round * deal.width(), (round + 1) * deal.width());
  return system.isLower ? b.slice(columns, 1, round + 1, deal.rounds)
                        : b.slice(columns, 1, 0, round);
}

/// The unknowns of `round` from its equations with nothing else in them, as
/// rows, which are not split.
Value SolutionSplitter::solveBlock(int64_t round, Value sides) {
  int64_t width = deal.width();
  Value rows = b.slice(b.slice(matrix, 1, round, round + 1), 3, round * width,
                       (round + 1) * width);
  Value block = b.reshape(rows, {width, width}, {deal.axes});
  NamedAttrList parameters(call.getParameters());
  // By columns, as LAPACK reads it, all is transposed.
  for (NamedAttribute letter :
       {b.letter("side", 'R'), b.letter("uplo", system.isLower ? 'U' : 'L'),
        b.letter("trans_x", system.isTransposed ? 'T' : 'N')})
    parameters.set(letter.getName(), letter.getValue());
  Operation *solved = b.call(call.getRoutine(), {block, sides}, sides.getType(),
                             parameters.getDictionary(b.builder().getContext()),
                             {{BatchBuilder::kWhole, BatchBuilder::kWhole},
                              {BatchBuilder::kWhole, 0},
                              {BatchBuilder::kWhole, 0}},
                             {1});
  return b.split(solved->getResult(0), {{}, split.columns});
}

/// The equations, or unknowns, of one round as rows that are split as they were
/// dealt, and the other way round.
Value SolutionSplitter::merged(Value dealt) {
  return b.reshape(dealt, {deal.width(), b.size(dealt, 3)}, mergedAxes);
}
Value SolutionSplitter::dealt(Value merged) {
  return b.reshape(merged, {deal.parts, 1, deal.hand, b.size(merged, 1)},
                   dealtAxes);
}

/// Of `A x = b`: what is left of the right-hand sides shrinks.
Value SolutionSplitter::solveByUpdates() {
  SmallVector<Value> found(deal.rounds);
  Value left = sides;
  for (int64_t step = 0; step < deal.rounds; ++step) {
    int64_t rounds = deal.rounds - step;
    int64_t round = system.isLower ? step : rounds - 1,
            place = system.isLower ? 0 : rounds - 1;
    Value known = solveBlock(round, merged(b.slice(left, 1, place, place + 1)));
    found[round] = dealt(known);
    if (rounds == 1)
      break;
    Value rest = system.isLower ? b.slice(left, 1, 1, rounds)
                                : b.slice(left, 1, 0, rounds - 1);
    left = b.subtract(
        rest, b.contract(besideBlock(round), {3}, known, {0}, dealtAxes));
  }
  return b.concatenate(found, 1);
}

/// Of `A' x = b`: the unknowns that are known grow.
Value SolutionSplitter::solveBySums() {
  SmallVector<Value> found;
  for (int64_t step = 0; step < deal.rounds; ++step) {
    int64_t round = system.isLower ? deal.rounds - 1 - step : step;
    Value next = merged(b.slice(sides, 1, round, round + 1));
    if (!found.empty())
      next = b.subtract(next, b.contract(besideBlock(round), {0, 1, 2},
                                         b.concatenate(found, 1), {0, 1, 2},
                                         mergedAxes));
    found.insert(system.isLower ? found.begin() : found.end(),
                 dealt(solveBlock(round, next)));
  }
  return b.concatenate(found, 1);
}

Value SolutionSplitter::rewrite(Value whole, Value given) {
  matrix = dealSquare(b, whole, deal);
  sides = dealRows(b, given, deal, split);
  Value found = system.isTransposed ? solveBySums() : solveByUpdates();
  return collectRows(b, found, deal, split);
}

//===----------------------------------------------------------------------===//
// Is it worth it
//===----------------------------------------------------------------------===//

/// Whether the described memory holds the matrix, and less time passes when all
/// devices gather it: then right-hand sides may be split, or are the same work
/// for all.
static bool isBetterWhole(LibraryCallOp call, const Deal &deal,
                          const System &system, int64_t columns,
                          const DealtSplit &split, RoutineCosts &costs) {
  BlockedCosts blocked(call.getOperands().front(), deal, costs);
  if (!blocked.isHeld(1))
    return false;
  double work = double(countRoutineOperations(call)) / costs.machine.compute;
  double beside =
      split.areRowsSplit
          ? blocked.part(deal.width(), columns) * (system.isTransposed ? 2 : 1)
          : blocked.part(deal.padded() / 2, deal.width());
  return blocked.gather() +
             work / double(columns < deal.parts ? 1 : deal.parts) <=
         blocked.deal() +
             double(deal.rounds) *
                 (blocked.part(deal.width(), deal.width()) + beside) +
             work * (1 / double(deal.parts) +
                     (split.areRowsSplit ? 1 / double(deal.rounds) : 0));
}

/// What `call` solves, by rows, with its matrix transposed where more of it is
/// split by columns.
static System systemOf(LibraryCallOp call, BatchBuilder &b) {
  auto isLetter = [&](StringRef name, char letter) {
    return cast<IntegerAttr>(call.getParameters().get(name)).getValue() ==
           letter;
  };
  Value matrix = call.getOperands()[0];
  AxisList rows = b.axes(matrix, 0), columns = b.axes(matrix, 1);
  System system;
  system.isByColumns =
      totalSize(columns, b.getMesh()) > totalSize(rows, b.getMesh());
  if (system.isByColumns)
    std::swap(rows, columns);
  system.rows = rows;
  system.columns = columns;
  // With unknowns on the left of the matrix, all of the equation is transposed.
  system.isFromLeft = isLetter("side", 'L');
  system.isLower = isLetter("uplo", 'U') != system.isByColumns;
  system.isTransposed =
      !isLetter("trans_x", 'N') != (system.isByColumns != system.isFromLeft);
  return system;
}

SmallVector<Value> tessera::shard::splitSolution(LibraryCallOp call,
                                                 RoutineCosts &costs) {
  Value matrix = call.getOperands()[0], sides = call.getOperands()[1];
  const Mesh &mesh = costs.getMesh();
  if (!isa<FloatType>(call.getBuffer(0).getElement()) || !getSharding(matrix) ||
      !getSharding(sides))
    return {};
  BatchBuilder b(call, mesh);
  System system = systemOf(call, b);
  Deal deal(b.size(matrix, 0), system.rows, system.columns, mesh);
  int64_t own = system.isFromLeft ? 0 : 1, columns = b.size(sides, own);
  DealtSplit split;
  split.columns = axesBeside(b.axes(sides, own), deal.axes, mesh);
  split.areRowsSplit = columns < deal.parts ||
                       columns * (system.isTransposed ? 4 : 2) <= deal.size;
  if (!split.areRowsSplit)
    llvm::append_range(split.columns, deal.axes);
  if (deal.parts == 1 || deal.rounds == 1 ||
      (split.areRowsSplit && !deal.neighbouring(mesh)) ||
      isBetterWhole(call, deal, system, columns, split, costs))
    return {};
  if (system.isByColumns)
    matrix = b.transpose(matrix, {1, 0}, deal.squareSplit());
  if (system.isFromLeft)
    sides = b.transpose(sides, {1, 0}, {b.axes(sides, 1), b.axes(sides, 0)});
  Value found =
      SolutionSplitter(b, call, deal, system, split).rewrite(matrix, sides);
  return {system.isFromLeft
              ? b.transpose(found, {1, 0}, {b.axes(found, 1), b.axes(found, 0)})
              : found};
}
