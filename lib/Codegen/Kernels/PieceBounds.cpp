//===- PieceBounds.cpp - Where elements begin to come from elsewhere ------===//
//
// A stencil on a periodic grid reads its neighbours through rotations: each a
// concatenation of two slices. Which of the two an element lies in is asked of
// every element, unless the loop is cut where the answer changes: then it is
// known in each run, and the inside of the grid is one run that reads each
// neighbour at a fixed distance.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Kernels/PieceBounds.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// More copies of a loop's body than this are not worth their code.
static constexpr size_t maxRuns = 5;

SmallVector<IndexRun> codegen::cutAtBounds(int64_t size, int64_t lanes,
                                           ArrayRef<int64_t> bounds) {
  // A vector with a bound inside is cut off from those on both sides that have
  // none.
  std::set<int64_t> cuts, divided;
  for (int64_t bound : bounds) {
    int64_t vector = bound / lanes * lanes;
    cuts.insert(vector);
    if (bound == vector)
      continue;
    divided.insert(vector);
    cuts.insert(vector + lanes);
  }
  SmallVector<IndexRun> runs;
  int64_t first = 0;
  for (int64_t cut : cuts) {
    if (cut <= first || cut >= size ||
        (divided.contains(cut - lanes) && divided.contains(cut)))
      continue;
    runs.push_back({first, cut});
    first = cut;
  }
  runs.push_back({first, size});
  if (runs.size() > maxRuns)
    return {{0, size}};
  return runs;
}

namespace {

/// Follows elements to where they come from; see `findPieceBounds`.
class PieceBoundFinder {
public:
  PieceBoundFinder(ArrayRef<int64_t> shape, int64_t dim,
                   function_ref<bool(Value)> isLeaf)
      : dim(dim), size(shape[dim]), isLeaf(isLeaf) {}

  void visit(Value value, AffineMap map) {
    if (!map || isLeaf(value) || !visited.insert({value, map}).second)
      return;
    Operation *op = value.getDefiningOp();
    if (auto concatenate = dyn_cast<ConcatenateOp>(op))
      return visitConcatenate(concatenate, map);
    if (auto pad = dyn_cast<PadOp>(op))
      return visitPad(pad, map);
    if (std::optional<AffineMap> access = getAccessMap(op))
      return visit(op->getOperand(0), simplifyAffineMap(access->compose(map)));
    if (isElementwise(op))
      for (Value operand : op->getOperands())
        if (!shapeOf(operand).empty())
          visit(operand, map);
  }

  SmallVector<int64_t> take() { return {bounds.begin(), bounds.end()}; }

private:
  void visitConcatenate(ConcatenateOp op, AffineMap map) {
    int64_t along = op.getDim(), start = 0;
    for (Value operand : op.getOperands()) {
      if (start > 0)
        add(map.getResult(along), start);
      visit(operand, shifted(map, along, -start));
      start += shapeOf(operand)[along];
    }
  }

  void visitPad(PadOp op, AffineMap map) {
    AffineMap inside = map;
    for (auto [i, extent] : llvm::enumerate(shapeOf(op.getOperand()))) {
      if (op.getInterior()[i] != 0)
        return;
      int64_t low = op.getLow()[i];
      add(map.getResult(i), low);
      add(map.getResult(i), low + extent);
      inside = shifted(inside, i, -low);
    }
    visit(op.getOperand(), inside);
  }

  static AffineMap shifted(AffineMap map, int64_t result, int64_t by) {
    SmallVector<AffineExpr> results(map.getResults());
    results[result] = results[result] + by;
    return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  }

  /// Adds the position from which on `index` is at least `start`, or below it.
  void add(AffineExpr index, int64_t start) {
    auto [factor, offset] = linearIn(index);
    if (factor == 0)
      return;
    int64_t bound = factor > 0
                        ? llvm::divideCeilSigned(start - offset, factor)
                        : llvm::divideFloorSigned(start - offset, factor) + 1;
    if (bound > 0 && bound < size)
      bounds.insert(bound);
  }

  /// Factor and offset of an expression that depends on the dimension alone;
  /// the factor is 0 for others.
  std::pair<int64_t, int64_t> linearIn(AffineExpr expression) const {
    if (auto d = dyn_cast<AffineDimExpr>(expression))
      return {int64_t(d.getPosition()) == dim, 0};
    auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
    auto constant =
        binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
    if (!constant)
      return {0, 0};
    auto [factor, offset] = linearIn(binary.getLHS());
    if (binary.getKind() == AffineExprKind::Add)
      return {factor, offset + constant.getValue()};
    if (binary.getKind() == AffineExprKind::Mul)
      return {factor * constant.getValue(), offset * constant.getValue()};
    return {0, 0};
  }

  int64_t dim, size;
  function_ref<bool(Value)> isLeaf;
  llvm::DenseSet<std::pair<Value, AffineMap>> visited;
  std::set<int64_t> bounds;
};

} // namespace

SmallVector<int64_t>
codegen::findPieceBounds(ArrayRef<Value> values, int64_t dim,
                         function_ref<bool(Value)> isLeaf) {
  if (values.empty() || shapeOf(values.front()).empty())
    return {};
  ArrayRef<int64_t> shape = shapeOf(values.front());
  PieceBoundFinder finder(shape, dim, isLeaf);
  for (Value value : values)
    finder.visit(value, getIdentityAccess(shape, value.getContext()));
  return finder.take();
}
