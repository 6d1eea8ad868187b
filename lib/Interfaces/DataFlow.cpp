//===- DataFlow.cpp - values handed over by control flow ------------------===//

#include "tessera/Interfaces/DataFlow.h"

#include "tessera/Interfaces/ManualRegionInterface.h"

using namespace mlir;
using namespace tessera;

bool tessera::hasDataFlow(Operation *op) {
  return isa<RegionBranchOpInterface>(op) || op->hasTrait<HandsOperandsOver>();
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
