//===- EmitParts.cpp - a region written out part by part ------------------===//
//
// The block is read in the order of the text. Operations of the region are held
// back up to the next collective, or up to what has to have one of their values
// whole; then those of the first part are written, those of the second, and so
// on. What outside of the region reads a value that is held back waits with it.
// So between two collectives of one part stand those of the others.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeline.h"
#include "CollectiveMatmul/PartialProducts.h"
#include "Parts/SplitRegion.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace {

/// The parts of a region as they are made.
class PartEmitter {
public:
  explicit PartEmitter(const SplitRegion &region) : region(region) {}

  SmallVector<Operation *> run();

private:
  void visit(Operation *op);
  bool needsWhole(const SplitMember &member);
  void flush(Operation *before);
  void emit(OpBuilder &builder, const SplitMember &member, int64_t part);
  void addUp(OpBuilder &builder, const SplitMember &member);
  void finish(OpBuilder &builder, const SplitMember &member);
  Value wholeOf(OpBuilder &builder, Value value);
  Value partOf(OpBuilder &builder, Value value, Cut cut, int64_t part);
  Value slice(ImplicitLocOpBuilder &builder, Value value, Cut cut,
              int64_t part);
  Value join(ImplicitLocOpBuilder &builder, Value value, Cut cut);

  const SplitRegion &region;
  /// Of the region, and others behind these, that have not been written yet.
  SmallVector<const SplitMember *> pending;
  SmallVector<Operation *> deferred;
  llvm::SmallPtrSet<Operation *, 16> waiting;
  /// Of values of the region.
  llvm::DenseMap<Value, SmallVector<Value, 2>> parts;
  llvm::DenseMap<Value, Value> joined;
  /// Of values that are cut otherwise or not at all, by dimension, blocks and
  /// part.
  llvm::DenseMap<std::tuple<Value, int64_t, int64_t, int64_t>, Value> slices;
  SmallVector<Operation *> replaced, collectives;
};

} // namespace

/// `type` with its dimension `dim` as `outer` times the rest of it.
static RankedTensorType withBlocks(RankedTensorType type, int64_t dim,
                                   int64_t outer) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= outer;
  shape.insert(shape.begin() + dim, outer);
  return type.clone(shape);
}

Value PartEmitter::slice(ImplicitLocOpBuilder &builder, Value value, Cut cut,
                         int64_t part) {
  RankedTensorType type = typeOf(value);
  int64_t inner = region.innerOf(type, cut), dim = cut.dim;
  Value blocks = value;
  if (cut.outer > 1) {
    blocks =
        ReshapeOp::create(builder, withBlocks(type, dim, cut.outer), value);
    ++dim;
  }
  RankedTensorType from = typeOf(blocks);
  SmallVector<int64_t> starts(from.getRank(), 0), strides(from.getRank(), 1),
      limits(from.getShape()), shape(from.getShape());
  starts[dim] = region.beginOf(part) * inner;
  limits[dim] = region.beginOf(part + 1) * inner;
  shape[dim] = limits[dim] - starts[dim];
  Value taken = SliceOp::create(builder, from.clone(shape), blocks, starts,
                                limits, strides);
  if (cut.outer == 1)
    return taken;
  return ReshapeOp::create(builder, region.partType(type, cut, part), taken);
}

Value PartEmitter::join(ImplicitLocOpBuilder &builder, Value value, Cut cut) {
  RankedTensorType type = typeOf(value);
  SmallVector<Value> pieces = SmallVector<Value>(parts.lookup(value));
  if (cut.outer == 1)
    return ConcatenateOp::create(builder, type, pieces, cut.dim);
  for (Value &piece : pieces)
    piece = ReshapeOp::create(
        builder, withBlocks(typeOf(piece), cut.dim, cut.outer), piece);
  Value blocks = ConcatenateOp::create(
      builder, withBlocks(type, cut.dim, cut.outer), pieces, cut.dim + 1);
  return ReshapeOp::create(builder, type, blocks);
}

/// `value`, which the region makes or not, whole.
Value PartEmitter::wholeOf(OpBuilder &builder, Value value) {
  std::optional<Cut> cut = region.cutOf(value);
  Value &whole = joined[value];
  if (!whole && !cut)
    return value;
  if (!whole) {
    ImplicitLocOpBuilder b(value.getLoc(), builder);
    whole = join(b, value, *cut);
  }
  return whole;
}

Value PartEmitter::partOf(OpBuilder &builder, Value value, Cut cut,
                          int64_t part) {
  if (region.cutOf(value) == cut)
    return parts.lookup(value)[part];
  Value whole = wholeOf(builder, value);
  Value &taken = slices[{value, cut.dim, cut.outer, part}];
  if (!taken) {
    ImplicitLocOpBuilder b(value.getLoc(), builder);
    taken = slice(b, whole, cut, part);
  }
  return taken;
}

void PartEmitter::emit(OpBuilder &builder, const SplitMember &member,
                       int64_t part) {
  Operation *op = member.op;
  SmallVector<Value> operands;
  for (auto [operand, cut] :
       llvm::zip_equal(op->getOperands(), member.operands))
    operands.push_back(cut ? partOf(builder, operand, *cut, part)
                           : wholeOf(builder, operand));
  SmallVector<Type> types;
  for (auto [result, cut] : llvm::zip_equal(op->getResults(), member.results))
    types.push_back(cut ? region.partType(typeOf(result), *cut, part)
                        : typeOf(result));
  Operation *made = createLocalOperation(builder, op, operands, types);
  for (auto [result, own] :
       llvm::zip_equal(op->getResults(), made->getResults()))
    parts[result].push_back(own);
  if (isa<spmd::CollectiveOpInterface>(made))
    collectives.push_back(made);
}

/// Whether `member` reads a value that is held back, but not by parts.
bool PartEmitter::needsWhole(const SplitMember &member) {
  for (auto [operand, cut] :
       llvm::zip_equal(member.op->getOperands(), member.operands))
    if (waiting.contains(operand.getDefiningOp()) &&
        !(cut && region.cutOf(operand) == *cut))
      return true;
  return false;
}

/// Puts the sum of what the parts of `member` add to it in its place; behind
/// what only moves its elements, as kernels of products do that by themselves.
void PartEmitter::addUp(OpBuilder &builder, const SplitMember &member) {
  Value sum = member.op->getResult(0);
  SmallVector<Value> pieces(parts.lookup(sum));
  auto moveOf = [&](Value value) {
    auto move = value.hasOneUse() ? dyn_cast<TransposeOp>(*value.user_begin())
                                  : TransposeOp();
    bool isOutside =
        move && move->getBlock() == region.getBlock() && !region.contains(move);
    return isOutside ? move : TransposeOp();
  };
  while (TransposeOp move = moveOf(sum)) {
    for (Value &piece : pieces) {
      IRMapping mapping;
      mapping.map(sum, piece);
      piece = builder.clone(*move, mapping)->getResult(0);
    }
    sum = move.getResult();
    llvm::erase(deferred, move.getOperation());
    replaced.push_back(move);
  }
  ImplicitLocOpBuilder b(member.op->getLoc(), builder);
  joined[sum] = emitSum(b, pieces);
}

/// Gives outside readers what `member`, of which there are all parts, makes.
void PartEmitter::finish(OpBuilder &builder, const SplitMember &member) {
  replaced.push_back(member.op);
  if (member.isSum())
    addUp(builder, member);
  auto isOutside = [&](OpOperand &use) {
    return !region.contains(
        region.getBlock()->findAncestorOpInBlock(*use.getOwner()));
  };
  for (Value result : replaced.back()->getResults())
    if (llvm::any_of(result.getUses(), isOutside))
      result.replaceUsesWithIf(wholeOf(builder, result), isOutside);
}

/// Writes what has been held back, before `before`.
void PartEmitter::flush(Operation *before) {
  OpBuilder builder(before);
  for (int64_t part = 0; part < region.getParts(); ++part)
    for (const SplitMember *member : pending)
      emit(builder, *member, part);
  for (const SplitMember *member : pending)
    finish(builder, *member);
  for (Operation *op : deferred)
    op->moveBefore(before);
  pending.clear();
  deferred.clear();
  waiting.clear();
}

void PartEmitter::visit(Operation *op) {
  if (const SplitMember *member = region.find(op)) {
    if (needsWhole(*member))
      flush(op);
    pending.push_back(member);
    waiting.insert(op);
    if (isa<spmd::CollectiveOpInterface>(op))
      flush(op);
    return;
  }
  if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
    return flush(op);
  bool waits = false;
  forEachOperand(op, [&](Value value) {
    waits |= waiting.contains(value.getDefiningOp());
  });
  if (!waits)
    return;
  deferred.push_back(op);
  waiting.insert(op);
}

SmallVector<Operation *> PartEmitter::run() {
  for (Operation &op : llvm::make_early_inc_range(*region.getBlock()))
    visit(&op);
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  return collectives;
}

SmallVector<Operation *> SplitRegion::apply() const {
  return PartEmitter(*this).run();
}
