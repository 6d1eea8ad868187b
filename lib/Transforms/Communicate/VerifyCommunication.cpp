//===- VerifyCommunication.cpp - the contract of the phase communicate ----===//

#include "CallKey.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-verify-communication"

namespace tessera::communicate {
#define GEN_PASS_DEF_VERIFYCOMMUNICATION
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// The verifier of the operation has checked that parts are of one kind and
/// group.
static LogicalResult verify(spmd::CombinedOp combined) {
  SmallVector<spmd::CollectiveOpInterface, 1> parts = spmd::partsOf(combined);
  if (parts.size() < 2)
    return combined.emitOpError("expected at least two collectives");
  CallKey first = CallKey::of(parts.front());
  for (spmd::CollectiveOpInterface part : parts)
    if (!(CallKey::of(part) == first))
      return part->emitOpError("expected the reduction of the call's first "
                               "collective");
  return success();
}

namespace {

struct VerifyCommunication
    : communicate::impl::VerifyCommunicationBase<VerifyCommunication> {
  void runOnOperation() override {
    unsigned calls = 0;
    WalkResult walk = getOperation().walk([&](Operation *op) -> WalkResult {
      if (auto combined = dyn_cast<spmd::CombinedOp>(op)) {
        ++calls;
        return verify(combined);
      }
      if (isa<spmd::StartOp, spmd::WaitOp>(op))
        return op->emitOpError("expected no collective to be started before "
                               "the phase 'schedule'");
      return success();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    LDBG() << calls << " calls of several collectives, each of one reduction";
    markAllAnalysesPreserved();
  }
};

} // namespace
