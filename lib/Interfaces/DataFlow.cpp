//===- DataFlow.cpp - values handed over by control flow ------------------===//

#include "tessera/Interfaces/DataFlow.h"

#include "tessera/Interfaces/ManualRegionInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tessera;

bool tessera::hasDataFlow(Operation *op) {
  return op->getNumRegions() > 0 ? isa<RegionBranchOpInterface>(op)
                                 : op->hasTrait<HandsOperandsOver>();
}

void tessera::forEachDataFlowEdge(
    Operation *dataFlow, llvm::function_ref<void(OpOperand &, Value)> visit) {
  auto op = dyn_cast<RegionBranchOpInterface>(dataFlow);
  if (!op) {
    for (OpOperand &operand : dataFlow->getOpOperands())
      visit(operand, dataFlow->getResult(operand.getOperandNumber()));
    return;
  }
  for (RegionBranchPoint point : op.getAllRegionBranchPoints()) {
    Operation *terminator = point.getTerminatorPredecessorOrNull();
    Operation *branch = terminator ? terminator : op.getOperation();
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors) {
      OperandRange sources = op.getSuccessorOperands(point, successor);
      if (sources.empty())
        continue;
      unsigned first = sources.getBeginOperandIndex();
      for (auto [index, target] :
           llvm::enumerate(successor.getSuccessorInputs()))
        visit(branch->getOpOperand(first + index), target);
    }
  }
}

/// The manual region whose boundary edges to `target` cross, if any.
static ManualRegionInterface manualRegionOf(Value target) {
  if (auto argument = dyn_cast<BlockArgument>(target))
    return dyn_cast<ManualRegionInterface>(argument.getOwner()->getParentOp());
  return dyn_cast<ManualRegionInterface>(target.getDefiningOp());
}

std::optional<TensorSharding>
tessera::shardingBehindEdge(Value target, const TensorSharding &source) {
  ManualRegionInterface region = manualRegionOf(target);
  if (!region)
    return source;
  ManualSharding manual = region.getManualSharding(target);
  return isa<BlockArgument>(target) ? manual.toInside(source)
                                    : manual.toOutside(source);
}

std::optional<TensorSharding>
tessera::shardingBeforeEdge(Value target, const TensorSharding &sharding) {
  ManualRegionInterface region = manualRegionOf(target);
  if (!region)
    return sharding;
  ManualSharding manual = region.getManualSharding(target);
  return isa<BlockArgument>(target) ? manual.toOutside(sharding)
                                    : manual.toInside(sharding);
}

SmallVector<CarriedValue, 0> tessera::carriedValues(Operation *op) {
  llvm::EquivalenceClasses<void *> together;
  llvm::MapVector<Value, SmallVector<OpOperand *, 2>> sourcesOf;
  DenseMap<OpOperand *, Value> firstTarget;
  forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
    together.insert(target.getAsOpaquePointer());
    auto [entry, isNew] = firstTarget.try_emplace(&source, target);
    SmallVector<OpOperand *, 2> &sources = sourcesOf[target];
    if (isNew)
      sources.push_back(&source);
    else
      together.unionSets(entry->second.getAsOpaquePointer(),
                         target.getAsOpaquePointer());
  });
  llvm::MapVector<void *, CarriedValue> carried;
  for (auto &[target, sources] : sourcesOf) {
    CarriedValue &value =
        carried[together.getLeaderValue(target.getAsOpaquePointer())];
    value.targets.push_back(target);
    llvm::append_range(value.sources, sources);
  }
  return llvm::map_to_vector<0>(
      carried, [](auto &entry) { return std::move(entry.second); });
}
