//===- LowerVariadicReduce.cpp - Reductions of several values on a GPU ----===//
//
// An argmax, for instance: the region combines tuples. One block per result:
// each thread combines every n-th tuple of the row, then the tuples of lanes
// are combined by shuffles and those of warps through shared memory, the one of
// the lower thread always first. StableHLO allows any order, and to combine the
// initial tuple more than once.
//
//===----------------------------------------------------------------------===//

#include "Core/Vectors.h"
#include "Loops/LoopRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

using Values = CodeBuilder::Values;

constexpr int64_t kThreads = 256, kWarps = kThreads / kWarp;
/// Shorter rows are left to one thread each.
constexpr int64_t kShortestRow = 128;

class VariadicReduceLowering {
public:
  VariadicReduceLowering(const GpuNest &gpuNest, VariadicReduceOp reduce)
      : nest(gpuNest.loops), reduce(reduce), grid(gpuNest, kThreads), b(grid.b),
        e(b, 1), shape(shapeOf(reduce.getInputs().front())),
        dims(reduce.getDims()) {
    grid.lowering.bindMemory(e);
    llvm::sort(dims);
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (!llvm::is_contained(dims, d))
        keptDims.push_back(d);
  }

  bool applies() const {
    return codegen::elementsOf(sizesOf(shape, dims)) >= kShortestRow;
  }
  LogicalResult run();

private:
  Values start();
  Values combineRow(const Values &first);
  Values acrossLanes(Values values, int64_t width);
  Values acrossWarps(const Values &values);
  /// The tuple that the region makes of two.
  Values combine(const Values &first, const Values &second);

  const LoopNest &nest;
  VariadicReduceOp reduce;
  GridFunction grid;
  CodeBuilder &b;
  ElementEmitter e;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> dims, keptDims;
  bool failed_ = false;
};

} // namespace

LogicalResult VariadicReduceLowering::run() {
  Values values = start();
  if (failed_)
    return failure();
  values = acrossWarps(acrossLanes(combineRow(values), kWarp));
  Value isFirst = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, grid.thread(),
                                        b.index(0));
  const NestLowering &l = grid.lowering;
  b.guard(isFirst, [&] {
    for (auto [value, output] : llvm::zip(values, nest.outputs))
      l.storeAt(e, output.value, value, LaneIndex::scalar(grid.block()));
  });
  if (failed_)
    return failure();
  grid.finish({codegen::elementsOf(sizesOf(shape, keptDims)), 1, 1});
  return success();
}

/// The initial tuple.
Values VariadicReduceLowering::start() {
  Values values;
  for (Value init : reduce.getInits())
    values.push_back(e.emit(init, {}));
  failed_ |= llvm::is_contained(values, Value());
  return values;
}

/// The thread's elements of the block's row.
Values VariadicReduceLowering::combineRow(const Values &first) {
  LaneIndices kept = e.index().delinearize(LaneIndex::scalar(grid.block()),
                                           sizesOf(shape, keptDims));
  LaneIndices at(shape.size(), LaneIndex::constant(0));
  for (auto [dim, index] : llvm::zip(keptDims, kept))
    at[dim] = index;
  SmallVector<int64_t> sizes = sizesOf(shape, dims);
  return b.loop(grid.thread(), b.index(codegen::elementsOf(sizes)), kThreads,
                first, [&](Value number, ValueRange carried) {
                  LaneIndices inDims =
                      e.index().delinearize(LaneIndex::scalar(number), sizes);
                  for (auto [dim, index] : llvm::zip(dims, inDims))
                    at[dim] = index;
                  Values element;
                  for (Value input : reduce.getInputs())
                    element.push_back(e.emit(input, at));
                  if (llvm::is_contained(element, Value())) {
                    failed_ = true;
                    return Values(carried);
                  }
                  return combine(Values(carried), element);
                });
}

Values VariadicReduceLowering::acrossLanes(Values values, int64_t width) {
  for (int64_t mask = 1; mask < width; mask *= 2) {
    Value bit = b.make<arith::AndIOp>(grid.lane(), b.index(mask));
    Value isSecond =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, bit, b.index(0));
    Values first, second;
    for (Value value : values) {
      Value other = grid.shuffleXor(value, mask);
      first.push_back(b.make<arith::SelectOp>(isSecond, other, value));
      second.push_back(b.make<arith::SelectOp>(isSecond, value, other));
    }
    values = combine(first, second);
  }
  return values;
}

Values VariadicReduceLowering::acrossWarps(const Values &values) {
  SmallVector<Value> arrays;
  for (Value value : values)
    arrays.push_back(grid.sharedArray(value.getType(), kWarps));
  Value leads =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, grid.lane(), b.index(0));
  b.guard(leads, [&] {
    for (auto [value, array] : llvm::zip(values, arrays))
      e.store(value, array, LaneIndex::scalar(grid.warp()));
  });
  grid.barrier();
  LaneIndex index = LaneIndex::scalar(b.rem(grid.lane(), b.index(kWarps)));
  Values parts;
  for (auto [value, array] : llvm::zip(values, arrays))
    parts.push_back(e.load(value.getType(), array, index, /*written=*/true));
  return acrossLanes(parts, kWarps);
}

Values VariadicReduceLowering::combine(const Values &first,
                                       const Values &second) {
  ElementEmitter region(b, 1);
  Values arguments(first);
  llvm::append_range(arguments, second);
  Values results = emitRegion(region, reduce.getBody().front(), arguments);
  if (!results.empty())
    return results;
  failed_ = true;
  return first;
}

FailureOr<bool> nvptx::lowerVariadicReduce(const GpuNest &nest) {
  auto reduce = dyn_cast_or_null<VariadicReduceOp>(nest.loops.op);
  if (!reduce)
    return false;
  VariadicReduceLowering lowering(nest, reduce);
  if (!lowering.applies())
    return false;
  if (failed(lowering.run()))
    return failure();
  return true;
}
