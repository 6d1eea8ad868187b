//===- ChooseSchedule.cpp - who runs which task when ----------------------===//
//
// Measures the fragments (StageMeasures.h) and what weight gradients come apart
// into (GradientParts.h), makes, reads or searches the schedule, replays it
// with these costs, takes weight gradients apart where the schedule does, and
// writes it on the loop.
//
//===----------------------------------------------------------------------===//

#include "GradientParts.h"
#include "StageMeasures.h"

#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Stages/ScheduleCsv.h"
#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Stages/ScheduleSearch.h"
#include "tessera/Transforms/Stage/Passes.h"
#include "tessera/Transforms/Stage/RequestedSchedule.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera {
#define GEN_PASS_DEF_CHOOSESCHEDULE
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;
using pipe::FragmentKind;
using pipe::FragmentOp;
using pipe::PipeDialect;

namespace {

/// A schedule and what it takes.
struct Replayed {
  StageSchedule schedule;
  Timeline timeline;
  /// Of a schedule that was searched, the fastest published one and its
  /// seconds.
  std::string published;
  double publishedSeconds = 0;
  /// The seconds of the best one that takes no weight gradient apart; 0 where
  /// the schedule takes none apart either.
  double wholeSeconds = 0;
};

/// Which schedule a step runs by, and what is known of the alternatives.
class ScheduleChoice {
public:
  ScheduleChoice(const StagedStep &step, OperationCosts &costs,
                 const RankLinks &links, int64_t ranks, int64_t memoryLimit)
      : step(step), costs(costs), links(links), memoryLimit(memoryLimit),
        measures(measureStages(step, costs)), request(requestFor(step, ranks)),
        ofCopies(measureCopies(step, costs, links)) {
    request.costs = costsOf(StagePlacement::Looped);
  }

  /// The schedule `name`, a name, a file or `auto`; a diagnostic on the loop
  /// where there is none, or where it needs more memory than there is.
  FailureOr<Replayed> choose(StringRef name);

private:
  void measureParts(StringRef name);
  StageCosts costsOf(ArrayRef<StageRoute> routes) const;
  StageCosts costsOf(StagePlacement placement) const;
  Fallible<Timeline> replayed(const StageSchedule &schedule) const;
  double activationLimit(const StageSchedule &schedule) const;
  Fallible<Replayed> tryOut(StringRef name) const;
  Fallible<Replayed> search() const;
  Fallible<ScheduleSearchResult>
  searchIn(std::initializer_list<StagePlacement> placements,
           double limit) const;
  std::optional<ScheduleSearchResult> searchTwoWay() const;
  std::vector<Replayed> published() const;
  const Replayed *fastest(const std::vector<Replayed> &schedules) const;
  LogicalResult checkNumbers() const;
  LogicalResult checkTasks(const StageSchedule &schedule) const;
  LogicalResult checkMemory(const Replayed &replayed) const;
  void suggest(Diagnostic &note) const;
  InFlightDiagnostic error() const { return step.getLoop().emitError(); }

  const StagedStep &step;
  OperationCosts &costs;
  const RankLinks &links;
  int64_t memoryLimit;
  /// Without transfers.
  StageCosts measures;
  ScheduleRequest request;
  /// Seconds that a step takes longer where ranks have two stages each.
  double ofCopies;
};

} // namespace

/// Adds to the measures what weight gradients come apart into: as many parts as
/// the file `name` says, otherwise as many as may fill something.
void ScheduleChoice::measureParts(StringRef name) {
  std::vector<int32_t> wanted;
  if (isScheduleFile({name.data(), name.size()}))
    if (auto schedule = makeRequestedSchedule(name, request))
      wanted = schedule->weightParts();
  wanted.resize(step.stages(), 0);
  for (auto [stage, cost] : llvm::enumerate(measures.stages))
    for (FragmentOp fragment :
         step.fragmentsOf(stage, FragmentKind::WeightGradient)) {
      GradientParts parts(fragment, step, costs, wanted[stage]);
      if (wanted[stage] > 0 || parts.size() > 1)
        cost.weightParts = parts.measure();
    }
  request.costs = costsOf(StagePlacement::Looped);
}

/// What stages and transfers cost where microbatches take `routes`.
StageCosts ScheduleChoice::costsOf(ArrayRef<StageRoute> routes) const {
  StageCosts placed = measures;
  measureTransfers(step, costs, links, routes, placed);
  return placed;
}

StageCosts ScheduleChoice::costsOf(StagePlacement placement) const {
  return costsOf(routesOf(placement, request.ranks, step.stages()));
}

/// `schedule`, which is valid, with the costs of its own placement.
Fallible<Timeline>
ScheduleChoice::replayed(const StageSchedule &schedule) const {
  if (schedule.stages != step.stages())
    return replay(schedule, measures);
  return replay(schedule, costsOf(StageAssignment::of(schedule).routes));
}

/// What is left for activations on the rank whose stages hold most besides,
/// when the stages lie as in `schedule`.
double ScheduleChoice::activationLimit(const StageSchedule &schedule) const {
  std::vector<double> held(schedule.ranks.size(), 0);
  for (auto [stage, cost] : llvm::enumerate(measures.stages))
    for (int32_t rank : schedule.ranksOf(stage))
      held[rank] += cost.parameters;
  return std::max(0.0, double(memoryLimit) - *llvm::max_element(held));
}

Fallible<Replayed> ScheduleChoice::tryOut(StringRef name) const {
  Fallible<StageSchedule> schedule = makeRequestedSchedule(name, request);
  if (schedule && memoryLimit) {
    // Now that it is known where the stages lie.
    ScheduleRequest limited = request;
    limited.memoryLimit = activationLimit(*schedule);
    schedule = makeRequestedSchedule(name, limited);
  }
  if (!schedule)
    return schedule.failure();
  Fallible<Timeline> timeline = replayed(*schedule);
  if (!timeline)
    return timeline.failure();
  return Replayed{std::move(*schedule), std::move(*timeline), "", 0, 0};
}

/// Every published schedule that takes the request and keeps one copy of each
/// stage.
std::vector<Replayed> ScheduleChoice::published() const {
  std::vector<Replayed> found;
  for (const PublishedSchedule &schedule : listSchedules()) {
    if (schedule.isTwoWay() || !schedule.accepts(request))
      continue;
    StringRef name(schedule.name.data(), schedule.name.size());
    Fallible<Replayed> replayed = tryOut(name);
    if (replayed && (replayed->schedule.vocabularyMeetings > 0) ==
                        step.isVocabularySpread())
      found.push_back(std::move(*replayed));
  }
  return found;
}

/// The fastest of `schedules` that fits; null where none does.
const Replayed *
ScheduleChoice::fastest(const std::vector<Replayed> &schedules) const {
  const Replayed *best = nullptr;
  for (const Replayed &replayed : schedules)
    if ((!memoryLimit ||
         replayed.timeline.peakMemory() <= double(memoryLimit)) &&
        (!best || replayed.timeline.makespan() < best->timeline.makespan()))
      best = &replayed;
  return best;
}

/// The one of `schedules`, which are some, that needs the least memory.
static const Replayed &smallest(const std::vector<Replayed> &schedules) {
  return *llvm::min_element(
      schedules, [](const Replayed &a, const Replayed &b) {
        return a.timeline.peakMemory() < b.timeline.peakMemory();
      });
}

/// The fastest schedule under one of `placements` that needs at most `limit`
/// bytes on a rank, if one does.
Fallible<ScheduleSearchResult>
ScheduleChoice::searchIn(std::initializer_list<StagePlacement> placements,
                         double limit) const {
  ScheduleSearchRequest wanted;
  wanted.ranks = request.ranks;
  wanted.microbatches = request.microbatches;
  for (StagePlacement placement : placements)
    wanted.placements.push_back(
        {placement, request.chunks, costsOf(placement)});
  wanted.memoryLimit = limit;
  return searchSchedule(wanted);
}

/// The fastest schedule that keeps each stage on two ranks, if there is one for
/// these numbers and a memory limit says that parameters may be held twice.
std::optional<ScheduleSearchResult> ScheduleChoice::searchTwoWay() const {
  if (!memoryLimit || request.chunks != 1 || request.ranks % 2 ||
      request.microbatches % 2)
    return std::nullopt;
  Fallible<ScheduleSearchResult> found =
      searchIn({StagePlacement::TwoWayLooped}, double(memoryLimit));
  if (!found)
    return std::nullopt;
  return std::move(*found);
}

/// The schedule `auto`. Where no order of tasks fits, the published schedule
/// that needs the least memory. Copies of stages must make up for what they
/// take once per step.
Fallible<Replayed> ScheduleChoice::search() const {
  double limit = memoryLimit ? double(memoryLimit)
                             : std::numeric_limits<double>::infinity();
  Fallible<ScheduleSearchResult> found =
      request.chunks == 2
          ? searchIn({StagePlacement::Looped, StagePlacement::VShaped}, limit)
          : searchIn({StagePlacement::Looped}, limit);
  if (std::optional<ScheduleSearchResult> twoWay = searchTwoWay();
      twoWay && (!found || twoWay->makespan + ofCopies < found->makespan))
    found = *std::move(twoWay);
  if (!found) {
    std::vector<Replayed> others = published();
    return others.empty() ? Fallible<Replayed>(found.failure())
                          : smallest(others);
  }
  Fallible<Timeline> timeline = replayed(found->schedule);
  if (!timeline)
    return timeline.failure();
  bool isApart = found->wholeMakespan > found->makespan;
  return Replayed{std::move(found->schedule), std::move(*timeline),
                  std::move(found->published), found->publishedMakespan,
                  isApart ? found->wholeMakespan : 0};
}

LogicalResult ScheduleChoice::checkNumbers() const {
  int64_t stages = step.stages();
  if (stages % request.ranks == 0)
    return success();
  return error() << "expected a multiple of " << request.ranks
                 << " pipeline ranks as number of stages, got " << stages;
}

/// Checks that `schedule` is for this step.
LogicalResult ScheduleChoice::checkTasks(const StageSchedule &schedule) const {
  if (schedule.stages != step.stages())
    return error() << "expected a schedule for " << step.stages()
                   << " stages, got one for " << schedule.stages;
  if (schedule.vocabularyMeetings && !step.isVocabularySpread())
    return error() << "expected a schedule of F, I, W and B tasks: the output "
                      "layer is part of the last stage";
  if (!schedule.vocabularyMeetings && step.isVocabularySpread())
    return error() << "expected a schedule with S and T tasks: the output "
                      "layer is spread over the pipeline ranks";
  return success();
}

LogicalResult ScheduleChoice::checkMemory(const Replayed &replayed) const {
  if (!memoryLimit)
    return success();
  for (auto [rank, line] : llvm::enumerate(replayed.timeline.ranks)) {
    if (line.peakMemory() <= double(memoryLimit))
      continue;
    InFlightDiagnostic diagnostic =
        error() << "expected at most " << memoryLimit
                << " bytes on a device, got "
                << int64_t(std::ceil(line.peakMemory())) << " on pipeline rank "
                << rank << " with schedule '" << replayed.schedule.name << "'";
    suggest(diagnostic.attachNote());
    return diagnostic;
  }
  return success();
}

/// Says what would fit, or what comes nearest.
void ScheduleChoice::suggest(Diagnostic &note) const {
  std::vector<Replayed> found = published();
  auto bytes = [](double count) { return int64_t(std::ceil(count)); };
  if (const Replayed *best = fastest(found)) {
    note << "schedule '" << best->schedule.name << "' needs "
         << bytes(best->timeline.peakMemory());
    return;
  }
  if (found.empty()) {
    note << "no other schedule takes these stages";
    return;
  }
  const Replayed &least = smallest(found);
  double resident = 0, all = 0;
  for (const RankTimeline &rank : least.timeline.ranks)
    resident = std::max(resident, rank.parameters);
  for (const StageCost &cost : measures.stages)
    all += cost.parameters;
  note << "no schedule of these stages needs less than "
       << bytes(least.timeline.peakMemory()) << " ('" << least.schedule.name
       << "'), of which " << bytes(resident)
       << " are parameters and what the optimizer keeps; ";
  int64_t largest = largestResident(step, costs);
  if (largest > memoryLimit)
    note << "one of these alone is " << largest
         << ", so no number of stages needs less than that: only a larger mesh "
            "may";
  else if (resident > double(memoryLimit))
    note << "for these alone at least "
         << std::max(bytes(all / double(memoryLimit)),
                     int64_t(request.ranks) + 1)
         << " stages are needed";
  else
    note << "more microbatches or more stages need less";
}

FailureOr<Replayed> ScheduleChoice::choose(StringRef name) {
  if (!isScheduleFile({name.data(), name.size()}) && failed(checkNumbers()))
    return failure();
  measureParts(name);
  Fallible<Replayed> replayed = name == "auto" ? search() : tryOut(name);
  if (!replayed)
    return emitScheduleError(step.getLoop().getLoc(), replayed.message());
  if (failed(checkTasks(replayed->schedule)) || failed(checkMemory(*replayed)))
    return failure();
  return std::move(*replayed);
}

//===----------------------------------------------------------------------===//
// Writing it down
//===----------------------------------------------------------------------===//

/// Takes weight gradients apart as `schedule` does.
static void takeGradientsApart(const StagedStep &step,
                               const StageSchedule &schedule,
                               OperationCosts &costs) {
  for (auto [stage, parts] : llvm::enumerate(schedule.weightParts()))
    if (parts > 0)
      for (FragmentOp fragment :
           step.fragmentsOf(stage, FragmentKind::WeightGradient))
        GradientParts(fragment, step, costs, parts).takeApart();
}

/// Records what each fragment takes.
static void annotateFragments(const StagedStep &step, OperationCosts &costs) {
  Builder builder(step.getLoop().getContext());
  for (FragmentOp fragment : step.allFragments()) {
    double operations = 0, traffic = 0;
    for (Operation &op : fragment.getBody().front().without_terminator()) {
      operations += costs.operations(&op);
      traffic += costs.traffic(&op);
    }
    fragment->setAttr(PipeDialect::kSecondsAttr,
                      builder.getF64FloatAttr(secondsOf(fragment, costs)));
    fragment->setAttr(PipeDialect::kFlopsAttr,
                      builder.getI64IntegerAttr(llround(operations)));
    fragment->setAttr(PipeDialect::kBytesAttr,
                      builder.getI64IntegerAttr(llround(traffic)));
  }
}

/// Records the schedule and what is predicted of it.
static void annotateLoop(scf::ForOp loop, const Replayed &replayed) {
  Builder builder(loop.getContext());
  SmallVector<int64_t> memory;
  for (const RankTimeline &rank : replayed.timeline.ranks)
    memory.push_back(int64_t(std::ceil(rank.peakMemory())));
  loop->setAttr(PipeDialect::kScheduleAttr,
                writeSchedule(loop.getContext(), replayed.schedule));
  loop->setAttr(PipeDialect::kSecondsAttr,
                builder.getF64FloatAttr(replayed.timeline.makespan()));
  loop->setAttr(PipeDialect::kBubbleAttr,
                builder.getF64FloatAttr(replayed.timeline.bubbleRate()));
  loop->setAttr(PipeDialect::kMemoryAttr, builder.getDenseI64ArrayAttr(memory));
}

/// Tells those who listen (`--remarks`) what was chosen.
static void emitRemarkOn(Location loc, const Replayed &replayed) {
  auto remark = remark::analysis(
      loc, remark::RemarkOpts::name("schedule").category("tessera-stage"));
  if (!remark)
    return;
  remark << llvm::formatv(
                "schedule '{0}' of {1} stages on {2} pipeline ranks: {3:f3} "
                "ms per step, of which a rank idles {4:f1} %, and at most "
                "{5} bytes on a device",
                replayed.schedule.name, replayed.schedule.stages,
                replayed.schedule.ranks.size(),
                replayed.timeline.makespan() * 1e3,
                replayed.timeline.bubbleRate() * 100,
                int64_t(std::ceil(replayed.timeline.peakMemory())))
                .str();
  if (!replayed.published.empty())
    remark << llvm::formatv("'{0}', the fastest published one, takes {1:f3} "
                            "ms",
                            replayed.published, replayed.publishedSeconds * 1e3)
                  .str();
  if (replayed.wholeSeconds > 0)
    remark << llvm::formatv("weight gradients in one task each would take "
                            "{0:f3} ms",
                            replayed.wholeSeconds * 1e3)
                  .str();
}

namespace {
struct ChooseSchedule : tessera::impl::ChooseScheduleBase<ChooseSchedule> {
  using ChooseScheduleBase::ChooseScheduleBase;

  void runOnOperation() override {
    std::optional<StagedStep> step = StagedStep::find(getOperation());
    if (!step)
      return;
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    OperationCosts costs(*mesh);
    RankLinks links(*mesh);
    FailureOr<Replayed> chosen =
        ScheduleChoice(*step, costs, links, ranks, memoryLimit)
            .choose(schedule);
    if (failed(chosen))
      return signalPassFailure();
    takeGradientsApart(*step, chosen->schedule, costs);
    annotateFragments(*step, costs);
    annotateLoop(step->getLoop(), *chosen);
    emitRemarkOn(step->getLoop().getLoc(), *chosen);
  }
};
} // namespace
