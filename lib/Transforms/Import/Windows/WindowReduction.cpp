//===- WindowReduction.cpp - windows reduced along a dimension ------------===//

#include "Windows/WindowReduction.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// So many positions are combined one by one.
static constexpr int64_t kFew = 4;

Value WindowReduction::reduce(Value x, int64_t dim, const Window &window) {
  // Doubling keeps the dimension's size where nothing lies beyond one end.
  bool doubles = window.stride == 1 && window.size > kFew;
  bool isCumulative = doubles && window.dilation == 1 &&
                      window.size == dimSize(x, dim) &&
                      window.count == window.size;
  if (isCumulative && (window.low == 0 || window.low == window.size - 1))
    return cumulative(x, dim, window.low == 0 ? 1 : -1);
  bool isDisjoint = window.count == 1 || window.stride >= window.extent();
  // Extremes of unsigned numbers have no named reduction.
  if (window.size > kFew && isDisjoint && monoid && !monoid->isUnsigned)
    return reduceWhole(x, dim, window);
  if (doubles && window.low >= window.extent() - 1)
    return doubling(take(c, x, dim, window.at(window.size - 1), neutral), dim,
                    window, -1);
  if (doubles && window.count - window.low >= dimSize(x, dim))
    return doubling(take(c, x, dim, window.at(0), neutral), dim, window, 1);
  if (window.size > kFew)
    return slide(x, dim, window);
  return combineOneByOne(x, dim, window);
}

Value WindowReduction::combineOneByOne(Value x, int64_t dim,
                                       const Window &window) {
  Value result = take(c, x, dim, window.at(0), neutral);
  for (int64_t k = 1; k < window.size; ++k)
    result = combined(result, take(c, x, dim, window.at(k), neutral));
  return result;
}

bool WindowReduction::spreads(const Window &window, int64_t distance) {
  return distance > 1 && window.stride == 1 && window.dilation == 1 &&
         window.size <= distance;
}

/// An element is in as many windows as they are long, which follow each other,
/// and the next `distance - size` hold none.
Value WindowReduction::spread(Value x, int64_t dim, const Window &window,
                              int64_t distance) {
  SmallVector<int64_t> shape(shapeOf(x)), dims;
  for (int64_t i = 0; i < int64_t(shape.size()); ++i)
    dims.push_back(i + (i > dim));
  int64_t size = shape[dim];
  SmallVector<int64_t> repeated(shape);
  repeated.insert(repeated.begin() + dim + 1, window.size);
  Value all =
      BroadcastOp::create(c.builder, typeOf(x).clone(repeated), x, dims);
  all = take(c, all, dim + 1, {0, 1, distance}, neutral);
  shape[dim] = size * distance;
  int64_t first = window.low - window.size + 1;
  return take(c, reshapeTo(c, all, shape), dim, {-first, 1, window.count},
              neutral);
}

/// `first` and `second` combined; bodies have been checked.
Value WindowReduction::combined(Value first, Value second) {
  return monoid ? combine(c, *monoid, first, second)
                : applyToElements(c, body, {first, second});
}

/// `near` and what lies behind it in `direction`, combined in their order.
Value WindowReduction::inOrder(int64_t direction, Value near, Value far) {
  // Those with a name are commutative.
  return !monoid && direction < 0 ? combined(far, near) : combined(near, far);
}

/// One window or several that do not overlap.
Value WindowReduction::reduceWhole(Value x, int64_t dim, const Window &window) {
  int64_t length = window.count == 1 ? window.extent() : window.stride;
  x = take(c, x, dim, {-window.low, 1, window.count * length}, neutral);
  SmallVector<int64_t> shape(shapeOf(x)), kept(shape);
  kept[dim] = shape[dim] = window.count;
  shape.insert(shape.begin() + dim + 1, length);
  x = sliceDim(c, reshapeTo(c, x, shape), dim + 1, 0, window.size,
               window.dilation);
  auto kind = ReductionAttr::get(c.builder.getContext(), monoid->kind);
  return ReduceOp::create(c.builder, typeOf(x).clone(kept), kind, x,
                          ArrayRef<int64_t>{dim + 1});
}

/// A length of blocks for a dimension of `size`, so that there are several of
/// them; none where no such length divides it.
static std::optional<int64_t> blockLength(int64_t size) {
  for (int64_t length : {16, 15, 14, 13, 12, 11, 10, 9, 8, 20, 24, 25, 32})
    if (size % length == 0 && size >= 4 * length)
      return length;
  return std::nullopt;
}

/// Every element combined with all before it (behind it, if `direction` is
/// 1).
Value WindowReduction::cumulative(Value x, int64_t dim, int64_t direction) {
  SmallVector<int64_t> shape(shapeOf(x)), blocked(shape);
  std::optional<int64_t> length = blockLength(shape[dim]);
  if (!length)
    return doubling(x, dim, {shape[dim], 1, 1, 0, shape[dim]}, direction);
  int64_t count = blocked[dim] = shape[dim] / *length;
  SmallVector<int64_t> perBlock(blocked);
  blocked.insert(blocked.begin() + dim + 1, *length);
  Value within = doubling(reshapeTo(c, x, blocked), dim + 1,
                          {*length, 1, 1, 0, *length}, direction);
  Value last = sliceDim(c, within, dim + 1, direction < 0 ? *length - 1 : 0, 1);
  Value upTo = cumulative(reshapeTo(c, last, perBlock), dim, direction);
  Value before = take(c, upTo, dim, {direction, 1, count}, neutral);
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < int64_t(blocked.size()); ++i)
    if (i != dim + 1)
      dims.push_back(i);
  Value repeated =
      BroadcastOp::create(c.builder, typeOf(x).clone(blocked), before, dims);
  return reshapeTo(c, inOrder(direction, within, repeated), shape);
}

/// `ends` has every window's last element (first, if `direction` is 1).
Value WindowReduction::doubling(Value ends, int64_t dim, const Window &window,
                                int64_t direction) {
  auto moved = [&](Value value, int64_t positions) {
    int64_t distance = direction * positions * window.dilation;
    return take(c, value, dim, {distance, 1, window.count}, neutral);
  };
  Value sum = ends;
  int64_t have = 1;
  for (int bit = int(llvm::Log2_64(window.size)) - 1; bit >= 0; --bit) {
    sum = inOrder(direction, sum, moved(sum, have));
    have *= 2;
    if (window.size >> bit & 1) {
      sum = inOrder(direction, sum, moved(ends, have));
      ++have;
    }
  }
  return sum;
}

/// Doubling on all positions where windows may begin.
Value WindowReduction::slide(Value x, int64_t dim, Window window) {
  int64_t starts = (window.count - 1) * window.stride + 1;
  x = take(c, x, dim, {-window.low, 1, starts + window.extent() - 1}, neutral);
  int64_t stride = window.stride, count = window.count;
  window.count = dimSize(x, dim);
  return take(c, doubling(x, dim, window, 1), dim, {0, stride, count}, neutral);
}
