//===- CutStages.cpp - fragments of stages --------------------------------===//

#include "FormFragments.h"
#include "ForwardStages.h"
#include "InlineBranches.h"
#include "UnrollLayers.h"
#include "UnstackArguments.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Transforms/Stage/Passes.h"
#include "tessera/Transforms/Stage/RequestedSchedule.h"

namespace tessera {
#define GEN_PASS_DEF_CUTSTAGES
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

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

/// Refuses fewer blocks than one per rank, however the ranks' stages lie. The
/// fewer the stages, the fewer places to cut are looked at, so the most stages
/// that would do are found step by step.
static LogicalResult checkBlocks(const StepProgram &program,
                                 const ForwardChain &chain, int64_t ranks) {
  int64_t links = chain.getLinks().size();
  auto blocksFor = [&](int64_t stages) -> int64_t {
    return chain.places(stages).size() + 1;
  };
  int64_t most = std::min(ranks, std::max<int64_t>(links, 1));
  while (blocksFor(most) < most)
    most = blocksFor(most);
  if (ranks <= most)
    return success();
  return program.getLoop()->emitError("expected at most ")
         << most << " stages, for so many blocks has the model, got " << ranks;
}

/// The schedule that the stages are cut for: marks decide how many stages a
/// rank has.
static FailureOr<StageSchedule> findSchedule(const StepProgram &program,
                                             const ForwardChain &chain,
                                             int64_t ranks, StringRef name) {
  ScheduleRequest request;
  Operation *loop = program.getLoop();
  if (int64_t marks = chain.marks().size()) {
    int64_t marked = marks + 1;
    if (marked % ranks != 0)
      return loop->emitError("expected a number of stages that divides the ")
             << marked << " that the model marks, got " << ranks;
    request.chunks = marked / ranks;
  } else if (failed(checkBlocks(program, chain, ranks))) {
    return failure();
  }
  request.ranks = ranks;
  request.microbatches = program.microbatches();
  Fallible<StageSchedule> schedule = makeRequestedSchedule(name, request);
  if (!schedule)
    return emitScheduleError(loop->getLoc(), schedule.message());
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
  scf::ForOp unrolled = unrollLayers(*loop);
  inlineBranches(unrolled);
  StepProgram program(main, unrolled, unstackArguments(main, unrolled));
  if (program.getLoop()->use_empty())
    return program.getLoop()->emitError(
        "expected results that depend on the batch, got none to compute in "
        "stages");
  Checkpoints checkpoints(program);
  ForwardChain chain(program, checkpoints, costs);
  FailureOr<StageSchedule> cutFor =
      findSchedule(program, chain, stages, schedule);
  StageLabels assignment;
  if (failed(cutFor) ||
      failed(cutForward(program, checkpoints, chain, *cutFor, RankLinks(*mesh),
                        memoryLimit, assignment)))
    return failure();
  for (auto [op, part] : program.getVocabularyParts())
    assignment.stageOf[op] = part;
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
