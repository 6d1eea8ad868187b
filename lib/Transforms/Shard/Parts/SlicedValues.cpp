//===- SlicedValues.cpp - slices move up ----------------------------------===//
//
// Where all uses of a value are slices along one split dimension, they are
// taken of what the value is computed from, as far up as that moves less.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartwiseComputation.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-compute-parts"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// How far slices are looked for a better place.
static constexpr unsigned kMaxDepth = 16;

/// How the operation that makes `value` computes along `dim`, if all that uses
/// it is `user` (or, for null, whatever uses it).
std::optional<Passage>
PartwiseComputation::passageAbove(Value value, int64_t dim,
                                  Operation *user) const {
  Operation *op = value.getDefiningOp();
  if (!op || (user && llvm::any_of(value.getUsers(), [&](Operation *other) {
                return other != user;
              })))
    return std::nullopt;
  return passage(op, op->getNumOperands(), dim);
}

/// The least number of elements to be moved for parts of `value` along `dim`.
double PartwiseComputation::slicingCost(Value value, int64_t dim,
                                        Operation *user, unsigned depth) const {
  double own = movedElements(value, dim);
  if (own == 0 || depth == 0)
    return own;
  std::optional<Passage> found = passageAbove(value, dim, user);
  if (!found)
    return own;
  double above = 0;
  Operation *op = value.getDefiningOp();
  for (auto [operand, at] : llvm::zip_equal(op->getOperands(), found->operands))
    if (at >= 0)
      above += slicingCost(operand, at, op, depth - 1);
  return std::min(own, above);
}

/// Part `range` of `value`, made as `slicingCost` says.
Value PartwiseComputation::partAbove(Value value, int64_t dim, Span range,
                                     const AxisList &axes, Operation *user,
                                     unsigned depth) {
  OpBuilder builder(function.getContext());
  if (slicingCost(value, dim, user, depth) == movedElements(value, dim))
    return slice(builder, value, dim, range, axes);
  if (Value known = parts.lookup({value, dim, range.begin}))
    return known;
  Operation *op = value.getDefiningOp();
  divided.insert(op);
  std::optional<Passage> found = passageAbove(value, dim, user);
  SmallVector<Value> operands;
  for (auto [operand, at] : llvm::zip_equal(op->getOperands(), found->operands))
    operands.push_back(
        at < 0 ? operand : partAbove(operand, at, range, axes, op, depth - 1));
  builder.setInsertionPoint(op);
  Type type = resized(typeOf(value), dim, range.size());
  Value part = createLocalOperation(builder, op, operands, type)->getResult(0);
  setSharding(part, partSharding(value, dim, axes));
  return parts[{value, dim, range.begin}] = part;
}

/// The only dimension of which `op` takes a part, in which all elements follow
/// each other; -1 if there is no such dimension.
static int64_t slicedDim(SliceOp op) {
  int64_t found = -1;
  ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (op.getType().getDimSize(dim) == size)
      continue;
    if (found >= 0 || op.getStrides()[dim] != 1)
      return -1;
    found = dim;
  }
  return found;
}

/// Computes what the slices of `value` take, if all its uses are slices along
/// one split dimension that do not overlap, and this moves less.
void PartwiseComputation::moveSlicesUp(Value value) {
  SmallVector<SliceOp> slices;
  int64_t dim = -1;
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<SliceOp>(user);
    int64_t sliced = op ? slicedDim(op) : -1;
    if (sliced < 0 || (dim >= 0 && sliced != dim) ||
        op.getType().getDimSize(sliced) == 1 || !getSharding(op))
      return;
    dim = sliced;
    slices.push_back(op);
  }
  if (slices.empty() || !isSplit(value, dim))
    return;
  llvm::sort(slices, [&](SliceOp a, SliceOp b) {
    return a.getStarts()[dim] < b.getStarts()[dim];
  });
  for (auto [first, next] :
       llvm::zip(slices, MutableArrayRef(slices).drop_front()))
    if (first.getLimits()[dim] > next.getStarts()[dim])
      return;
  double cost = slicingCost(value, dim, nullptr, kMaxDepth);
  if (cost >= movedElements(value, dim))
    return;
  LDBG() << describeMaker(value) << ": computed as " << slices.size()
         << " slices along dimension " << dim << ", which moves " << cost
         << " elements instead of " << movedElements(value, dim);
  for (SliceOp op : slices) {
    taker = op;
    const AxisList &axes = getSharding(op).getValue().dims[dim].axes;
    Value part =
        partAbove(value, dim, {op.getStarts()[dim], op.getLimits()[dim]}, axes,
                  nullptr, kMaxDepth);
    op.replaceAllUsesWith(part);
    op.erase();
  }
  for (Operation *op : divided)
    if (op->use_empty())
      op->erase();
  divided.clear();
  parts.clear();
}
