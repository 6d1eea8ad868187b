//===- WarpgroupAttention.cpp - What its steps on Hopper share ------------===//

#include "Attention/WarpgroupAttention.h"
#include "Attention/AttentionRecord.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Values = AttentionTile::Values;

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

bool WarpgroupAttentionShape::fits(const Needs &needs,
                                   const GpuTarget &target) const {
  // For alignment and mbarriers.
  constexpr int64_t reserve = 1024;
  return rows() * needs.rowBytes + buffers * columns * needs.columnBytes +
             reserve <=
         target.sharedBytes;
}

std::optional<WarpgroupAttentionShape>
WarpgroupAttentionShape::choose(const Needs &needs, int64_t rows, int64_t heads,
                                const GpuTarget &target) {
  // Two warp groups hide each other's softmax, but where there are few rows it
  // matters more that all multiprocessors have some.
  int64_t halves = llvm::divideCeil(rows, kWarpgroupRows) * heads;
  int64_t most =
      rows <= kWarpgroupRows || halves <= target.multiprocessors ? 1 : 2;
  for (int64_t consumers = most; consumers >= 1; --consumers)
    for (int64_t columns = needs.columns; columns >= 32; columns /= 2) {
      WarpgroupAttentionShape shape{consumers, columns, 2};
      if (shape.fits(needs, target))
        return shape;
    }
  return std::nullopt;
}

std::optional<WarpgroupAttentionShape> WarpgroupAttentionShape::choose(
    const GpuNest &nest, const AttentionProblem &problem, StringRef step,
    const Needs &needs, int64_t rows, int64_t heads) {
  constexpr int64_t mostGroups = 2, leastColumns = 32, leastBuffers = 2;
  const GpuTarget &target = nest.variant.target;
  if (auto tuned = AttentionRecord::find(nest, problem, step)) {
    if (!tuned->isWarpgroup)
      return std::nullopt;
    WarpgroupAttentionShape asked{tuned->groups, tuned->columns,
                                  tuned->buffers};
    if (asked.consumers <= mostGroups && asked.columns >= leastColumns &&
        asked.columns <= needs.columns && asked.buffers >= leastBuffers &&
        asked.fits(needs, target))
      return asked;
  }
  return choose(needs, rows, heads, target);
}

//===----------------------------------------------------------------------===//
// WarpgroupAttentionStep
//===----------------------------------------------------------------------===//

WarpgroupAttentionStep::WarpgroupAttentionStep(
    const GpuNest &nest, const AttentionProblem &problem,
    const WarpgroupAttentionShape &shape, Rows rows)
    : AttentionTile(nest, problem, shape.threads(),
                    {shape.rows(), shape.columns},
                    rows == Rows::Queries ? problem.queries : problem.keys,
                    rows == Rows::Queries ? problem.heads : problem.keyHeads),
      shape(shape), rows(rows), ptx(b),
      schedule(TileSchedule::get(tileCount(), shape.consumers > 1,
                                 nest.variant.target)),
      quads(ScoreLayout::quads(
          grid, b.sub(grid.warp(), b.index(kWarpgroup / kWarp)))) {
  schedule.isDescending = problem.causal.has_value();
}

/// With a causal mask, the last queries see the most keys (and the first keys
/// are seen by the most queries): they come first. Heads take turns as far as
/// their keys and values stay in the second-level cache.
Values WarpgroupAttentionStep::forEachTile(
    ValueRange carried, function_ref<Values(Value, ValueRange)> body) {
  constexpr int64_t cacheBytes = int64_t(32) << 20;
  int64_t headBytes =
      problem.keys * (problem.features + problem.valueFeatures) * 2;
  int64_t all = heads * problem.batch;
  int64_t together =
      std::clamp<int64_t>(cacheBytes / std::max<int64_t>(headBytes, 1), 1, all);
  return schedule.forEach(
      grid, carried, [&](Value number, Value round, ValueRange values) {
        TileCoordinates coordinates =
            rasterise(b, number, all, tilesPerHead(), together);
        Value tile = coordinates.column;
        if (rows == Rows::Queries)
          tile = b.sub(b.index(tilesPerHead() - 1), tile);
        locate(tile, coordinates.row);
        return body(round, values);
      });
}

Value WarpgroupAttentionStep::visibleTiles() {
  if (!problem.causal)
    return b.index(llvm::divideCeil(problem.keys, shape.columns));
  return tilesUpTo(b.add(firstRow, shape.rows() + *problem.causal),
                   problem.keys, shape.columns);
}

Value WarpgroupAttentionStep::wholeTiles() {
  if (problem.mask)
    return b.index(0);
  Value whole = b.index(problem.keys / shape.columns);
  if (!problem.causal)
    return whole;
  Value end = b.max(b.add(firstRow, *problem.causal + 1), b.index(0));
  return b.min(b.div(end, b.index(shape.columns)), whole);
}

Value WarpgroupAttentionStep::consumer() {
  return b.sub(b.div(grid.thread(), b.index(kWarpgroup)), b.index(1));
}

WarpgroupInstructions::Product
WarpgroupAttentionStep::product(int64_t n, bool nMajor) const {
  return {n, problem.element.isF16() ? "f16" : "bf16", false, nMajor};
}

Values WarpgroupAttentionStep::leftOperand(ValueRange tile) {
  Type i32 = b.getI32Type();
  Values registers;
  for (int64_t first = 0; first < shape.columns; first += 16)
    for (Value pair :
         quads.leftOperand(tile, shape.columns, first, problem.element)) {
      if (pair.getType() != i32)
        pair = LLVM::BitcastOp::create(b, b.getLoc(), i32, pair);
      registers.push_back(pair);
    }
  return registers;
}

/// Accumulator i is in row i / 2 % 2 of the thread's two.
Values WarpgroupAttentionStep::asAccumulators(ValueRange tile) {
  size_t perRow = tile.size() / 2;
  Values accumulators;
  for (size_t i = 0; i < tile.size(); ++i)
    accumulators.push_back(tile[i / 2 % 2 * perRow + i / 4 * 2 + i % 2]);
  return accumulators;
}

Values WarpgroupAttentionStep::asRows(ValueRange accumulators) {
  size_t perRow = accumulators.size() / 2;
  Values tile(accumulators.size());
  for (size_t i = 0; i < accumulators.size(); ++i)
    tile[i / 2 % 2 * perRow + i / 4 * 2 + i % 2] = accumulators[i];
  return tile;
}

void WarpgroupAttentionStep::finish() { grid.finish({schedule.blocks, 1, 1}); }

//===----------------------------------------------------------------------===//
// OperandRing
//===----------------------------------------------------------------------===//

OperandRing::OperandRing(WarpgroupAttentionStep &step,
                         const AttentionOperand &operand, int64_t rows,
                         int64_t buffers)
    : ring(step.grid, buffers, rows * boxedBytes(operand.features()),
           step.shape.warps()),
      step(step), operand(operand), rows(rows) {}

void OperandRing::begin() { map = operand.boxMap(step.grid, rows); }

void OperandRing::copy(Value number, Value head, Value first) {
  CodeBuilder &b = step.b;
  BufferRing::Target target = ring.fill(number);
  for (int64_t box = 0; box < operand.boxCount(); ++box)
    step.ptx.loadBox(
        sharedPlus(b, target.buffer, b.index(box * rows * kSwizzleRow)), map,
        operand.boxCorner(step.grid, step.batch, head, first, box),
        target.barrier);
}

SharedMatrix OperandRing::alongFeatures(Value address) const {
  return {address, rows, operand.elementBytes(), /*isDepthMajor=*/true};
}
SharedMatrix OperandRing::alongRows(Value address) const {
  return {address, rows, operand.elementBytes(), /*isDepthMajor=*/false};
}
int64_t OperandRing::featureSteps() const {
  return operand.features() * operand.elementBytes() / kMatmulDepth;
}
