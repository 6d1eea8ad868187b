//===- Windows.cpp - windows and their positions along a dimension --------===//

#include "Windows/Windows.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

bool Positions::missAll(int64_t size) const {
  return count == 0 || start >= size || start + (count - 1) * stride < 0;
}

bool Positions::areWithin(int64_t size) const {
  return start >= 0 && start + (count - 1) * stride < size;
}

FailureOr<Windows> tessera::importer::readWindows(Operation *op,
                                                  RankedTensorType type,
                                                  ArrayRef<int64_t> counts,
                                                  Conversion &c) {
  int64_t rank = type.getRank();
  auto sizes = c.integers(op, "window_dimensions");
  auto strides = c.integersOr(op, "window_strides", 1, rank);
  auto baseDilations = c.integersOr(op, "base_dilations", 1, rank);
  auto dilations = c.integersOr(op, "window_dilations", 1, rank);
  auto padding = c.integersOr(op, "padding", 0, 2 * rank);
  if (failed(sizes) || failed(strides) || failed(baseDilations) ||
      failed(dilations) || failed(padding))
    return failure();
  for (ArrayRef<int64_t> list : {*sizes, *strides, *baseDilations, *dilations})
    if (int64_t(list.size()) != rank ||
        llvm::any_of(list, [](int64_t size) { return size < 1; }))
      return emitError(op->getLoc())
                 << "expected " << rank
                 << " positive sizes, strides and dilations of windows, one "
                    "per dimension",
             failure();
  Windows windows{{}, *baseDilations};
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    Window window{(*sizes)[i], (*strides)[i], (*dilations)[i],
                  (*padding)[2 * i], counts[i]};
    int64_t padded = window.low + (*padding)[2 * i + 1] +
                     (size ? (size - 1) * (*baseDilations)[i] + 1 : 0);
    int64_t expected = padded < window.extent()
                           ? 0
                           : (padded - window.extent()) / window.stride + 1;
    if (window.count != expected)
      return emitError(op->getLoc())
                 << "expected " << expected << " windows of '" << op->getName()
                 << "' in dimension " << i << ", got " << window.count,
             failure();
    windows.dims.push_back(window);
  }
  return windows;
}

int64_t tessera::importer::dimSize(Value value, int64_t dim) {
  return typeOf(value).getDimSize(dim);
}

Value tessera::importer::reshapeTo(Conversion &c, Value value,
                                   ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(c.builder, type.clone(shape), value);
}

Value tessera::importer::sliceDim(Conversion &c, Value value, int64_t dim,
                                  int64_t start, int64_t size, int64_t stride) {
  RankedTensorType type = typeOf(value);
  if (size == type.getDimSize(dim))
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1), shape(type.getShape());
  starts[dim] = start;
  limits[dim] = start + (size - 1) * stride + 1;
  strides[dim] = stride;
  shape[dim] = size;
  return SliceOp::create(c.builder, type.clone(shape), value, starts, limits,
                         strides);
}

/// Element i of the result is element `i + start` of `value` along `dim`, or
/// `fill`; it has `size`.
static Value shift(Conversion &c, Value value, int64_t dim, int64_t start,
                   int64_t size, Value fill) {
  RankedTensorType type = typeOf(value);
  int64_t before = -start, after = start + size - type.getDimSize(dim);
  if (before <= 0 && after <= 0)
    return sliceDim(c, value, dim, start, size);
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0),
      interior(type.getRank(), 0), shape(type.getShape());
  low[dim] = before;
  high[dim] = after;
  shape[dim] = size;
  return PadOp::create(c.builder, type.clone(shape), value, fill, low, high,
                       interior);
}

/// `value` with dimension `dim` replaced by `sizes`.
static Value splitDim(Conversion &c, Value value, int64_t dim,
                      ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, sizes.begin(), sizes.end());
  return reshapeTo(c, value, shape);
}

/// `value` with the dimensions `dim` and `dim + 1` as one.
static Value joinDim(Conversion &c, Value value, int64_t dim) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape[dim] *= shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  return reshapeTo(c, value, shape);
}

/// `fill` in the shape of `value`, but for `size` along `dim`.
static Value filled(Conversion &c, Value value, int64_t dim, int64_t size,
                    Value fill) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape[dim] = size;
  return c.broadcastScalar(fill, typeOf(value).clone(shape));
}

namespace {
/// Position o is element `remainder` of block `o + quotient`, if a dimension is
/// cut into blocks of `stride` elements.
struct BlockPositions {
  explicit BlockPositions(Positions positions)
      : quotient(llvm::divideFloorSigned(positions.start, positions.stride)),
        remainder(positions.start - quotient * positions.stride) {}
  int64_t quotient, remainder;
};
} // namespace

Value tessera::importer::take(Conversion &c, Value value, int64_t dim,
                              Positions positions, Value fill) {
  auto [start, stride, count] = positions;
  int64_t size = dimSize(value, dim);
  if (positions.missAll(size))
    return filled(c, value, dim, count, fill);
  if (count == 1)
    return sliceDim(c, value, dim, start, 1);
  if (stride == 1)
    return shift(c, value, dim, start, count, fill);
  BlockPositions at(positions);
  int64_t blocks = llvm::divideCeil(size, stride);
  value = shift(c, value, dim, 0, blocks * stride, fill);
  value = splitDim(c, value, dim, {blocks, stride});
  value = joinDim(c, sliceDim(c, value, dim + 1, at.remainder, 1), dim);
  return shift(c, value, dim, at.quotient, count, fill);
}

Value tessera::importer::place(Conversion &c, Value value, int64_t dim,
                               Positions positions, int64_t size, Value fill) {
  auto [start, stride, count] = positions;
  if (positions.missAll(size))
    return filled(c, value, dim, size, fill);
  if (stride == 1)
    return shift(c, value, dim, -start, size, fill);
  BlockPositions at(positions);
  int64_t blocks = llvm::divideCeil(size, stride);
  value = shift(c, value, dim, -at.quotient, blocks, fill);
  value = splitDim(c, value, dim, {blocks, 1});
  value = shift(c, value, dim + 1, -at.remainder, stride, fill);
  return shift(c, joinDim(c, value, dim), dim, 0, size, fill);
}

Value tessera::importer::dilate(Conversion &c, Value value,
                                ArrayRef<int64_t> dilations, Value fill) {
  SmallVector<int64_t> none(dilations.size(), 0), interior, shape;
  for (auto [size, dilation] : llvm::zip_equal(shapeOf(value), dilations)) {
    interior.push_back(dilation - 1);
    shape.push_back(size ? (size - 1) * dilation + 1 : 0);
  }
  if (ArrayRef(shape) == shapeOf(value))
    return value;
  return PadOp::create(c.builder, typeOf(value).clone(shape), value, fill, none,
                       none, interior);
}
