//===- ProvenancePlaces.cpp - where things stand in the program -----------===//

#include "Provenance/ProvenancePlaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

PlaceAttr tessera::shard::placeAt(StringRef what, Location loc) {
  return PlaceAttr::get(loc.getContext(), what, withoutProvenance(loc));
}

PlaceAttr tessera::shard::placeOf(Operation *op) {
  return placeAt(op->getName().getStringRef(), op->getLoc());
}

PlaceAttr tessera::shard::placeOf(Value value) {
  if (Operation *op = value.getDefiningOp())
    return placeOf(op);
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(parent);
  if (!function)
    return placeOf(parent);
  unsigned number = argument.getArgNumber();
  return placeAt(
      boundaryName("argument", number, function.getArgAttrDict(number)),
      argument.getLoc());
}

PlaceAttr tessera::shard::placeOf(OpOperand &use) {
  Operation *op = use.getOwner();
  if (!isa<func::ReturnOp>(op))
    return placeOf(op);
  auto function = op->getParentOfType<func::FuncOp>();
  unsigned number = use.getOperandNumber();
  return placeAt(
      boundaryName("result", number, function.getResultAttrDict(number)),
      op->getLoc());
}

OpOperand *tessera::shard::firstUse(Value value) {
  OpOperand *first = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (!first) {
      first = &use;
      continue;
    }
    Operation *a = use.getOwner(), *b = first->getOwner();
    if (a == b ? use.getOperandNumber() < first->getOperandNumber()
               : a->getBlock() != b->getBlock() || a->isBeforeInBlock(b))
      first = &use;
  }
  return first;
}

Value tessera::shard::rootOf(Value value) {
  while (auto reshard = value.getDefiningOp<ReshardOp>())
    value = reshard.getOperand();
  return value;
}
