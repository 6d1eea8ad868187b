//===- SelectAndScatter.cpp - gradients of extremes of windows ------------===//
//
// The gradient of a maximum looks for the position that the maximum comes from
// position by position, for all windows at once, and adds what flows back
// there, also position by position. So nothing is scattered, and parts of the
// windows stay above parts of the elements (Windows.h).
//
//===----------------------------------------------------------------------===//

#include "Conversions/Monoid.h"
#include "Windows/Windows.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// A position of a window is several operations.
static constexpr int64_t kMostSelected = 1024;

namespace {

/// Combines every element of `source` with the others of the element that its
/// window selects; `neutral` stands for none.
class SelectAndCombine {
public:
  SelectAndCombine(Conversion &c, Block &selection, Monoid monoid,
                   const Windows &windows, Value operand, Value source,
                   Value neutral)
      : c(c), selection(selection), monoid(monoid), windows(windows),
        operand(operand), source(source), neutral(neutral) {}

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

  /// Visits the positions of windows in dimensions from `dim` on, in row-major
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
      select(dim + 1, take(c, values, dim, window.at(k), neutral), here);
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
    Value keeps = applyToElements(c, selection, {best, values});
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

  /// What the positions in dimensions from `dim` on get, in the operand's shape
  /// in those dimensions.
  Value scatter(int64_t dim) {
    ImplicitLocOpBuilder &b = c.builder;
    if (dim == rank()) {
      Value here = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, chosen,
                                         number(next++));
      return arith::SelectOp::create(
          b, here, source, c.broadcastScalar(neutral, source.getType()));
    }
    const Window &window = windows.dims[dim];
    Value sum;
    for (int64_t k = 0; k < window.size; ++k) {
      Value part = place(c, scatter(dim + 1), dim, window.at(k),
                         dimSize(operand, dim), neutral);
      sum = sum ? combine(c, monoid, sum, part) : part;
    }
    return sum;
  }

  Conversion &c;
  Block &selection;
  Monoid monoid;
  const Windows &windows;
  Value operand, source, neutral;
  /// Of every window: the selected element so far, and the number of its
  /// position; -1 for none.
  Value best, chosen;
  /// Whether the first position of some window does not exist.
  bool mayHaveNone = false;
  int64_t next = 0;
  bool failed_ = false;
};

} // namespace

/// Converts the gradient of pooling (a comparison that selects, a sum that
/// scatters) and its like by SelectAndCombine; refuses regions that are not
/// element-wise, scattering by what has no name, and windows of more than
/// `kMostSelected` positions.
static LogicalResult convertSelectAndScatter(Operation *op, ValueRange operands,
                                             Conversion &c,
                                             SmallVectorImpl<Value> &results) {
  auto refuse = [&](StringRef what) {
    return emitError(op->getLoc())
           << "unsupported 'stablehlo.select_and_scatter': " << what;
  };
  Block &selection = op->getRegion(0).front();
  closeBody(selection);
  if (selection.getNumArguments() != 2 || !isElementwise(selection))
    return refuse("expected element-wise operations in its first region");
  std::optional<Monoid> monoid = recogniseMonoid(op->getRegion(1).front());
  if (!monoid)
    return refuse("expected a second region that is one of add, multiply, "
                  "minimum, maximum, and, or, xor");
  RankedTensorType type = typeOf(operands[0]), source = typeOf(operands[1]);
  if (type.getRank() != source.getRank() ||
      type.getElementType() != source.getElementType())
    return refuse("expected operands of one rank and element type");
  FailureOr<Windows> windows = readWindows(op, type, source.getShape(), c);
  if (failed(windows))
    return failure();
  int64_t positions = 1;
  for (const Window &window : windows->dims)
    positions = std::min(positions * window.size, kMostSelected + 1);
  if (positions > kMostSelected)
    return refuse("expected windows of at most 1024 elements");
  if (source.getNumElements() == 0) {
    results.push_back(c.broadcastScalar(operands[2], type));
    return success();
  }
  Value init = operands[2];
  Value result =
      SelectAndCombine(c, selection, *monoid, *windows, operands[0],
                       operands[1], neutralScalar(c, *monoid, typeOf(init)))
          .run();
  if (!result)
    return failure();
  if (!isNeutral(*monoid, constantElement(init)))
    result = combine(c, *monoid, result, c.broadcastScalar(init, type));
  results.push_back(result);
  return success();
}

void tessera::importer::addSelectAndScatter(ConversionTable &table) {
  static constexpr StringLiteral kAttributes[] = {"window_dimensions",
                                                  "window_strides", "padding"};
  static const OpConversion rows[] = {
      {"stablehlo.select_and_scatter", convertSelectAndScatter, 3, 1, 2,
       kAttributes},
  };
  addRows(table, rows);
}
