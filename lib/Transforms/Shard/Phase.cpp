//===- Phase.cpp - the passes of the phase `shard` ------------------------===//

#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tessera::shard {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

using namespace mlir;

void tessera::shard::buildShardPhase(OpPassManager &manager,
                                     const ShardPhaseOptions &options) {
  // While nothing is decided: what the rows are split into is sharded like
  // everything else, and their sums are reduced where it costs least.
  manager.addPass(createSplitMicrobatches(
      {.count = options.microbatches, .always = options.isStaged}));
  // Everything behind it knows one mesh.
  manager.addPass(createUnifyMeshes());
  // While nothing says yet how sizes are split.
  manager.addPass(createComposeMoves());
  // Before anything propagates, so that no sharding travels from one use of a
  // constant to another.
  manager.addPass(createSplitConstants());
  // Of every value, before any operation decides how it deals with them.
  manager.addPass(createPropagateShardings());
  // What moves, and whether a sum may stay pending, is now known; each of these
  // writes what it finds as operations whose own shardings say it, so that the
  // next pass need not know of it. Slices move first: what they take no longer
  // stands between a reduction or a sort and what it reduces or sorts.
  // Before slices move: calls of routines become products and slices, too.
  manager.addPass(createSplitLibraryCalls());
  manager.addPass(createComputeParts());
  manager.addPass(createReduceSlices());
  manager.addPass(createSplitReductions());
  manager.addPass(createSplitSorts());
  // When operations do not change any more: each decides how it deals with
  // its operands' shardings.
  manager.addPass(createInsertReshards());
  // Only now is it known which values are pending sums, and what wants them.
  manager.addPass(createPlaceReductions());
  // What is reduced now is what an update starts from.
  manager.addPass(
      createScatterUpdates({.collectiveSeconds = options.collectiveSeconds}));
  // When all moves are known: what several are made of is moved once.
  manager.addPass(createRematerializeValues());
  // Merges the copies of constants that ended up with the same sharding.
  manager.addPass(createCSEPass());
  // When all is decided, so that no pass before need care. The contract is
  // checked last, and again where a file is read after this phase.
  manager.addPass(createRecordProvenance({.values = options.explainValues}));
  manager.addPass(createVerifySharded());
}

void tessera::shard::registerShardPhase() {
  registerShardPasses();
  PassPipelineRegistration<>(
      "tessera-shard-phase",
      "all shardings decided, from the annotations alone",
      [](OpPassManager &manager) { buildShardPhase(manager); });
}
