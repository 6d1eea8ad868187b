//===- DataFlow.cpp - values handed over by control flow ------------------===//

#include "tessera/Interfaces/DataFlow.h"

using namespace mlir;
using namespace tessera;

void tessera::forEachDataFlowEdge(
    RegionBranchOpInterface op,
    llvm::function_ref<void(OpOperand &, Value)> visit) {
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
