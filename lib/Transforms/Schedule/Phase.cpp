//===- Phase.cpp - the order of the passes of the phase schedule ----------===//

#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

void tessera::buildSchedulePhase(OpPassManager &manager) {
  // Lifetimes follow from the order, so it comes first and nothing may move
  // afterwards.
  manager.addNestedPass<func::FuncOp>(createOrderOperations());
  // A caller reserves the arenas of what it calls, which are planned first.
  manager.addPass(createPlanMemory());
  manager.addPass(createVerifyMemoryPlan());
}

void tessera::registerSchedulePhase() {
  registerSchedulePasses();
  PassPipelineRegistration<>("tessera-schedule", "the phase `schedule`",
                             buildSchedulePhase);
}
