//===- LowerScatter.cpp - Updates of parts of a tensor --------------------===//
//
// Two steps: the operand is copied to the result, unless it lies there already,
// one thread per element; then the updates come on top of it. A
// dynamic_update_slice has one thread per vector of its box. A scatter has
// blocks that own rows (LowerScatterByOwner.cpp) or, where windows may
// overlap, one thread per element of a window along the dimensions that its
// indices do not move, which goes through all updates in their order: as exact
// as on one processor, whatever indices are equal.
//
//===----------------------------------------------------------------------===//

#include "Core/Vectors.h"
#include "Loops/LoopRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"
#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

static constexpr int64_t kThreads = 128;

/// Has every slot of the loop nest's result hold the elements of `operand`.
static LogicalResult copyOperand(const GpuNest &nest, Value operand) {
  GridFunction grid(nest, kThreads);
  CodeBuilder &b = grid.b;
  NestLowering &l = grid.lowering;
  SmallVector<Value> targets;
  for (Slot slot : l.plan.slots.find(nest.loops.op->getResult(0))->second) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || l.operands[argument.getArgNumber()] != l.pointer(slot))
      targets.push_back(l.pointer(slot));
  }
  if (targets.empty())
    return success();
  ArrayRef<int64_t> shape = shapeOf(operand);
  int64_t lanes = vectorLanes(
      CodeBuilder::storageBytes(getElementTypeOrSelf(operand.getType())),
      shape.empty() ? 1 : shape.back());
  ElementEmitter e(b, lanes);
  l.bindMemory(e);
  bool isKnown = true;
  grid.finishPerThread(elementsOf(shape) / lanes, [&](Value number) {
    LaneIndex position = vectorAt(b.mul(number, lanes), lanes);
    Value element = e.emit(operand, e.index().delinearize(position, shape));
    isKnown &= bool(element);
    for (Value target : targets)
      if (element)
        e.store(element, target, position);
  });
  return success(isKnown);
}

/// Copies the loop nest's result to its other slots.
static void copyToOtherSlots(const GpuNest &nest) {
  Value result = nest.loops.op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  Type element = type.getElementType();
  ArrayRef<Slot> slots = nest.variant.plan.slots.find(result)->second;
  for (Slot slot : slots.drop_front()) {
    GridFunction grid(nest, kThreads);
    NestLowering &l = grid.lowering;
    ElementEmitter e(grid.b, /*lanes=*/1);
    grid.finishPerThread(type.getNumElements(), [&](Value number) {
      LaneIndex position = LaneIndex::scalar(number);
      e.store(e.load(element, l.pointer(slots.front()), position),
              l.pointer(slot), position);
    });
  }
}

/// The updates, one thread per element of a window.
static LogicalResult lowerWindows(const GpuNest &nest) {
  GridFunction grid(nest, kThreads);
  NestLowering &l = grid.lowering;
  // How many iterations there are is known in the end.
  Value number = grid.globalThread();
  l.begin = number;
  auto extent = arith::ConstantOp::create(grid.b, grid.b.getLoc(),
                                          grid.b.getI64IntegerAttr(0));
  l.end = arith::MinSIOp::create(grid.b, grid.b.getLoc(), grid.b.add(number, 1),
                                 extent);
  FailureOr<NestRange> range = lowerScatterWindows(l);
  if (failed(range))
    return failure();
  extent.setValueAttr(grid.b.getI64IntegerAttr(range->extent));
  grid.finish({int64_t(llvm::divideCeil(range->extent, kThreads)), 1, 1});
  return success();
}

FailureOr<bool> nvptx::lowerScatter(const GpuNest &nest) {
  auto scatter = dyn_cast_or_null<ScatterOp>(nest.loops.op);
  if (!scatter)
    return false;
  if (failed(copyOperand(nest, scatter.getOperand())))
    return failure();
  if (codegen::elementsOf(shapeOf(scatter.getUpdates())) > 0) {
    FailureOr<bool> owned = lowerScatterByOwner(nest, scatter);
    if (failed(owned) || (!*owned && failed(lowerWindows(nest))))
      return failure();
  }
  copyToOtherSlots(nest);
  return true;
}

namespace {

/// Stores the box of an update, a vector of up to 16 bytes along its innermost
/// dimension per thread. Where that dimension is the result's whole one,
/// vectors lie at multiples of their size wherever the box is; elsewhere only
/// its start tells, and a box that begins between vectors is stored one element
/// after the other.
class UpdateBox {
public:
  UpdateBox(GridFunction &grid, DynamicUpdateSliceOp update)
      : l(grid.lowering), b(grid.b), update(update),
        shape(shapeOf(update.getResult())), box(shapeOf(update.getUpdate())),
        inner(int64_t(shape.size()) - 1), scalar(b, 1) {
    while (inner > 0 && shape[inner] == 1)
      --inner;
    if (inner >= 0) {
      int64_t row = inner > 0 ? shape[inner] : 0;
      lanes = vectorLanes(CodeBuilder::storageBytes(getElementTypeOrSelf(
                              update.getResult().getType())),
                          std::gcd(box[inner], row));
    }
    l.bindMemory(scalar);
    starts = emitBoxStarts(scalar, update);
    isKnown = starts.size() == shape.size();
  }

  int64_t vectors() const { return codegen::elementsOf(box) / lanes; }

  /// Vector `number`; false after a diagnostic.
  bool emit(Value number) {
    if (!isKnown)
      return false;
    Value base = b.mul(number, lanes);
    if (lanes == 1 || box[inner] == shape[inner]) {
      store(lanes, base, starts);
      return isKnown;
    }
    Value start = starts[inner];
    auto compare = [&](arith::CmpIPredicate predicate) {
      return b.make<arith::CmpIOp>(predicate, b.rem(start, b.index(lanes)),
                                   b.index(0));
    };
    b.guard(compare(arith::CmpIPredicate::eq), [&] {
      SmallVector<Value> aligned = starts;
      aligned[inner] = b.mul(b.div(start, b.index(lanes)), lanes);
      store(lanes, base, aligned);
    });
    b.guard(compare(arith::CmpIPredicate::ne), [&] {
      for (int64_t lane = 0; lane < lanes; ++lane)
        store(1, b.add(base, lane), starts);
    });
    return isKnown;
  }

private:
  /// `count` elements of the box, from number `first` on.
  void store(int64_t count, Value first, ArrayRef<Value> from) {
    ElementEmitter e(b, count);
    l.bindMemory(e);
    LaneIndices at = e.index().delinearize(vectorAt(first, count), box);
    Value element = e.emit(update.getUpdate(), at);
    isKnown &= bool(element);
    if (!element)
      return;
    // Dimensions of size 1 still have an index.
    LaneIndex position = LaneIndex::constant(0);
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
      LaneIndex index = e.index().add(at[i], LaneIndex::scalar(from[i]));
      position = e.index().add(e.index().mul(index, stride), position);
    }
    l.storeAt(e, update.getResult(), element, position);
  }

  NestLowering &l;
  CodeBuilder &b;
  DynamicUpdateSliceOp update;
  ArrayRef<int64_t> shape, box;
  /// The innermost dimension larger than 1; -1 for a scalar.
  int64_t inner;
  int64_t lanes = 1;
  ElementEmitter scalar;
  SmallVector<Value> starts;
  bool isKnown;
};

} // namespace

FailureOr<bool> nvptx::lowerUpdate(const GpuNest &nest) {
  auto update = dyn_cast_or_null<DynamicUpdateSliceOp>(nest.loops.op);
  if (!update)
    return false;
  if (failed(copyOperand(nest, update.getOperand())))
    return failure();
  GridFunction grid(nest, kThreads);
  UpdateBox box(grid, update);
  bool isKnown = true;
  grid.finishPerThread(box.vectors(),
                       [&](Value number) { isKnown = box.emit(number); });
  if (!isKnown)
    return failure();
  return true;
}
