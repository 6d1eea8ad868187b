//===- MoveWindow.cpp - moves by constants as windows of a tensor ---------===//

#include "Moves/MoveWindow.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

SmallVector<int64_t> MoveWindow::shape() const {
  SmallVector<int64_t> shape(originType().getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    size += low[dim] + high[dim];
  return shape;
}

bool MoveWindow::isCrop() const {
  auto removes = [](int64_t number) { return number <= 0; };
  return llvm::all_of(low, removes) && llvm::all_of(high, removes);
}

/// Whether two values are the same, or equal constants.
static bool isSameValue(Value a, Value b) {
  Attribute first, second;
  return a == b ||
         (a.getType() == b.getType() && matchPattern(a, m_Constant(&first)) &&
          matchPattern(b, m_Constant(&second)) && first == second);
}

bool MoveWindow::compose(const MoveWindow &outer) {
  for (size_t dim = 0; dim < low.size(); ++dim)
    if ((low[dim] < 0 && outer.low[dim] > 0) ||
        (high[dim] < 0 && outer.high[dim] > 0))
      return false;
  if (added && outer.added && !isSameValue(added, outer.added))
    return false;
  for (size_t dim = 0; dim < low.size(); ++dim) {
    low[dim] += outer.low[dim];
    high[dim] += outer.high[dim];
  }
  if (outer.added)
    added = outer.added;
  return true;
}

bool tessera::shard::areAll(ArrayRef<int64_t> values, int64_t expected) {
  return llvm::all_of(values, [&](int64_t value) { return value == expected; });
}

MoveWindow tessera::shard::windowOf(SliceOp op) {
  MoveWindow window(op.getOperand());
  for (auto [dim, start] : llvm::enumerate(op.getStarts())) {
    window.low[dim] = -start;
    window.high[dim] =
        op.getLimits()[dim] - window.originType().getDimSize(dim);
  }
  return window;
}

std::optional<MoveWindow> tessera::shard::windowOf(Value value) {
  if (auto slice = value.getDefiningOp<SliceOp>();
      slice && areAll(slice.getStrides(), 1))
    return windowOf(slice);
  auto pad = value.getDefiningOp<PadOp>();
  if (!pad || !areAll(pad.getInterior(), 0))
    return std::nullopt;
  MoveWindow window(pad.getOperand());
  window.low.assign(pad.getLow().begin(), pad.getLow().end());
  window.high.assign(pad.getHigh().begin(), pad.getHigh().end());
  if (!window.isCrop())
    window.added = pad.getValue();
  return window;
}

MoveWindow tessera::shard::throughOrigin(const MoveWindow &outer) {
  std::optional<MoveWindow> inner = windowOf(outer.origin);
  return inner && inner->compose(outer) ? *inner : outer;
}

static Value poison(ImplicitLocOpBuilder &builder, Type element) {
  return ub::PoisonOp::create(builder, RankedTensorType::get({}, element),
                              ub::PoisonAttr::get(builder.getContext()));
}

Value tessera::shard::buildWindow(ImplicitLocOpBuilder &builder,
                                  const MoveWindow &window) {
  RankedTensorType from = window.originType();
  RankedTensorType type = from.clone(window.shape());
  if (areAll(window.low, 0) && areAll(window.high, 0))
    return window.origin;
  if (window.isCrop()) {
    SmallVector<int64_t> starts, limits, strides(from.getRank(), 1);
    for (auto [dim, size] : llvm::enumerate(from.getShape())) {
      starts.push_back(-window.low[dim]);
      limits.push_back(size + window.high[dim]);
    }
    return SliceOp::create(builder, type, window.origin, starts, limits,
                           strides);
  }
  Value added =
      window.added ? window.added : poison(builder, from.getElementType());
  return PadOp::create(builder, type, window.origin, added, window.low,
                       window.high, SmallVector<int64_t>(from.getRank(), 0));
}
