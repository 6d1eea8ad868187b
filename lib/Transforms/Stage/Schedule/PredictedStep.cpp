//===- PredictedStep.cpp - what a schedule is expected to take ------------===//

#include "tessera/Transforms/Stage/Schedule/PredictedStep.h"

#include "Schedule/StageMeasures.h"

#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Stages/ScheduleCheck.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

std::optional<PredictedStep> tessera::stage::predictStep(ModuleOp module) {
  std::optional<pipe::Step> step = pipe::Step::findCut(module);
  if (!step)
    return std::nullopt;
  scf::ForOp loop = step->getLoop();
  auto attribute =
      loop->getAttrOfType<pipe::ScheduleAttr>(pipe::PipeDialect::kScheduleAttr);
  FailureOr<MeshOp> mesh = getOnlyMesh(module);
  if (!attribute || failed(mesh))
    return std::nullopt;
  FailureOr<StageSchedule> schedule =
      readSchedule(attribute, [&] { return loop.emitOpError(); });
  if (failed(schedule))
    return std::nullopt;
  OperationCosts costs(*mesh);
  StageCosts stages = measureStages(*step, costs);
  if (schedule->stages == step->stages())
    stages.addEmptyParts(*schedule);
  if (schedule->stages == step->stages() && checkSchedule(*schedule))
    measureTransfers(*step, costs, RankLinks(*mesh),
                     StageAssignment::of(*schedule).routes, stages);
  Fallible<Timeline> timeline = replay(*schedule, stages);
  if (!timeline)
    return std::nullopt;
  return PredictedStep{std::move(*schedule), std::move(*timeline)};
}
