//===- SimplifyKernel.cpp - What needs no code ----------------------------===//

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tessera/Codegen/Kernels/KernelPlan.h"
#include "tessera/Dialect/Tessera/Tessera.h"

using namespace mlir;
using namespace tessera;

unsigned codegen::simplifyKernel(spmd::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body))) {
    if (auto barrier = dyn_cast<BarrierOp>(op))
      barrier.replaceAllUsesWith(barrier.getOperands());
    if (isOpTriviallyDead(&op))
      op.erase();
  }
  return std::distance(body.begin(), std::prev(body.end()));
}
