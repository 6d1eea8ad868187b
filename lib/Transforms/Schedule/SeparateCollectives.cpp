//===- SeparateCollectives.cpp - a call for each collective ---------------===//

#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-separate-collectives"

namespace tessera::schedule {
#define GEN_PASS_DEF_SEPARATECOLLECTIVES
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

using namespace mlir;
using namespace tessera;

namespace {

struct SeparateCollectives
    : schedule::impl::SeparateCollectivesBase<SeparateCollectives> {
  void runOnOperation() override {
    getOperation().walk([](spmd::CombinedOp call) {
      LDBG() << call.getNumResults()
             << " collectives of one call are calls of their own";
      for (auto [part, result] :
           llvm::zip_equal(spmd::partsOf(call), call.getResults())) {
        part->setOperand(0, spmd::sourceOf(part));
        part->moveBefore(call);
        result.replaceAllUsesWith(part->getResult(0));
      }
      call.erase();
    });
  }
};

} // namespace
