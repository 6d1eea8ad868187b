//===- Phase.cpp - the order of the passes of the phase schedule ----------===//

#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

void tessera::buildSchedulePhase(OpPassManager &manager) {
  OpPassManager &function = manager.nest<func::FuncOp>();
  // Lifetimes follow from the order, so it comes first and nothing may move
  // afterwards.
  function.addPass(createOrderOperations());
  function.addPass(createPlanMemory());
  function.addPass(createVerifyMemoryPlan());
}

void tessera::registerSchedulePhase() {
  registerSchedulePasses();
  PassPipelineRegistration<>("tessera-schedule", "the phase `schedule`",
                             buildSchedulePhase);
}
