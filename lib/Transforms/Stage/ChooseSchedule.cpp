//===- ChooseSchedule.cpp - who runs which task when ----------------------===//
//
// Measures the fragments (StageMeasures.h) and what weight gradients come apart
// into (GradientParts.h), makes, reads or searches the schedule, replays it
// with these costs (ScheduleChoice.h), takes weight gradients apart where the
// schedule does, and writes it on the loop.
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleChoice.h"

#include "tessera/Transforms/Stage/Passes.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::stage {
#define GEN_PASS_DEF_CHOOSESCHEDULE
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-choose-schedule"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

namespace {
struct ChooseSchedule
    : tessera::stage::impl::ChooseScheduleBase<ChooseSchedule> {
  using ChooseScheduleBase::ChooseScheduleBase;

  void runOnOperation() override {
    std::optional<pipe::Step> step = pipe::Step::findCut(getOperation());
    if (!step)
      return;
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    OperationCosts costs(*mesh);
    RankLinks links(*mesh);
    ScheduleChoice choice(*step, costs, links, ranks, {memoryLimit, *mesh},
                          schedule);
    FailureOr<ChosenSchedule> chosen = choice.choose();
    if (failed(chosen))
      return signalPassFailure();
    LDBG() << "'" << chosen->schedule.name << "' of " << chosen->schedule.stages
           << " stages on " << chosen->schedule.ranks.size()
           << " ranks: " << chosen->seconds() << " s, of which a rank idles "
           << chosen->timeline.bubbleRate() * 100 << " %";
    recordSchedule(*step, costs, *chosen);
  }
};
} // namespace
