//===- StackWrites.cpp - what is written into a stack of tensors ----------===//

#include "Layers/StackWrites.h"

#include "Step/ConstantIndices.h"

#include "tessera/Dialect/Tessera/Provenance.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

bool StackWrite::isApartFrom(ArrayRef<int64_t> other,
                             ArrayRef<int64_t> otherSizes) const {
  for (auto [a, b, sizeA, sizeB] :
       llvm::zip_equal(start, other, sizes(), otherSizes))
    if (a + sizeA <= b || b + sizeB <= a)
      return true;
  return false;
}

Value tessera::stage::behindReshards(Value value) {
  while (auto reshard = value.getDefiningOp<ReshardOp>())
    value = reshard.getOperand();
  return value;
}

std::optional<StackWrite> tessera::stage::writeOf(Value value) {
  auto update = behindReshards(value).getDefiningOp<DynamicUpdateSliceOp>();
  if (!update)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> start =
      constantIndices(update->getOperands().drop_front(2));
  if (!start)
    return std::nullopt;
  StackWrite write{update, update->getOperand(0), update->getOperand(1),
                   *start};
  // What would reach over the end is moved into the tensor.
  ArrayRef<int64_t> whole = cast<RankedTensorType>(update.getType()).getShape();
  for (auto [index, size, part] :
       llvm::zip_equal(write.start, whole, write.sizes()))
    index = std::clamp<int64_t>(index, 0, size - part);
  return write;
}

static Value reshardAt(OpBuilder &builder, Location loc, Value value,
                       ShardingAttr sharding) {
  if (getSharding(value) == sharding)
    return value;
  auto reshard = ReshardOp::create(builder, loc, value, sharding);
  setSharding(reshard, sharding);
  return reshard;
}

Value tessera::stage::withSharding(OpBuilder &builder, Value value,
                                   ShardingAttr sharding) {
  return reshardAt(builder, value.getLoc(), value, sharding);
}

/// The location of the reshard that `value` comes from, maybe as a part of it;
/// none where no reason is recorded on the way.
static std::optional<Location> findReason(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (findProvenance(op->getLoc()))
      return op->getLoc();
    if (!isa<ReshardOp, ReshapeOp, SliceOp, DynamicSliceOp>(op))
      break;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

Value tessera::stage::withShardingOf(OpBuilder &builder, Value value,
                                     Value like) {
  Location loc = findReason(like).value_or(value.getLoc());
  return reshardAt(builder, loc, value, getSharding(like));
}
