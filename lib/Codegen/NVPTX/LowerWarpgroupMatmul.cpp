//===- LowerWarpgroupMatmul.cpp - Matrix products by TMA and wgmma --------===//
//
// Products on Hopper whose operands lie in memory as bulk copies can take them.
//
// A block of threads computes a tile of the result. Its warp groups have
// different work: one thread of the first starts the copies of both operands'
// tiles, 128 bytes of depth at a time, into a ring of buffers in shared memory;
// each of the others multiplies its 64 rows. Two mbarriers per buffer say that
// it is full (the bytes of both copies have arrived) and that it is empty (all
// warps have multiplied what was in it). Step s uses buffer s mod stages, in
// its (s / stages)-th phase; "empty" begins as complete.
//
// The multiplying warp groups have one group of wgmma in flight: that of step s
// is started before that of step s-1 is waited for, after which the buffer of
// step s-1 is empty. They take over the registers that the copying one does not
// need.
//
// In shared memory, rows are 128 bytes in the 128-byte swizzle, as a copied box
// has them. An operand that is contiguous in depth is one box of (rows) x (128
// bytes of depth); one that is contiguous in its free index is a box of (depth)
// x (64 elements) for each 64 of the latter. The copies fill with zeros what
// lies outside of the operands, so that ragged sizes need no other code.
//
// In the end each warp puts its 16 rows of the result into shared memory, where
// the buffers were, and reads them back row by row to compute what follows the
// product with whole 16 bytes (MatmulEpilogue.h).
//
// The structure is that of CUTLASS's warp-specialised kernels for sm_90.
//
//===----------------------------------------------------------------------===//

#include "MatmulEpilogue.h"
#include "WarpgroupInstructions.h"
#include "WarpgroupMatmul.h"
#include "WarpgroupTile.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// Tiles of rows that blocks take before they go on to the next column of
/// tiles: blocks that run together then read few rows and columns of operands,
/// which stay in the second-level cache.
constexpr int64_t kRasterRows = 8;
/// Bytes of a row of the swizzle's pattern, and of the pattern.
constexpr int64_t kRowBytes = 128, kPatternBytes = 1024;
/// Bytes of depth that one wgmma takes.
constexpr int64_t kInstructionBytes = 32;
/// Registers of a thread that copies and of one that multiplies, with two warp
/// groups of these.
constexpr int64_t kCopyRegisters = 40, kMultiplyRegisters = 232;

class WarpgroupLowering {
public:
  WarpgroupLowering(const GpuStage &stage, const Matmul &matmul,
                    const TensorOperand &left, const TensorOperand &right,
                    const WarpgroupTile &tile)
      : matmul(matmul), left(left), right(right), tile(tile),
        epilogue(stage, matmul), grid(stage, tile.threads()), b(grid.b),
        ptx(b) {}

  LogicalResult run() {
    allocate();
    locate();
    initBarriers();
    Value isCopying = compare(arith::CmpIPredicate::eq, group(), b.index(0));
    b.guard(isCopying, [&] { emitCopies(); });
    LogicalResult result = success();
    Value isMultiplying =
        compare(arith::CmpIPredicate::ne, group(), b.index(0));
    b.guard(isMultiplying, [&] { result = emitProduct(); });
    if (failed(result))
      return failure();
    grid.finish({matmul.batches * tilesM() * tilesN(), 1, 1});
    return success();
  }

private:
  int64_t tilesM() const { return llvm::divideCeil(matmul.m, tile.m); }
  int64_t tilesN() const { return llvm::divideCeil(matmul.n, tile.n); }
  /// Elements of depth in a step.
  int64_t depth() const { return kRowBytes / matmul.elementBytes(); }
  int64_t steps() const { return llvm::divideCeil(matmul.k, depth()); }

  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return b.make<arith::CmpIOp>(predicate, x, y);
  }
  Value toI32(Value value) {
    return b.make<arith::TruncIOp>(b.getI32Type(), value);
  }

  /// The number of the thread's warp group, which ptxas shall know to be the
  /// same in all lanes.
  Value group() {
    if (groupNumber)
      return groupNumber;
    Value number = toI32(b.div(grid.thread(), b.index(kWarpgroup)));
    auto constant = [&](int64_t value) {
      return b.splat(b.getI32Type(), b.getI32IntegerAttr(value));
    };
    number = NVVM::ShflOp::create(b, b.getLoc(), b.getI32Type(), constant(-1),
                                  number, constant(0), constant(kWarp - 1),
                                  NVVM::ShflKind::idx, UnitAttr());
    return groupNumber = b.make<arith::ExtUIOp>(b.getI64Type(), number);
  }

  //===--- Shared memory --------------------------------------------------===//

  void allocate() {
    // The buffers first: their patterns begin at multiples of 1024 bytes.
    buffers = grid.dynamicShared(tile.sharedBytes(), kPatternBytes);
    base = ptx.sharedNumber(buffers);
    int64_t end = tile.sharedBytes() - WarpgroupTile::barrierBytes;
    fullBarriers = address(base, b.index(end));
    emptyBarriers = address(base, b.index(end + 8 * tile.stages));
  }
  /// A number of shared memory plus an `i64`.
  Value address(Value number, Value offset) {
    return b.make<arith::AddIOp>(number, toI32(offset));
  }
  Value full(Value slot) { return address(fullBarriers, b.mul(slot, 8)); }
  Value empty(Value slot) { return address(emptyBarriers, b.mul(slot, 8)); }
  Value leftBuffer(Value slot) {
    return address(base, b.mul(slot, tile.stageBytes()));
  }
  Value rightBuffer(Value slot) {
    return address(leftBuffer(slot), b.index(tile.m * kRowBytes));
  }
  Value slotOf(Value step) { return b.rem(step, b.index(tile.stages)); }
  /// The parity of the phase of step `step` of its buffer.
  Value parityOf(Value step) {
    return b.rem(b.div(step, b.index(tile.stages)), b.index(2));
  }

  void initBarriers() {
    Value isFirst =
        compare(arith::CmpIPredicate::eq, grid.thread(), b.index(0));
    b.guard(isFirst, [&] {
      for (int64_t slot = 0; slot < tile.stages; ++slot) {
        ptx.initBarrier(full(b.index(slot)), 1);
        ptx.initBarrier(empty(b.index(slot)),
                        tile.consumers() * kWarpgroup / kWarp);
      }
      ptx.fenceBarriers();
    });
    grid.barrier();
  }

  //===--- The block's place ----------------------------------------------===//

  void locate() {
    Value number = b.rem(grid.block(), b.index(tilesM() * tilesN()));
    batch = b.div(grid.block(), b.index(tilesM() * tilesN()));
    // Groups of rows of tiles; within a group, column after column.
    Value raster = b.div(number, b.index(kRasterRows * tilesN()));
    Value within = b.rem(number, b.index(kRasterRows * tilesN()));
    Value first = b.mul(raster, kRasterRows);
    Value height = b.min(b.sub(b.index(tilesM()), first), b.index(kRasterRows));
    rowStart = b.mul(b.add(first, b.rem(within, height)), tile.m);
    columnStart = b.mul(b.div(within, height), tile.n);
  }

  /// The coordinates of the batch in a tensor map.
  SmallVector<Value> batchCorner(const TensorOperand &operand) {
    SmallVector<Value> corner;
    Value rest = batch;
    for (int64_t size : llvm::reverse(operand.batchShape)) {
      if (size == 1)
        continue;
      corner.insert(corner.begin(), toI32(b.rem(rest, b.index(size))));
      rest = b.div(rest, b.index(size));
    }
    return corner;
  }

  //===--- Copying --------------------------------------------------------===//

  void emitCopies() {
    if (tile.consumers() == 2)
      ptx.setRegisters(kCopyRegisters, /*more=*/false);
    Value isFirst =
        compare(arith::CmpIPredicate::eq, grid.thread(), b.index(0));
    b.guard(isFirst, [&] {
      Value leftMap = mapOf(left, tile.m), rightMap = mapOf(right, tile.n);
      b.loop(b.index(0), b.index(steps()), 1, [&](Value step) {
        Value slot = slotOf(step);
        Value opposite = b.sub(b.index(1), parityOf(step));
        ptx.wait(empty(slot), toI32(opposite));
        ptx.arriveExpecting(full(slot), tile.stageBytes());
        copy(left, leftMap, tile.m, rowStart, step, leftBuffer(slot),
             full(slot));
        copy(right, rightMap, tile.n, columnStart, step, rightBuffer(slot),
             full(slot));
      });
    });
  }

  Value mapOf(const TensorOperand &operand, int64_t extent) {
    SmallVector<int64_t> box(operand.sizes.size(), 1);
    box[0] = depth();
    box[1] = operand.isDepthMajor ? extent : depth();
    Value memory = operand.memory(grid.lowering);
    return grid.tensorMap(memory, matmul.left.element, operand.sizes,
                          operand.strides, box, kRowBytes);
  }

  /// Copies `extent` rows (columns of the right operand) from `start` on.
  void copy(const TensorOperand &operand, Value map, int64_t extent,
            Value start, Value step, Value target, Value barrier) {
    Value along = toI32(b.mul(step, depth()));
    int64_t width = operand.isDepthMajor ? extent : depth();
    for (int64_t i = 0; i < extent; i += width) {
      Value free = toI32(b.add(start, i));
      SmallVector<Value> corner = {along, free};
      if (!operand.isDepthMajor)
        std::swap(corner[0], corner[1]);
      llvm::append_range(corner, batchCorner(operand));
      ptx.loadBox(address(target, b.index(i * kRowBytes)), map, corner,
                  barrier);
    }
  }

  //===--- Multiplying ----------------------------------------------------===//

  /// The descriptors of what each wgmma of one step takes of the tile in
  /// `buffer`.
  SmallVector<Value> descriptors(const TensorOperand &operand, Value buffer) {
    SmallVector<Value> parts;
    for (int64_t i = 0; i < kRowBytes / kInstructionBytes; ++i) {
      // Along the row, or as many rows further.
      int64_t offset =
          operand.isDepthMajor
              ? i * kInstructionBytes
              : i * kInstructionBytes / matmul.elementBytes() * kRowBytes;
      Value start = address(buffer, b.index(offset));
      // The leading offset is from one box of 64 elements to the next.
      parts.push_back(
          ptx.descriptor(start, operand.isDepthMajor ? 16 : depth() * kRowBytes,
                         kPatternBytes));
    }
    return parts;
  }

  StringRef elementName() const {
    return matmul.unit == MatmulUnit::TensorFloat32 ? "tf32"
           : matmul.left.element.isF16()            ? "f16"
                                                    : "bf16";
  }

  LogicalResult emitProduct() {
    if (tile.consumers() == 2)
      ptx.setRegisters(kMultiplyRegisters, /*more=*/true);
    Value consumer = b.sub(group(), b.index(1));
    // 64 rows are 8 kB in either layout.
    Value rowOffset = b.mul(consumer, kWarpgroupRows * kRowBytes);
    WarpgroupInstructions::Product product{
        tile.n, elementName(), !left.isDepthMajor, !right.isDepthMajor};
    Value zero = b.splat(b.getF32Type(), b.getF32FloatAttr(0));
    CodeBuilder::Values sums(tile.n / 2, zero);
    auto multiply = [&](Value step, ValueRange carried) {
      Value slot = slotOf(step);
      ptx.wait(full(slot), toI32(parityOf(step)));
      return ptx.multiply(
          product, carried,
          descriptors(left, address(leftBuffer(slot), rowOffset)),
          descriptors(right, rightBuffer(slot)), /*pending=*/1);
    };
    sums = multiply(b.index(0), sums);
    sums = b.loop(b.index(1), b.index(steps()), 1, sums,
                  [&](Value step, ValueRange carried) {
                    CodeBuilder::Values next = multiply(step, carried);
                    ptx.arriveOncePerWarp(
                        empty(slotOf(b.sub(step, b.index(1)))), grid.lane());
                    return next;
                  });
    sums = ptx.finish(sums);
    // The results go where others may still multiply.
    ptx.namedBarrier(1, tile.consumers() * kWarpgroup);
    return emitResults(consumer, sums);
  }

  //===--- Results --------------------------------------------------------===//

  /// This warp's 16 rows.
  LogicalResult emitResults(Value consumer, ValueRange sums) {
    Value warp = b.rem(grid.warp(), b.index(kWarpgroup / kWarp));
    Value firstRow = b.add(b.mul(consumer, kWarpgroupRows), b.mul(warp, 16));
    Value memory = b.address(buffers, b.getF32Type(),
                             b.mul(firstRow, tile.resultStride()));
    storeSums(memory, sums);
    NVVM::SyncWarpOp::create(b, b.getLoc(),
                             b.splat(b.getI32Type(), b.getI32IntegerAttr(-1)));
    int64_t lanes = epilogue.lanes(tile.n);
    int64_t perRow = tile.n / lanes, shares = 16 * perRow;
    LogicalResult result = success();
    b.loop(grid.lane(), b.index(shares), kWarp, [&](Value i) {
      Value row, column;
      if (epilogue.isTransposed()) {
        row = b.rem(i, b.index(16));
        column = b.div(i, b.index(16));
      } else {
        row = b.div(i, b.index(perRow));
        column = b.mul(b.rem(i, b.index(perRow)), lanes);
      }
      Value from = b.add(b.mul(row, tile.resultStride()), column);
      row = b.add(b.add(rowStart, firstRow), row);
      column = b.add(columnStart, column);
      auto store = [&] {
        Type type = CodeBuilder::vectorOf(b.getF32Type(), lanes);
        Value sum = LLVM::LoadOp::create(
            b, b.getLoc(), type, b.address(memory, b.getF32Type(), from),
            std::min<int64_t>(16, 4 * lanes));
        if (failed(epilogue.emit(grid, lanes, batch, row, column, sum)))
          result = failure();
      };
      if (Value inside = isInside(row, column))
        b.guard(inside, store);
      else
        store();
    });
    return result;
  }

  /// Puts a fragment into shared memory: sum i of lane 4 * g + t is in row g,
  /// or g + 8 if i / 2 is odd, and column 8 * (i / 4) + 2 * t + i % 2.
  void storeSums(Value memory, ValueRange sums) {
    Value g = b.div(grid.lane(), b.index(4)),
          t = b.rem(grid.lane(), b.index(4));
    Value place = b.add(b.mul(g, tile.resultStride()), b.mul(t, 2));
    Type pairType = VectorType::get({2}, b.getF32Type());
    for (int64_t i = 0; i < int64_t(sums.size()); i += 2) {
      int64_t offset = 8 * (i / 4) + (i / 2 % 2) * 8 * tile.resultStride();
      Value pair = b.make<LLVM::PoisonOp>(pairType);
      for (int64_t e = 0; e < 2; ++e)
        pair = LLVM::InsertElementOp::create(
            b, b.getLoc(), pair, sums[i + e],
            b.splat(b.getI32Type(), b.getI32IntegerAttr(e)));
      LLVM::StoreOp::create(
          b, b.getLoc(), pair,
          b.address(memory, b.getF32Type(), b.add(place, offset)), 8);
    }
  }

  /// Whether (row, column) is part of the product; null if all are.
  Value isInside(Value row, Value column) {
    Value inside;
    if (matmul.m % tile.m != 0)
      inside = compare(arith::CmpIPredicate::slt, row, b.index(matmul.m));
    if (matmul.n % tile.n != 0) {
      Value other =
          compare(arith::CmpIPredicate::slt, column, b.index(matmul.n));
      inside = inside ? b.make<arith::AndIOp>(inside, other) : other;
    }
    return inside;
  }

  const Matmul &matmul;
  const TensorOperand &left, &right;
  const WarpgroupTile &tile;
  MatmulEpilogue epilogue;
  GridFunction grid;
  CodeBuilder &b;
  WarpgroupInstructions ptx;
  Value groupNumber;
  /// Shared memory: as a pointer, and numbers.
  Value buffers, base, fullBarriers, emptyBarriers;
  Value batch, rowStart, columnStart;
};

} // namespace

FailureOr<bool> nvptx::lowerWarpgroupMatmul(const GpuStage &stage) {
  const GpuTarget &target = stage.variant.target;
  if (stage.stage.kind != Stage::Kind::Dot || !target.hasTensorMemoryAccess())
    return false;
  Matmul matmul = Matmul::get(stage, stage.variant.options.tf32);
  if (matmul.unit == MatmulUnit::Scalar || matmul.k == 0 ||
      matmul.batches * matmul.m * matmul.n == 0)
    return false;
  std::optional<TensorOperand> left = TensorOperand::get(matmul.left);
  std::optional<TensorOperand> right = TensorOperand::get(matmul.right);
  bool isTf32 = matmul.unit == MatmulUnit::TensorFloat32;
  if (!left || !right ||
      (isTf32 && !(left->isDepthMajor && right->isDepthMajor)))
    return false;
  std::optional<WarpgroupTile> tile = chooseWarpgroupTile(
      matmul, *right, target, *stage.variant.options.tuning);
  if (!tile)
    return false;
  if (failed(WarpgroupLowering(stage, matmul, *left, *right, *tile).run()))
    return failure();
  return true;
}
