//===- WindowLoops.cpp - loops over the positions of large windows --------===//
//
// `WindowLoops.h` explains how.
//
//===----------------------------------------------------------------------===//

#include "Windows/WindowLoops.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Which steps
//===----------------------------------------------------------------------===//

/// How many of `count` steps in one direction are written one by one, the
/// nearest: all if a loop would have one iteration.
static int64_t unlooped(int64_t count, int64_t block) {
  return count < 2 * block ? count : count % block;
}

StepPlan::StepPlan(ArrayRef<int64_t> starts, int64_t block, Advance advance) {
  int64_t size = starts.size(), last = std::max<int64_t>(0, size - 1);
  // Sliced, all steps but the first lie behind it.
  int64_t center = 0;
  if (advance == Advance::Moved)
    while (center < last && starts[center] < 0)
      ++center;
  int64_t left = unlooped(center, block),
          right = unlooped(last - center, block);
  first = center - left;
  count = std::min(size, left + 1 + right);
  int64_t distance = size > 1 ? starts[1] - starts[0] : 0;
  if (first > 0) {
    before = StepLoop{0, first, -left * distance, -block * distance, {}};
    for (int64_t i = block; i > 0; --i)
      before->starts.push_back(starts[center] - i * distance);
  }
  if (center + right == last)
    return;
  behind = StepLoop{center + right + 1,
                    last - center - right,
                    right * distance,
                    block * distance,
                    {}};
  for (int64_t i = 1; i <= block; ++i)
    behind->starts.push_back(starts[center] + i * distance);
  // A slice begins with what its first step takes.
  int64_t slice = advance == Advance::Sliced ? behind->starts[0] : 0;
  behind->begin += slice;
  for (int64_t &start : behind->starts)
    start -= slice;
}

int64_t StepPlan::written() const {
  return count + (before ? before->block() : 0) +
         (behind ? behind->block() : 0);
}

//===----------------------------------------------------------------------===//
// Their program
//===----------------------------------------------------------------------===//

static RankedTensorType indexType(Conversion &c) {
  return RankedTensorType::get({}, c.builder.getI32Type());
}

/// `first + trip * step`
static Value atTrip(Conversion &c, Value trip, int64_t first, int64_t step) {
  auto scalar = [&](int64_t value) {
    return c.splat(indexType(c), APInt(32, value, /*isSigned=*/true));
  };
  return arith::AddIOp::create(
      c.builder, scalar(first),
      arith::MulIOp::create(c.builder, trip, scalar(step)));
}

Value tessera::importer::loopOver(
    Conversion &c, const StepLoop &loop, Advance advance, Value input,
    int64_t dim, int64_t extent, Value fill, Value init,
    llvm::function_ref<Value(Value, Value, Value)> body) {
  ImplicitLocOpBuilder &b = c.builder;
  bool isMoved = advance == Advance::Moved;
  int64_t width = isMoved ? std::max(extent, dimSize(input, dim))
                          : extent + loop.starts.back();
  int64_t sliced = isMoved ? 0 : (loop.trips() - 1) * loop.move;
  Value all = take(c, input, dim, {loop.begin, 1, width + sliced}, fill);
  auto bound = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  SmallVector<Value> inits = {init};
  if (isMoved)
    inits.push_back(all);
  auto op =
      scf::ForOp::create(b, bound(0), bound(loop.trips()), bound(1), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(op.getBody());
  Value trip = tensor::FromElementsOp::create(b, indexType(c),
                                              ValueRange(op.getInductionVar()));
  Value here = isMoved
                   ? op.getRegionIterArg(1)
                   : blockAt(c, all, dim, atTrip(c, trip, 0, loop.move), width);
  // Those before the operand's begin are done from the last on.
  int64_t block = loop.block();
  Value step = loop.move > 0 ? atTrip(c, trip, 0, block)
                             : atTrip(c, trip, loop.count - block, -block);
  SmallVector<Value> results = {body(step, here, op.getRegionIterArg(0))};
  if (isMoved)
    results.push_back(take(c, here, dim, {loop.move, 1, width}, fill));
  scf::YieldOp::create(b, results);
  return op.getResult(0);
}

/// Of `value`, the element `start` along `dim` and the first along others.
static SmallVector<Value> startOf(Conversion &c, Value value, int64_t dim,
                                  Value start) {
  Value zero = c.splat(indexType(c), APInt(32, 0));
  SmallVector<Value> starts(typeOf(value).getRank(), zero);
  starts[dim] = start;
  return starts;
}

Value tessera::importer::blockAt(Conversion &c, Value value, int64_t dim,
                                 Value start, int64_t size) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] = size;
  return DynamicSliceOp::create(c.builder, typeOf(value).clone(shape), value,
                                startOf(c, value, dim, start));
}

Value tessera::importer::withBlockAt(Conversion &c, Value value, Value block,
                                     int64_t dim, Value start) {
  return DynamicUpdateSliceOp::create(c.builder, value.getType(), value, block,
                                      startOf(c, value, dim, start));
}
