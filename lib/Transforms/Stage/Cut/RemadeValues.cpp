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

RemadeValues::Nodes RemadeValues::add(Value value) {
  auto [entry, isNew] = nodes.try_emplace(value);
  if (!isNew)
    return entry->second;
  Nodes added = entry->second = {cut.addNode(), cut.addNode()};
  cut.addEdge(added.isNeeded, added.isMade, bitsSent(value));
  pending.push_back(value);
  return added;
}

/// The source's side of the network is what is needed, and, cut off from it,
/// what is not made again: a value that is needed and not made is sent.
DenseSet<Value> RemadeValues::choose(ArrayRef<Value> needed) {
  for (Value value : needed)
    cut.addEdge(MinimumCut::kSource, add(value).isNeeded,
                MinimumCut::kUncuttable);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    MinimumCut::Node isMade = nodes.lookup(value).isMade;
    Operation *op = value.getDefiningOp();
    if (!canRemake(op)) {
      cut.addEdge(isMade, MinimumCut::kSink, MinimumCut::kUncuttable);
      continue;
    }
    for (Value operand : op->getOperands())
      if (Value value = originOf(operand); isForeign(value))
        cut.addEdge(isMade, add(value).isNeeded, MinimumCut::kUncuttable);
  }
  cut.solve();
  DenseSet<Value> remade;
  for (auto &[value, own] : nodes)
    if (cut.isOnSourceSide(own.isMade))
      remade.insert(value);
  return remade;
}
