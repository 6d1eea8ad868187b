//===- DataMovement.cpp - Operations that make or move elements -----------===//

#include "ElementAccess.h"
#include "OperationTable.h"
#include "StridedCopy.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace tessera;

static Shape toShape(ArrayRef<int64_t> list) {
  return Shape(list.begin(), list.end());
}

//===----------------------------------------------------------------------===//
// New elements
//===----------------------------------------------------------------------===//

/// The elements of a constant attribute, whose type is that of `result`.
static bool readConstant(TypedAttr value, HostTensor &result) {
  auto put = [&](int64_t i, const APInt &bits) {
    uint64_t word = bits.getZExtValue();
    size_t size = elementSize(result.type());
    std::memcpy(result.data() + i * size, &word, size);
  };
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    put(0, integer.getValue());
    return true;
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    put(0, number.getValue().bitcastToAPInt());
    return true;
  }
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value);
  if (!dense)
    return false;
  bool isFloat = isa<FloatType>(dense.getElementType());
  auto putAll = [&](auto range) {
    for (auto [i, element] : llvm::enumerate(range)) {
      if constexpr (std::is_same_v<std::decay_t<decltype(element)>, APFloat>)
        put(i, element.bitcastToAPInt());
      else
        put(i, element);
    }
  };
  if (dense.isSplat()) {
    put(0, isFloat ? dense.getSplatValue<APFloat>().bitcastToAPInt()
                   : dense.getSplatValue<APInt>());
    HostTensor scalar(result.type(), {});
    std::memcpy(scalar.data(), result.data(), elementSize(result.type()));
    result = readStrided(scalar, result.shape(),
                         {0, Shape(result.shape().size(), 0)});
  } else if (isFloat) {
    putAll(dense.getValues<APFloat>());
  } else {
    putAll(dense.getValues<APInt>());
  }
  return true;
}

static LogicalResult constant(Invocation &in) {
  HostTensor result = in.makeResult();
  if (result.elementCount() != 0 &&
      !readConstant(cast<arith::ConstantOp>(in.op).getValue(), result))
    return in.fail("expected dense elements");
  return in.give(std::move(result));
}

static LogicalResult iota(Invocation &in) {
  int64_t dim = cast<IotaOp>(in.op).getDim();
  HostTensor result = in.makeResult();
  int64_t size = result.shape()[dim];
  int64_t stride = rowMajorStrides(result.shape())[dim];
  dispatchStorage(result.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = store<T>(static_cast<ComputeType<T>>(i / stride % size));
  });
  return in.give(std::move(result));
}

//===----------------------------------------------------------------------===//
// The same elements elsewhere
//===----------------------------------------------------------------------===//

/// Operations whose only result is their only operand, seen otherwise.
static LogicalResult identity(Invocation &in) {
  in.results.append(in.operands.begin(), in.operands.end());
  return success();
}

static LogicalResult reshape(Invocation &in) {
  return in.give(
      tessera::reshape(in.operand(0), shapeOf(in.op->getResult(0).getType())));
}

static LogicalResult transpose(Invocation &in) {
  return in.give(tessera::transpose(
      in.operand(0), toShape(cast<TransposeOp>(in.op).getPermutation())));
}

static LogicalResult broadcast(Invocation &in) {
  auto op = cast<tessera::BroadcastOp>(in.op);
  const HostTensor &operand = in.operand(0);
  Shape shape = shapeOf(op.getType());
  Shape operandStrides = rowMajorStrides(operand.shape());
  StridedLayout layout{0, Shape(shape.size(), 0)};
  for (auto [i, dim] : llvm::enumerate(op.getDims()))
    if (operand.shape()[i] != 1)
      layout.strides[dim] = operandStrides[i];
  return in.give(readStrided(operand, shape, layout));
}

static LogicalResult slice(Invocation &in) {
  auto op = cast<SliceOp>(in.op);
  StridedLayout layout{0, rowMajorStrides(in.operand(0).shape())};
  for (size_t dim = 0; dim < layout.strides.size(); ++dim) {
    layout.offset += op.getStarts()[dim] * layout.strides[dim];
    layout.strides[dim] *= op.getStrides()[dim];
  }
  return in.give(readStrided(in.operand(0), shapeOf(op.getType()), layout));
}

static LogicalResult reverse(Invocation &in) {
  const Shape &shape = in.operand(0).shape();
  StridedLayout layout{0, rowMajorStrides(shape)};
  for (int64_t dim : cast<ReverseOp>(in.op).getDims()) {
    layout.offset += (shape[dim] - 1) * layout.strides[dim];
    layout.strides[dim] *= -1;
  }
  return in.give(readStrided(in.operand(0), shape, layout));
}

static LogicalResult concatenate(Invocation &in) {
  int64_t dim = cast<ConcatenateOp>(in.op).getDim();
  HostTensor result = in.makeResult();
  Shape at(result.shape().size(), 0);
  for (const TensorRef &operand : in.operands) {
    writeBox(*operand, result, at);
    at[dim] += operand->shape()[dim];
  }
  return in.give(std::move(result));
}

/// Every element of `shape` is the only element of `scalar`.
static HostTensor filled(const HostTensor &scalar, const Shape &shape) {
  return readStrided(scalar, shape, {0, Shape(shape.size(), 0)});
}

static LogicalResult pad(Invocation &in) {
  auto op = cast<PadOp>(in.op);
  const HostTensor &operand = in.operand(0);
  HostTensor result = filled(in.operand(1), shapeOf(op.getType()));
  // Element i of a dimension lands at low + i * (interior + 1): first the part
  // of the operand that lands inside, then its layout.
  StridedLayout layout{0, rowMajorStrides(result.shape())};
  Shape start, kept;
  for (size_t dim = 0; dim < result.shape().size(); ++dim) {
    int64_t low = op.getLow()[dim], step = op.getInterior()[dim] + 1;
    int64_t first = low < 0 ? llvm::divideCeil(-low, step) : 0;
    int64_t room = result.shape()[dim] - low;
    int64_t end = std::clamp<int64_t>(room <= 0 ? 0 : (room - 1) / step + 1, 0,
                                      operand.shape()[dim]);
    start.push_back(first);
    kept.push_back(std::max<int64_t>(end - first, 0));
    layout.offset += (low + first * step) * layout.strides[dim];
    layout.strides[dim] *= step;
  }
  if (!llvm::is_contained(kept, 0))
    writeStrided(readBox(operand, start, kept), result, layout);
  return in.give(std::move(result));
}

/// The start of a box of shape `box` in `whole`: the scalar operands from
/// `first` on, clamped so that the box lies inside.
static Shape clampedStart(Invocation &in, unsigned first, const Shape &whole,
                          const Shape &box) {
  Shape start;
  for (size_t dim = 0; dim < whole.size(); ++dim)
    start.push_back(
        std::clamp<int64_t>(in.scalar(first + dim), 0, whole[dim] - box[dim]));
  return start;
}

static LogicalResult dynamicSlice(Invocation &in) {
  Shape shape = shapeOf(in.op->getResult(0).getType());
  Shape start = clampedStart(in, 1, in.operand(0).shape(), shape);
  return in.give(readBox(in.operand(0), start, shape));
}

static LogicalResult dynamicUpdateSlice(Invocation &in) {
  HostTensor result = in.operand(0);
  const HostTensor &update = in.operand(1);
  writeBox(update, result, clampedStart(in, 2, result.shape(), update.shape()));
  return in.give(std::move(result));
}

//===----------------------------------------------------------------------===//
// One of several
//===----------------------------------------------------------------------===//

static LogicalResult select(Invocation &in) {
  const HostTensor &condition = in.operand(0);
  std::span<const uint8_t> choose = condition.elements<uint8_t>();
  if (!isa<RankedTensorType>(in.op->getOperand(0).getType()))
    return in.give(in.operands[choose[0] ? 1 : 2]);
  HostTensor result = in.makeResult();
  dispatchStorage(result.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<const T> a = in.operand(1).elements<T>();
    std::span<const T> b = in.operand(2).elements<T>();
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = choose[i] ? a[i] : b[i];
  });
  return in.give(std::move(result));
}

/// tensor.extract: one element; an index outside is an error.
static LogicalResult extract(Invocation &in) {
  const Shape &shape = in.operand(0).shape();
  Shape start;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t index = in.scalar(1 + dim);
    if (index < 0 || index >= shape[dim])
      return in.fail("expected index " + Twine(dim) + " from 0 to " +
                     Twine(shape[dim] - 1) + ", got " + Twine(index));
    start.push_back(index);
  }
  HostTensor box = readBox(in.operand(0), start, Shape(shape.size(), 1));
  return in.give(tessera::reshape(box, {}));
}

/// tensor.from_elements: scalars, in row-major order.
static LogicalResult fromElements(Invocation &in) {
  HostTensor result = in.makeResult();
  size_t size = elementSize(result.type());
  for (auto [i, operand] : llvm::enumerate(in.operands))
    std::memcpy(result.data() + i * size, operand->data(), size);
  return in.give(std::move(result));
}

/// tensor.splat: one scalar everywhere.
static LogicalResult splat(Invocation &in) {
  return in.give(filled(in.operand(0), shapeOf(in.op->getResult(0).getType())));
}

/// ub.poison: elements that no correct program looks at.
static LogicalResult poison(Invocation &in) { return in.give(in.makeResult()); }

void tessera::addDataMovement(OperationTable &table) {
  table.add("arith.constant", constant);
  table.add("ub.poison", poison);
  table.add("tessera.iota", iota);
  table.add("tessera.constrain", identity);
  table.add("tessera.reshard", identity);
  table.add("tessera.propagation_barrier", identity);
  table.add("tessera.sharding_group", [](Invocation &) { return success(); });
  table.add("tessera.optimization_barrier", identity);
  table.add("spmd.offload", identity);
  table.add("spmd.reload", identity);
  table.add("tessera.stage_end", identity);
  table.add("pipe.transfer", identity);
  table.add("tessera.reshape", ::reshape);
  table.add("tessera.transpose", ::transpose);
  table.add("tessera.broadcast", broadcast);
  table.add("tessera.slice", slice);
  table.add("tessera.reverse", reverse);
  table.add("tessera.concatenate", concatenate);
  table.add("tessera.pad", pad);
  table.add("tessera.dynamic_slice", dynamicSlice);
  table.add("tessera.dynamic_update_slice", dynamicUpdateSlice);
  table.add("arith.select", select);
  table.add("tensor.extract", extract);
  table.add("tensor.from_elements", fromElements);
  table.add("tensor.splat", splat);
}
