//===- Passes.h - the phase schedule: order and memory --------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_PASSES_H
#define TESSERA_TRANSFORMS_SCHEDULE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::schedule {

#define GEN_PASS_DECL
#include "tessera/Transforms/Schedule/Passes.h.inc"

/// What the phase has to know of the target.
struct SchedulePhaseOptions {
  /// Whether small element-wise kernels become few: for targets where a launch
  /// costs as much as they do.
  bool groupKernels = false;
  /// Bytes that a program may take on a device; 0 for no limit.
  int64_t memoryLimit = 0;
  /// Of that, by pipeline rank, what its program leaves.
  llvm::ArrayRef<int64_t> reserved = {};
  /// Bytes that a program may copy to the host, of those that the described
  /// machine has.
  int64_t hostMemory = 0;
};

/// Appends the phase `schedule` to a module's passes. Requires the kernels that
/// `fuse` leaves; ensures an order and a memory plan, which
/// `tessera-verify-memory-plan` checks.
void buildSchedulePhase(mlir::OpPassManager &manager,
                        const SchedulePhaseOptions &options = {});

/// Registers the passes of the phase, and the phase as
/// `tessera-schedule-phase`.
void registerSchedulePhase();

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_PASSES_H
