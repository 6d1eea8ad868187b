//===- LoopStacks.cpp - values that a loop keeps, one per trip ------------===//

#include "Attention/LoopStacks.h"

#include "Support/ValueTraces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

static bool isZero(Value value) { return matchPattern(value, m_Zero()); }

/// Whether `slot` is one of `stack`'s slots of size 1, whole, at `indices`.
static bool isSlot(Value stack, Value slot, ValueRange indices) {
  ArrayRef<int64_t> whole = shapeOf(stack), part = shapeOf(slot);
  return !whole.empty() && part.front() == 1 &&
         whole.drop_front() == part.drop_front() &&
         llvm::all_of(indices.drop_front(), isZero);
}

bool LoopStacks::isTrip(Value value) const {
  auto scalar = value.getDefiningOp<tensor::FromElementsOp>();
  if (!scalar || scalar.getElements().size() != 1)
    return false;
  Value number = scalar.getElements().front();
  while (isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
      number.getDefiningOp()))
    number = number.getDefiningOp()->getOperand(0);
  return number == const_cast<scf::ForOp &>(loop).getInductionVar();
}

LoopStacks::LoopStacks(scf::ForOp loop) : loop(loop) {
  std::optional<int64_t> trips = getConstantIntValue(loop.getUpperBound());
  if (!trips || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return;
  for (auto [number, yielded] : llvm::enumerate(loop.getYieldedValues())) {
    BlockArgument carried = loop.getRegionIterArg(number);
    auto update = yielded.getDefiningOp<DynamicUpdateSliceOp>();
    if (update && update.getOperand() == carried && carried.hasOneUse() &&
        update->hasOneUse() && update->getBlock() == loop.getBody() &&
        isSlot(carried, update.getUpdate(), update.getIndices()) &&
        shapeOf(carried).front() == *trips &&
        isTrip(update.getIndices().front()))
      slots[update.getUpdate()] = number;
  }
}

Value LoopStacks::getSlot(DynamicSliceOp read) const {
  auto stack = dyn_cast<OpResult>(read.getOperand());
  if (!stack || stack.getOwner() != loop ||
      !isSlot(stack, read.getResult(), read.getIndices()))
    return {};
  for (auto [slot, number] : slots)
    if (number == stack.getResultNumber())
      return slot;
  return {};
}

std::optional<SmallVector<Operation *>>
LoopStacks::findSlotOf(Value value, function_ref<bool(Value)> mayUse) const {
  return findMoves(value, [&](Value moved) {
    return slots.contains(moved) && mayUse(moved);
  });
}
