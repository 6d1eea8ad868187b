//===- ReduceWindow.cpp - reductions over windows -------------------------===//
//
// Dimension by dimension (WindowReduction.h). Elements that are spread out,
// with padding between them, are seen as they were before where that helps: it
// is how the gradient of a mean over windows is written.
//
//===----------------------------------------------------------------------===//

#include "Windows/GeneralReduction.h"
#include "Windows/WindowReduction.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

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

/// Any number of operands, by a body of element-wise operations. StableHLO
/// leaves open how often an initial value counts that is not neutral, and how
/// elements are put in brackets. Here they are folded from the initial values
/// on, as by XLA, where windows have few elements.
static LogicalResult reduceGeneral(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  Block &body = op->getRegion(0).front();
  size_t count = operands.size() / 2;
  ValueRange values = operands.take_front(count);
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
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  if (llvm::is_contained(shape, 0) ||
      llvm::is_contained(shapeOf(values.front()), 0)) {
    for (Value init : inits)
      results.push_back(c.broadcastScalar(init, typeOf(init).clone(shape)));
    return success();
  }
  int64_t positions = 1;
  for (const Window &window : windows->dims)
    positions =
        std::min(positions * window.size, GeneralReduction::kFewPositions + 1);
  GeneralReduction reduction(c, body, inits);
  Elements x = reduction.spread(values, windows->baseDilations);
  llvm::append_range(results, positions <= GeneralReduction::kFewPositions
                                  ? reduction.fold(x, *windows)
                                  : reduction.reduce(x, *windows));
  return success(results.size() == count);
}

/// Whether a dimension's windows grow from one end to the other, and hold more
/// than a few elements: those are combined by blocks (WindowReduction.h).
static bool hasCumulative(const Windows &windows, RankedTensorType type) {
  for (auto [window, size] : llvm::zip_equal(windows.dims, type.getShape()))
    if (window.size > GeneralReduction::kFewPositions && window.size == size &&
        window.count == size && (window.low == 0 || window.low == size - 1))
      return true;
  return false;
}

/// Reduces one dimension after the other, for a body that is a named monoid or,
/// over long cumulative windows, any other of element-wise operations, which
/// need not commute: that takes the last dimension first, for row-major order.
/// An initial value that is not neutral counts once, as for XLA; but what
/// cumulative windows of a body without a name hold beyond the elements counts
/// as initial values, as StableHLO pads by them.
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
  FailureOr<Windows> windows = windowsOn(op, type, c);
  if (failed(windows))
    return failure();
  if (!monoid && !hasCumulative(*windows, type))
    return reduceGeneral(op, operands, c, results);
  RankedTensorType resultType =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (resultType.getNumElements() == 0 || type.getNumElements() == 0) {
    results.push_back(c.broadcastScalar(init, resultType));
    return success();
  }
  bool fromNeutral = monoid && isNeutral(*monoid, constantElement(init));
  Value neutral =
      !monoid || fromNeutral ? init : neutralScalar(c, *monoid, typeOf(init));
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
  Value started = c.broadcastScalar(init, x.getType());
  if (!monoid)
    x = applyToElements(c, body, {started, x});
  else if (!fromNeutral)
    x = combine(c, *monoid, x, started);
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
  return reduceGeneral(op, operands, c, results);
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
