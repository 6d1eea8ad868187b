//===- RemadeValues.cpp - what a stage makes again ------------------------===//

#include "Cut/RemadeValues.h"

#include "Cut/StageTransfers.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

bool tessera::stage::isCheapToRemake(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op) &&
         (op->hasTrait<OpTrait::Elementwise>() ||
          isa<BroadcastOp, ReshapeOp, TransposeOp>(op));
}

/// Whether both operations run in the same turn: once, or per microbatch.
static bool areBeside(Operation *op, Value operand) {
  Operation *maker = operand.getDefiningOp();
  auto turnOf = [](Operation *other) {
    auto fragment = other->getParentOfType<pipe::FragmentOp>();
    return fragment ? fragment->getBlock() : other->getBlock();
  };
  return maker && turnOf(maker) == turnOf(op);
}

bool RemadeValues::canRemake(Operation *op) const {
  return op && isCheapToRemake(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           Value value = originOf(operand);
           if (!isForeign(value))
             return mayRead(value);
           return isa<RankedTensorType>(value.getType()) &&
                  areBeside(op, value);
         });
}

int64_t RemadeValues::bitsSent(Value value) const {
  RankedTensorType type = typeOf(value);
  ShardingAttr sharding = slicedSharding(value, mesh);
  if (!sharding)
    sharding = getSharding(value);
  int64_t parts = 1;
  if (sharding)
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      parts *= sharding.getValue().numShards(dim, mesh);
  return std::max<int64_t>(
      type.getNumElements() * type.getElementTypeBitWidth() / parts, 1);
}

Rematerialization::Item RemadeValues::add(Value value) {
  auto [entry, isNew] = items.try_emplace(value, 0);
  if (isNew) {
    entry->second = choice.add(bitsSent(value));
    pending.push_back(value);
  }
  return entry->second;
}

DenseSet<Value> RemadeValues::choose(ArrayRef<Value> needed) {
  for (Value value : needed)
    choice.need(add(value));
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!canRemake(op))
      continue;
    SmallVector<Rematerialization::Item> sources;
    for (Value operand : op->getOperands())
      if (Value source = originOf(operand); isForeign(source))
        sources.push_back(add(source));
    choice.mayMake(items.at(value), sources);
  }
  choice.solve();
  DenseSet<Value> remade;
  // NOLINTNEXTLINE(custom-iteration-order): into a set.
  for (auto [value, item] : items)
    if (choice.isMade(item))
      remade.insert(value);
  return remade;
}
