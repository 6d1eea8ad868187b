//===- AttentionStep.cpp - Attention by synchronous products --------------===//

#include "Attention/AttentionStep.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

AttentionShape AttentionShape::choose(int64_t rowBytes, int64_t columnBytes,
                                      int64_t columns,
                                      const GpuTarget &target) {
  for (int64_t warps : {4, 2})
    for (int64_t width = columns; width >= 16; width /= 2)
      for (int64_t buffers : {2, 1}) {
        AttentionShape shape{warps, width, buffers};
        if (shape.fits(rowBytes, columnBytes, target))
          return shape;
      }
  llvm_unreachable("the smallest shape fits 256 features of four operands");
}

AttentionStep::AttentionStep(const GpuNest &nest,
                             const AttentionProblem &problem,
                             const AttentionShape &shape, int64_t rowCount,
                             int64_t heads)
    : AttentionTile(nest, problem, shape.threads(),
                    {shape.rows(), shape.columns}, rowCount, heads),
      shape(shape) {
  engine = problem.usesTensorCores()
               ? makeTensorCoreEngine(grid, problem.element)
               : makeScalarEngine(grid);
  int64_t tiles = tilesPerHead();
  Value number = grid.block();
  // With a causal mask, the last queries see the most keys: they come first.
  Value tile = b.sub(b.index(tiles - 1), b.rem(number, b.index(tiles)));
  locate(tile, b.div(number, b.index(tiles)));
}

SharedRows AttentionStep::loadRows(const AttentionOperand &operand) {
  SharedRows rows{{}, operand.features(), operand.elementBytes()};
  rows.base = grid.dynamicShared(shape.rows() * rows.rowBytes());
  operand.copyRows(grid, operand.headAddress(grid, batch, head), firstRow,
                   shape.rows(), rows);
  return rows;
}

void AttentionStep::addColumns(const AttentionOperand &operand,
                               std::optional<int64_t> rowCount) {
  SharedRows rows{{}, operand.features(), operand.elementBytes()};
  int64_t count = rowCount.value_or(shape.columns);
  int64_t bytes = count * rows.rowBytes();
  rows.base = grid.dynamicShared(shape.buffers * bytes);
  columns.push_back({&operand, rows, count, bytes});
}

AttentionStep::Values AttentionStep::stream(
    Value begin, Value end, ValueRange carried,
    function_ref<RowBlock(Value, unsigned)> locate,
    function_ref<Values(Value, ArrayRef<SharedRows>, ValueRange)> body) {
  auto buffersOf = [&](Value trip) {
    SmallVector<SharedRows> buffers;
    for (const Columns &column : columns) {
      buffers.push_back(column.buffers);
      buffers.back().base = b.address(
          column.buffers.base, b.getI8Type(),
          b.mul(b.rem(trip, b.index(shape.buffers)), column.bufferBytes));
    }
    return buffers;
  };
  auto issue = [&](Value trip) {
    for (auto [number, buffer] : llvm::enumerate(buffersOf(trip))) {
      const Columns &column = columns[number];
      RowBlock rows = locate(trip, number);
      Value ofBatch = rows.batch ? rows.batch : batch;
      column.operand->copyRows(
          grid, column.operand->headAddress(grid, ofBatch, rows.head),
          rows.first, column.count, buffer);
    }
  };
  bool ahead = shape.buffers > 1;
  if (ahead) {
    b.guard(isLess(begin, end), [&] { issue(begin); });
    NVVM::CpAsyncCommitGroupOp::create(b, b.getLoc());
  }
  return b.loop(begin, end, 1, carried, [&](Value trip, ValueRange values) {
    Value next = ahead ? b.add(trip, 1) : trip;
    if (ahead)
      b.when(isLess(next, end), [&] { issue(next); });
    else
      issue(next);
    NVVM::CpAsyncCommitGroupOp::create(b, b.getLoc());
    NVVM::CpAsyncWaitGroupOp::create(b, b.getLoc(), ahead ? 1 : 0);
    grid.barrier();
    Values results = body(trip, buffersOf(trip), values);
    // The buffer is written again.
    grid.barrier();
    return results;
  });
}

void AttentionStep::finish() { grid.finish({tileCount(), 1, 1}); }
