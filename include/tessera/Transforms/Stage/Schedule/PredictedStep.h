//===- PredictedStep.h - what a schedule is expected to take --------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_SCHEDULE_PREDICTEDSTEP_H
#define TESSERA_TRANSFORMS_STAGE_SCHEDULE_PREDICTEDSTEP_H

#include "tessera/Stages/ScheduleReplay.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tessera::stage {

/// A schedule, and when which task runs and how much memory a device holds:
/// seconds and bytes, as the phase `stage` estimates them.
struct PredictedStep {
  StageSchedule schedule;
  Timeline timeline;
};

/// The step of `module`, which is as the phase `stage` leaves it, replayed;
/// nothing where it has no schedule.
std::optional<PredictedStep> predictStep(mlir::ModuleOp module);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_SCHEDULE_PREDICTEDSTEP_H
