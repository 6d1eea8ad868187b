//===- Phase.cpp - the order of the passes of the phase schedule ----------===//

#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace tessera::schedule {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

using namespace mlir;

void tessera::schedule::buildSchedulePhase(
    OpPassManager &manager, const SchedulePhaseOptions &options) {
  llvm::SmallVector<int64_t> reserved(options.reserved);
  // A call of several collectives keeps what each of them would free.
  if (options.memoryLimit > 0)
    manager.addNestedPass<func::FuncOp>(createSeparateCollectives());
  // Lifetimes follow from the order, so it comes first and nothing may move
  // afterwards.
  manager.addNestedPass<func::FuncOp>(createOrderOperations());
  // What may be put together is seen in the order; what it costs in memory is
  // part of the plan.
  if (options.groupKernels)
    manager.addNestedPass<func::FuncOp>(createGroupKernels());
  // What it costs to compute something again is known when kernels are; that
  // collectives overlap takes no more than the peak that this leaves.
  manager.addPass(
      createRematerializeForMemory({.memoryLimit = options.memoryLimit,
                                    .reserved = reserved,
                                    .hostMemory = options.hostMemory}));
  // The plan must know until when collectives read and from when on they write.
  manager.addPass(createStartCollectives(
      {.memoryLimit = options.memoryLimit, .reserved = reserved}));
  // A caller reserves the arenas of what it calls, which are planned first.
  manager.addPass(createPlanMemory());
  manager.addPass(createVerifyMemoryPlan());
  manager.addPass(createVerifyCollectiveOrder());
}

void tessera::schedule::registerSchedulePhase() {
  registerSchedulePasses();
  PassPipelineRegistration<>(
      "tessera-schedule-phase",
      "the order of operations, and where every tensor lives",
      [](OpPassManager &manager) { buildSchedulePhase(manager); });
}
