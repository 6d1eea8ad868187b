//===- Phase.cpp - the passes of the phase `communicate` ------------------===//

#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tessera::communicate {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

using namespace mlir;

void tessera::communicate::buildCommunicatePhase(
    OpPassManager &manager, const CommunicatePhaseOptions &options) {
  // First: whatever comes behind moves, cuts and combines calls of bytes like
  // all others.
  if (options.quantize)
    manager.addPass(createQuantizeCollectives(
        {.collectives = llvm::to_vector(options.quantizedCollectives),
         .isAmongOthers = options.isAmongOthers,
         .collectiveSeconds = options.collectiveSeconds}));
  // Before products are computed by pieces: what another iteration hides needs
  // none.
  if (options.iterate)
    manager.addPass(
        createOverlapIterations({.collectiveSeconds = options.collectiveSeconds,
                                 .memoryLimit = options.memoryLimit,
                                 .always = options.ignorePrices}));
  // Before products are computed by pieces: parts of a batch hide more, and
  // what they leave exposed may be taken apart further.
  if (options.split)
    manager.addPass(
        createSplitBatches({.collectiveSeconds = options.collectiveSeconds,
                            .always = options.ignorePrices}));
  // Before calls are combined: pieces are calls, too.
  if (options.decompose)
    manager.addPass(
        createDecomposeProducts({.collectiveSeconds = options.collectiveSeconds,
                                 .always = options.ignorePrices}));
  if (options.combine)
    manager.addPass(createCombineCollectives(
        {.collectiveSeconds = options.collectiveSeconds}));
  // Behind that: what small collectives share is one call at each level, too.
  if (options.levels)
    manager.addPass(createDecomposeCollectives(
        {.collectiveSeconds = options.collectiveSeconds,
         .always = options.ignorePrices}));
  manager.addPass(createVerifyCommunication());
}

void tessera::communicate::registerCommunicatePhase() {
  registerCommunicatePasses();
  PassPipelineRegistration<>(
      "tessera-communicate-phase", "which collectives are one call",
      [](OpPassManager &manager) { buildCommunicatePhase(manager); });
}
