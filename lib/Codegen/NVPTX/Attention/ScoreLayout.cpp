//===- ScoreLayout.cpp - Tiles of scores in registers ---------------------===//

#include "Attention/ScoreLayout.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

ScoreLayout ScoreLayout::quads(GridFunction &grid, Value warp) {
  CodeBuilder &b = grid.b;
  Value lane = grid.lane();
  ScoreLayout layout(grid);
  layout.rows = 2;
  layout.rowStep = 8;
  layout.lanes = 4;
  layout.neighbours = 2;
  layout.firstOfWarp = b.mul(warp, kWarpRows);
  layout.firstRow = b.add(layout.firstOfWarp, b.div(lane, b.index(4)));
  layout.firstColumn = b.mul(b.rem(lane, b.index(4)), 2);
  return layout;
}

ScoreLayout ScoreLayout::eighths(GridFunction &grid, Value warp) {
  CodeBuilder &b = grid.b;
  Value lane = grid.lane();
  ScoreLayout layout(grid);
  layout.rows = 4;
  layout.rowStep = 1;
  layout.lanes = 8;
  layout.neighbours = 1;
  layout.firstOfWarp = b.mul(warp, kWarpRows);
  layout.firstRow =
      b.add(layout.firstOfWarp, b.mul(b.div(lane, b.index(8)), 4));
  layout.firstColumn = b.rem(lane, b.index(8));
  return layout;
}

Value ScoreLayout::rowOf(int64_t row) const {
  return grid->b.add(firstRow, rowStep * row);
}

Value ScoreLayout::columnOf(int64_t column) const {
  return grid->b.add(firstColumn, column / neighbours * lanes * neighbours +
                                      column % neighbours);
}

ScoreLayout::Values ScoreLayout::zeros(int64_t columns) const {
  CodeBuilder &b = grid->b;
  Value zero = b.splat(b.getF32Type(), b.getF32FloatAttr(0));
  return Values(rows * columnCount(columns), zero);
}

/// Two neighbouring results, rounded, as a register: an integer for bf16, a
/// vector for f16, as `nvvm.mma.sync` wants them.
static Value pack(CodeBuilder &b, ValueRange results, Type element) {
  Value pair =
      LLVM::UndefOp::create(b, b.getLoc(), VectorType::get(2, b.getF32Type()));
  for (int64_t i = 0; i < 2; ++i)
    pair = vector::InsertOp::create(b, b.getLoc(), results[i], pair, i);
  Value rounded =
      arith::TruncFOp::create(b, b.getLoc(), VectorType::get(2, element), pair);
  return element.isF16()
             ? rounded
             : LLVM::BitcastOp::create(b, b.getLoc(), b.getI32Type(), rounded)
                   .getResult();
}

ScoreLayout::Values ScoreLayout::leftOperand(ValueRange tile, int64_t columns,
                                             int64_t first,
                                             Type element) const {
  Values registers;
  for (int64_t block = first / 8; block < first / 8 + 2; ++block)
    for (int64_t row = 0; row < rows; ++row)
      registers.push_back(
          pack(grid->b, tile.slice(row * columnCount(columns) + 2 * block, 2),
               element));
  return registers;
}
