//===- ChoosePlacement.cpp - how the stages lie on the ranks --------------===//
//
// Where a model is cut, how many stages a rank has, whether it has a copy of
// others, and whether the output layer is part of the last stage or of all
// ranks: that is another program each time, and which is faster is known when
// the tasks are. So the step is cut for each kind of published schedule, in
// copies of the module, and the schedule is searched among all of them, from
// what their tasks cost and hold. The copy that it is of takes the module's
// place.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"
#include "StepProgram.h"
#include "UnrollLayers.h"

#include "tessera/Transforms/Stage/Passes.h"
#include "tessera/Transforms/Stage/RequestedSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace tessera {
#define GEN_PASS_DEF_CHOOSEPLACEMENT
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

/// Stages times operations of a microbatch up to which all placements are
/// compared; a cut for one takes time in proportion.
static constexpr int64_t kMostCompared = 250'000;

namespace {

/// The step, cut for a published schedule.
struct Candidate {
  OwningOpRef<ModuleOp> module;
  StagePlacement placement;
  StagedStep step;
  OperationCosts costs;
  RankLinks links;
  ScheduleChoice choice;

  Candidate(OwningOpRef<ModuleOp> cut, MeshOp mesh, StagePlacement placement,
            int64_t ranks, const MemoryBounds &memory)
      : module(std::move(cut)), placement(placement),
        step(*StagedStep::find(*module)), costs(mesh), links(mesh),
        choice(step, costs, links, ranks, memory, "auto") {}
};

struct ChoosePlacement : tessera::impl::ChoosePlacementBase<ChoosePlacement> {
  using ChoosePlacementBase::ChoosePlacementBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult cut(ModuleOp module, StringRef schedule);
  std::unique_ptr<Candidate> tryOut(StringRef schedule);
  LogicalResult choose(ArrayRef<Candidate *> candidates);
};

} // namespace

LogicalResult ChoosePlacement::cut(ModuleOp module, StringRef schedule) {
  OpPassManager passes(ModuleOp::getOperationName());
  addCuttingPasses(passes,
                   {stages, schedule.str(), memoryLimit, attentionKernels});
  return runPipeline(passes, module);
}

/// The step cut for `schedule`; null where that cannot be.
std::unique_ptr<Candidate> ChoosePlacement::tryOut(StringRef schedule) {
  OwningOpRef<ModuleOp> copy = getOperation().clone();
  ScopedDiagnosticHandler silence(&getContext(),
                                  [](Diagnostic &) { return success(); });
  // Passes run on what is in the module that this one runs on.
  getOperation().push_back(*copy);
  LogicalResult isCut = cut(*copy, schedule);
  copy->getOperation()->remove();
  if (failed(isCut) || !StagedStep::find(*copy))
    return nullptr;
  MeshOp mesh = *getOnlyMesh(*copy);
  StagePlacement placement =
      findSchedule({schedule.data(), schedule.size()})->placement;
  return std::make_unique<Candidate>(std::move(copy), mesh, placement, stages,
                                     MemoryBounds(memoryLimit, mesh));
}

/// Lets the candidate that has the fastest schedule be the module, with it.
LogicalResult ChoosePlacement::choose(ArrayRef<Candidate *> candidates) {
  std::vector<SearchPlacement> placements;
  SmallVector<Candidate *> owners;
  for (Candidate *candidate : candidates)
    for (SearchPlacement &placement : candidate->choice.placements())
      if (placement.placement == candidate->placement) {
        placements.push_back(std::move(placement));
        owners.push_back(candidate);
      }
  const ScheduleRequest &numbers = candidates.front()->choice.getRequest();
  Fallible<ScheduleSearchResult> found =
      searchSchedule(std::move(placements), numbers.ranks, numbers.microbatches,
                     {memoryLimit, *getOnlyMesh(getOperation())});
  Candidate *winner =
      found ? owners[found->placement]
            : *llvm::min_element(candidates, [](Candidate *a, Candidate *b) {
                return a->choice.leastMemory() < b->choice.leastMemory();
              });
  // What was found can be replayed; what does not fit is refused by the one
  // that comes nearest.
  FailureOr<ChosenSchedule> chosen =
      found ? FailureOr<ChosenSchedule>(*winner->choice.take(std::move(*found)))
            : winner->choice.choose();
  if (failed(chosen))
    return failure();
  recordSchedule(winner->step, winner->costs, *chosen);
  ModuleOp module = getOperation();
  module->setAttrs((*winner->module)->getAttrs());
  module.getBodyRegion().takeBody(winner->module->getBodyRegion());
  return success();
}

LogicalResult ChoosePlacement::run() {
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  SmallVector<std::unique_ptr<Candidate>> candidates;
  if (main && stages > 1) {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    FailureOr<scf::ForOp> loop = findMicrobatchLoop(main);
    if (failed(mesh) || failed(loop))
      return failure();
    scf::ForOp unrolled = unrollLayers(*loop);
    // More stages than operations, perhaps more than a schedule can have; or so
    // many of both that to cut the step a dozen times takes minutes.
    int64_t operations = unrolled.getBody()->getOperations().size();
    if (stages > operations || stages * operations > kMostCompared)
      return cut(getOperation(), "auto");
    std::optional<APInt> trips = unrolled.getStaticTripCount();
    ScheduleRequest request;
    request.ranks = stages;
    request.microbatches =
        trips ? std::max<int64_t>(trips->getSExtValue(), 1) : 1;
    for (StringRef schedule : schedulesToCutFor(request))
      if (auto candidate = tryOut(schedule))
        candidates.push_back(std::move(candidate));
  }
  if (!candidates.empty())
    return choose(llvm::map_to_vector(
        candidates, [](auto &candidate) { return candidate.get(); }));
  // One stage, or a step that cannot be cut, which the passes say why.
  return cut(getOperation(), "auto");
}
