//===- LowerWarpgroupMatmul.cpp - Matrix products by TMA and wgmma --------===//
//
// Products on Hopper whose operands lie in memory as bulk copies can take them.
//
// A block of threads computes tiles of the result, one after the other. Its
// warp groups have different work: one thread of the first starts the copies of
// both operands' tiles, 128 bytes of depth at a time, into a ring of buffers in
// shared memory (WarpgroupPipeline.h); each of the others multiplies its 64
// rows. While these compute what follows the product, the first has gone on to
// the next tile.
//
// The multiplying warp groups have one group of wgmma in flight: that of step s
// is started before that of step s-1 is waited for, after which the buffer of
// step s-1 is empty. They take over the registers that the copying one does not
// need.
//
// An operand that is contiguous in depth is one box of (rows) x (128 bytes of
// depth); one that is contiguous in its free index is a box of (depth) x (64
// elements) for each 64 of the latter. The copies fill with zeros what lies
// outside of the operands, so that ragged sizes need no other code.
//
// In the end each warp puts its 16 rows of the result into shared memory, some
// columns at a time, and reads them back row by row to compute what follows the
// product with whole 16 bytes (MatmulEpilogue.h), or to store a part of a sum
// whose depth several tiles share (PartialSums.h).
//
// The structure is that of CUTLASS's persistent warp-specialised kernels for
// sm_90.
//
//===----------------------------------------------------------------------===//

#include "Core/TileOrder.h"
#include "Matmul/MatmulResults.h"
#include "Matmul/MatmulRules.h"
#include "Matmul/WarpgroupTile.h"
#include "Warpgroup/WarpgroupPipeline.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

class WarpgroupLowering {
public:
  WarpgroupLowering(const GpuNest &nest, const Matmul &matmul,
                    const TensorOperand &left, const TensorOperand &right,
                    const WarpgroupTile &tile)
      : nest(nest), matmul(matmul), left(left), right(right), tile(tile),
        results(nest, matmul, tile.splits, tile.m, tile.n) {}

  LogicalResult run() {
    return failed(emitMatmul()) ? failure() : results.emitSum();
  }

private:
  int64_t depth() const { return tile.depth(matmul); }

  Value toI32(Value value) {
    return b->make<arith::TruncIOp>(b->getI32Type(), value);
  }

  LogicalResult emitMatmul() {
    GridFunction function(nest, tile.threads());
    grid = &function;
    b = &function.b;
    BufferRing buffers(function, tile.buffers, tile.bufferBytes(),
                       tile.warps());
    ring = &buffers;
    staging = function.dynamicShared(tile.warps() * tile.resultBytes());
    BufferRing::begin(function, ring);
    TileSchedule schedule = TileSchedule::get(
        tile.tiles(matmul), tile.isPersistent(), nest.variant.target);
    LogicalResult result = success();
    specialise(
        function, tile.consumers(),
        [&] {
          leftMap = mapOf(left, tile.m);
          rightMap = mapOf(right, tile.n);
          forEachTile(schedule, [&](Value before) { emitCopies(before); });
        },
        [&] {
          forEachTile(schedule, [&](Value before) {
            if (failed(emitResults(multiply(before))))
              result = failure();
          });
        });
    if (failed(result))
      return failure();
    function.finish({schedule.blocks, 1, 1});
    return success();
  }

  //===--- The block's tile -----------------------------------------------===//

  /// Emits `body` for each tile of the block, which is given how many steps the
  /// ring has had before.
  void forEachTile(const TileSchedule &schedule,
                   function_ref<void(Value)> body) {
    schedule.forEach(
        *grid, b->index(0), [&](Value number, Value, ValueRange before) {
          locate(number);
          body(before.front());
          return CodeBuilder::Values{b->add(before.front(), stepCount)};
        });
  }

  void locate(Value number) {
    int64_t rows = tile.tilesM(matmul), columns = tile.tilesN(matmul);
    TileCoordinates coordinates =
        rasterise(*b, b->rem(number, b->index(rows * columns)), rows, columns,
                  kMatmulRows);
    rowStart = b->mul(coordinates.row, tile.m);
    columnStart = b->mul(coordinates.column, tile.n);
    Value rest = b->div(number, b->index(rows * columns));
    batch = b->div(rest, b->index(tile.splits));
    split = b->rem(rest, b->index(tile.splits));
    int64_t perSplit = tile.splitSteps(matmul);
    firstStep = b->mul(split, perSplit);
    stepCount = b->min(b->sub(b->index(tile.steps(matmul)), firstStep),
                       b->index(perSplit));
    if (tile.splits == 1)
      stepCount = b->index(perSplit);
  }

  /// The coordinates of the batch in a tensor map.
  SmallVector<Value> batchCorner(const TensorOperand &operand) {
    SmallVector<Value> corner;
    Value rest = batch;
    for (int64_t size : llvm::reverse(operand.batchShape)) {
      if (size == 1)
        continue;
      corner.insert(corner.begin(), toI32(b->rem(rest, b->index(size))));
      rest = b->div(rest, b->index(size));
    }
    return corner;
  }

  //===--- Copying --------------------------------------------------------===//

  void emitCopies(Value before) {
    b->loop(b->index(0), stepCount, 1, [&](Value step) {
      BufferRing::Target target = ring->fill(b->add(before, step));
      Value along = b->mul(b->add(firstStep, step), depth());
      copy(left, leftMap, tile.m, rowStart, along, target);
      target.buffer =
          sharedPlus(*b, target.buffer, b->index(tile.m * kSwizzleRow));
      copy(right, rightMap, tile.n, columnStart, along, target);
    });
  }

  Value mapOf(const TensorOperand &operand, int64_t extent) {
    SmallVector<int64_t> box(operand.sizes.size(), 1);
    box[0] = depth();
    box[1] = operand.isDepthMajor ? extent : depth();
    Value memory = operand.memory(grid->lowering);
    // The units ignore the low bits of f32; copies round to the nearest tf32.
    Type element = matmul.unit == MatmulUnit::TensorFloat32
                       ? FloatTF32Type::get(b->getContext())
                       : matmul.left.element;
    return grid->tensorMap(memory, element, operand.sizes, operand.strides, box,
                           kSwizzleRow);
  }

  /// Copies `extent` rows (columns of the right operand) from `start` on, and
  /// the depth from `along` on.
  void copy(const TensorOperand &operand, Value map, int64_t extent,
            Value start, Value along, const BufferRing::Target &target) {
    int64_t width = operand.isDepthMajor ? extent : depth();
    for (int64_t i = 0; i < extent; i += width) {
      SmallVector<Value> corner = {toI32(along), toI32(b->add(start, i))};
      if (!operand.isDepthMajor)
        std::swap(corner[0], corner[1]);
      llvm::append_range(corner, batchCorner(operand));
      WarpgroupInstructions(*b).loadBox(
          sharedPlus(*b, target.buffer, b->index(i * kSwizzleRow)), map, corner,
          target.barrier);
    }
  }

  //===--- Multiplying ----------------------------------------------------===//

  StringRef elementName() const {
    return matmul.unit == MatmulUnit::TensorFloat32 ? "tf32"
           : matmul.left.element.isF16()            ? "f16"
                                                    : "bf16";
  }

  SharedMatrix matrixOf(const TensorOperand &operand, Value address,
                        int64_t extent) const {
    return {address, operand.isDepthMajor ? extent : depth(),
            matmul.elementBytes(), operand.isDepthMajor};
  }

  /// The thread's sums of its warp group's rows.
  CodeBuilder::Values multiply(Value before) {
    WarpgroupInstructions ptx(*b);
    WarpgroupInstructions::Product product{
        tile.n, elementName(), !left.isDepthMajor, !right.isDepthMajor};
    consumer =
        b->sub(b->div(grid->thread(), b->index(kWarpgroup)), b->index(1));
    constexpr int64_t count = kSwizzleRow / kMatmulDepth;
    auto start = [&](Value step, ValueRange carried) {
      Value buffer = ring->waitFull(step);
      SharedMatrix rows = matrixOf(left, buffer, tile.m)
                              .from(*b, b->mul(consumer, kWarpgroupRows));
      SharedMatrix columns = matrixOf(
          right, sharedPlus(*b, buffer, b->index(tile.m * kSwizzleRow)),
          tile.n);
      return ptx.multiply(product, carried, rows.operand(*b, count),
                          columns.operand(*b, count), /*pending=*/1);
    };
    CodeBuilder::Values sums = start(before, {});
    sums = b->loop(b->index(1), stepCount, 1, sums,
                   [&](Value step, ValueRange carried) {
                     Value current = b->add(before, step);
                     CodeBuilder::Values next = start(current, carried);
                     ring->release(b->sub(current, b->index(1)));
                     return next;
                   });
    sums = ptx.wait(0, sums);
    ring->release(b->sub(b->add(before, stepCount), b->index(1)));
    return sums;
  }

  //===--- Results --------------------------------------------------------===//

  /// This warp's 16 rows, `resultColumns` at a time.
  LogicalResult emitResults(ValueRange sums) {
    Value warp = b->sub(grid->warp(), b->index(kWarpgroup / kWarp));
    memory =
        b->address(staging, b->getI8Type(), b->mul(warp, tile.resultBytes()));
    firstRow = b->add(rowStart, b->mul(warp, 16));
    int64_t width = tile.resultColumns(), parts = tile.n / width;
    LogicalResult result = success();
    b->loop(b->index(0), b->index(parts), 1, [&](Value part) {
      for (int64_t i = 0; i < parts; ++i) {
        auto store = [&] { storeSums(sums.slice(i * width / 2, width / 2)); };
        parts == 1 ? store()
                   : b->guard(b->make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                     part, b->index(i)),
                              store);
      }
      syncWarp();
      if (failed(results.emit(*grid, {memory, 16, width, tile.resultStride()},
                              {split, batch, firstRow,
                               b->add(columnStart, b->mul(part, width))},
                              {grid->lane(), kWarp})))
        result = failure();
      syncWarp();
    });
    return result;
  }

  void syncWarp() {
    NVVM::SyncWarpOp::create(
        *b, b->getLoc(), b->splat(b->getI32Type(), b->getI32IntegerAttr(-1)));
  }

  /// Puts a part of a fragment into shared memory: sum i of lane 4 * g + t is
  /// in row g, or g + 8 if i / 2 is odd, and column 8 * (i / 4) + 2 * t + i
  /// % 2.
  void storeSums(ValueRange sums) {
    Value g = b->div(grid->lane(), b->index(4)),
          t = b->rem(grid->lane(), b->index(4));
    Value position = b->add(b->mul(g, tile.resultStride()), b->mul(t, 2));
    Type pairType = VectorType::get({2}, b->getF32Type());
    for (int64_t i = 0; i < int64_t(sums.size()); i += 2) {
      int64_t offset = 8 * (i / 4) + (i / 2 % 2) * 8 * tile.resultStride();
      Value pair = b->make<LLVM::PoisonOp>(pairType);
      for (int64_t e = 0; e < 2; ++e)
        pair = LLVM::InsertElementOp::create(
            *b, b->getLoc(), pair, sums[i + e],
            b->splat(b->getI32Type(), b->getI32IntegerAttr(e)));
      LLVM::StoreOp::create(
          *b, b->getLoc(), pair,
          b->address(memory, b->getF32Type(), b->add(position, offset)), 8);
    }
  }

  const GpuNest &nest;
  const Matmul &matmul;
  const TensorOperand &left, &right;
  const WarpgroupTile &tile;
  MatmulResults results;
  /// The function that is being emitted.
  GridFunction *grid = nullptr;
  CodeBuilder *b = nullptr;
  BufferRing *ring = nullptr;
  Value leftMap, rightMap;
  /// Shared memory for results: of all warps, and of this one.
  Value staging, memory;
  /// Where the tile is, and its steps of the depth.
  Value split, batch, rowStart, columnStart, firstStep, stepCount;
  /// The number of the multiplying warp group, and the warp's first row.
  Value consumer, firstRow;
};

} // namespace

FailureOr<bool> nvptx::lowerWarpgroupMatmul(const GpuNest &nest) {
  const GpuTarget &target = nest.variant.target;
  if (nest.loops.kind != KernelKind::Matmul || !target.hasTensorMemoryAccess())
    return false;
  Matmul matmul = Matmul::get(nest, nest.variant.options.tf32);
  if (matmul.unit == MatmulUnit::Scalar || matmul.k == 0 ||
      matmul.batches * matmul.m * matmul.n == 0)
    return false;
  std::optional<TensorOperand> left = TensorOperand::get(matmul.left);
  std::optional<TensorOperand> right = TensorOperand::get(matmul.right);
  bool isTf32 = matmul.unit == MatmulUnit::TensorFloat32;
  if (!left || !right ||
      (isTf32 && !(left->isDepthMajor && right->isDepthMajor)))
    return false;
  std::optional<WarpgroupTile> tile =
      chooseWarpgroupTile(matmul, *right, target, *nest.variant.options.tuning);
  if (!tile)
    return false;
  if (failed(WarpgroupLowering(nest, matmul, *left, *right, *tile).run()))
    return failure();
  return true;
}
