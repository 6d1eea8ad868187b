//===- Passes.h - the phase that decides all shardings --------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PASSES_H
#define TESSERA_TRANSFORMS_SHARD_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::shard {

#define GEN_PASS_DECL
#include "tessera/Transforms/Shard/Passes.h.inc"

/// What the phase `shard` is asked for.
struct ShardPhaseOptions {
  /// The number of microbatches of a step.
  int64_t microbatches = 1;
  /// Whether the step must be a loop over them, even if it is one.
  bool isStaged = false;
  /// Whether to record of every value, too, why it is sharded as it is.
  bool explainValues = false;
  /// What one collective more costs, in seconds, beside what it sends.
  double collectiveSeconds = 5e-6;
};

/// Adds the passes of the phase `shard` to a manager of passes on modules.
void buildShardPhase(mlir::OpPassManager &manager,
                     const ShardPhaseOptions &options = {});
/// Registers the passes of the phase, and the phase as
/// `tessera-shard-phase`.
void registerShardPhase();

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PASSES_H
