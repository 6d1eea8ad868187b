//===- Phase.cpp - the passes of the phase `stage` ------------------------===//

#include "tessera/Transforms/Stage/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void tessera::buildStagePhase(OpPassManager &manager,
                              const StagePhaseOptions &options) {
  manager.addPass(
      createCutStages({options.stages, options.schedule, options.memoryLimit}));
  manager.addPass(createVerifyStages());
}

void tessera::registerStagePhase() {
  registerStagePasses();
  PassPipelineRegistration<>(
      "tessera-stage-phase", "where stages end, what is one task, who runs it",
      [](OpPassManager &manager) { buildStagePhase(manager); });
}
