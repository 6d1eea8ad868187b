//===- DataFlow.h - values handed over by control flow
//----------------------===//
#ifndef TESSERA_INTERFACES_DATAFLOW_H
#define TESSERA_INTERFACES_DATAFLOW_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tessera {

/// Calls `visit` for every operand that the control flow of `op` hands over,
/// once for each region argument or result of `op` that receives it. Operands
/// of `op` itself come first, then those of its regions' terminators.
void forEachDataFlowEdge(
    mlir::RegionBranchOpInterface op,
    llvm::function_ref<void(mlir::OpOperand &source, mlir::Value target)>
        visit);

} // namespace tessera

#endif // TESSERA_INTERFACES_DATAFLOW_H
