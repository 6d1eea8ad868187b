//===- AttentionResults.cpp - How tiles of attention are stored -----------===//
//
// A thread has two neighbouring elements of a row, or one, and the next some
// columns on. Before it stores them, neighbouring lanes exchange what they
// have, so that each writes 16 bytes at a time.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionTile.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

SmallVector<Value> AttentionTile::pointersTo(Value result) {
  SmallVector<Value> pointers;
  auto slots = grid.lowering.plan.slots.find(result);
  if (slots != grid.lowering.plan.slots.end())
    for (Slot slot : slots->second)
      pointers.push_back(grid.lowering.pointer(slot));
  return pointers;
}

/// The number of the tile's row `row` among the rows of `result`, [batch,
/// heads, rows] or of size 1 there.
Value AttentionTile::rowPosition(Value result, Value row) {
  Value position = b.index(0);
  Value indices[] = {batch, head, b.add(firstRow, row)};
  for (auto [size, index] : llvm::zip(shapeOf(result), indices))
    if (size != 1)
      position = b.add(b.mul(position, size), index);
  return position;
}

void AttentionTile::ifRowExists(Value row, function_ref<void()> body) {
  if (rowCount % extent.rows == 0)
    return body();
  b.guard(isLess(b.add(firstRow, row), rowCount), body);
}

/// `values`, rounded to `element`, as they are stored.
Value AttentionTile::toStorage(ValueRange values, Type element) {
  int64_t count = values.size();
  Value run = values.front();
  if (count > 1) {
    auto type = VectorType::get(count, b.getF32Type());
    run = LLVM::UndefOp::create(b, b.getLoc(), type);
    for (auto [i, value] : llvm::enumerate(values))
      run = vector::InsertOp::create(b, b.getLoc(), value, run, i);
  }
  if (!element.isF32())
    run = arith::TruncFOp::create(b, b.getLoc(),
                                  CodeBuilder::vectorOf(element, count), run);
  Type storage = b.storageType(run.getType());
  if (storage != run.getType())
    run = arith::BitcastOp::create(b, b.getLoc(), storage, run);
  return run;
}

/// Item k of lane q, of as many neighbouring lanes as there are `items`,
/// becomes item q of lane k.
AttentionTile::Values AttentionTile::exchange(ValueRange items) {
  Values result(items);
  auto choose = [&](Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, b.getLoc(), condition, x, y);
  };
  for (size_t step = 1; step < result.size(); step *= 2) {
    Value isUpper = b.make<arith::CmpIOp>(
        arith::CmpIPredicate::eq,
        b.rem(b.div(grid.lane(), b.index(step)), b.index(2)), b.index(1));
    for (size_t position = 0; position < result.size(); ++position) {
      if (position & step)
        continue;
      Value &low = result[position], &high = result[position | step];
      Value received = grid.shuffleXor(choose(isUpper, low, high), step);
      Value own = low;
      low = choose(isUpper, received, own);
      high = choose(isUpper, high, received);
    }
  }
  return result;
}

/// What a thread has of the columns of one row of a tile becomes pieces of
/// neighbouring columns: `lanes` neighbouring lanes, which share as many blocks
/// of columns, take one of these each.
AttentionTile::Piece AttentionTile::takePiece(ValueRange values, int64_t block,
                                              int64_t lanes, Type element) {
  const ScoreLayout &at = layout();
  int64_t run = values.size() / lanes;
  int64_t bytes = run * CodeBuilder::storageBytes(element);
  if (lanes == 1)
    return {toStorage(values, element), at.columnOf(block * run), bytes};
  Type item = b.getIntegerType(8 * bytes);
  Values items;
  for (int64_t i = 0; i < lanes; ++i)
    items.push_back(LLVM::BitcastOp::create(
        b, b.getLoc(), item, toStorage(values.slice(i * run, run), element)));
  Value all =
      LLVM::UndefOp::create(b, b.getLoc(), VectorType::get(lanes, item));
  for (auto [i, word] : llvm::enumerate(exchange(items)))
    all = vector::InsertOp::create(b, b.getLoc(), word, all, i);
  Value ofRow = b.rem(grid.lane(), b.index(at.lanesPerRow()));
  Value number = b.add(b.rem(ofRow, b.index(lanes)), block);
  Value column = b.add(b.mul(number, at.blockColumns()),
                       b.mul(b.div(ofRow, b.index(lanes)), lanes * run));
  return {all, column, lanes * bytes};
}

/// 16 bytes at a time, if the rows of `result` begin at multiples of these.
SmallVector<AttentionTile::Piece>
AttentionTile::takePieces(ValueRange values, int64_t features, Type element) {
  constexpr int64_t most = 16, leastItem = 4;
  const ScoreLayout &at = layout();
  int64_t elementBytes = CodeBuilder::storageBytes(element);
  int64_t bytes = at.run() * elementBytes, count = values.size();
  bool together = bytes >= leastItem && features * elementBytes % most == 0;
  int64_t run = together || features % at.run() == 0 ? at.run() : 1;
  SmallVector<Piece> pieces;
  for (int64_t first = 0; first < count;) {
    int64_t lanes = 1;
    while (together && 2 * lanes * bytes <= most &&
           first + 2 * lanes * run <= count)
      lanes *= 2;
    pieces.push_back(takePiece(values.slice(first, lanes * run), first / run,
                               lanes, element));
    first += lanes * run;
  }
  return pieces;
}

void AttentionTile::storePiece(const Piece &piece, Value pointer,
                               Value position, Type element) {
  Value address = b.address(pointer, b.storageType(element), position);
  LLVM::StoreOp::create(b, b.getLoc(), piece.elements, address, piece.bytes);
}

void AttentionTile::store(Value result, ValueRange tile, int64_t columns,
                          Value firstColumn) {
  const ScoreLayout &at = layout();
  int64_t features = shapeOf(result)[3], count = at.columnCount(columns);
  Type element = getElementTypeOrSelf(result.getType());
  bool isWhole = firstColumn ? features % columns == 0 : features == columns;
  for (int64_t row = 0; row < at.rowCount(); ++row) {
    // All lanes exchange what they have, even if their rows do not exist.
    SmallVector<Piece> pieces =
        takePieces(tile.slice(row * count, count), features, element);
    for (Value pointer : pointersTo(result))
      ifRowExists(at.rowOf(row), [&] {
        Value start = b.mul(rowPosition(result, at.rowOf(row)), features);
        for (const Piece &piece : pieces) {
          Value column =
              firstColumn ? b.add(firstColumn, piece.column) : piece.column;
          auto write = [&] {
            storePiece(piece, pointer, b.add(start, column), element);
          };
          isWhole ? write() : b.guard(isLess(column, features), write);
        }
      });
  }
}

void AttentionTile::storeOne(Value value, Value pointer, Value position,
                             Type element) {
  storePiece(
      {toStorage(value, element), {}, CodeBuilder::storageBytes(element)},
      pointer, position, element);
}

void AttentionTile::storeElement(Value result, Value value, Value column) {
  Type element = getElementTypeOrSelf(result.getType());
  Value start = b.mul(rowPosition(result, b.index(0)), shapeOf(result)[3]);
  for (Value pointer : pointersTo(result))
    storeOne(value, pointer, b.add(start, column), element);
}

void AttentionTile::storeRows(Value result, ValueRange rows) {
  Type element = getElementTypeOrSelf(result.getType());
  for (Value pointer : pointersTo(result))
    for (auto [row, value] : llvm::enumerate(rows))
      ifRowExists(layout().rowOf(row), [&] {
        // One of the lanes that share the row.
        b.guard(isLess(layout().columnOf(0), 1), [&] {
          storeOne(value, pointer, rowPosition(result, layout().rowOf(row)),
                   element);
        });
      });
}

void AttentionTile::store(AttentionOp op, const Softmax &softmax,
                          ValueRange outputs, int64_t columns) {
  Accumulator add(b, ReductionKind::Sum, b.getF32Type());
  Values tile(outputs), maxima(softmax.maxima), sums, inverses;
  for (Value sum : softmax.sums) {
    sums.push_back(layout().acrossRow(add, sum));
    Value inverse = arith::DivFOp::create(
        b, b.getLoc(), constant(problem.keepScale), sums.back());
    if (problem.mayBeginEmpty())
      inverse = arith::SelectOp::create(b, b.getLoc(), isNonzero(sums.back()),
                                        inverse, constant(0));
    inverses.push_back(inverse);
  }
  scaleRows(tile, inverses);
  if (problem.unit() != 1)
    for (Value &maximum : maxima)
      maximum = multiply(maximum, constant(problem.unit()));
  store(op.getOutput(), tile, columns);
  storeRows(op.getMaximum(), maxima);
  storeRows(op.getSum(), sums);
}
