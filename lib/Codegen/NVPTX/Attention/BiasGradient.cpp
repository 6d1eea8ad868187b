//===- BiasGradient.cpp - The gradient of attention's bias ----------------===//
//
// The gradient of the bias is that of the scores, summed up along the
// dimensions that the bias does not have. A block has a tile of it, queries by
// keys, or a part of a row or column where the bias has no keys or queries. It
// goes through all tiles of scores that are added up in it, over batches and
// heads, computes their gradients again as the other steps do, and adds them in
// registers. So the scores' gradients are stored only as far as the bias has
// their dimensions, and every sum is one block's, in one order.
//
// There are two products, of the five that the other gradients take, more than
// if one of their steps stored what it has; but no two of their blocks have the
// same element of a bias only if it has all dimensions.
//
//===----------------------------------------------------------------------===//

#include "Attention/BiasGradient.h"
#include "Attention/AttentionStep.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;

namespace {

class BiasGradient {
public:
  BiasGradient(const GpuNest &nest, AttentionGradientOp op,
               const AttentionProblem &problem, const AttentionRows &rows,
               const GradientOperands &operands);

  void run();

private:
  /// The dimensions of scores; queries and keys by tiles.
  enum Dim { Batch, Head, Query, Key };
  /// The index of a tile along each dimension.
  using Tile = std::array<Value, 4>;

  int64_t tileCount(Dim dim) const;
  /// Whether blocks go along `dim`, else the trips of a block do.
  bool isKept(Dim dim) const { return shapeOf(result)[dim] != 1; }
  int64_t countAlong(bool kept) const;
  Tile tileOf(Value number, bool kept);
  Tile tileOfTrip(Value trip);
  Value tripCount();

  Values addTile(ArrayRef<SharedRows> operands, ValueRange sums, Value trip);
  void store(ValueRange sums);
  void storeColumns(ValueRange sums);

  const AttentionProblem &problem;
  const AttentionRows &allRows;
  const GradientOperands &operands;
  Value result;
  AttentionStep step;
  CodeBuilder &b;
  /// The first one of the block.
  Tile firstTile;
};

} // namespace

/// All four tiles of a trip come by copies, a trip ahead if there is memory.
static AttentionShape chooseShape(const AttentionProblem &problem,
                                  const GradientOperands &operands,
                                  const GpuTarget &target) {
  auto rowBytes = [](const AttentionOperand &a, const AttentionOperand &b) {
    return SharedRows{{}, a.features(), a.elementBytes()}.rowBytes() +
           SharedRows{{}, b.features(), b.elementBytes()}.rowBytes();
  };
  int64_t ofQueries = rowBytes(operands.query, operands.gradient),
          ofKeys = rowBytes(operands.key, operands.value);
  for (int64_t warps : {4, 2})
    for (int64_t columns = problem.usesTensorCores() ? 64 : 32; columns >= 16;
         columns /= 2)
      for (int64_t buffers : {2, 1}) {
        AttentionShape shape{warps, columns, buffers};
        if (buffers * (shape.rows() * ofQueries + columns * ofKeys) +
                AttentionShape::reserve <=
            target.sharedBytes)
          return shape;
      }
  llvm_unreachable("the smallest shape fits 256 features of four operands");
}

BiasGradient::BiasGradient(const GpuNest &nest, AttentionGradientOp op,
                           const AttentionProblem &problem,
                           const AttentionRows &rows,
                           const GradientOperands &operands)
    : problem(problem), allRows(rows), operands(operands),
      result(op.getBiasGradient()),
      step(nest, problem, chooseShape(problem, operands, nest.variant.target),
           problem.queries, problem.heads),
      b(step.b) {}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t BiasGradient::tileCount(Dim dim) const {
  switch (dim) {
  case Batch:
    return problem.batch;
  case Head:
    return problem.heads;
  case Query:
    return llvm::divideCeil(problem.queries, step.shape.rows());
  case Key:
    return llvm::divideCeil(problem.keys, step.shape.columns);
  }
  llvm_unreachable("unknown dimension");
}

int64_t BiasGradient::countAlong(bool kept) const {
  int64_t count = 1;
  for (Dim dim : {Batch, Head, Query, Key})
    if (isKept(dim) == kept)
      count *= tileCount(dim);
  return count;
}

/// Number `number` of the tiles along the dimensions that are kept, or along
/// the others; 0 along the rest.
BiasGradient::Tile BiasGradient::tileOf(Value number, bool kept) {
  Tile at;
  for (Dim dim : {Key, Query, Head, Batch}) {
    at[dim] = b.index(0);
    if (isKept(dim) != kept)
      continue;
    at[dim] = b.rem(number, b.index(tileCount(dim)));
    number = b.div(number, b.index(tileCount(dim)));
  }
  return at;
}

BiasGradient::Tile BiasGradient::tileOfTrip(Value trip) {
  Tile at = tileOf(trip, /*kept=*/false);
  for (Dim dim : {Batch, Head, Query, Key})
    at[dim] = b.add(at[dim], firstTile[dim]);
  return at;
}

/// None where a causal mask hides all keys of the block from all its queries.
Value BiasGradient::tripCount() {
  Value all = b.index(countAlong(/*kept=*/false));
  if (!problem.causal || !isKept(Query) || !isKept(Key))
    return all;
  Value end = b.mul(b.add(firstTile[Query], 1), step.shape.rows());
  Value isHidden = b.make<arith::CmpIOp>(
      arith::CmpIPredicate::sle, b.add(end, *problem.causal),
      b.mul(firstTile[Key], step.shape.columns));
  return b.make<arith::SelectOp>(isHidden, b.index(0), all);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// `sums` and the gradients of the scores of a trip.
Values BiasGradient::addTile(ArrayRef<SharedRows> tiles, ValueRange sums,
                             Value trip) {
  const ScoreLayout &layout = step.layout();
  int64_t columns = step.shape.columns, count = layout.columnCount(columns);
  Tile at = tileOfTrip(trip);
  step.batch = at[Batch];
  Values scores = step.engine->product(tiles[0], tiles[2], columns),
         products = step.engine->product(tiles[1], tiles[3], columns), next;
  for (int64_t row = 0; row < layout.rowCount(); ++row) {
    Value i = b.add(b.mul(at[Query], step.shape.rows()), layout.rowOf(row));
    AttentionRows::Row numbers = allRows.load(step, at[Head], i);
    for (int64_t column = 0; column < count; ++column) {
      Value j = b.add(b.mul(at[Key], columns), layout.columnOf(column));
      int64_t number = row * count + column;
      AttentionTile::Score score = step.score(scores[number], at[Head], i, j);
      Value p = AttentionRows::probability(step, score, numbers);
      Value gradient = AttentionRows::scoreGradient(
          step, score, p, step.dropped(products[number], at[Head], i, j),
          numbers);
      next.push_back(
          arith::AddFOp::create(b, b.getLoc(), sums[number], gradient));
    }
  }
  return next;
}

void BiasGradient::run() {
  firstTile = tileOf(step.grid.block(), /*kept=*/true);
  for (const AttentionOperand *rows : {&operands.query, &operands.gradient})
    step.addColumns(*rows, step.shape.rows());
  step.addColumns(operands.key);
  step.addColumns(operands.value);
  Values sums = step.stream(
      b.index(0), tripCount(), step.layout().zeros(step.shape.columns),
      [&](Value trip, unsigned operand) {
        Tile at = tileOfTrip(trip);
        if (operand < 2)
          return AttentionStep::RowBlock{
              at[Head], b.mul(at[Query], step.shape.rows()), at[Batch]};
        return AttentionStep::RowBlock{
            b.div(at[Head], b.index(problem.group())),
            b.mul(at[Key], step.shape.columns), at[Batch]};
      },
      [&](Value trip, ArrayRef<SharedRows> tiles, ValueRange carried) {
        return addTile(tiles, carried, trip);
      });
  step.batch = firstTile[Batch];
  step.head = firstTile[Head];
  step.firstRow = b.mul(firstTile[Query], step.shape.rows());
  store(sums);
  step.grid.finish({countAlong(/*kept=*/true), 1, 1});
}

void BiasGradient::store(ValueRange sums) {
  if (!isKept(Query))
    return storeColumns(sums);
  Value firstKey = b.mul(firstTile[Key], step.shape.columns);
  if (isKept(Key))
    return step.store(result, sums, step.shape.columns, firstKey);
  const ScoreLayout &layout = step.layout();
  Accumulator add(b, ReductionKind::Sum, b.getF32Type());
  int64_t count = layout.columnCount(step.shape.columns);
  Values rows;
  for (int64_t row = 0; row < layout.rowCount(); ++row) {
    Value sum = sums[row * count];
    for (Value element : sums.slice(row * count + 1, count - 1))
      sum = add.combine(sum, element);
    rows.push_back(layout.acrossRow(add, sum));
  }
  step.storeRows(result, rows);
}

/// Adds up the rows of a tile, and its columns if there are none either.
void BiasGradient::storeColumns(ValueRange sums) {
  const ScoreLayout &layout = step.layout();
  GridFunction &grid = step.grid;
  int64_t columns = step.shape.columns, count = layout.columnCount(columns);
  Accumulator add(b, ReductionKind::Sum, b.getF32Type());
  Value shared = grid.sharedArray(b.getF32Type(), step.shape.warps * columns);
  auto address = [&](Value warp, Value column) {
    return b.address(shared, b.getF32Type(),
                     b.add(b.mul(warp, columns), column));
  };
  for (int64_t column = 0; column < count; ++column) {
    Value sum = sums[column];
    for (int64_t row = 1; row < layout.rowCount(); ++row)
      sum = add.combine(sum, sums[row * count + column]);
    for (int64_t lanes = layout.lanesPerRow(); lanes < kWarp; lanes *= 2)
      sum = add.combine(sum, grid.shuffleXor(sum, lanes));
    b.guard(step.isLess(grid.lane(), layout.lanesPerRow()), [&] {
      LLVM::StoreOp::create(b, b.getLoc(), sum,
                            address(grid.warp(), layout.columnOf(column)), 4);
    });
  }
  grid.barrier();
  auto sumOf = [&](Value column) {
    Value sum;
    for (int64_t warp = 0; warp < step.shape.warps; ++warp) {
      Value part = LLVM::LoadOp::create(b, b.getLoc(), b.getF32Type(),
                                        address(b.index(warp), column), 4);
      sum = sum ? add.combine(sum, part) : part;
    }
    return sum;
  };
  if (isKept(Key)) {
    Value key = b.add(b.mul(firstTile[Key], columns), grid.thread());
    Value exists = step.isLess(grid.thread(), columns);
    exists = b.make<arith::AndIOp>(exists, step.isLess(key, problem.keys));
    b.guard(exists,
            [&] { step.storeElement(result, sumOf(grid.thread()), key); });
    return;
  }
  b.guard(step.isLess(grid.thread(), 1), [&] {
    Value sum = sumOf(b.index(0));
    for (int64_t column = 1; column < columns; ++column)
      sum = add.combine(sum, sumOf(b.index(column)));
    step.storeElement(result, sum, b.index(0));
  });
}

void nvptx::lowerBiasGradient(const GpuNest &nest, AttentionGradientOp op,
                              const AttentionProblem &problem,
                              const AttentionRows &rows,
                              const GradientOperands &operands) {
  if (op.getBiasGradient())
    BiasGradient(nest, op, problem, rows, operands).run();
}
