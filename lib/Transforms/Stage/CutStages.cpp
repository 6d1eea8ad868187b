//===- CutStages.cpp - fragments of stages --------------------------------===//

#include "FormFragments.h"
#include "ForwardStages.h"
#include "RequestedSchedule.h"
#include "UnrollLayers.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Transforms/Stage/Passes.h"

namespace tessera {
#define GEN_PASS_DEF_CUTSTAGES
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

/// The loop over microbatches of `main`; a diagnostic unless there is one.
static FailureOr<scf::ForOp> findMicrobatchLoop(func::FuncOp main) {
  scf::ForOp found;
  for (auto loop : main.getOps<scf::ForOp>()) {
    if (!loop->hasAttr(pipe::PipeDialect::kMicrobatchesAttr))
      continue;
    if (found) {
      InFlightDiagnostic diagnostic =
          loop.emitError("expected one loop over microbatches");
      diagnostic.attachNote(found.getLoc()) << "another one is here";
      return diagnostic;
    }
    found = loop;
  }
  if (!found)
    return main.emitError("expected a loop over microbatches to cut into "
                          "stages");
  return found;
}

/// Takes the marks out of the way, now that they have been obeyed.
static void removeMarks(func::FuncOp function) {
  function.walk([](StageEndOp mark) {
    mark.getResult().replaceAllUsesWith(mark.getOperand());
  });
}

static void eraseMarks(func::FuncOp function) {
  removeMarks(function);
  function.walk([](StageEndOp mark) { mark.erase(); });
}

/// The schedule that the stages are cut for: marks decide how many stages a
/// rank has.
static FailureOr<StageSchedule> findSchedule(const StepProgram &program,
                                             const Checkpoints &checkpoints,
                                             OperationCosts &costs,
                                             int64_t ranks, StringRef name) {
  ScheduleRequest request;
  request.ranks = ranks;
  request.microbatches = program.microbatches();
  Operation *loop = program.getLoop();
  if (std::optional<int64_t> marked =
          markedStages(program, checkpoints, costs)) {
    if (*marked % ranks != 0)
      return loop->emitError("expected a number of stages that divides the ")
             << *marked << " that the model marks, got " << ranks;
    request.chunks = *marked / ranks;
  }
  Fallible<StageSchedule> schedule = makeRequestedSchedule(name, request);
  if (!schedule)
    return loop->emitError(schedule.message());
  return *std::move(schedule);
}

namespace {
struct CutStages : tessera::impl::CutStagesBase<CutStages> {
  using CutStagesBase::CutStagesBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  LogicalResult run();
};
} // namespace

LogicalResult CutStages::run() {
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  if (stages == 1 || !main) {
    for (auto function : getOperation().getOps<func::FuncOp>())
      eraseMarks(function);
    return success();
  }
  FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
  FailureOr<scf::ForOp> loop = findMicrobatchLoop(main);
  if (failed(mesh) || failed(loop))
    return failure();
  OperationCosts costs(*mesh);
  StepProgram program(main, unrollLayers(*loop));
  if (program.getLoop()->use_empty())
    return program.getLoop()->emitError(
        "expected results that depend on the batch, got none to compute in "
        "stages");
  Checkpoints checkpoints(program);
  FailureOr<StageSchedule> cutFor =
      findSchedule(program, checkpoints, costs, stages, schedule);
  StageLabels assignment;
  if (failed(cutFor) || failed(cutForward(program, checkpoints, costs, *cutFor,
                                          memoryLimit, assignment)))
    return failure();
  assignStages(program, checkpoints, costs, assignment);
  checkpoints.restore(assignment);
  splitSums(program, assignment);
  removeMarks(main);
  program.eraseUnused(Placement::Forward);
  program.eraseUnused(Placement::Backward);
  formFragments(program, assignment, costs.getMesh());
  eraseMarks(main);
  return success();
}
