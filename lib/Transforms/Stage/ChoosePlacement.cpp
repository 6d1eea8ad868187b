//===- ChoosePlacement.cpp - how the stages lie on the ranks --------------===//
//
// Where a model is cut, how many stages a rank has, whether it has a copy of
// others, and whether the output layer is part of the last stage or of all
// ranks: that is another program each time, and which is faster is known when
// the tasks are. So the step is cut for each kind of published schedule that
// may be the fastest, in copies of the module, and the schedule is searched
// among all of them, from what their tasks cost and hold. The copy that it is
// of takes the module's place.
//
// Which kinds may be the fastest is estimated. One step is cut for certain;
// what its tasks cost calibrates what `PlacementEstimates` says of the others.
// They are cut in the order of the steps that a quick search finds for them,
// until an estimate that is off by as much as those of large models have been
// seen to be would not beat what there is. Small models, whose estimates are
// further off, are cut for all.
//
//===----------------------------------------------------------------------===//

#include "Layers/UnrollLayers.h"
#include "Schedule/PlacementEstimates.h"
#include "Schedule/ScheduleChoice.h"

#include "tessera/Support/StableSort.h"
#include "tessera/Transforms/Stage/Passes.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::stage {
#define GEN_PASS_DEF_CHOOSEPLACEMENT
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-choose-placement"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

/// By which part a step may be shorter than a quick search finds for what is
/// estimated. Estimates are off by a few percent; the whole search gains as
/// much again, most where memory is tight.
static constexpr double kUncertain = 0.06;

/// How many operations may be cut, in all placements together, before estimates
/// may leave one out: about a second's work.
static constexpr int64_t kCertainOperations = 50'000;

namespace {

/// The step, cut for a published schedule.
struct Candidate {
  OwningOpRef<ModuleOp> module;
  pipe::Step step;
  OperationCosts costs;
  RankLinks links;
  ScheduleChoice choice;
  /// What it costs.
  SearchPlacement placed;

  Candidate(OwningOpRef<ModuleOp> cut, MeshOp mesh, StagePlacement placement,
            int64_t ranks, const MemoryBounds &memory)
      : module(std::move(cut)), step(*pipe::Step::findCut(*module)),
        costs(mesh), links(mesh),
        choice(step, costs, links, ranks, memory, "auto"),
        placed(choice.placed(placement)) {}
};

/// A placement that has not been cut, what it is estimated to cost, and the
/// seconds of its step.
struct Guess {
  StringRef schedule;
  SearchPlacement costs;
  double seconds = 0;
};

struct ChoosePlacement
    : tessera::stage::impl::ChoosePlacementBase<ChoosePlacement> {
  using ChoosePlacementBase::ChoosePlacementBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult cut(ModuleOp module, StringRef schedule);
  bool tryOut(StringRef schedule);
  std::vector<SearchPlacement> placements() const;
  double quickSearch(std::vector<SearchPlacement> among,
                     MutableArrayRef<Guess> guesses = {}) const;
  void cutCandidates(ArrayRef<StringRef> schedules);
  LogicalResult choose();

  SmallVector<std::shared_ptr<Candidate>> candidates;
  ScheduleRequest request;
};

} // namespace

LogicalResult ChoosePlacement::cut(ModuleOp module, StringRef schedule) {
  OpPassManager passes(ModuleOp::getOperationName());
  addCuttingPasses(passes,
                   {stages, schedule.str(), memoryLimit, attentionKernels});
  return runPipeline(passes, module);
}

/// Adds the step cut for `schedule` to the candidates; returns whether it can
/// be cut so.
bool ChoosePlacement::tryOut(StringRef schedule) {
  OwningOpRef<ModuleOp> copy = getOperation().clone();
  ScopedDiagnosticHandler silence(&getContext(),
                                  [](Diagnostic &) { return success(); });
  // Passes run on what is in the module that this one runs on.
  getOperation().push_back(*copy);
  LogicalResult isCut = cut(*copy, schedule);
  copy->getOperation()->remove();
  if (failed(isCut) || !pipe::Step::findCut(*copy)) {
    LDBG() << "the step cannot be cut for '" << schedule << "'";
    return false;
  }
  MeshOp mesh = *getOnlyMesh(*copy);
  StagePlacement placement =
      findSchedule({schedule.data(), schedule.size()})->placement;
  candidates.push_back(
      std::make_shared<Candidate>(std::move(copy), mesh, placement, stages,
                                  MemoryBounds(memoryLimit, mesh)));
  return true;
}

/// What the candidates cost.
std::vector<SearchPlacement> ChoosePlacement::placements() const {
  std::vector<SearchPlacement> placements;
  for (const auto &candidate : candidates)
    placements.push_back(candidate->placed);
  return placements;
}

/// Writes to `guesses` the seconds of a good schedule for each, infinity where
/// it does not fit the memory, and returns those of the best one `among`
/// placements that have been cut. If nothing fits, guesses are worth nothing:
/// each may be the one that does.
double ChoosePlacement::quickSearch(std::vector<SearchPlacement> among,
                                    MutableArrayRef<Guess> guesses) const {
  size_t known = among.size();
  for (const Guess &guess : guesses)
    among.push_back(guess.costs);
  ModuleOp module = candidates.front()->module.get();
  Fallible<ScheduleSearchResult> found =
      searchSchedule(std::move(among), request.ranks, request.microbatches,
                     {memoryLimit, *getOnlyMesh(module)}, /*improves=*/false);
  double best = std::numeric_limits<double>::infinity();
  if (!found)
    return best;
  ArrayRef<double> starts = found->starts;
  for (double seconds : starts.take_front(known))
    best = std::min(best, seconds);
  for (auto [guess, seconds] :
       llvm::zip_equal(guesses, starts.drop_front(known)))
    guess.seconds = seconds;
  return best;
}

/// Cuts the step for those of `schedules` that may be the fastest.
void ChoosePlacement::cutCandidates(ArrayRef<StringRef> schedules) {
  ScopedDiagnosticHandler silence(&getContext(),
                                  [](Diagnostic &) { return success(); });
  PlacementEstimates estimates(getOperation(), stages, memoryLimit);
  while (candidates.empty() && !schedules.empty()) {
    if (auto estimated = estimates.estimate(schedules.front());
        estimated && tryOut(schedules.front()))
      estimates.calibrate(*estimated, candidates.front()->placed);
    schedules = schedules.drop_front();
  }
  SmallVector<Guess> guesses;
  for (StringRef schedule : schedules)
    if (auto estimated = estimates.estimate(schedule))
      guesses.push_back({schedule, std::move(*estimated)});
  if (guesses.empty())
    return;
  double best = quickSearch(placements(), guesses);
  stableSort(guesses, [](const Guess &a, const Guess &b) {
    return a.seconds < b.seconds;
  });
  int64_t operations = 0;
  getOperation().walk([&](Operation *) { ++operations; });
  for (const Guess &guess : guesses) {
    LDBG() << "'" << guess.schedule << "' is estimated to take "
           << guess.seconds << " s, the best so far takes " << best << " s";
    bool isCheap =
        operations * int64_t(candidates.size() + 1) <= kCertainOperations;
    if (!isCheap && guess.seconds * (1 - kUncertain) > best)
      break;
    // With the first one, which says what a rank may hold where nobody else
    // does.
    if (tryOut(guess.schedule))
      best = std::min(best, quickSearch({candidates.front()->placed,
                                         candidates.back()->placed}));
  }
}

/// Lets the candidate that has the fastest schedule be the module, with it.
LogicalResult ChoosePlacement::choose() {
  Fallible<ScheduleSearchResult> found =
      searchSchedule(placements(), request.ranks, request.microbatches,
                     {memoryLimit, *getOnlyMesh(getOperation())});
  Candidate *winner =
      found ? candidates[found->placement].get()
            : llvm::min_element(candidates, [](const auto &a, const auto &b) {
                return a->choice.leastMemory() < b->choice.leastMemory();
              })->get();
  // What was found can be replayed; what does not fit is refused by the one
  // that comes nearest.
  FailureOr<ChosenSchedule> chosen =
      found ? FailureOr<ChosenSchedule>(*winner->choice.take(std::move(*found)))
            : winner->choice.choose();
  if (failed(chosen))
    return failure();
  LDBG() << "of " << candidates.size() << " ways to cut the step: '"
         << chosen->schedule.name << "', " << chosen->seconds() << " s";
  recordSchedule(winner->step, winner->costs, *chosen);
  ModuleOp module = getOperation();
  module->setAttrs((*winner->module)->getAttrs());
  module.getBodyRegion().takeBody(winner->module->getBodyRegion());
  return success();
}

LogicalResult ChoosePlacement::run() {
  candidates.clear();
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  if (main && stages > 1) {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    FailureOr<pipe::Step> step = pipe::Step::find(main);
    if (failed(mesh) || failed(step))
      return failure();
    step->setLoop(unrollLayers(step->getLoop()));
    // More stages than operations are perhaps more than a schedule can have.
    if (stages <= int64_t(step->getBody()->getOperations().size())) {
      request.ranks = stages;
      request.microbatches = step->microbatches();
      cutCandidates(schedulesToCutFor(request));
    }
  }
  if (!candidates.empty())
    return choose();
  // One stage, or a step that cannot be cut, which the passes say why.
  return cut(getOperation(), "auto");
}
