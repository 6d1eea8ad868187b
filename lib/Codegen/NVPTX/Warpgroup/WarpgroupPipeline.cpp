//===- WarpgroupPipeline.cpp - Warp groups that copy and multiply ---------===//

#include "Warpgroup/WarpgroupPipeline.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

static Value toI32(CodeBuilder &b, Value value) {
  return b.make<arith::TruncIOp>(b.getI32Type(), value);
}

static Value isEqual(CodeBuilder &b, Value x, int64_t y) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, x, b.index(y));
}

Value nvptx::sharedPlus(CodeBuilder &b, Value number, Value offset) {
  return b.make<arith::AddIOp>(number, toI32(b, offset));
}

//===----------------------------------------------------------------------===//
// BufferRing
//===----------------------------------------------------------------------===//

BufferRing::BufferRing(GridFunction &grid, int64_t slots, int64_t bytes,
                       int64_t readers)
    : grid(grid), b(grid.b), ptx(grid.b), slots(slots), bytes(bytes),
      readers(readers) {
  buffers =
      ptx.sharedNumber(grid.dynamicShared(slots * bytes, kSwizzlePattern));
}

void BufferRing::begin(GridFunction &grid, ArrayRef<BufferRing *> rings) {
  CodeBuilder &b = grid.b;
  WarpgroupInstructions ptx(b);
  for (BufferRing *ring : rings)
    ring->barriers = ptx.sharedNumber(
        grid.dynamicShared(ring->slots * barrierBytes, barrierBytes));
  b.guard(isEqual(b, grid.thread(), 0), [&] {
    for (BufferRing *ring : rings)
      for (int64_t slot = 0; slot < ring->slots; ++slot) {
        ptx.initBarrier(ring->full(b.index(slot)), 1);
        ptx.initBarrier(ring->empty(b.index(slot)), ring->readers);
      }
    ptx.fenceBarriers();
  });
  grid.barrier();
}

Value BufferRing::slotOf(Value step) { return b.rem(step, b.index(slots)); }
Value BufferRing::parityOf(Value step) {
  return b.rem(b.div(step, b.index(slots)), b.index(2));
}
Value BufferRing::buffer(Value step) {
  return sharedPlus(b, buffers, b.mul(slotOf(step), bytes));
}
Value BufferRing::full(Value step) {
  return sharedPlus(b, barriers, b.mul(slotOf(step), barrierBytes));
}
Value BufferRing::empty(Value step) {
  return sharedPlus(b, barriers, b.add(b.mul(slotOf(step), barrierBytes), 8));
}

BufferRing::Target BufferRing::fill(Value step) {
  ptx.wait(empty(step), toI32(b, b.sub(b.index(1), parityOf(step))));
  ptx.arriveExpecting(full(step), bytes);
  return {buffer(step), full(step)};
}

Value BufferRing::waitFull(Value step) {
  ptx.wait(full(step), toI32(b, parityOf(step)));
  return buffer(step);
}

void BufferRing::release(Value step) {
  ptx.arriveOncePerWarp(empty(step), grid.lane());
}

//===----------------------------------------------------------------------===//
// SharedMatrix
//===----------------------------------------------------------------------===//

SharedMatrix SharedMatrix::from(CodeBuilder &b, Value index) const {
  // 64 elements of the free index are 64 rows, or a box.
  int64_t bytes = isDepthMajor ? kSwizzleRow : boxRows * kSwizzleRow / 64;
  SharedMatrix part = *this;
  part.address = sharedPlus(b, address, b.mul(index, bytes));
  return part;
}

WarpgroupInstructions::Matrix SharedMatrix::operand(CodeBuilder &b,
                                                    int64_t count) const {
  // Along a row and then from box to box, or as many rows further. The leading
  // offset is from one box of 64 elements to the next.
  constexpr int64_t perRow = kSwizzleRow / kMatmulDepth;
  int64_t boxBytes = boxRows * kSwizzleRow;
  WarpgroupInstructions::Matrix matrix;
  matrix.descriptor = WarpgroupInstructions(b).descriptor(
      address, isDepthMajor ? 16 : boxBytes, kSwizzlePattern);
  for (int64_t i = 0; i < count; ++i) {
    int64_t bytes = isDepthMajor
                        ? i / perRow * boxBytes + i % perRow * kMatmulDepth
                        : i * kMatmulDepth / elementBytes * kSwizzleRow;
    // The address is the lowest field, in units of 16 bytes.
    matrix.offsets.push_back(bytes / 16);
  }
  return matrix;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

Value nvptx::warpgroupOf(GridFunction &grid) {
  CodeBuilder &b = grid.b;
  Value number = toI32(b, b.div(grid.thread(), b.index(kWarpgroup)));
  auto constant = [&](int64_t value) {
    return b.splat(b.getI32Type(), b.getI32IntegerAttr(value));
  };
  number = NVVM::ShflOp::create(b, b.getLoc(), b.getI32Type(), constant(-1),
                                number, constant(0), constant(kWarp - 1),
                                NVVM::ShflKind::idx, UnitAttr());
  return b.make<arith::ExtUIOp>(b.getI64Type(), number);
}

void nvptx::specialise(GridFunction &grid, int64_t consumers,
                       function_ref<void()> copy,
                       function_ref<void()> multiply) {
  /// Registers of a thread that copies and of one that multiplies. With one
  /// multiplying warp group every thread may have as many as there are.
  constexpr int64_t copyRegisters = 40, multiplyRegisters = 232;
  CodeBuilder &b = grid.b;
  WarpgroupInstructions ptx(b);
  Value group = warpgroupOf(grid);
  Value isCopying = isEqual(b, group, 0);
  Value isMultiplying =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, group, b.index(0));
  b.guard(isCopying, [&] {
    if (consumers > 1)
      ptx.setRegisters(copyRegisters, /*more=*/false);
    b.guard(isEqual(b, grid.thread(), 0), copy);
  });
  b.guard(isMultiplying, [&] {
    if (consumers > 1)
      ptx.setRegisters(multiplyRegisters, /*more=*/true);
    multiply();
  });
}
