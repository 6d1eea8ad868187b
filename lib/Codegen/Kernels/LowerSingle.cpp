//===- LowerSingle.cpp - Operations with a loop of their own --------------===//

#include "tessera/Codegen/Kernels/AccessMap.h"
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

/// `value` (a scalar integer) as `i64`.
Value toIndex(CodeBuilder &b, Value value) {
  return value.getType().isInteger(64)
             ? value
             : b.make<arith::ExtSIOp>(b.getI64Type(), value);
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
  SmallVector<Value> starts;
  for (auto [dim, index] : llvm::enumerate(update.getIndices())) {
    Value start = e.emit(index, {});
    if (!start)
      return failure();
    start = b.max(toIndex(b, start), b.index(0));
    starts.push_back(b.min(start, b.index(shape[dim] - box[dim])));
  }
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
        LaneIndices place;
        for (auto [index, start] : llvm::zip(at, starts))
          place.push_back(e.index().add(index, LaneIndex::scalar(start)));
        // Dimensions of size 1 still have a place.
        LaneIndex position = LaneIndex::constant(0);
        int64_t stride = 1;
        for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
          position = e.index().add(e.index().mul(place[i], stride), position);
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
      : l(l), b(l.b), scatter(scatter), to(to), e(l.b, 1) {}

  LogicalResult run() {
    if (failed(copyOperand(l, scatter.getOperand(), to)))
      return failure();
    l.bindMemory(e);
    ArrayRef<int64_t> shape = shapeOf(scatter.getUpdates());
    // Windows are innermost: the place of one is computed once.
    SmallVector<int64_t> dims;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (!isWindow(d))
        dims.push_back(d);
    batchDims = dims.size();
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (isWindow(d))
        dims.push_back(d);
    nest(dims, LaneIndices(shape.size(), LaneIndex::constant(0)));
    return success(!failed_);
  }

  /// The updates only, as lowerScatterWindows says.
  FailureOr<NestRange> runWindows() {
    l.bindMemory(e);
    ArrayRef<int64_t> shape = shapeOf(scatter.getUpdates());
    SmallVector<int64_t> ordered, free, freeShape;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d) {
      (isFree(d) ? free : ordered).push_back(d);
      if (isFree(d))
        freeShape.push_back(shape[d]);
    }
    // Windows are innermost: the place of one is computed once.
    llvm::stable_sort(ordered, [&](int64_t x, int64_t y) {
      return !isWindow(x) && isWindow(y);
    });
    batchDims =
        llvm::count_if(ordered, [&](int64_t d) { return !isWindow(d); });
    b.loop(l.begin, l.end, 1, [&](Value iteration) {
      LaneIndices at(shape.size(), LaneIndex::constant(0));
      LaneIndices parts =
          e.index().delinearize(LaneIndex::scalar(iteration), freeShape);
      for (auto [dim, index] : llvm::zip(free, parts))
        at[dim] = index;
      nest(ordered, at);
    });
    if (failed_)
      return failure();
    int64_t extent = elementsOf(freeShape);
    return NestRange{extent, elementsOf(shape) / std::max<int64_t>(extent, 1)};
  }

private:
  /// Whether updates at different places of `dim` go to different places of the
  /// operand, whatever the indices are.
  bool isFree(int64_t dim) const {
    return isWindow(dim) &&
           !llvm::is_contained(ScatterOp(scatter).getOperandDimsMap(),
                               windowOperandDim(dim));
  }

  /// The operand's dimension that a window's dimension `dim` goes along.
  int64_t windowOperandDim(int64_t dim) const {
    ScatterOp op = scatter;
    const int64_t *number = llvm::find(op.getWindowDims(), dim);
    int64_t next = std::distance(op.getWindowDims().begin(), number);
    for (int64_t d = 0;; ++d)
      if (!llvm::is_contained(op.getInsertedDims(), d) &&
          !llvm::is_contained(op.getOperandBatching(), d) && next-- == 0)
        return d;
  }

  bool isWindow(int64_t dim) const {
    return llvm::is_contained(ScatterOp(scatter).getWindowDims(), dim);
  }

  void nest(ArrayRef<int64_t> dims, LaneIndices at) {
    if (dims.empty())
      return update(at);
    int64_t dim = dims.front(), size = shapeOf(scatter.getUpdates())[dim];
    b.loop(b.index(0), b.index(size), 1, [&](Value iv) {
      at[dim] = size == 1 ? LaneIndex::constant(0) : LaneIndex::scalar(iv);
      nest(dims.drop_front(), at);
    });
  }

  /// The place in the operand that the update at `at` goes to, and in `inside`
  /// whether the window around it lies inside (null: always).
  SmallVector<Value> placeOf(const LaneIndices &at, Value &inside) {
    ArrayRef<int64_t> shape = shapeOf(scatter.getOperand());
    SmallVector<int64_t> windowShape(shape.size(), 1);
    int64_t vectorDim = scatter.getIndexVectorDim();
    LaneIndices batch, window;
    for (auto [dim, index] : llvm::enumerate(at))
      (isWindow(dim) ? window : batch).push_back(index);
    SmallVector<Value> place(shape.size(), b.index(0));
    size_t next = 0;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (!llvm::is_contained(scatter.getInsertedDims(), d) &&
          !llvm::is_contained(scatter.getOperandBatching(), d)) {
        windowShape[d] =
            shapeOf(scatter.getUpdates())[scatter.getWindowDims()[next]];
        place[d] = e.index().start(window[next++]);
      }
    for (auto [d, source] :
         llvm::zip(scatter.getOperandBatching(), scatter.getIndicesBatching()))
      place[d] =
          e.index().start(batch[source < vectorDim ? source : source - 1]);
    for (auto [component, d] : llvm::enumerate(scatter.getOperandDimsMap())) {
      LaneIndices where = batch;
      if (vectorDim < int64_t(shapeOf(scatter.getIndices()).size()))
        where.insert(where.begin() + vectorDim, LaneIndex::constant(component));
      Value start = e.emit(scatter.getIndices(), where);
      if (!start)
        return {};
      Value from = toIndex(b, start);
      // As unsigned numbers, negative places are beyond every size.
      Value fits =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, from,
                                b.index(shape[d] - windowShape[d] + 1));
      inside = inside ? b.make<arith::AndIOp>(inside, fits) : fits;
      place[d] = b.add(place[d], from);
    }
    return place;
  }

  void update(const LaneIndices &at) {
    Value inside;
    SmallVector<Value> place = placeOf(at, inside);
    Value update = e.emit(scatter.getUpdates(), at);
    ArrayRef<int64_t> shape = shapeOf(scatter.getOperand());
    if ((place.empty() && !shape.empty()) || !update) {
      failed_ = true;
      return;
    }
    Value position = b.index(0);
    for (auto [index, size] : llvm::zip(place, shape))
      position = b.add(b.mul(position, size), index);
    auto write = [&] { combine(update, LaneIndex::scalar(position)); };
    inside ? b.when(inside, write) : write();
  }

  void combine(Value update, const LaneIndex &position) {
    if (scatter.getKind()) {
      Type element = getElementTypeOrSelf(scatter.getType());
      Accumulator accumulator(b, scatter.getKindAttr().getKind(), element);
      Value old = e.load(element, to, position, /*written=*/true);
      update = accumulator.narrow(accumulator.combine(
          accumulator.widen(old), accumulator.widen(update)));
    }
    e.store(update, to, position);
  }

  NestLowering &l;
  CodeBuilder &b;
  ScatterOp scatter;
  Value to;
  ElementEmitter e;
  size_t batchDims = 0;
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
      LaneIndices place =
          e.index().delinearize(LaneIndex::scalar(row), keptShape);
      LaneIndices at(shape.size(), LaneIndex::constant(0));
      for (auto [dim, index] : llvm::zip(kept, place))
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
        for (Slot slot : l.plan.slots.find(output.value)->second)
          e.store(sum, l.pointer(slot), LaneIndex::scalar(row));
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
    Block &body = reduce.getBody().front();
    CodeBuilder::Values arguments(carried), next;
    for (Value input : reduce.getInputs())
      arguments.push_back(e.emit(input, at));
    for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
      e.bind(argument, [value](const LaneIndices &) { return value; });
    for (Value result : body.getTerminator()->getOperands())
      next.push_back(llvm::is_contained(arguments, Value())
                         ? Value()
                         : e.emit(result, {}));
    if (!llvm::is_contained(next, Value()))
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
                   << other->getName() << "' has no code for the CPU";
          });
  if (failed(lowered))
    return failure();
  copyToOtherSlots(l, result);
  int64_t elements = 0;
  for (Value operand : op->getOperands())
    elements += elementsOf(shapeOf(operand));
  return NestRange{1, elements};
}
