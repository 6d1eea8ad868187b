//===- OperandLoader.cpp - Brings an operand into shared memory -----------===//

#include "Matmul/OperandLoader.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

OperandLoader::OperandLoader(GridFunction &grid, const MatmulOperand &operand,
                             int64_t freeExtent, int64_t depthExtent,
                             bool asDepthMajor)
    : grid(grid), b(grid.b), operand(operand), freeExtent(freeExtent),
      depthExtent(depthExtent),
      depthMajor(operand.isDepthMajor || asDepthMajor) {
  int64_t bytes = operand.elementBytes();
  shared.rows = depthMajor ? freeExtent : depthExtent;
  shared.rowBytes = (depthMajor ? depthExtent : freeExtent) * bytes;
  copyUnit = operand.copyBytes / bytes;
  unit = copyUnit ? copyUnit : operand.vector;
  if (depthMajor != operand.isDepthMajor) {
    copyUnit = copyUnit && bytes >= 4 ? 1 : 0;
    unit = 1;
  }
  allShares = freeExtent * depthExtent / unit;
  shares = std::max<int64_t>(1, allShares / grid.threads());
}

void OperandLoader::locate(Value atBatch, Value atFree) {
  batch = atBatch;
  freeStart = atFree;
}

OperandLoader::Indices OperandLoader::indicesOf(int64_t number) {
  int64_t threads = grid.threads();
  int64_t inner = operand.isDepthMajor ? depthExtent : freeExtent;
  int64_t perLine = inner / unit;
  Value line, within;
  if (perLine <= threads) {
    line = b.add(b.div(grid.thread(), b.index(perLine)),
                 number * (threads / perLine));
    within = b.rem(grid.thread(), b.index(perLine));
  } else {
    int64_t rounds = perLine / threads;
    line = b.index(number / rounds);
    within = b.add(grid.thread(), number % rounds * threads);
  }
  within = b.mul(within, unit);
  return operand.isDepthMajor ? Indices{line, within} : Indices{within, line};
}

Value OperandLoader::sharedOffset(int64_t number) {
  Indices first = indicesOf(number);
  Value row = depthMajor ? first.free : first.depth;
  Value column = depthMajor ? first.depth : first.free;
  Value byte = b.mul(column, operand.elementBytes());
  Value chunk = b.div(byte, b.index(16));
  Value offset = shared.offset(b, row, chunk);
  if (unit * operand.elementBytes() % 16 == 0)
    return offset;
  return b.add(offset, b.rem(byte, b.index(16)));
}

Value OperandLoader::position(Value free, Value depth) {
  const MatmulSide &side = operand.side;
  LaneArithmetic arithmetic(b, 1);
  Value sum = b.index(side.view->offset);
  auto add = [&](Value index, ArrayRef<int64_t> dims) {
    if (std::optional<int64_t> stride = side.stride(dims)) {
      sum = b.add(b.mul(index, *stride), sum);
      return;
    }
    SmallVector<int64_t> sizes;
    for (int64_t dim : dims)
      sizes.push_back(shapeOf(side.operand)[dim]);
    LaneIndices parts = arithmetic.delinearize(LaneIndex::scalar(index), sizes);
    for (auto [dim, part] : llvm::zip(dims, parts))
      sum = b.add(b.mul(arithmetic.start(part), side.view->strides[dim]), sum);
  };
  add(batch, side.batch);
  add(free, side.free);
  add(depth, side.contracting);
  return sum;
}

static Value isLess(CodeBuilder &b, Value x, int64_t limit) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, b.index(limit));
}

/// Whether the share is part of the operand; null if all are.
Value OperandLoader::isInside(const Indices &first, Value depth) {
  Value inside;
  if (freeIsRagged())
    inside = isLess(b, b.add(freeStart, first.free), freeSize());
  if (depthIsRagged()) {
    Value other = isLess(b, b.add(depth, first.depth), depthSize());
    inside = inside ? b.make<arith::AndIOp>(inside, other) : other;
  }
  return inside;
}

void OperandLoader::forActive(function_ref<void()> body) {
  if (allShares >= grid.threads())
    return body();
  b.when(isLess(b, grid.thread(), allShares), body);
}

void OperandLoader::copy(Value depth, Value target) {
  Value leaf = operand.side.view->leaf;
  NestLowering &l = grid.lowering;
  Value memory = isa<BlockArgument>(leaf)
                     ? l.operands[cast<BlockArgument>(leaf).getArgNumber()]
                     : l.pointer(l.plan.slots.find(leaf)->second.front());
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  Value base = b.make<LLVM::AddrSpaceCastOp>(global, memory);
  uint32_t bytes = copyUnit * operand.elementBytes();
  // Sixteen bytes may pass by the first level of the cache.
  auto modifier = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                              : NVVM::LoadCacheModifierKind::CA;
  Type i32 = b.getI32Type();
  forActive([&] {
    for (int64_t number = 0; number < shares; ++number) {
      Indices first = indicesOf(number);
      Value from = b.address(
          base, operand.element,
          position(b.add(freeStart, first.free), b.add(depth, first.depth)));
      Value to = b.address(target, b.getI8Type(), sharedOffset(number));
      Value present;
      if (Value inside = isInside(first, depth))
        present = b.make<arith::SelectOp>(
            inside, b.splat(i32, b.getI32IntegerAttr(bytes)),
            b.splat(i32, b.getI32IntegerAttr(0)));
      NVVM::CpAsyncOp::create(b, b.getLoc(), to, from, bytes, modifier,
                              present);
    }
  });
}

/// `unit` elements in their form in shared memory; null after a diagnostic.
Value OperandLoader::element(ElementEmitter &e, Value free, Value depth) {
  bool moving = unit > 1;
  auto lanes = [&](Value base) { return LaneIndex::lanes(base, unit); };
  LaneIndex freeIndex =
      moving && !operand.isDepthMajor ? lanes(free) : LaneIndex::scalar(free);
  LaneIndex depthIndex =
      moving && operand.isDepthMajor ? lanes(depth) : LaneIndex::scalar(depth);
  Value value =
      e.emitLanes(operand.side.operand,
                  operand.side.indices(e.index(), LaneIndex::scalar(batch),
                                       freeIndex, depthIndex));
  if (!value)
    return {};
  Type type = CodeBuilder::vectorOf(operand.element, unit);
  Type from = getElementTypeOrSelf(value.getType());
  if (from != operand.element)
    value = isa<FloatType>(operand.element)
                ? b.make<arith::ExtFOp>(type, value)
                : b.make<arith::ExtSIOp>(type, value);
  Type storage = b.storageType(type);
  return storage == type ? value : b.make<arith::BitcastOp>(storage, value);
}

FailureOr<CodeBuilder::Values> OperandLoader::load(Value depth) {
  CodeBuilder::Values elements;
  ElementEmitter e(b, unit);
  grid.lowering.bindMemory(e);
  bool excess = allShares < grid.threads();
  int64_t freeUnit = operand.isDepthMajor ? 1 : unit;
  int64_t depthUnit = operand.isDepthMajor ? unit : 1;
  for (int64_t number = 0; number < shares; ++number) {
    Indices first = indicesOf(number);
    // What lies outside is read at the end instead, and replaced by zero.
    Value free = b.add(freeStart, first.free);
    if (freeIsRagged() || (excess && operand.isDepthMajor))
      free = b.min(free, b.index(freeSize() - freeUnit));
    Value at =
        b.min(b.add(depth, first.depth), b.index(depthSize() - depthUnit));
    Value value = element(e, free, at);
    if (!value)
      return failure();
    if (Value inside = isInside(first, depth)) {
      Type storage = getElementTypeOrSelf(value.getType());
      Value zero =
          b.splat(value.getType(), cast<TypedAttr>(b.getZeroAttr(storage)));
      value = b.make<arith::SelectOp>(inside, value, zero);
    }
    elements.push_back(value);
  }
  return elements;
}

void OperandLoader::store(ValueRange elements, Value target) {
  forActive([&] {
    for (auto [number, value] : llvm::enumerate(elements))
      LLVM::StoreOp::create(
          b, b.getLoc(), value,
          b.address(target, b.getI8Type(), sharedOffset(number)),
          unit * operand.elementBytes());
  });
}
