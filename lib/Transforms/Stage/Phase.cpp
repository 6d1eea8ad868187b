//===- Phase.cpp - the passes of the phase `stage` ------------------------===//

#include "tessera/Transforms/Stage/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tessera::stage {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

using namespace mlir;

void tessera::stage::addCuttingPasses(OpPassManager &manager,
                                      const StagePhaseOptions &options) {
  // While the step is whole: the parts of an output layer that is spread over
  // the ranks belong to them before stages are cut.
  manager.addPass(createSplitVocabulary(
      {.stages = options.stages, .schedule = options.schedule}));
  manager.addPass(createCutStages({.stages = options.stages,
                                   .schedule = options.schedule,
                                   .memoryLimit = options.memoryLimit}));
  // While the backward pass is whole, so that what both of its halves repeat is
  // repeated once if that is better.
  manager.addPass(
      createRecomputeResiduals({.ranks = options.stages,
                                .schedule = options.schedule,
                                .memoryLimit = options.memoryLimit,
                                .attentionKernels = options.attentionKernels}));
  // For all schedules: those whose backward task is one run both halves in
  // turn.
  manager.addPass(createSplitWeightGradients({.ranks = options.stages}));
}

void tessera::stage::buildStagePhase(OpPassManager &manager,
                                     const StagePhaseOptions &options) {
  if (options.schedule == "auto") {
    // What is cut how depends on the schedule, and the schedule on what tasks
    // cost: all kinds are tried.
    manager.addPass(
        createChoosePlacement({.stages = options.stages,
                               .memoryLimit = options.memoryLimit,
                               .attentionKernels = options.attentionKernels}));
  } else {
    addCuttingPasses(manager, options);
    // When nothing changes any more what tasks cost.
    manager.addPass(createChooseSchedule({.ranks = options.stages,
                                          .schedule = options.schedule,
                                          .memoryLimit = options.memoryLimit}));
  }
  manager.addPass(createVerifyStages());
}

void tessera::stage::registerStagePhase() {
  registerStagePasses();
  PassPipelineRegistration<>(
      "tessera-stage-phase", "where stages end, what is one task, who runs it",
      [](OpPassManager &manager) { buildStagePhase(manager); });
}
