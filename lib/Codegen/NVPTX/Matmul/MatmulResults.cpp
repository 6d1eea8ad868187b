//===- MatmulResults.cpp - What becomes of sums of products ---------------===//

#include "Matmul/MatmulResults.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// Whether (row, column) is part of the product; null if all are.
Value MatmulResults::isInside(CodeBuilder &b, Value row, Value column) const {
  auto isLess = [&](Value x, int64_t limit) {
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, b.index(limit));
  };
  Value inside;
  if (matmul.m % tileRows != 0)
    inside = isLess(row, matmul.m);
  if (matmul.n % tileColumns != 0) {
    Value other = isLess(column, matmul.n);
    inside = inside ? b.make<arith::AndIOp>(inside, other) : other;
  }
  return inside;
}

LogicalResult MatmulResults::emit(GridFunction &grid, const Sums &sums,
                                  const Origin &origin,
                                  const Threads &threads) const {
  CodeBuilder &b = grid.b;
  bool isSplit = partials.areUsed();
  int64_t lanes = isSplit ? std::min(partials.lanes(), sums.columns)
                          : epilogue.lanes(sums.columns);
  int64_t perRow = sums.columns / lanes, shares = sums.rows * perRow;
  bool alongRows = !isSplit && epilogue.isTransposed();
  LogicalResult result = success();
  b.loop(threads.number, b.index(shares), threads.count, [&](Value i) {
    Value row, column;
    if (alongRows) {
      row = b.rem(i, b.index(sums.rows));
      column = b.div(i, b.index(sums.rows));
    } else {
      row = b.div(i, b.index(perRow));
      column = b.mul(b.rem(i, b.index(perRow)), lanes);
    }
    Value from = b.add(b.mul(row, sums.stride), column);
    row = b.add(origin.row, row);
    column = b.add(origin.column, column);
    auto store = [&] {
      Value sum = LLVM::LoadOp::create(
          b, b.getLoc(), CodeBuilder::vectorOf(matmul.accumulator, lanes),
          b.address(sums.memory, matmul.accumulator, from),
          std::min<int64_t>(16, lanes * matmul.accumulatorBytes()));
      if (isSplit)
        partials.store(grid, origin.split, origin.batch, row, column, sum);
      else if (failed(
                   epilogue.emit(grid, lanes, origin.batch, row, column, sum)))
        result = failure();
    };
    if (Value inside = isInside(b, row, column))
      b.guard(inside, store);
    else
      store();
  });
  return result;
}
