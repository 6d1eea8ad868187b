//===- ReduceWindow.cpp - reductions over windows -------------------------===//
//
// Dimension by dimension (WindowReduction.h). Elements that are spread out,
// with padding between them, are seen as they were before where that helps: it
// is how the gradient of a mean over windows is written.
//
//===----------------------------------------------------------------------===//

#include "Windows/WindowReduction.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Up to so many positions of a window of several operands are combined one by
/// one.
static constexpr int64_t kFewPositions = 16;

/// `value` with `fill` between its elements.
static Value dilate(Conversion &c, Value value, ArrayRef<int64_t> dilations,
                    Value fill) {
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

static InFlightDiagnostic refuse(Operation *op, StringRef what) {
  return emitError(op->getLoc())
         << "unsupported 'stablehlo.reduce_window': " << what;
}

/// The windows of `op` on tensors of type `type`; fails after a diagnostic.
static FailureOr<Windows> windowsOn(Operation *op, RankedTensorType type,
                                    Conversion &c) {
  RankedTensorType result =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (!result)
    return failure();
  if (result.getRank() != type.getRank())
    return refuse(op, "expected a result of the operand's rank"), failure();
  return readWindows(op, type, result.getShape(), c);
}

/// `values` at `positions` along `dim`, those of `inits` outside of them.
static SmallVector<Value> takeAll(Conversion &c, ArrayRef<Value> values,
                                  int64_t dim, Positions positions,
                                  ValueRange inits) {
  return llvm::map_to_vector(llvm::zip_equal(values, inits), [&](auto pair) {
    auto [value, init] = pair;
    return take(c, value, dim, positions, init);
  });
}

/// The positions of all windows along `dim`, combined in their order; nothing
/// after a diagnostic. Of more than a few, what m neighbours give, combined
/// with the same of those m behind, is what 2m give, and a window is made of
/// such runs: as many operations as its size has bits.
static SmallVector<Value> combinePositions(Conversion &c, Block &body,
                                           ArrayRef<Value> values,
                                           ValueRange inits, int64_t dim,
                                           const Window &window) {
  bool isDoubled = window.size > kFewPositions;
  int64_t padded = (window.count - 1) * window.stride + window.extent();
  SmallVector<Value> runs(values), combined;
  if (isDoubled)
    runs = takeAll(c, values, dim, {-window.low, 1, padded}, inits);
  auto append = [&](SmallVector<Value> first, ArrayRef<Value> second) {
    llvm::append_range(first, second);
    return applyAllToElements(c, body, first);
  };
  for (int64_t done = 0, length = 1; done < window.size;) {
    if (!isDoubled || (window.size & length)) {
      Positions starts = window.at(done);
      if (isDoubled)
        starts.start += window.low;
      SmallVector<Value> next = takeAll(c, runs, dim, starts, inits);
      combined = combined.empty() ? next : append(combined, next);
      if (combined.empty())
        return {};
      done += length;
    }
    if (!isDoubled || done == window.size)
      continue;
    runs = append(runs, takeAll(c, runs, dim,
                                {length * window.dilation, 1, padded}, inits));
    if (runs.empty())
      return {};
    length *= 2;
  }
  return combined;
}

/// Several operands, position by position; the last dimension first: a body
/// need be associative only, in row-major order. Initial values come first, as
/// they need not be neutral.
static LogicalResult reduceTogether(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  Block &body = op->getRegion(0).front();
  size_t count = operands.size() / 2;
  SmallVector<Value> values(operands.take_front(count));
  ValueRange inits = operands.drop_front(count);
  bool fits = op->getNumResults() == count && operands.size() == 2 * count &&
              body.getNumArguments() == 2 * count &&
              isElementwise(body, count) &&
              llvm::all_of(values, [&](Value value) {
                return shapeOf(value) == shapeOf(values.front());
              });
  if (!fits)
    return refuse(op, "expected operands of one shape, their initial values, "
                      "and a body of element-wise operations");
  FailureOr<Windows> windows = windowsOn(op, typeOf(values.front()), c);
  if (failed(windows))
    return failure();
  for (auto [value, init] : llvm::zip_equal(values, inits))
    value = dilate(c, value, windows->baseDilations, init);
  for (size_t dim = windows->dims.size(); dim-- > 0;) {
    values = combinePositions(c, body, values, inits, dim, windows->dims[dim]);
    if (values.empty())
      return failure();
  }
  SmallVector<Value> started;
  for (auto [value, init] : llvm::zip_equal(values, inits))
    started.push_back(c.broadcastScalar(init, value.getType()));
  llvm::append_range(started, values);
  values = applyAllToElements(c, body, started);
  if (values.empty())
    return failure();
  llvm::append_range(results, values);
  return success();
}

/// Reduces one dimension after the other, for a body that is a named monoid or
/// any other of element-wise operations, which need not commute: that takes the
/// last dimension first, for row-major order. StableHLO leaves open how often
/// an initial value counts that is not neutral: it counts once, as for XLA.
static LogicalResult reduceOne(Operation *op, ValueRange operands,
                               Conversion &c, SmallVectorImpl<Value> &results) {
  Block &body = op->getRegion(0).front();
  Value init = operands[1];
  std::optional<Monoid> monoid = recogniseMonoid(body);
  if (!monoid && (body.getNumArguments() != 2 || !isElementwise(body)))
    return refuse(op, "expected a body of element-wise operations");
  // What cannot be converted is found here, before windows are combined.
  if (!monoid && !applyToElements(c, body, {init, init}))
    return failure();
  RankedTensorType type = typeOf(operands[0]);
  RankedTensorType resultType =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  FailureOr<Windows> windows = windowsOn(op, type, c);
  if (failed(windows))
    return failure();
  if (resultType.getNumElements() == 0 || type.getNumElements() == 0) {
    results.push_back(c.broadcastScalar(init, resultType));
    return success();
  }
  // Of a body without a name, StableHLO requires that it is.
  bool fromNeutral = !monoid || isNeutral(*monoid, constantElement(init));
  Value neutral = fromNeutral ? init : neutralScalar(c, *monoid, typeOf(init));
  Value x = withoutPadding(operands[0], *windows, [&](Value element) {
    return monoid && isNeutral(*monoid, constantElement(element));
  });
  SmallVector<int64_t> dilations(windows->baseDilations);
  for (auto [dim, window] : llvm::enumerate(windows->dims))
    if (WindowReduction::spreads(window, dilations[dim]))
      dilations[dim] = 1;
  x = dilate(c, x, dilations, neutral);
  WindowReduction reduction(c, monoid, body, neutral);
  for (size_t i = 0, rank = windows->dims.size(); i < rank; ++i) {
    size_t dim = monoid ? i : rank - 1 - i;
    const Window &window = windows->dims[dim];
    x = dilations[dim] == windows->baseDilations[dim]
            ? reduction.reduce(x, dim, window)
            : reduction.spread(x, dim, window, windows->baseDilations[dim]);
  }
  if (!fromNeutral)
    x = combine(c, *monoid, x, c.broadcastScalar(init, x.getType()));
  results.push_back(x);
  return success();
}

static LogicalResult convertReduceWindow(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  closeBody(op->getRegion(0).front());
  if (operands.size() == 2 && op->getNumResults() == 1)
    return reduceOne(op, operands, c, results);
  if (operands.empty())
    return refuse(op, "expected operands");
  return reduceTogether(op, operands, c, results);
}

void tessera::importer::addReduceWindow(ConversionTable &table) {
  static constexpr StringLiteral kAttributes[] = {
      "window_dimensions", "window_strides", "base_dilations",
      "window_dilations", "padding"};
  static const OpConversion rows[] = {
      {"stablehlo.reduce_window", convertReduceWindow, OpConversion::kAny,
       OpConversion::kAny, 1, kAttributes},
  };
  addRows(table, rows);
}
