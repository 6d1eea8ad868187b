//===- FlattenCollectives.cpp - collectives on contiguous parts -----------===//

#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-flatten-collectives"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_FLATTENCOLLECTIVES
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

namespace {

/// Builds what stands before and after a flat collective: outside of the call
/// that it may be a part of.
class PartLayout {
public:
  PartLayout(spmd::CollectiveOpInterface op, int64_t parts)
      : collective(op), call(dyn_cast<spmd::CombinedOp>(op->getParentOp())),
        builder(call ? call : op.getOperation()), location(op->getLoc()),
        parts(parts) {}

  /// What the collective gets, outside of the call.
  Value source() { return spmd::sourceOf(collective); }
  /// `value` where the flat collective reads it, in the place of what the
  /// collective gets.
  Value bring(Value value);
  /// Puts `flat`, which stands where the collective does, in its place:
  /// `restore` makes of its result what the collective gave.
  void replace(Operation *flat, function_ref<Value(Value)> restore);

  /// From `whole` with `parts` parts along `dim` to the parts one behind the
  /// other along dimension 0.
  Value partsToFront(Value whole, int64_t dim);
  /// From parts one behind the other along dimension 0, each of the shape of
  /// `part`, to parts along `dim`.
  Value frontToParts(Value stacked, ArrayRef<int64_t> part, int64_t dim);

private:
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    RankedTensorType type = typeOf(value).clone(shape);
    return type == value.getType()
               ? value
               : Value(ReshapeOp::create(builder, location, type, value));
  }
  Value moveDim(Value value, int64_t from, int64_t to);

  spmd::CollectiveOpInterface collective;
  /// What the collective is a part of; null if nothing.
  spmd::CombinedOp call;
  /// Stands before the call; behind it in `replace`.
  OpBuilder builder;
  Location location;
  int64_t parts;
};

} // namespace

Value PartLayout::bring(Value value) {
  if (!call)
    return value;
  auto argument = cast<BlockArgument>(collective->getOperand(0));
  call->setOperand(argument.getArgNumber(), value);
  argument.setType(value.getType());
  return argument;
}

void PartLayout::replace(Operation *flat, function_ref<Value(Value)> restore) {
  Value given = collective->getResult(0), made = flat->getResult(0);
  if (call) {
    // The call gives what is flat, too.
    unsigned number = cast<BlockArgument>(flat->getOperand(0)).getArgNumber();
    given.replaceAllUsesWith(made);
    given = made = call.getResult(number);
    made.setType(flat->getResult(0).getType());
  }
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(given.getUses(), [](OpOperand &use) { return &use; });
  builder.setInsertionPointAfter(call ? call : flat);
  Value restored = restore(made);
  for (OpOperand *use : uses)
    use->set(restored);
  collective->erase();
}

Value PartLayout::moveDim(Value value, int64_t from, int64_t to) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  permutation.erase(permutation.begin() + from);
  permutation.insert(permutation.begin() + to, from);
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(builder, location, type.clone(shape), value,
                             permutation);
}

/// Says that `op`, over parts along `dim`, becomes one along dimension 0.
static void logFlat(Operation *op, int64_t dim, int64_t parts) {
  LDBG() << describeOperation(op) << ": along dimension 0 instead of " << dim
         << ", " << parts << " parts are put in order beside it";
}

/// `shape` with dimension `dim` multiplied by `factor`.
static SmallVector<int64_t> scaled(ArrayRef<int64_t> shape, int64_t dim,
                                   int64_t factor) {
  SmallVector<int64_t> result(shape);
  result[dim] *= factor;
  return result;
}

static bool hasOnlyOnesBefore(ArrayRef<int64_t> shape, int64_t dim) {
  return llvm::all_of(shape.take_front(dim),
                      [](int64_t size) { return size == 1; });
}

Value PartLayout::partsToFront(Value whole, int64_t dim) {
  SmallVector<int64_t> part(typeOf(whole).getShape());
  part[dim] /= parts;
  if (!hasOnlyOnesBefore(part, dim)) {
    SmallVector<int64_t> split(part);
    split.insert(split.begin() + dim, parts);
    whole = moveDim(reshape(whole, split), dim, 0);
  }
  return reshape(whole, scaled(part, 0, parts));
}

Value PartLayout::frontToParts(Value stacked, ArrayRef<int64_t> part,
                               int64_t dim) {
  if (!hasOnlyOnesBefore(part, dim)) {
    SmallVector<int64_t> split(part);
    split.insert(split.begin(), parts);
    stacked = moveDim(reshape(stacked, split), 0, dim);
  }
  return reshape(stacked, scaled(part, dim, parts));
}

static void flatten(spmd::AllGatherOp op) {
  if (op.getDim() == 0)
    return;
  RankedTensorType part = typeOf(op.getOperand());
  int64_t parts = op.getType().getNumElements() / part.getNumElements();
  logFlat(op, op.getDim(), parts);
  PartLayout layout(op, parts);
  int64_t dim = op.getDim();
  OpBuilder builder(op);
  auto flat = spmd::AllGatherOp::create(
      builder, op.getLoc(), part.clone(scaled(part.getShape(), 0, parts)),
      op.getOperand(), 0, op.getAxes());
  layout.replace(flat, [&](Value stacked) {
    return layout.frontToParts(stacked, part.getShape(), dim);
  });
}

static void flatten(spmd::ReduceScatterOp op) {
  if (op.getDim() == 0)
    return;
  int64_t parts =
      typeOf(op.getOperand()).getNumElements() / op.getType().getNumElements();
  logFlat(op, op.getDim(), parts);
  PartLayout layout(op, parts);
  Value stacked =
      layout.bring(layout.partsToFront(layout.source(), op.getDim()));
  OpBuilder builder(op);
  auto flat =
      spmd::ReduceScatterOp::create(builder, op.getLoc(), op.getType(),
                                    op.getKind(), stacked, 0, op.getAxes());
  layout.replace(flat, [](Value scattered) { return scattered; });
}

static void flatten(spmd::AllToAllOp op) {
  int64_t split = op.getSplitDim(), concat = op.getConcatDim();
  if (split == 0 && concat == 0)
    return;
  int64_t parts = groupSize(op, op.getAxes());
  logFlat(op, split == 0 ? concat : split, parts);
  PartLayout layout(op, parts);
  SmallVector<int64_t> part(typeOf(op.getOperand()).getShape());
  part[split] /= parts;
  Value stacked = layout.bring(layout.partsToFront(layout.source(), split));
  OpBuilder builder(op);
  auto flat = spmd::AllToAllOp::create(builder, op.getLoc(), stacked.getType(),
                                       stacked, 0, 0, op.getAxes());
  layout.replace(flat, [&](Value exchanged) {
    return layout.frontToParts(exchanged, part, concat);
  });
}

namespace {

struct FlattenCollectives
    : public tessera::fuse::impl::FlattenCollectivesBase<FlattenCollectives> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<spmd::AllGatherOp, spmd::ReduceScatterOp, spmd::AllToAllOp>(
              [](auto collective) { flatten(collective); });
    });
  }
};

} // namespace
