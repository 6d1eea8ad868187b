//===- Ring.cpp - blocks of all devices of a group, one after another -----===//

#include "CollectiveMatmul/Ring.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

Ring::Ring(spmd::CollectiveOpInterface collective)
    : axes(collective.getAxes()), size(groupSize(collective, axes)) {}

SmallVector<int64_t> Ring::shifts() const {
  SmallVector<int64_t> result;
  for (int64_t distance = 1; 2 * distance <= size; ++distance) {
    result.push_back(distance);
    if (2 * distance < size)
      result.push_back(-distance);
  }
  return result;
}

Value Ring::send(ImplicitLocOpBuilder &builder, Value value,
                 int64_t shift) const {
  SmallVector<int32_t> target;
  for (int64_t device = 0; device < size; ++device)
    target.push_back((device + shift + size) % size);
  return spmd::PermuteOp::create(builder, value.getType(), value, axes,
                                 builder.getDenseI32ArrayAttr(target));
}

/// Where a block begins.
SmallVector<Value> Ring::indices(ImplicitLocOpBuilder &builder,
                                 RankedTensorType block, int64_t dim,
                                 int64_t shift) const {
  auto type = RankedTensorType::get({}, builder.getI32Type());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(type, int32_t(value)));
  };
  Value start = spmd::AxisIndexOp::create(builder, type, axes);
  if (shift != 0) {
    start =
        arith::AddIOp::create(builder, start, constant((shift + size) % size));
    start = arith::RemSIOp::create(builder, start, constant(size));
  }
  if (block.getDimSize(dim) != 1)
    start =
        arith::MulIOp::create(builder, start, constant(block.getDimSize(dim)));
  SmallVector<Value> result(block.getRank(), constant(0));
  result[dim] = start;
  return result;
}

Value Ring::slice(ImplicitLocOpBuilder &builder, Value value, int64_t dim,
                  int64_t shift) const {
  SmallVector<int64_t> shape(shapeOf(value));
  shape[dim] /= size;
  RankedTensorType block = typeOf(value).clone(shape);
  return DynamicSliceOp::create(builder, block, value,
                                indices(builder, block, dim, shift));
}

Value Ring::update(ImplicitLocOpBuilder &builder, Value value, Value block,
                   int64_t dim, int64_t shift) const {
  return DynamicUpdateSliceOp::create(
      builder, value.getType(), value, block,
      indices(builder, typeOf(block), dim, shift));
}
