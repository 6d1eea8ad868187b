//===- LowerColumns.cpp - Reductions that keep the columns on a GPU -------===//
//
// Neighbouring threads of a block have neighbouring vectors of columns; the
// other dimension of the block, and the parts that the rows are cut into, share
// the rows (ColumnShape). A thread keeps the sums of its columns in registers;
// those of a block are combined through shared memory, and those of the parts
// by a second step, which is a reduction of the same form. All sums are formed
// in one order, so that results do not vary between runs.
//
//===----------------------------------------------------------------------===//

#include "Loops/LoopRules.h"
#include "Loops/RowShape.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

using Values = CodeBuilder::Values;

/// Rows that a thread reads before it adds them up.
constexpr int64_t kUnroll = 4;
/// Sums that a thread keeps in registers.
constexpr int64_t kMaxSums = 32;

/// One step: sums over rows for all columns.
class ColumnGrid {
public:
  /// A vector of elements to add, in the accumulator's type: of a reduction, in
  /// a row, at some columns; null after a diagnostic.
  using Element = function_ref<Value(unsigned reduction, Value row,
                                     const LaneIndex &columns)>;

  ColumnGrid(const GpuNest &gpuNest, const ColumnShape &shape)
      : nest(gpuNest.loops), shape(shape), grid(gpuNest, shape.blockThreads()),
        b(grid.b), e(b, shape.lanes) {
    grid.lowering.bindMemory(e);
    for (ReduceOp reduce : nest.reductions)
      accumulators.emplace_back(b, reduce);
    Value vector = b.add(b.mul(grid.block(), shape.x),
                         b.rem(grid.thread(), b.index(shape.x)));
    if (shape.vectors % shape.x != 0) {
      exists = isLess(b, vector, b.index(shape.vectors));
      vector = b.min(vector, b.index(shape.vectors - 1));
    }
    columns = vectorAt(b.mul(vector, shape.lanes), shape.lanes);
    thread = b.div(grid.thread(), b.index(shape.x));
  }

  /// Adds the elements of the block's part up. The first threads along the rows
  /// get the sums, and only these may use them, in `store`.
  LogicalResult run(Element element,
                    function_ref<bool(ColumnGrid &, const Values &)> store) {
    Values sums = sumRows(element);
    if (failed_)
      return failure();
    bool stored = false;
    withSums(sums,
             [&](const Values &totals) { stored = store(*this, totals); });
    if (!stored)
      return failure();
    grid.finish({shape.columnBlocks(), shape.parts, 1});
    return success();
  }

  /// The elements that the loop nest reduces.
  Value operand(unsigned reduction, Value row, const LaneIndex &at);
  /// Stores the results of the loop nest.
  bool storeResults(const Values &sums);
  /// The sums of part `part`, in temporary `number`.
  Value loadPartial(Accumulator &accumulator, unsigned number, Value part,
                    const LaneIndex &at) {
    return b.broadcast(e.load(accumulator.elementType(), grid.temporary(number),
                              partialAt(part, at)),
                       shape.lanes);
  }
  bool storePartials(const Values &sums, ArrayRef<unsigned> numbers) {
    for (auto [sum, number] : llvm::zip(sums, numbers))
      e.store(sum, grid.temporary(number), partialAt(grid.block(1), columns));
    return true;
  }

  std::vector<Accumulator> accumulators;

private:
  Values sumRows(Element element);
  void withSums(const Values &sums, function_ref<void(const Values &)> body);
  LaneIndex partialAt(Value part, const LaneIndex &at) {
    return e.index().add(
        LaneIndex::scalar(b.mul(part, shape.columns()), shape.columns()), at);
  }

  const LoopNest &nest;
  const ColumnShape &shape;
  GridFunction grid;
  CodeBuilder &b;
  ElementEmitter e;
  LaneIndex columns;
  /// Whether the columns exist; null: always.
  Value exists;
  /// The thread's number along the rows.
  Value thread;
  bool failed_ = false;
};

} // namespace

/// Combines the rows of this block's part that this thread owns, every
/// `shape.y`th, and returns the sums of each reduction, one vector of lanes
/// each. Rows behind the last count as neutral. Sets `failed_` where an element
/// cannot be emitted.
Values ColumnGrid::sumRows(Element element) {
  int64_t count = shape.partRows / shape.y, unroll = std::min(count, kUnroll);
  bool isExact = shape.parts * shape.partRows == shape.rows;
  Value first = thread;
  if (shape.parts > 1)
    first = b.add(b.mul(grid.block(1), shape.partRows), thread);
  auto addRows = [&](Value from, int64_t rows, ValueRange carried) {
    Values sums(carried);
    for (int64_t i = 0; i < rows; ++i) {
      Value row = b.add(from, i * shape.y), rowExists;
      if (!isExact) {
        rowExists = isLess(b, row, b.index(shape.rows));
        row = b.min(row, b.index(shape.rows - 1));
      }
      for (auto [k, sum] : llvm::enumerate(sums)) {
        Value value = element(k, row, columns);
        if (!value) {
          failed_ = true;
          return sums;
        }
        if (rowExists)
          value = b.make<arith::SelectOp>(rowExists, value,
                                          accumulators[k].neutral(shape.lanes));
        sum = accumulators[k].combine(sum, value);
      }
    }
    return sums;
  };
  Values start;
  for (Accumulator &accumulator : accumulators)
    start.push_back(accumulator.neutral(shape.lanes));
  int64_t trips = count / unroll, stride = unroll * shape.y;
  Values sums = b.loop(b.index(0), b.index(trips), 1, start,
                       [&](Value trip, ValueRange carried) {
                         Value from = b.add(first, b.mul(trip, stride));
                         return addRows(from, unroll, carried);
                       });
  return addRows(b.add(first, trips * stride), count % unroll, sums);
}

/// Runs `body` with the sums of the block, on threads that have columns.
void ColumnGrid::withSums(const Values &sums,
                          function_ref<void(const Values &)> body) {
  if (shape.y == 1)
    return guardIf(b, exists, [&] { body(sums); });
  LaneIndex index = vectorAt(b.mul(grid.thread(), shape.lanes), shape.lanes);
  SmallVector<Value> arrays;
  for (Value sum : sums) {
    Type element = getElementTypeOrSelf(sum.getType());
    arrays.push_back(grid.sharedArray(element, grid.threads() * shape.lanes));
    e.store(sum, arrays.back(), index);
  }
  grid.barrier();
  Value leads =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, thread, b.index(0));
  b.guard(bothHold(b, leads, exists), [&] {
    Values totals =
        b.loop(b.index(1), b.index(shape.y), 1, sums,
               [&](Value y, ValueRange carried) {
                 Values next;
                 LaneIndex other = e.index().add(
                     index, LaneIndex::scalar(b.mul(y, shape.x * shape.lanes),
                                              shape.lanes));
                 for (auto [accumulator, array, sum] :
                      llvm::zip(accumulators, arrays, carried))
                   next.push_back(accumulator.combine(
                       sum, e.load(accumulator.elementType(), array, other,
                                   /*written=*/true)));
                 return next;
               });
    body(totals);
  });
}

Value ColumnGrid::operand(unsigned reduction, Value row, const LaneIndex &at) {
  ReduceOp reduce = nest.reductions[reduction];
  LaneIndices indices(nest.shape.size(), LaneIndex::constant(0));
  LaneIndices reduced = e.index().delinearize(
      LaneIndex::scalar(row), sizesOf(nest.shape, nest.reducedDims));
  LaneIndices kept = e.index().delinearize(at, nest.keptShape());
  for (auto [dim, index] : llvm::zip(nest.reducedDims, reduced))
    indices[dim] = index;
  for (auto [dim, index] : llvm::zip(nest.keptDims(), kept))
    indices[dim] = index;
  Value element = e.emitLanes(reduce.getOperand(), indices);
  return element ? accumulators[reduction].widen(element) : element;
}

bool ColumnGrid::storeResults(const Values &sums) {
  for (auto [reduce, accumulator, sum] :
       llvm::zip(nest.reductions, accumulators, sums)) {
    Value result = accumulator.narrow(sum);
    e.bind(ReduceOp(reduce).getResult(),
           [result](const LaneIndices &) { return result; });
  }
  LaneIndices kept = e.index().delinearize(columns, nest.keptShape());
  SmallVector<Value> elements;
  for (const NestOutput &output : nest.outputs)
    elements.push_back(
        e.emit(output.value, grid.lowering.outputIndices(output, kept)));
  if (llvm::is_contained(elements, Value()))
    return false;
  for (auto [output, element] : llvm::zip(nest.outputs, elements))
    grid.lowering.storeOutput(e, output, element,
                              grid.lowering.outputIndices(output, kept));
  return true;
}

/// The sums of parts, in temporaries, and the step that adds these up.
static LogicalResult lowerParts(const GpuNest &nest, const ColumnShape &shape) {
  SmallVector<unsigned> partials;
  for (ReduceOp reduce : nest.loops.reductions)
    partials.push_back(nest.variant.addTemporary(shape.parts * shape.columns() *
                                                 accumulatorBytes(reduce)));
  ColumnGrid first(nest, shape);
  if (failed(first.run(
          [&](unsigned reduction, Value row, const LaneIndex &at) {
            return first.operand(reduction, row, at);
          },
          [&](ColumnGrid &grid, const Values &sums) {
            return grid.storePartials(sums, partials);
          })))
    return failure();
  ColumnShape rest =
      ColumnShape::choose(nest, shape.vectors, shape.lanes, shape.parts);
  rest.parts = 1;
  rest.partRows = llvm::alignTo(shape.parts, rest.y);
  ColumnGrid second(nest, rest);
  return second.run(
      [&](unsigned reduction, Value row, const LaneIndex &at) {
        return second.loadPartial(second.accumulators[reduction],
                                  partials[reduction], row, at);
      },
      [](ColumnGrid &grid, const Values &sums) {
        return grid.storeResults(sums);
      });
}

FailureOr<bool> nvptx::lowerColumns(const GpuNest &gpuNest) {
  const LoopNest &nest = gpuNest.loops;
  if (nest.kind != KernelKind::Column || codegen::elementsOf(nest.shape) == 0)
    return false;
  SmallVector<int64_t> kept = nest.keptDims();
  int64_t inner = lastWideDim(nest.shape, kept);
  int64_t lanes = inner < 0 ? 1 : NestTraffic(gpuNest).lanes(nest.shape[inner]);
  while (lanes > 1 && lanes * int64_t(nest.reductions.size()) > kMaxSums)
    lanes /= 2;
  ColumnShape shape = ColumnShape::choose(
      gpuNest, codegen::elementsOf(nest.keptShape()) / lanes, lanes,
      codegen::elementsOf(sizesOf(nest.shape, nest.reducedDims)));
  if (shape.parts > 1) {
    if (failed(lowerParts(gpuNest, shape)))
      return failure();
    return true;
  }
  ColumnGrid grid(gpuNest, shape);
  if (failed(grid.run(
          [&](unsigned reduction, Value row, const LaneIndex &at) {
            return grid.operand(reduction, row, at);
          },
          [](ColumnGrid &whole, const Values &sums) {
            return whole.storeResults(sums);
          })))
    return failure();
  return true;
}
