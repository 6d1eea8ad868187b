//===- WindowLoops.cpp - loops over the places of large windows -----------===//

#include "Windows/WindowLoops.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static RankedTensorType indexType(Conversion &c) {
  return RankedTensorType::get({}, c.builder.getI32Type());
}

Value tessera::importer::loopOver(
    Conversion &c, int64_t trips, Value init,
    llvm::function_ref<Value(Value, Value)> body) {
  ImplicitLocOpBuilder &b = c.builder;
  auto bound = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  auto loop = scf::ForOp::create(b, bound(0), bound(trips), bound(1), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  Value trip = tensor::FromElementsOp::create(
      b, indexType(c), ValueRange(loop.getInductionVar()));
  scf::YieldOp::create(b, body(trip, loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

/// Of `value`, the element `trip * step` along `dim` and the first along
/// others.
static SmallVector<Value> startOf(Conversion &c, Value value, int64_t dim,
                                  Value trip, int64_t step) {
  Value zero = c.splat(indexType(c), APInt(32, 0));
  SmallVector<Value> start(typeOf(value).getRank(), zero);
  start[dim] =
      step == 1 ? trip
                : arith::MulIOp::create(c.builder, trip,
                                        c.splat(indexType(c), APInt(32, step)));
  return start;
}

Value tessera::importer::blockAt(Conversion &c, Value value, int64_t dim,
                                 Value trip, int64_t step, int64_t size) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] = size;
  return DynamicSliceOp::create(c.builder, typeOf(value).clone(shape), value,
                                startOf(c, value, dim, trip, step));
}

Value tessera::importer::withBlockAt(Conversion &c, Value value, Value block,
                                     int64_t dim, Value trip, int64_t step) {
  return DynamicUpdateSliceOp::create(c.builder, value.getType(), value, block,
                                      startOf(c, value, dim, trip, step));
}
