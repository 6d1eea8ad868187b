//===- LowerSort.cpp - Sorting on a GPU -----------------------------------===//
//
// One block per row (the elements along the sorted dimension), which sorts the
// numbers of the elements by Batcher's bitonic network: in shared memory, or in
// a temporary where the row is too long for that. The network is not stable, so
// of elements that the region finds equal the one with the lower number comes
// first; numbers behind the end of the row, up to a power of 2, come last.
//
// K. E. Batcher, "Sorting networks and their applications", AFIPS 1968.
//
//===----------------------------------------------------------------------===//

#include "Core/Vectors.h"
#include "Loops/LoopRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

constexpr int64_t kMaxThreads = 1024;
/// Shorter rows are left to one thread each.
constexpr int64_t kShortestRow = 32;

class SortLowering {
public:
  SortLowering(const GpuNest &gpuNest, SortOp sort)
      : sort(sort), shape(shapeOf(sort.getInputs().front())),
        length(shape[sort.getDim()]), padded(llvm::PowerOf2Ceil(length)),
        rows(codegen::elementsOf(shape) / length),
        grid(gpuNest, std::clamp<int64_t>(padded / 2, kWarp, kMaxThreads)),
        b(grid.b), e(b, 1) {
    grid.lowering.bindMemory(e);
    rowShape.assign(shape.begin(), shape.end());
    rowShape[sort.getDim()] = 1;
    at = e.index().delinearize(LaneIndex::scalar(grid.block()), rowShape);
    Type i32 = b.getI32Type();
    if (padded * 4 <= gpuNest.variant.target.staticSharedBytes) {
      numbers = grid.sharedArray(i32, padded);
      return;
    }
    unsigned temporary = gpuNest.variant.addTemporary(rows * padded * 4);
    numbers =
        b.address(grid.temporary(temporary), i32, b.mul(grid.block(), padded));
  }

  LogicalResult run() {
    forEach(padded, [&](Value i) { store(i, i); });
    grid.barrier();
    int64_t levels = llvm::Log2_64(padded);
    // Bitonic runs of 2, 4, ... elements are made ascending and descending.
    b.loop(b.index(1), b.index(levels + 1), 1, [&](Value level) {
      b.loop(b.index(0), level, 1, [&](Value step) {
        Value distance = shift(b.sub(b.sub(level, b.index(1)), step));
        forEach(padded / 2, [&](Value pair) {
          compareExchange(pair, distance, shift(level));
        });
        grid.barrier();
      });
    });
    writeRow();
    if (failed_)
      return failure();
    grid.finish({rows, 1, 1});
    return success();
  }

private:
  void forEach(int64_t count, function_ref<void(Value)> body) {
    b.loop(grid.thread(), b.index(count), grid.threads(), body);
  }
  Value shift(Value bits) { return b.make<arith::ShLIOp>(b.index(1), bits); }
  Value load(Value index) {
    Value number = e.load(b.getI32Type(), numbers, LaneIndex::scalar(index),
                          /*written=*/true);
    return b.make<arith::ExtUIOp>(b.getI64Type(), number);
  }
  void store(Value number, Value index) {
    e.store(b.make<arith::TruncIOp>(b.getI32Type(), number), numbers,
            LaneIndex::scalar(index));
  }
  Value both(Value x, Value y) { return b.make<arith::AndIOp>(x, y); }
  Value either(Value x, Value y) { return b.make<arith::OrIOp>(x, y); }
  Value differ(Value x, Value y) { return b.make<arith::XOrIOp>(x, y); }

  void compareExchange(Value pair, Value distance, Value run);
  Value isBefore(Value x, Value y);
  Value precedes(Value x, Value y);
  void writeRow();

  SortOp sort;
  ArrayRef<int64_t> shape;
  /// Of a row, and the next power of 2.
  int64_t length, padded, rows;
  SmallVector<int64_t> rowShape;
  GridFunction grid;
  CodeBuilder &b;
  ElementEmitter e;
  /// The row's indices.
  LaneIndices at;
  /// The list of the row's numbers, `i32`.
  Value numbers;
  bool failed_ = false;
};

} // namespace

/// Orders two elements of the list that are `distance` apart, ascending or, in
/// every second run, descending.
void SortLowering::compareExchange(Value pair, Value distance, Value run) {
  Value below = b.make<arith::AndIOp>(pair, b.sub(distance, b.index(1)));
  Value low = b.sub(b.mul(pair, 2), below), high = b.add(low, distance);
  Value x = load(low), y = load(high);
  Value descends = b.make<arith::CmpIOp>(
      arith::CmpIPredicate::ne, b.make<arith::AndIOp>(low, run), b.index(0));
  Value swaps = differ(isBefore(y, x), descends);
  store(b.make<arith::SelectOp>(swaps, y, x), low);
  store(b.make<arith::SelectOp>(swaps, x, y), high);
}

/// Whether the element numbered `x` comes before that numbered `y`, which is
/// another: a total order if the region is an order at all.
Value SortLowering::isBefore(Value x, Value y) {
  Value end = b.index(length);
  Value lower = isLess(b, x, y);
  Value one = b.splat(b.getI1Type(), b.getBoolAttr(true));
  Value tie = both(lower, differ(precedes(y, x), one));
  Value ordered = either(precedes(x, y), tie);
  if (length == padded)
    return ordered;
  Value exist = both(isLess(b, x, end), isLess(b, y, end));
  return b.make<arith::SelectOp>(exist, ordered, lower);
}

/// What the region says of two elements.
Value SortLowering::precedes(Value x, Value y) {
  ElementEmitter region(b, 1);
  Block &body = sort.getBody().front();
  CodeBuilder::Values arguments;
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    Value number = b.min(i % 2 ? y : x, b.index(length - 1));
    LaneIndices indices = at;
    indices[sort.getDim()] = LaneIndex::scalar(number);
    arguments.push_back(e.emit(sort.getInputs()[i / 2], indices));
  }
  CodeBuilder::Values decision = emitRegion(region, body, arguments);
  failed_ |= decision.empty();
  return failed_ ? isLess(b, x, y) : decision[0];
}

void SortLowering::writeRow() {
  int64_t kept = shapeOf(sort.getResults().front())[sort.getDim()];
  const NestLowering &l = grid.lowering;
  forEach(kept, [&](Value i) {
    LaneIndices from = at, to = at;
    from[sort.getDim()] = LaneIndex::scalar(load(i));
    to[sort.getDim()] = LaneIndex::scalar(i);
    for (auto [input, result] :
         llvm::zip(sort.getInputs(), sort.getResults())) {
      Value element = e.emit(input, from);
      failed_ |= !element;
      LaneIndex position = e.index().linearize(to, shapeOf(result));
      if (element)
        l.storeAt(e, result, element, position);
    }
  });
}

FailureOr<bool> nvptx::lowerSort(const GpuNest &nest) {
  auto sort = dyn_cast_or_null<SortOp>(nest.loops.op);
  if (!sort)
    return false;
  ArrayRef<int64_t> shape = shapeOf(sort.getInputs().front());
  if (shape[sort.getDim()] < kShortestRow)
    return false;
  if (failed(SortLowering(nest, sort).run()))
    return failure();
  return true;
}
