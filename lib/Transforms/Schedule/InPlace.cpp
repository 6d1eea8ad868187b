//===- InPlace.cpp - kernels that may overwrite what they read ------------===//

#include "InPlace.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

/// What a value in a kernel's body that depends on the operand may be used for.
static bool mayRead(Operation *op, OpOperand &use,
                    llvm::DenseSet<Value> &dependent) {
  if (isa<spmd::YieldOp>(op))
    return true;
  // A row is stored after all its reductions.
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return getReductionKind(reduce) == KernelKind::Row;
  // Both leave all but the updated elements as they are.
  if (isa<DynamicUpdateSliceOp, ScatterOp>(op))
    return use.getOperandNumber() == 0 && isa<BlockArgument>(use.get());
  std::optional<ElementAccess> view = getViewAccess(op);
  if (!isElementwise(op) && !(view && view->kind == ElementAccess::Identity))
    return false;
  dependent.insert(op->result_begin(), op->result_end());
  return true;
}

static bool isReadInPlace(spmd::KernelOp kernel, BlockArgument argument) {
  llvm::DenseSet<Value> dependent = {argument};
  for (Operation &op : kernel.getBody().front())
    for (OpOperand &use : op.getOpOperands())
      if (dependent.contains(use.get()) && !mayRead(&op, use, dependent))
        return false;
  return true;
}

bool tessera::schedule::mayOverwrite(Operation *op, Value operand) {
  if (isa<spmd::AllReduceOp>(op))
    return true;
  auto kernel = dyn_cast<spmd::KernelOp>(op);
  if (!kernel)
    return false;
  for (OpOperand &use : kernel->getOpOperands())
    if (use.get() == operand &&
        !isReadInPlace(kernel,
                       kernel.getBody().getArgument(use.getOperandNumber())))
      return false;
  return true;
}
