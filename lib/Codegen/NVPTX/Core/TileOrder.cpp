//===- TileOrder.cpp - Which block has which tile of a result -------------===//

#include "Core/TileOrder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

TileCoordinates nvptx::rasterise(CodeBuilder &b, Value number, int64_t rows,
                                 int64_t columns, int64_t group) {
  Value index = b.div(number, b.index(group * columns));
  Value within = b.rem(number, b.index(group * columns));
  Value first = b.mul(index, group);
  Value height = rows % group == 0
                     ? b.index(group)
                     : b.min(b.sub(b.index(rows), first), b.index(group));
  return {b.add(first, b.rem(within, height)), b.div(within, height)};
}

CodeBuilder::Values TileSchedule::forEach(
    GridFunction &grid, ValueRange carried,
    function_ref<CodeBuilder::Values(Value, Value, ValueRange)> body) const {
  CodeBuilder &b = grid.b;
  if (tiles <= blocks)
    return body(grid.block(), b.index(0), carried);
  return b.loop(
      grid.block(), b.index(tiles), blocks, carried,
      [&](Value number, ValueRange values) {
        Value round = b.div(number, b.index(blocks));
        if (isDescending) {
          Value first = b.mul(round, blocks);
          Value last = b.min(b.add(first, blocks), b.index(tiles));
          Value mirrored = b.sub(b.sub(b.add(first, last), number), b.index(1));
          Value isOdd = b.make<arith::CmpIOp>(
              arith::CmpIPredicate::eq, b.rem(round, b.index(2)), b.index(1));
          number = b.make<arith::SelectOp>(isOdd, mirrored, number);
        }
        return body(number, round, values);
      });
}
