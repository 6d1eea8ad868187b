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

/// Reduces one dimension after the other, for a body that is a named monoid or
/// any other of element-wise operations. An initial value that is not neutral
/// is allowed where combining it several times changes nothing.
static LogicalResult convertReduceWindow(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  auto refuse = [&](StringRef what) {
    return emitError(op->getLoc())
           << "unsupported 'stablehlo.reduce_window': " << what;
  };
  Block &body = op->getRegion(0).front();
  inlineCalls(body);
  std::optional<Monoid> monoid = recogniseMonoid(body);
  if (!monoid && (body.getNumArguments() != 2 || !isElementwise(body)))
    return refuse("expected a body of element-wise operations");
  // What cannot be converted is found here, before windows are combined.
  if (!monoid && !applyToElements(c, body, {operands[1], operands[1]}))
    return failure();
  // Of a body without a name, StableHLO requires it.
  bool fromNeutral =
      !monoid || isNeutral(*monoid, constantElement(operands[1]));
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
           isNeutral(*monoid, constantElement(element));
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

void tessera::importer::addReduceWindow(ConversionTable &table) {
  static constexpr StringLiteral kAttributes[] = {
      "window_dimensions", "window_strides", "base_dilations",
      "window_dilations", "padding"};
  static const OpConversion rows[] = {
      {"stablehlo.reduce_window", convertReduceWindow, 2, 1, 1, kAttributes},
  };
  addRows(table, rows);
}
