//===- Reductions.cpp - reductions over dimensions and windows ------------===//

#include "Monoid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Whole dimensions
//===----------------------------------------------------------------------===//

/// One operand, reduced with a named monoid.
static Value reduceBy(Conversion &c, Monoid monoid, Value operand, Value init,
                      ArrayRef<int64_t> dims, Type type) {
  auto kind = ReductionAttr::get(c.builder.getContext(), monoid.kind);
  Value result = ReduceOp::create(c.builder, type, kind, operand, dims);
  if (isNeutral(monoid, c.constantScalar(init)))
    return result;
  return combine(c, monoid, result, c.broadcastScalar(init, type));
}

/// Whether `body` uses values of the region around its operation.
static bool usesOutsideValues(Block &body) {
  return body
      .walk([&](Operation *op) {
        bool outside = llvm::any_of(op->getOperands(), [&](Value operand) {
          return !body.getParent()->isAncestor(operand.getParentRegion());
        });
        return outside ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Any operands and body.
static LogicalResult reduceByBody(Operation *op, ValueRange operands,
                                  ArrayRef<int64_t> dims, TypeRange types,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  Block &source = op->getRegion(0).front();
  if (usesOutsideValues(source))
    return emitError(op->getLoc())
           << "expected a body of 'stablehlo.reduce' that uses no values from "
              "outside";
  size_t count = operands.size() / 2;
  auto reduce =
      VariadicReduceOp::create(c.builder, types, operands.take_front(count),
                               operands.drop_front(count), dims);
  llvm::append_range(results, reduce.getResults());
  OpBuilder::InsertionGuard guard(c.builder);
  Block *body = c.builder.createBlock(&reduce.getBody());
  SmallVector<Value> yielded;
  if (failed(c.convertArguments(source, *body)) ||
      failed(c.convertBody(source, yielded)))
    return failure();
  YieldOp::create(c.builder, yielded);
  return success();
}

static LogicalResult convertReduce(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> dims = c.integers(op, "dimensions");
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(dims) || failed(types))
    return failure();
  if (operands.size() != 2 * op->getNumResults())
    return emitError(op->getLoc())
           << "expected " << 2 * op->getNumResults()
           << " operands of 'stablehlo.reduce', got " << operands.size();
  std::optional<Monoid> monoid = recogniseMonoid(op->getRegion(0).front());
  if (!monoid || monoid->isUnsigned || operands.size() != 2)
    return reduceByBody(op, operands, *dims, *types, c, results);
  results.push_back(
      reduceBy(c, *monoid, operands[0], operands[1], *dims, types->front()));
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {

/// The windows of a `reduce_window`, per dimension.
struct Windows {
  SmallVector<int64_t> sizes, strides, baseDilations, dilations;
  /// Low and high of dimension i stand at 2i and 2i + 1.
  SmallVector<int64_t> padding;
};

/// Reduces windows by slices: the combination of k neighbours, shifted by k and
/// combined with itself, is that of 2k. So a window of w elements takes
/// O(log w) operations on whole tensors, dimension by dimension, and a
/// cumulative sum is the window of a whole dimension.
class WindowReduction {
public:
  WindowReduction(Conversion &c, Monoid monoid) : c(c), monoid(monoid) {}

  /// The combinations of `size` elements of `x`, `dilation` apart, along
  /// dimension `dim`, at every place where all of them exist.
  Value slide(Value x, int64_t dim, int64_t size, int64_t dilation) {
    Value sum = x;
    int64_t have = 1;
    for (int bit = int(llvm::Log2_64(size)) - 1; bit >= 0; --bit) {
      sum = append(sum, sum, dim, have * dilation);
      have *= 2;
      if (size >> bit & 1) {
        sum = append(sum, x, dim, have * dilation);
        ++have;
      }
    }
    return sum;
  }

  /// `x` from `start` along `dim`, `size` elements.
  Value slice(Value x, int64_t dim, int64_t start, int64_t size) {
    auto type = cast<RankedTensorType>(x.getType());
    SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape());
    SmallVector<int64_t> strides(type.getRank(), 1), shape(type.getShape());
    starts[dim] = start;
    limits[dim] = start + size;
    shape[dim] = size;
    return SliceOp::create(c.builder, type.clone(shape), x, starts, limits,
                           strides);
  }

private:
  /// Element i of `a` combined with element i + distance of `b`, which is at
  /// least as long.
  Value append(Value a, Value b, int64_t dim, int64_t distance) {
    int64_t length = std::min(
        cast<RankedTensorType>(a.getType()).getDimSize(dim),
        cast<RankedTensorType>(b.getType()).getDimSize(dim) - distance);
    return combine(c, monoid, slice(a, dim, 0, length),
                   slice(b, dim, distance, length));
  }

  Conversion &c;
  Monoid monoid;
};

} // namespace

static FailureOr<Windows> readWindows(Operation *op, int64_t rank,
                                      Conversion &c) {
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
  return Windows{*sizes, *strides, *baseDilations, *dilations, *padding};
}

/// `operand` with the elements that its windows see beside its own.
static Value padForWindows(Conversion &c, const Windows &windows, Value operand,
                           Value init) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> low, high, interior, shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    low.push_back(windows.padding[2 * i]);
    high.push_back(windows.padding[2 * i + 1]);
    interior.push_back(windows.baseDilations[i] - 1);
    shape.push_back(low.back() + high.back() + size +
                    std::max<int64_t>(size - 1, 0) * interior.back());
  }
  if (shape == type.getShape() &&
      llvm::all_of(low, [](int64_t n) { return n == 0; }))
    return operand;
  return PadOp::create(c.builder, type.clone(shape), operand, init, low, high,
                       interior);
}

static LogicalResult convertReduceWindow(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  auto refuse = [&](StringRef what) {
    return emitError(op->getLoc())
           << "unsupported 'stablehlo.reduce_window': " << what;
  };
  std::optional<Monoid> monoid = recogniseMonoid(op->getRegion(0).front());
  if (!monoid)
    return refuse("expected a body of one associative operation");
  if (!isNeutral(*monoid, c.constantScalar(operands[1])))
    return refuse("expected the neutral element of its body as initial value");
  int64_t rank = cast<RankedTensorType>(operands[0].getType()).getRank();
  FailureOr<Windows> windows = readWindows(op, rank, c);
  if (failed(windows))
    return failure();
  Value x = padForWindows(c, *windows, operands[0], operands[1]);
  WindowReduction reduction(c, *monoid);
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = cast<RankedTensorType>(x.getType()).getDimSize(dim);
    int64_t extent = (windows->sizes[dim] - 1) * windows->dilations[dim] + 1;
    if (size < extent)
      return refuse("expected windows inside of the padded operand");
    if (windows->sizes[dim] > 1)
      x = reduction.slide(x, dim, windows->sizes[dim], windows->dilations[dim]);
  }
  if (llvm::any_of(windows->strides,
                   [](int64_t stride) { return stride > 1; })) {
    auto type = cast<RankedTensorType>(x.getType());
    SmallVector<int64_t> shape;
    for (auto [size, stride] :
         llvm::zip_equal(type.getShape(), windows->strides))
      shape.push_back((size + stride - 1) / stride);
    x = SliceOp::create(
        c.builder, type.clone(shape), x, SmallVector<int64_t>(rank, 0),
        SmallVector<int64_t>(type.getShape()), windows->strides);
  }
  results.push_back(x);
  return success();
}

void tessera::addReductions(ConversionTable &table) {
  static constexpr StringLiteral kReduce[] = {"dimensions"};
  static constexpr StringLiteral kReduceWindow[] = {
      "window_dimensions", "window_strides", "base_dilations",
      "window_dilations", "padding"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.reduce", convertReduce, kAny, kAny, 1, kReduce},
      {"stablehlo.reduce_window", convertReduceWindow, 2, 1, 1, kReduceWindow},
  };
  addRows(table, rows);
}
