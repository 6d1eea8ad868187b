//===- LowerSingle.cpp - Operations with a loop of their own --------------===//

#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"
#include "tessera/Codegen/Kernels/NestLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

namespace {

/// Writes the operand's elements to the result, unless they are there already.
LogicalResult copyOperand(NestLowering &l, Value operand, Value to) {
  CodeBuilder &b = l.b;
  if (auto argument = dyn_cast<BlockArgument>(operand))
    if (l.operands[argument.getArgNumber()] == to)
      return success();
  ElementEmitter e(b, b.lanes());
  l.bindMemory(e);
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(operand).size()));
  bool failed = false;
  forEachVector(e, shapeOf(operand), dims,
                LaneIndices(dims.size(), LaneIndex::constant(0)), {},
                [&](const LaneIndices &at, ValueRange) {
                  Value element = e.emit(operand, at);
                  if (element)
                    e.store(element, to,
                            e.index().linearize(at, shapeOf(operand)));
                  failed |= !element;
                  return CodeBuilder::Values{};
                });
  return success(!failed);
}

/// One iteration: the copy, then the box.
LogicalResult lowerUpdate(NestLowering &l, DynamicUpdateSliceOp update,
                          Value to) {
  CodeBuilder &b = l.b;
  if (failed(copyOperand(l, update.getOperand(), to)))
    return failure();
  ElementEmitter e(b, b.lanes());
  l.bindMemory(e);
  ArrayRef<int64_t> shape = shapeOf(update.getResult()),
                    box = shapeOf(update.getUpdate());
  SmallVector<Value> starts = emitBoxStarts(e, update);
  if (starts.size() != shape.size())
    return failure();
  bool failed = false;
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, box.size()));
  forEachVector(
      e, box, dims, LaneIndices(dims.size(), LaneIndex::constant(0)), {},
      [&](const LaneIndices &at, ValueRange) {
        Value element = e.emit(update.getUpdate(), at);
        failed |= !element;
        if (!element)
          return CodeBuilder::Values{};
        LaneIndices indices;
        for (auto [index, start] : llvm::zip(at, starts))
          indices.push_back(e.index().add(index, LaneIndex::scalar(start)));
        // Dimensions of size 1 still have an index.
        LaneIndex position = LaneIndex::constant(0);
        int64_t stride = 1;
        for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
          position = e.index().add(e.index().mul(indices[i], stride), position);
        e.store(element, to, position);
        return CodeBuilder::Values{};
      });
  return success(!failed);
}

/// Updates in order, one element at a time; windows that do not lie inside as a
/// whole are skipped.
class ScatterLowering {
public:
  ScatterLowering(NestLowering &l, ScatterOp scatter, Value to)
      : l(l), b(l.b), scatter(scatter), shape(scatter), to(to), e(l.b, 1) {}

  LogicalResult run() {
    if (failed(copyOperand(l, scatter.getOperand(), to)))
      return failure();
    l.bindMemory(e);
    // Windows are innermost: the position of one is computed once.
    SmallVector<int64_t> dims = shape.batchDims;
    llvm::append_range(dims, shape.windowDims);
    nest(dims, LaneIndices(dims.size(), LaneIndex::constant(0)));
    return success(!failed_);
  }

  /// The updates only, as lowerScatterWindows says.
  FailureOr<NestRange> runWindows() {
    l.bindMemory(e);
    ArrayRef<int64_t> updates = shapeOf(scatter.getUpdates());
    // Windows are innermost: the position of one is computed once. Along what
    // no index moves, updates at different positions go to different ones.
    SmallVector<int64_t> ordered = shape.batchDims, free, freeShape;
    for (auto [dim, target] : llvm::zip(shape.windowDims, shape.windowTargets))
      if (llvm::is_contained(scatter.getOperandDimsMap(), target)) {
        ordered.push_back(dim);
      } else {
        free.push_back(dim);
        freeShape.push_back(updates[dim]);
      }
    b.loop(l.begin, l.end, 1, [&](Value iteration) {
      LaneIndices at(updates.size(), LaneIndex::constant(0));
      LaneIndices parts =
          e.index().delinearize(LaneIndex::scalar(iteration), freeShape);
      for (auto [dim, index] : llvm::zip(free, parts))
        at[dim] = index;
      nest(ordered, at);
    });
    if (failed_)
      return failure();
    int64_t extent = elementsOf(freeShape);
    return NestRange{extent,
                     elementsOf(updates) / std::max<int64_t>(extent, 1)};
  }

private:
  void nest(ArrayRef<int64_t> dims, LaneIndices at) {
    if (dims.empty())
      return update(at);
    int64_t dim = dims.front(), size = shapeOf(scatter.getUpdates())[dim];
    b.loop(b.index(0), b.index(size), 1, [&](Value iv) {
      at[dim] = size == 1 ? LaneIndex::constant(0) : LaneIndex::scalar(iv);
      nest(dims.drop_front(), at);
    });
  }

  /// The indices in the operand that the update at `at` goes to, and in
  /// `inside` whether the window around it lies inside (null: always).
  SmallVector<Value> indicesOf(const LaneIndices &at, Value &inside) {
    ArrayRef<int64_t> sizes = shapeOf(scatter.getOperand());
    SmallVector<int64_t> windowShape(sizes.size(), 1);
    int64_t vectorDim = scatter.getIndexVectorDim();
    LaneIndices batch;
    for (int64_t dim : shape.batchDims)
      batch.push_back(at[dim]);
    SmallVector<Value> indices(sizes.size(), b.index(0));
    for (auto [dim, target, size] :
         llvm::zip(shape.windowDims, shape.windowTargets, shape.windowSizes)) {
      windowShape[target] = size;
      indices[target] = e.index().start(at[dim]);
    }
    for (auto [d, source] :
         llvm::zip(scatter.getOperandBatching(), scatter.getIndicesBatching()))
      indices[d] =
          e.index().start(batch[source < vectorDim ? source : source - 1]);
    for (auto [component, d] : llvm::enumerate(scatter.getOperandDimsMap())) {
      Value from = emitIndexComponent(e, scatter.getIndices(), vectorDim, batch,
                                      component);
      if (!from)
        return {};
      // As unsigned numbers, negative indices are beyond every size.
      Value fits =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, from,
                                b.index(sizes[d] - windowShape[d] + 1));
      inside = inside ? b.make<arith::AndIOp>(inside, fits) : fits;
      indices[d] = b.add(indices[d], from);
    }
    return indices;
  }

  void update(const LaneIndices &at) {
    Value inside;
    SmallVector<Value> indices = indicesOf(at, inside);
    Value update = e.emit(scatter.getUpdates(), at);
    ArrayRef<int64_t> sizes = shapeOf(scatter.getOperand());
    if ((indices.empty() && !sizes.empty()) || !update) {
      failed_ = true;
      return;
    }
    Value position = b.index(0);
    for (auto [index, size] : llvm::zip(indices, sizes))
      position = b.add(b.mul(position, size), index);
    auto write = [&] {
      applyUpdate(e, scatter, update, to, LaneIndex::scalar(position));
    };
    inside ? b.when(inside, write) : write();
  }

  NestLowering &l;
  CodeBuilder &b;
  ScatterOp scatter;
  ScatterShape shape;
  Value to;
  ElementEmitter e;
  bool failed_ = false;
};

/// One iteration per result element: the region runs on scalars, element after
/// element.
class VariadicReduceLowering {
public:
  VariadicReduceLowering(NestLowering &l, VariadicReduceOp reduce,
                         ArrayRef<NestOutput> outputs)
      : l(l), b(l.b), reduce(reduce), outputs(outputs), e(l.b, 1),
        shape(shapeOf(reduce.getInputs().front())) {}

  FailureOr<NestRange> run() {
    l.bindMemory(e);
    SmallVector<int64_t> kept, keptShape;
    int64_t length = 1;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (llvm::is_contained(reduce.getDims(), d)) {
        length *= shape[d];
      } else {
        kept.push_back(d);
        keptShape.push_back(shape[d]);
      }
    b.loop(l.begin, l.end, 1, [&](Value row) {
      LaneIndices keptIndices =
          e.index().delinearize(LaneIndex::scalar(row), keptShape);
      LaneIndices at(shape.size(), LaneIndex::constant(0));
      for (auto [dim, index] : llvm::zip(kept, keptIndices))
        at[dim] = index;
      CodeBuilder::Values start;
      for (Value init : reduce.getInits())
        start.push_back(e.emit(init, {}));
      if (llvm::is_contained(start, Value())) {
        failed_ = true;
        return;
      }
      CodeBuilder::Values sums = nest(reduce.getDims(), at, start);
      for (auto [sum, output] : llvm::zip(sums, outputs))
        l.storeAt(e, output.value, sum, LaneIndex::scalar(row));
    });
    if (failed_)
      return failure();
    return NestRange{elementsOf(keptShape), length * 4};
  }

private:
  CodeBuilder::Values nest(ArrayRef<int64_t> dims, LaneIndices at,
                           ValueRange carried) {
    if (dims.empty())
      return combine(at, carried);
    return b.loop(b.index(0), b.index(shape[dims.front()]), 1, carried,
                  [&](Value iv, ValueRange values) {
                    at[dims.front()] = LaneIndex::scalar(iv);
                    return nest(dims.drop_front(), at, values);
                  });
  }

  CodeBuilder::Values combine(const LaneIndices &at, ValueRange carried) {
    CodeBuilder::Values arguments(carried);
    for (Value input : reduce.getInputs())
      arguments.push_back(e.emit(input, at));
    CodeBuilder::Values next =
        emitRegion(e, reduce.getBody().front(), arguments);
    if (!next.empty())
      return next;
    failed_ = true;
    return CodeBuilder::Values(carried);
  }

  NestLowering &l;
  CodeBuilder &b;
  VariadicReduceOp reduce;
  ArrayRef<NestOutput> outputs;
  ElementEmitter e;
  ArrayRef<int64_t> shape;
  bool failed_ = false;
};

} // namespace

/// A value that is yielded more than once (as itself and under another shape)
/// has several buffers: fills the others from the first.
static void copyToOtherSlots(NestLowering &l, Value value) {
  ArrayRef<Slot> slots = l.plan.slots.find(value)->second;
  auto type = cast<RankedTensorType>(value.getType());
  int64_t bytes =
      type.getNumElements() * CodeBuilder::storageBytes(type.getElementType());
  for (Slot slot : slots.drop_front())
    LLVM::MemcpyOp::create(l.b, l.b.getLoc(), l.pointer(slot),
                           l.pointer(slots.front()), l.b.index(bytes),
                           /*isVolatile=*/false);
}

FailureOr<NestRange> codegen::lowerScatterWindows(NestLowering &l) {
  auto scatter = cast<ScatterOp>(l.nest.op);
  Value to = l.pointer(l.plan.slots.find(scatter.getResult())->second.front());
  return ScatterLowering(l, scatter, to).runWindows();
}

FailureOr<NestRange> codegen::lowerSingle(NestLowering &l) {
  Operation *op = l.nest.op;
  if (auto reduce = dyn_cast<VariadicReduceOp>(op))
    return VariadicReduceLowering(l, reduce, l.nest.outputs).run();
  if (auto sort = dyn_cast<SortOp>(op))
    return lowerSort(l, sort);
  Value result = op->getResult(0);
  Value to = l.pointer(l.plan.slots.find(result)->second.front());
  LogicalResult lowered =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<DynamicUpdateSliceOp>(
              [&](auto update) { return lowerUpdate(l, update, to); })
          .Case<ScatterOp>([&](auto scatter) {
            return ScatterLowering(l, scatter, to).run();
          })
          .Default([](Operation *other) {
            return other->emitError("unsupported operation: '")
                   << other->getName() << "' has no code in a kernel";
          });
  if (failed(lowered))
    return failure();
  copyToOtherSlots(l, result);
  int64_t elements = 0;
  for (Value operand : op->getOperands())
    elements += elementsOf(shapeOf(operand));
  return NestRange{1, elements};
}
