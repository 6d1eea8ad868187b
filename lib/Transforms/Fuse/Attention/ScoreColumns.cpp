//===- ScoreColumns.cpp - columns beside scores ---------------------------===//
//
// A model with an attention sink may put it beside the scores as one more
// column, take the softmax of all of them, and drop the column again. Nothing
// in between needs both in one tensor: what works element by element is done
// for either part, sums and maxima over both are combined from those over each,
// slices are of one of them. What else reads a whole tensor does as before.
//
// Operations are visited once, in order; operands that do not follow from the
// concatenation (gradients, padded by zeros to the width of both) are taken
// apart when they are met.
//
//===----------------------------------------------------------------------===//

#include "Attention/ScoreColumns.h"

#include "Attention/AttentionScores.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Interfaces/IndexingMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// How many operations in a row are taken apart against their direction.
static constexpr unsigned kColumnSteps = 24;

namespace {

/// Takes apart what follows from one concatenation of two tensors.
class ColumnSplit {
public:
  explicit ColumnSplit(ConcatenateOp concatenation)
      : concatenation(concatenation), b(concatenation),
        dim(concatenation.getDim()) {
    for (Value operand : concatenation.getOperands())
      sizes.push_back(typeOf(operand).getDimSize(dim));
  }

  void run();

private:
  using Parts = std::array<Value, 2>;

  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  bool isWhole(Value value) const {
    return isa<RankedTensorType>(value.getType()) &&
           typeOf(value).getShape() ==
               typeOf(concatenation.getResult()).getShape();
  }
  RankedTensorType partType(Value whole, unsigned part) const {
    SmallVector<int64_t> shape(typeOf(whole).getShape());
    shape[dim] = sizes[part];
    return typeOf(whole).clone(shape);
  }
  Parts split(Value whole, unsigned depth = kColumnSteps);
  std::optional<Parts> splitPadding(PadOp pad);
  Parts splitElementwise(Operation *op, unsigned depth);
  void visit(Operation *op);
  void combine(ReduceOp reduce);
  void choose(SliceOp slice);

  mutable ConcatenateOp concatenation;
  OpBuilder b;
  int64_t dim;
  SmallVector<int64_t, 2> sizes;
  llvm::DenseMap<Value, Parts> known;
};

} // namespace

/// Whether all tensors of `op` have one shape, and every element of its result
/// follows from those at its index.
static bool isPointwise(Operation *op) {
  return isElementwise(op) && op->getNumResults() == 1 &&
         op->getNumOperands() > 0 && isMemoryEffectFree(op);
}

ColumnSplit::Parts ColumnSplit::splitElementwise(Operation *op,
                                                 unsigned depth) {
  SmallVector<Parts> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isWhole(operand) ? split(operand, depth)
                                        : Parts{operand, operand});
  Parts parts;
  for (unsigned part : {0, 1}) {
    IRMapping mapping;
    for (auto [operand, own] : llvm::zip_equal(op->getOperands(), operands))
      mapping.map(operand, own[part]);
    Operation *clone = b.clone(*op, mapping);
    clone->getResult(0).setType(partType(op->getResult(0), part));
    parts[part] = clone->getResult(0);
  }
  return parts;
}

/// A tensor that is padded by as much as the other part has.
std::optional<ColumnSplit::Parts> ColumnSplit::splitPadding(PadOp pad) {
  for (unsigned part : {0, 1}) {
    if (pad.getOperand().getType() != partType(pad, part))
      continue;
    ArrayRef<int64_t> before = part == 0 ? pad.getHigh() : pad.getLow();
    if (before[dim] != sizes[1 - part])
      continue;
    Parts parts;
    parts[part] = pad.getOperand();
    parts[1 - part] =
        BroadcastOp::create(b, pad.getLoc(), partType(pad, 1 - part),
                            pad.getValue(), ArrayRef<int64_t>());
    return parts;
  }
  return std::nullopt;
}

/// Both parts of `whole`; slices of it at worst.
ColumnSplit::Parts ColumnSplit::split(Value whole, unsigned depth) {
  if (auto it = known.find(whole); it != known.end())
    return it->second;
  Operation *op = whole.getDefiningOp();
  auto broadcast = dyn_cast_or_null<BroadcastOp>(op);
  std::optional<Parts> parts;
  DenseElementsAttr elements;
  if (op && matchPattern(op, m_Constant(&elements)) && elements.isSplat()) {
    parts.emplace();
    for (unsigned part : {0, 1})
      (*parts)[part] = arith::ConstantOp::create(
          b, op->getLoc(), elements.resizeSplat(partType(whole, part)));
  } else if (auto pad = dyn_cast_or_null<PadOp>(op)) {
    parts = splitPadding(pad);
  } else if (broadcast && repeatsAlong(broadcast, dim)) {
    parts.emplace();
    for (unsigned part : {0, 1})
      (*parts)[part] =
          BroadcastOp::create(b, op->getLoc(), partType(whole, part),
                              broadcast.getOperand(), broadcast.getDims());
  } else if (op && depth > 0 && isPointwise(op)) {
    parts = splitElementwise(op, depth - 1);
  }
  if (!parts) {
    parts.emplace();
    SmallVector<int64_t> ones(typeOf(whole).getRank(), 1);
    for (unsigned part : {0, 1}) {
      SmallVector<int64_t> starts(ones.size(), 0),
          limits(typeOf(whole).getShape());
      starts[dim] = part == 0 ? 0 : sizes[0];
      limits[dim] = starts[dim] + sizes[part];
      (*parts)[part] = SliceOp::create(b, whole.getLoc(), partType(whole, part),
                                       whole, starts, limits, ones);
    }
  }
  known[whole] = *parts;
  return *parts;
}

/// A sum or maximum over both parts.
void ColumnSplit::combine(ReduceOp reduce) {
  ReductionKind kind = reduce.getKind().getKind();
  bool isSum = kind == ReductionKind::Sum;
  if ((!isSum && kind != ReductionKind::Max) ||
      !isa<FloatType>(getElementTypeOrSelf(reduce.getType())) ||
      !llvm::is_contained(reduce.getDims(), dim))
    return;
  Parts parts = split(reduce.getOperand());
  for (Value &part : parts)
    part = ReduceOp::create(b, reduce.getLoc(), reduce.getType(),
                            reduce.getKindAttr(), part, reduce.getDims());
  Value both =
      isSum ? arith::AddFOp::create(b, reduce.getLoc(), parts[0], parts[1])
                  .getResult()
            : arith::MaximumFOp::create(b, reduce.getLoc(), parts[0], parts[1])
                  .getResult();
  reduce->replaceAllUsesWith(ValueRange{both});
}

/// A slice of one part.
void ColumnSplit::choose(SliceOp slice) {
  SmallVector<int64_t> starts(slice.getStarts()), limits(slice.getLimits());
  unsigned part = starts[dim] < sizes[0] ? 0 : 1;
  if (part == 0 && limits[dim] > sizes[0])
    return;
  if (part == 1) {
    starts[dim] -= sizes[0];
    limits[dim] -= sizes[0];
  }
  Value whole = split(slice.getOperand())[part];
  Value chosen = whole;
  if (whole.getType() != slice.getType())
    chosen = SliceOp::create(b, slice.getLoc(), slice.getType(), whole, starts,
                             limits, slice.getStrides());
  slice->replaceAllUsesWith(ValueRange{chosen});
}

void ColumnSplit::visit(Operation *op) {
  if (llvm::none_of(op->getOperands(),
                    [&](Value value) { return known.contains(value); }))
    return;
  b.setInsertionPoint(op);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    combine(reduce);
  else if (auto slice = dyn_cast<SliceOp>(op))
    choose(slice);
  else if (isPointwise(op) && isWhole(op->getResult(0)))
    (void)split(op->getResult(0));
}

void ColumnSplit::run() {
  known[concatenation] = {concatenation.getOperand(0),
                          concatenation.getOperand(1)};
  SmallVector<Operation *> later;
  for (Operation *op = concatenation->getNextNode(); op; op = op->getNextNode())
    later.push_back(op);
  for (Operation *op : later)
    visit(op);
}

void tessera::fuse::splitScoreColumns(Operation *scope) {
  llvm::SetVector<Operation *> found;
  scope->walk([&](math::ExpOp exponential) {
    auto shifted = skipConversions(exponential.getOperand())
                       .getDefiningOp<arith::SubFOp>();
    auto concatenation =
        shifted
            ? skipConversions(shifted.getLhs()).getDefiningOp<ConcatenateOp>()
            : ConcatenateOp();
    if (concatenation && concatenation->getNumOperands() == 2 &&
        llvm::any_of(concatenation.getOperands(), [&](Value operand) {
          return cast<RankedTensorType>(operand.getType())
                     .getDimSize(concatenation.getDim()) == 1;
        }))
      found.insert(concatenation);
  });
  for (Operation *concatenation : found)
    ColumnSplit(cast<ConcatenateOp>(concatenation)).run();
}
