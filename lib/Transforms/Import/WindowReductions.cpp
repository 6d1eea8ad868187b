//===- WindowReductions.cpp - reductions over windows ---------------------===//
//
// Windows are reduced dimension by dimension, in one of these ways:
//
//   few places  the elements at each place of all windows, combined one by one.
//   whole       one window, or windows that do not overlap, become a dimension
//               of their own, which is reduced.
//   doubling    the combination of m neighbours, shifted by m and combined with
//               itself, is that of 2m: O(log size) operations for a window of
//               any size.
//   cumulative  windows that grow from one end to the other: within blocks by
//               doubling, then the same of what the blocks give, moved on by
//               one block. Split over devices, only one number per block moves.
//   spread      windows that hold one element at most, because the elements lie
//               far apart, repeat it: the gradient of a mean over windows.
//               Split over devices, nothing moves.
//
// The gradient of a maximum looks for the place that the maximum comes from in
// the same way, place by place, and adds what flows back there.
//
//===----------------------------------------------------------------------===//

#include "Monoid.h"
#include "Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;

/// A place of a window is several operations.
static constexpr int64_t kMostPlaces = 1024;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

/// The windows along one dimension: place k of window o is element
/// `o * stride + k * dilation - low`.
struct Window {
  int64_t size, stride, dilation, low, count;

  /// Place `k` of all windows.
  Places at(int64_t k) const { return {k * dilation - low, stride, count}; }
  int64_t extent() const { return (size - 1) * dilation + 1; }
};

/// The windows of an operation, per dimension.
struct Windows {
  SmallVector<Window> dims;
  SmallVector<int64_t> baseDilations;
};

} // namespace

/// Reads the windows of `op` on a tensor of type `type`. Dimension i has
/// `counts[i]` of them.
static FailureOr<Windows> readWindows(Operation *op, RankedTensorType type,
                                      ArrayRef<int64_t> counts, Conversion &c) {
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

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {

/// Reduces windows along one dimension at a time by `body`, which is `monoid`
/// or an element-wise one without a name; `neutral` is a scalar.
class WindowReduction {
public:
  WindowReduction(Conversion &c, std::optional<Monoid> monoid, Block &body,
                  Value neutral)
      : c(c), monoid(monoid), body(body), neutral(neutral) {}

  Value reduce(Value x, int64_t dim, const Window &window) {
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
    Value result = take(c, x, dim, window.at(0), neutral);
    for (int64_t k = 1; k < window.size; ++k)
      result = combined(result, take(c, x, dim, window.at(k), neutral));
    return result;
  }

  /// Whether windows along a dimension whose elements lie `distance` apart hold
  /// one of them at most.
  static bool spreads(const Window &window, int64_t distance) {
    return distance > 1 && window.stride == 1 && window.dilation == 1 &&
           window.size <= distance;
  }

  /// Such windows: an element is in as many as they are long, which follow each
  /// other, and the next `distance - size` hold none.
  Value spread(Value x, int64_t dim, const Window &window, int64_t distance) {
    SmallVector<int64_t> shape(typeOf(x).getShape()), dims;
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

private:
  /// So many places are combined one by one.
  static constexpr int64_t kFew = 4;

  /// `first` and `second` combined; bodies have been checked.
  Value combined(Value first, Value second) {
    return monoid ? combine(c, *monoid, first, second)
                  : applyToElements(c, body, {first, second});
  }
  /// `near` and what lies behind it in `direction`, combined in their order.
  Value inOrder(int64_t direction, Value near, Value far) {
    // Those with a name are commutative.
    return !monoid && direction < 0 ? combined(far, near) : combined(near, far);
  }

  /// One window or several that do not overlap.
  Value reduceWhole(Value x, int64_t dim, const Window &window) {
    int64_t length = window.count == 1 ? window.extent() : window.stride;
    x = take(c, x, dim, {-window.low, 1, window.count * length}, neutral);
    SmallVector<int64_t> shape(typeOf(x).getShape()), kept(shape);
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
  Value cumulative(Value x, int64_t dim, int64_t direction) {
    SmallVector<int64_t> shape(typeOf(x).getShape()), blocked(shape);
    std::optional<int64_t> length = blockLength(shape[dim]);
    if (!length)
      return doubling(x, dim, {shape[dim], 1, 1, 0, shape[dim]}, direction);
    int64_t count = blocked[dim] = shape[dim] / *length;
    SmallVector<int64_t> perBlock(blocked);
    blocked.insert(blocked.begin() + dim + 1, *length);
    Value within = doubling(reshapeTo(c, x, blocked), dim + 1,
                            {*length, 1, 1, 0, *length}, direction);
    Value last =
        sliceDim(c, within, dim + 1, direction < 0 ? *length - 1 : 0, 1);
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
  Value doubling(Value ends, int64_t dim, const Window &window,
                 int64_t direction) {
    auto moved = [&](Value value, int64_t places) {
      int64_t distance = direction * places * window.dilation;
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

  /// Doubling on all places where windows may begin.
  Value slide(Value x, int64_t dim, Window window) {
    int64_t starts = (window.count - 1) * window.stride + 1;
    x = take(c, x, dim, {-window.low, 1, starts + window.extent() - 1},
             neutral);
    int64_t stride = window.stride, count = window.count;
    window.count = dimSize(x, dim);
    return take(c, doubling(x, dim, window, 1), dim, {0, stride, count},
                neutral);
  }

  Conversion &c;
  std::optional<Monoid> monoid;
  Block &body;
  Value neutral;
};

} // namespace

/// Whether an element combined with itself is itself.
static bool isIdempotent(ReductionKind kind) {
  return llvm::is_contained({ReductionKind::Max, ReductionKind::Min,
                             ReductionKind::And, ReductionKind::Or},
                            kind);
}

/// `value` with `fill` between its elements.
static Value dilate(Conversion &c, Value value, ArrayRef<int64_t> dilations,
                    Value fill) {
  SmallVector<int64_t> none(dilations.size(), 0), interior, shape;
  for (auto [size, dilation] :
       llvm::zip_equal(typeOf(value).getShape(), dilations)) {
    interior.push_back(dilation - 1);
    shape.push_back(size ? (size - 1) * dilation + 1 : 0);
  }
  if (ArrayRef(shape) == typeOf(value).getShape())
    return value;
  return PadOp::create(c.builder, typeOf(value).clone(shape), value, fill, none,
                       none, interior);
}

/// The tensor that `x` is padded from, and `windows`, until then on `x`, on
/// that one; `x` itself where that is no use, or not all elements that were
/// added are `isNeutral`.
static Value withoutPadding(Value x, Windows &windows,
                            llvm::function_ref<bool(Value)> isNeutral) {
  auto pad = x.getDefiningOp<PadOp>();
  if (!pad || !isNeutral(pad.getValue()))
    return x;
  Windows whole = windows;
  bool spreads = false;
  for (auto [dim, window] : llvm::enumerate(whole.dims)) {
    int64_t interior = pad.getInterior()[dim], low = pad.getLow()[dim];
    bool isPadded = interior != 0 || low != 0 || pad.getHigh()[dim] != 0;
    if (isPadded &&
        (whole.baseDilations[dim] != 1 || low < 0 || pad.getHigh()[dim] < 0))
      return x;
    whole.baseDilations[dim] *= interior + 1;
    window.low += low;
    spreads |= interior > 0 && WindowReduction::spreads(window, interior + 1);
  }
  if (!spreads)
    return x;
  windows = std::move(whole);
  return pad.getOperand();
}

static LogicalResult convertReduceWindow(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  auto refuse = [&](StringRef what) {
    return emitError(op->getLoc())
           << "unsupported 'stablehlo.reduce_window': " << what;
  };
  Block &body = op->getRegion(0).front();
  std::optional<Monoid> monoid = recogniseMonoid(body);
  if (!monoid && (body.getNumArguments() != 2 || !isElementwise(body)))
    return refuse("expected a body of element-wise operations");
  // What cannot be converted is found here, before windows are combined.
  if (!monoid && !applyToElements(c, body, {operands[1], operands[1]}))
    return failure();
  // Of a body without a name, StableHLO requires it.
  bool fromNeutral =
      !monoid || isNeutral(*monoid, c.constantScalar(operands[1]));
  if (!fromNeutral && !isIdempotent(monoid->kind))
    return refuse("expected the neutral element of its body as initial value");
  RankedTensorType type = typeOf(operands[0]);
  RankedTensorType resultType =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (!resultType)
    return failure();
  if (resultType.getRank() != type.getRank())
    return refuse("expected a result of the operand's rank");
  FailureOr<Windows> windows = readWindows(op, type, resultType.getShape(), c);
  if (failed(windows))
    return failure();
  if (resultType.getNumElements() == 0 || type.getNumElements() == 0) {
    results.push_back(c.broadcastScalar(operands[1], resultType));
    return success();
  }
  Value x = withoutPadding(operands[0], *windows, [&](Value element) {
    return monoid && fromNeutral &&
           isNeutral(*monoid, c.constantScalar(element));
  });
  SmallVector<int64_t> dilations(windows->baseDilations);
  for (auto [dim, window] : llvm::enumerate(windows->dims))
    if (WindowReduction::spreads(window, dilations[dim]))
      dilations[dim] = 1;
  x = dilate(c, x, dilations, operands[1]);
  WindowReduction reduction(c, monoid, body, operands[1]);
  for (auto [dim, window] : llvm::enumerate(windows->dims))
    x = dilations[dim] == windows->baseDilations[dim]
            ? reduction.reduce(x, dim, window)
            : reduction.spread(x, dim, window, windows->baseDilations[dim]);
  // It does not matter how often the initial value was there instead of a
  // neutral element, if only it is.
  if (!fromNeutral)
    x = combine(c, *monoid, x, c.broadcastScalar(operands[1], x.getType()));
  results.push_back(x);
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients of extremes
//===----------------------------------------------------------------------===//

namespace {

/// Adds every element of `source` to the element that its window selects.
class SelectAndAdd {
public:
  SelectAndAdd(Conversion &c, Operation *compare, const Windows &windows,
               Value operand, Value source, Value zero)
      : c(c), compare(compare), windows(windows), operand(operand),
        source(source), zero(zero) {}

  /// Null after a diagnostic.
  Value run() {
    select(0, operand, Value());
    if (failed_)
      return nullptr;
    next = 0;
    return scatter(0);
  }

private:
  int64_t rank() const { return windows.dims.size(); }
  RankedTensorType numbersType() const {
    return typeOf(source).clone(c.builder.getI32Type());
  }
  Value number(int64_t value) {
    return c.splat(numbersType(), APInt(32, value, /*isSigned=*/true));
  }
  Value falseScalar() {
    return c.splat(RankedTensorType::get({}, c.builder.getI1Type()),
                   APInt(1, 0));
  }

  /// Visits the places of windows in dimensions from `dim` on, in row-major
  /// order; `values` are the elements there, `exist` whether there are any
  /// (null: all of them are).
  void select(int64_t dim, Value values, Value exist) {
    if (dim == rank())
      return compareWith(values, exist);
    const Window &window = windows.dims[dim];
    for (int64_t k = 0; k < window.size; ++k) {
      Value here = exist;
      if (!here && !window.at(k).areWithin(dimSize(operand, dim)))
        here =
            c.splat(typeOf(values).clone(c.builder.getI1Type()), APInt(1, 1));
      if (here)
        here = take(c, here, dim, window.at(k), falseScalar());
      select(dim + 1, take(c, values, dim, window.at(k), zero), here);
    }
  }

  void compareWith(Value values, Value exist) {
    ImplicitLocOpBuilder &b = c.builder;
    if (!best) {
      best = values;
      chosen = number(0);
      if (exist)
        chosen = arith::SelectOp::create(b, exist, chosen, number(-1));
      mayHaveNone = exist != nullptr;
      next = 1;
      return;
    }
    Value keeps = compareAs(compare, best, values, c);
    if (!keeps) {
      failed_ = true;
      return;
    }
    if (mayHaveNone) {
      Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, chosen,
                                        number(0));
      keeps = arith::AndIOp::create(b, has, keeps);
    }
    if (exist) {
      Value none = arith::XOrIOp::create(b, exist,
                                         c.splat(exist.getType(), APInt(1, 1)));
      keeps = arith::OrIOp::create(b, none, keeps);
    }
    best = arith::SelectOp::create(b, keeps, best, values);
    chosen = arith::SelectOp::create(b, keeps, chosen, number(next++));
  }

  /// What the places in dimensions from `dim` on get, in the operand's shape in
  /// those dimensions.
  Value scatter(int64_t dim) {
    ImplicitLocOpBuilder &b = c.builder;
    if (dim == rank()) {
      Value here = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, chosen,
                                         number(next++));
      return arith::SelectOp::create(b, here, source,
                                     c.broadcastScalar(zero, source.getType()));
    }
    const Window &window = windows.dims[dim];
    Value sum;
    for (int64_t k = 0; k < window.size; ++k) {
      Value part = place(c, scatter(dim + 1), dim, window.at(k),
                         dimSize(operand, dim), zero);
      sum = sum ? combine(c, Monoid{ReductionKind::Sum}, sum, part) : part;
    }
    return sum;
  }

  Conversion &c;
  Operation *compare;
  const Windows &windows;
  Value operand, source, zero;
  /// Of every window: the selected element so far, and the number of its place;
  /// -1 for none.
  Value best, chosen;
  /// Whether the first place of some window does not exist.
  bool mayHaveNone = false;
  int64_t next = 0;
  bool failed_ = false;
};

} // namespace

/// The comparison that `body` is, of its arguments in order; null if it is
/// something else.
static Operation *recogniseComparison(Block &body) {
  Operation *end = body.getTerminator();
  if (body.getNumArguments() != 2 || end->getNumOperands() != 1)
    return nullptr;
  Operation *compare = end->getOperand(0).getDefiningOp();
  bool isComparison =
      compare && compare->getName().getStringRef() == "stablehlo.compare" &&
      compare->getOperands() == ValueRange(body.getArguments());
  return isComparison ? compare : nullptr;
}

static LogicalResult convertSelectAndScatter(Operation *op, ValueRange operands,
                                             Conversion &c,
                                             SmallVectorImpl<Value> &results) {
  auto refuse = [&](StringRef what) {
    return emitError(op->getLoc())
           << "unsupported 'stablehlo.select_and_scatter': " << what;
  };
  Operation *compare = recogniseComparison(op->getRegion(0).front());
  if (!compare)
    return refuse("expected a comparison of its arguments as first region");
  std::optional<Monoid> monoid = recogniseMonoid(op->getRegion(1).front());
  if (!monoid || monoid->kind != ReductionKind::Sum ||
      !isNeutral(*monoid, c.constantScalar(operands[2])))
    return refuse("expected a second region that adds, from zero on");
  RankedTensorType type = typeOf(operands[0]), source = typeOf(operands[1]);
  if (type.getRank() != source.getRank() ||
      type.getElementType() != source.getElementType())
    return refuse("expected operands of one rank and element type");
  FailureOr<Windows> windows = readWindows(op, type, source.getShape(), c);
  if (failed(windows))
    return failure();
  int64_t places = 1;
  for (const Window &window : windows->dims)
    places = std::min(places * window.size, kMostPlaces + 1);
  if (places > kMostPlaces)
    return refuse("expected windows of at most 1024 elements");
  if (source.getNumElements() == 0) {
    results.push_back(c.broadcastScalar(operands[2], type));
    return success();
  }
  Value result =
      SelectAndAdd(c, compare, *windows, operands[0], operands[1], operands[2])
          .run();
  if (!result)
    return failure();
  results.push_back(result);
  return success();
}

void tessera::addWindows(ConversionTable &table) {
  static constexpr StringLiteral kReduceWindow[] = {
      "window_dimensions", "window_strides", "base_dilations",
      "window_dilations", "padding"};
  static constexpr StringLiteral kSelectAndScatter[] = {
      "window_dimensions", "window_strides", "padding"};
  static const OpConversion rows[] = {
      {"stablehlo.reduce_window", convertReduceWindow, 2, 1, 1, kReduceWindow},
      {"stablehlo.select_and_scatter", convertSelectAndScatter, 3, 1, 2,
       kSelectAndScatter},
  };
  addRows(table, rows);
}
