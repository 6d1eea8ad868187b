//===- VerifyKernels.cpp - the contract of the phase fuse -----------------===//

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-verify-kernels"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_VERIFYKERNELS
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

static LogicalResult verifyFlat(Operation *op, int64_t dim) {
  if (dim == 0)
    return success();
  return op->emitError() << "expected a collective along dimension 0, got "
                         << dim;
}

static LogicalResult verify(Operation *op) {
  if (auto kernel = dyn_cast<spmd::KernelOp>(op))
    return LogicalResult(analyzeKernel(kernel));
  if (auto gather = dyn_cast<spmd::AllGatherOp>(op))
    return verifyFlat(op, gather.getDim());
  if (auto scatter = dyn_cast<spmd::ReduceScatterOp>(op))
    return verifyFlat(op, scatter.getDim());
  if (auto exchange = dyn_cast<spmd::AllToAllOp>(op))
    return failed(verifyFlat(op, exchange.getSplitDim()))
               ? failure()
               : verifyFlat(op, exchange.getConcatDim());
  if (isKernelOperation(op))
    return op->emitError() << "expected '" << op->getName()
                           << "' to stand in a kernel";
  return success();
}

namespace {

struct VerifyKernels
    : public tessera::fuse::impl::VerifyKernelsBase<VerifyKernels> {
  void runOnOperation() override {
    unsigned kernels = 0;
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (failed(verify(op)))
            return WalkResult::interrupt();
          kernels += isa<spmd::KernelOp>(op);
          return isa<spmd::KernelOp>(op) ? WalkResult::skip()
                                         : WalkResult::advance();
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    LDBG() << "@" << getOperation().getSymName() << ": " << kernels
           << " kernels of a known kind, nothing else computes";
    markAllAnalysesPreserved();
  }
};

} // namespace
