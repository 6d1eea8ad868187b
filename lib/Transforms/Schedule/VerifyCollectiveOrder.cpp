//===- VerifyCollectiveOrder.cpp - no order of collectives can deadlock ---===//

#include "tessera/Transforms/Schedule/CollectiveOrder.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-verify-collective-order"

namespace tessera::schedule {
#define GEN_PASS_DEF_VERIFYCOLLECTIVEORDER
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace {

struct VerifyCollectiveOrder
    : public tessera::schedule::impl::VerifyCollectiveOrderBase<
          VerifyCollectiveOrder> {
  void runOnOperation() override {
    FailureOr<CollectiveOrder> order = CollectiveOrder::prove(getOperation());
    if (failed(order))
      return signalPassFailure();
    LDBG() << order->calls.size() << " calls in one order, "
           << order->mostUnderWay << " under way at most, "
           << order->conditions.size() << " conditions, " << order->messages
           << " messages";
    markAllAnalysesPreserved();
  }
};

} // namespace
