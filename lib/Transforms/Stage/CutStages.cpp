//===- CutStages.cpp - fragments of stages --------------------------------===//

#include "Arguments/UnstackArguments.h"
#include "Cut/FormFragments.h"
#include "Cut/ForwardStages.h"
#include "Layers/InlineBranches.h"
#include "Layers/UnrollLayers.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Transforms/Stage/Passes.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::stage {
#define GEN_PASS_DEF_CUTSTAGES
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-cut-stages"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

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

namespace {
struct CutStages : tessera::stage::impl::CutStagesBase<CutStages> {
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
  FailureOr<pipe::Step> step = pipe::Step::find(main);
  if (failed(mesh) || failed(step))
    return failure();
  OperationCosts costs(*mesh);
  step->setLoop(unrollLayers(step->getLoop()));
  inlineBranches(step->getLoop());
  StepProgram program(*step, unstackArguments(main, step->getLoop()));
  if (program.getLoop()->use_empty())
    return program.getLoop()->emitError(
        "expected results that depend on the batch, got none to compute in "
        "stages");
  Checkpoints checkpoints(program);
  ForwardChain chain(program, checkpoints, costs);
  FailureOr<StageSchedule> cutFor =
      findScheduleToCutFor(program, chain, stages, schedule);
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
  for (int64_t stage = 0; stage < assignment.stages; ++stage)
    LDBG() << "stage " << stage << " for '" << cutFor->name << "': "
           << llvm::count_if(
                  assignment.stageOf,
                  [&](const auto &entry) { return entry.second == stage; })
           << " operations";
  removeMarks(main);
  program.eraseUnused(Placement::Forward);
  program.eraseUnused(Placement::Backward);
  formFragments(program, assignment, costs.getMesh());
  eraseMarks(main);
  return success();
}
