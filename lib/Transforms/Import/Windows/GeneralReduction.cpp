//===- GeneralReduction.cpp - windows reduced by a body without a name ----===//

#include "Windows/GeneralReduction.h"

#include "Conversions/Monoid.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Value GeneralReduction::allExist(ArrayRef<int64_t> shape) {
  return c.splat(RankedTensorType::get(shape, c.builder.getI1Type()),
                 APInt(1, 1));
}

/// What stands in masks where no element is.
static Value missing(Conversion &c) {
  return c.splat(RankedTensorType::get({}, c.builder.getI1Type()), APInt(1, 0));
}

Elements GeneralReduction::spread(ValueRange values,
                                  ArrayRef<int64_t> dilations) {
  Elements x;
  for (auto [value, init] : llvm::zip_equal(values, inits))
    x.values.push_back(dilate(c, value, dilations, init));
  if (shapeOf(x.values.front()) != shapeOf(values.front()))
    x.exist =
        dilate(c, allExist(shapeOf(values.front())), dilations, missing(c));
  return x;
}

Elements GeneralReduction::initial(ArrayRef<int64_t> shape) {
  Elements x;
  for (Value init : inits)
    x.values.push_back(c.broadcastScalar(init, typeOf(init).clone(shape)));
  return x;
}

/// `x` at `positions` along `dim`.
Elements GeneralReduction::takeAll(const Elements &x, int64_t dim,
                                   Positions positions) {
  Elements taken{{}, x.exist};
  Value first = x.values.front();
  if (!taken.exist && !positions.areWithin(dimSize(first, dim)))
    taken.exist = allExist(shapeOf(first));
  if (taken.exist)
    taken.exist = take(c, taken.exist, dim, positions, missing(c));
  for (auto [value, init] : llvm::zip_equal(x.values, inits))
    taken.values.push_back(take(c, value, dim, positions, init));
  return taken;
}

/// `first` and `second` combined, or one of them where the other is missing.
Elements GeneralReduction::combined(const Elements &first,
                                    const Elements &second) {
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<Value> arguments(first.values);
  llvm::append_range(arguments, second.values);
  Elements made{applyAllToElements(c, body, arguments), nullptr};
  for (auto [value, before, after] :
       llvm::zip(made.values, first.values, second.values)) {
    if (second.exist)
      value = arith::SelectOp::create(b, second.exist, value, before);
    if (first.exist)
      value = arith::SelectOp::create(b, first.exist, value, after);
  }
  if (first.exist && second.exist)
    made.exist = arith::OrIOp::create(b, first.exist, second.exist);
  return made;
}

/// `sum` combined with the elements at the positions in dimensions from `dim`
/// on.
Elements GeneralReduction::foldFrom(Elements sum, const Elements &x,
                                    const Windows &windows, size_t dim) {
  if (dim == windows.dims.size())
    return combined(sum, x);
  const Window &window = windows.dims[dim];
  for (int64_t k = 0; k < window.size && !sum.values.empty(); ++k)
    sum = foldFrom(std::move(sum), takeAll(x, dim, window.at(k)), windows,
                   dim + 1);
  return sum;
}

SmallVector<Value> GeneralReduction::fold(const Elements &x,
                                          const Windows &windows) {
  SmallVector<int64_t> counts;
  for (const Window &window : windows.dims)
    counts.push_back(window.count);
  return foldFrom(initial(counts), x, windows, 0).values;
}

/// The positions of all windows along `dim`, combined in their order; no values
/// after a diagnostic. Of more than a few, what m neighbours give, combined
/// with the same of those m behind, is what 2m give, and a window is made of
/// such runs: as many operations as its size has bits.
Elements GeneralReduction::combinePositions(const Elements &x, int64_t dim,
                                            const Window &window) {
  bool isDoubled = window.size > kFewPositions;
  int64_t padded = (window.count - 1) * window.stride + window.extent();
  Elements runs = x, sum;
  if (isDoubled)
    runs = takeAll(x, dim, {-window.low, 1, padded});
  for (int64_t done = 0, length = 1; done < window.size;) {
    if (!isDoubled || (window.size & length)) {
      Positions starts = window.at(done);
      if (isDoubled)
        starts.start += window.low;
      Elements next = takeAll(runs, dim, starts);
      sum = sum.values.empty() ? next : combined(sum, next);
      if (sum.values.empty())
        return {};
      done += length;
    }
    if (!isDoubled || done == window.size)
      continue;
    Elements behind = takeAll(runs, dim, {length * window.dilation, 1, padded});
    // What begins beyond the end is in no window.
    if (!runs.exist)
      behind.exist = nullptr;
    runs = combined(runs, behind);
    if (runs.values.empty())
      return {};
    length *= 2;
  }
  return sum;
}

SmallVector<Value> GeneralReduction::reduce(Elements x,
                                            const Windows &windows) {
  for (size_t dim = windows.dims.size(); dim-- > 0;) {
    x = combinePositions(x, dim, windows.dims[dim]);
    if (x.values.empty())
      return {};
  }
  return combined(initial(shapeOf(x.values.front())), x).values;
}
