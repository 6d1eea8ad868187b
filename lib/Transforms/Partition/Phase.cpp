//===- Phase.cpp - the passes of the phase `partition` --------------------===//

#include "tessera/Transforms/Partition/Passes.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tessera::partition {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera::partition

using namespace mlir;

void tessera::partition::buildPartitionPhase(
    OpPassManager &manager, const PartitionPhaseOptions &options) {
  // The program may have been edited by hand since the phase `shard`, and once
  // shapes are local, operations that disagree can no longer be told.
  if (options.isNew)
    manager.addPass(shard::createVerifySharded());
  // From here on all devices hold equally much of every tensor.
  manager.addPass(createPadDimensions());
  manager.addPass(createPartition());
  // Index arithmetic is made anew wherever it is needed.
  manager.addPass(createCSEPass());
  // So late because what it gives is no longer one program; up to here a
  // schedule changes nothing.
  manager.addPass(createSplitPrograms());
  // What every program begins and ends with, whichever it is.
  manager.addPass(createExchangeBoundary());
  manager.addPass(createVerifyPartitioned());
}

void tessera::partition::registerPartitionPhase() {
  registerPartitionPasses();
  PassPipelineRegistration<>(
      "tessera-partition-phase",
      "the program of one device, from the sharded one",
      [](OpPassManager &manager) { buildPartitionPhase(manager); });
}
