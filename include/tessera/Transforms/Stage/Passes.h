//===- Passes.h - the phase that cuts a step into stages ------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_PASSES_H
#define TESSERA_TRANSFORMS_STAGE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::stage {

#define GEN_PASS_DECL
#include "tessera/Transforms/Stage/Passes.h.inc"

/// What a user asks of the phase.
struct StagePhaseOptions {
  /// The number of pipeline ranks; with 1 the phase changes nothing.
  int64_t stages = 1;
  /// The name of a schedule, `auto`, or a CSV file.
  std::string schedule = "auto";
  /// Bytes that one device may use; 0 for no limit.
  int64_t memoryLimit = 0;
  /// Whether there are kernels for attention, which make its scores anew for
  /// the backward pass.
  bool attentionKernels = false;
};

/// Adds the passes that cut a step into stages for a schedule, and everything
/// else that what its tasks cost depends on.
void addCuttingPasses(mlir::OpPassManager &manager,
                      const StagePhaseOptions &options);
/// Adds the passes of the phase `stage` to a manager of passes on modules.
void buildStagePhase(mlir::OpPassManager &manager,
                     const StagePhaseOptions &options = {});
/// Registers the passes of the phase, and the phase as
/// `tessera-stage-phase`.
void registerStagePhase();

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_PASSES_H
