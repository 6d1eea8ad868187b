//===- PackOperand.cpp - Copies operands of products into panels ----------===//

#include "PackOperand.h"
#include "RegisterBlock.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

OperandPacker::OperandPacker(CodeBuilder &b, const MatmulSide &side,
                             int64_t depthBlock,
                             function_ref<void(ElementEmitter &)> bindMemory)
    : b(b), side(side), depthBlock(depthBlock), bindMemory(bindMemory) {}

Value OperandPacker::element(ElementEmitter &e, const PackRegion &region,
                             const LaneIndex &freeIndex,
                             const LaneIndex &depthIndex) {
  Value value = e.emitLanes(
      side.operand, side.indices(e.index(), LaneIndex::scalar(region.batch),
                                 freeIndex, depthIndex));
  if (!value)
    return {};
  Type type = getElementTypeOrSelf(value.getType());
  if (type.isF32())
    return value;
  return b.make<arith::ExtFOp>(CodeBuilder::vectorOf(b.getF32Type(), e.lanes()),
                               value);
}

LogicalResult OperandPacker::packRows(const PackRegion &region, Value to,
                                      int64_t rowStride) {
  int64_t lanes = b.lanes(), rows = RegisterBlock{b.lanes()}.rows();
  int64_t tail = side.size(side.contracting) % lanes;
  ElementEmitter e(b, lanes);
  bindMemory(e);
  bool failed = false;
  auto packRow = [&](Value row, Value k, int64_t active) {
    e.setActiveLanes(active);
    LaneIndex step = LaneIndex::lanes(b.add(region.depthStart, k), lanes);
    Value value = element(
        e, region, LaneIndex::scalar(b.add(region.freeStart, row)), step);
    e.setActiveLanes(lanes);
    if (!value) {
      failed = true;
      return;
    }
    b.store(value,
            b.address(to, b.getF32Type(), b.add(b.mul(row, rowStride), k)));
  };
  Value whole = b.mul(b.div(region.depth, b.index(lanes)), lanes);
  b.loop(b.index(0), region.freeCount, 1, [&](Value row) {
    b.loop(b.index(0), whole, lanes, [&](Value k) { packRow(row, k, lanes); });
    if (tail == 0)
      return;
    // Only the last block of steps is not made of whole vectors.
    Value last =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, whole, region.depth);
    b.when(last, [&] { packRow(row, whole, tail); });
  });
  if (side.size(side.free) % rows != 0) {
    Value padded =
        b.mul(b.div(b.add(region.freeCount, rows - 1), b.index(rows)), rows);
    Value zero = b.splat(CodeBuilder::vectorOf(b.getF32Type(), lanes),
                         b.getF32FloatAttr(0));
    b.loop(region.freeCount, padded, 1, [&](Value row) {
      b.loop(b.index(0), region.depth, lanes, [&](Value k) {
        b.store(zero,
                b.address(to, b.getF32Type(), b.add(b.mul(row, rowStride), k)));
      });
    });
  }
  return success(!failed);
}

/// One panel: `width` elements of each step of the matmul, of which
/// `active` exist.
LogicalResult OperandPacker::packPanel(ElementEmitter &e,
                                       const PackRegion &region, Value panel,
                                       Value first, int64_t width,
                                       int64_t active) {
  bool failed = false;
  int64_t lanes = e.lanes();
  Value zero = b.splat(CodeBuilder::vectorOf(b.getF32Type(), lanes),
                       b.getF32FloatAttr(0));
  b.loop(b.index(0), region.depth, 1, [&](Value k) {
    LaneIndex step = LaneIndex::scalar(b.add(region.depthStart, k));
    for (int64_t start = 0; start < width; start += lanes) {
      int64_t count = std::clamp<int64_t>(active - start, 0, lanes);
      Value value = zero;
      if (count > 0) {
        e.setActiveLanes(count);
        LaneIndex column = LaneIndex::lanes(b.add(first, start), lanes);
        value = element(e, region, column, step);
        if (!value) {
          failed = true;
          return;
        }
        value = e.maskInactive(value, zero);
        e.setActiveLanes(lanes);
      }
      b.store(value,
              b.address(panel, b.getF32Type(), b.add(b.mul(k, width), start)));
    }
  });
  return success(!failed);
}

/// Squares of the operand's rows go to memory, and transposed into the panel.
void OperandPacker::packTransposed(const PackRegion &region, Value panel,
                                   Value first, int64_t width,
                                   const Transposition &transposition) {
  int64_t lanes = b.lanes();
  int64_t tail = side.size(side.contracting) % lanes;
  ElementEmitter e(b, lanes);
  bindMemory(e);
  auto at = [&](Value memory, Value row, int64_t stride) {
    return b.address(memory, b.getF32Type(), b.mul(row, stride));
  };
  auto read = [&](Value k, Value start, int64_t active) {
    LaneIndex depth = LaneIndex::lanes(b.add(region.depthStart, k), lanes);
    b.loop(b.index(0), b.index(lanes), 1, [&](Value row) {
      e.setActiveLanes(active);
      Value value = element(
          e, region, LaneIndex::scalar(b.add(b.add(first, start), row)), depth);
      e.setActiveLanes(lanes);
      b.store(value, at(transposition.square, row, lanes));
    });
  };
  auto transpose = [&](Value to, int64_t stride) {
    func::CallOp::create(b, b.getLoc(), transposition.function,
                         ValueRange{transposition.square, to, b.index(stride)});
  };
  Value whole = b.mul(b.div(region.depth, b.index(lanes)), lanes);
  b.loop(b.index(0), b.index(width), lanes, [&](Value start) {
    Value column = b.address(panel, b.getF32Type(), start);
    b.loop(b.index(0), whole, lanes, [&](Value k) {
      read(k, start, lanes);
      transpose(at(column, k, width), width);
    });
    if (tail == 0)
      return;
    Value last =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, whole, region.depth);
    b.when(last, [&] {
      read(whole, start, tail);
      transpose(transposition.square, lanes);
      b.loop(b.index(0), b.index(tail), 1, [&](Value row) {
        Value value = b.load(CodeBuilder::vectorOf(b.getF32Type(), lanes),
                             at(transposition.square, row, lanes));
        b.store(value, at(column, b.add(whole, row), width));
      });
    });
  });
}

bool OperandPacker::isTransposed() const {
  return side.stride(side.contracting) == 1 && side.stride(side.free) != 1 &&
         getElementTypeOrSelf(side.operand.getType()).isF32();
}

LogicalResult
OperandPacker::packPanels(const PackRegion &region, Value to, int64_t width,
                          std::optional<Transposition> transposition) {
  int64_t lanes = std::min<int64_t>(width, b.lanes());
  int64_t total = side.size(side.free), tail = total % width;
  ElementEmitter e(b, lanes);
  bindMemory(e);
  LogicalResult result = success();
  auto panelAt = [&](Value panel) {
    return b.address(to, b.getF32Type(), b.mul(panel, width * depthBlock));
  };
  Value whole = b.div(region.freeCount, b.index(width));
  b.loop(b.index(0), whole, 1, [&](Value panel) {
    Value first = b.add(region.freeStart, b.mul(panel, width));
    if (transposition)
      packTransposed(region, panelAt(panel), first, width, *transposition);
    else if (failed(packPanel(e, region, panelAt(panel), first, width, width)))
      result = failure();
  });
  if (tail == 0)
    return result;
  Value ragged = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                       b.mul(whole, width), region.freeCount);
  b.when(ragged, [&] {
    Value first = b.add(region.freeStart, b.mul(whole, width));
    if (failed(packPanel(e, region, panelAt(whole), first, width, tail)))
      result = failure();
  });
  return result;
}

LogicalResult OperandPacker::packPanels(const PackRegion &region, Value to) {
  return packPanels(region, to, RegisterBlock{b.lanes()}.rows());
}

LogicalResult
OperandPacker::packColumns(const PackRegion &region, Value to,
                           std::optional<Transposition> transposition) {
  return packPanels(region, to, RegisterBlock{b.lanes()}.columns(),
                    transposition);
}
