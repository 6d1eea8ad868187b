//===- ScheduleChoice.cpp - which schedule a step runs by -----------------===//

#include "Schedule/ScheduleChoice.h"

#include "Schedule/GradientParts.h"

#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Stages/ScheduleCsv.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;
using pipe::PipeDialect;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

MemoryBounds::MemoryBounds(int64_t limit, MeshOp mesh) : limit(limit) {
  if (mesh.getOnAttr())
    device = mesh.getMachine().memory;
}

static bool isTwoWay(const SearchPlacement &placement) {
  return placement.placement == StagePlacement::TwoWayLooped ||
         placement.placement == StagePlacement::TwoWayVShaped;
}

/// The bytes that a rank holds at most if it has its stages once and all
/// microbatches are under way.
static double mostOfOneCopy(ArrayRef<SearchPlacement> placements, int32_t ranks,
                            int32_t microbatches) {
  double most = 0;
  for (const SearchPlacement &placement : placements) {
    if (isTwoWay(placement))
      continue;
    std::vector<double> held(ranks, 0);
    for (auto [stage, cost] : llvm::enumerate(placement.costs.stages))
      held[ranksOfStage(placement.placement, ranks, stage).front()] +=
          cost.parameters +
          microbatches * (std::max(cost.activation, cost.weightInput) +
                          cost.vocabularyActivation);
    most = std::max(most, *llvm::max_element(held));
  }
  return most > 0 ? most : std::numeric_limits<double>::infinity();
}

Fallible<ScheduleSearchResult>
tessera::stage::searchSchedule(std::vector<SearchPlacement> placements,
                               int32_t ranks, int32_t microbatches,
                               const MemoryBounds &memory, bool improves) {
  ScheduleSearchRequest wanted;
  wanted.improves = improves;
  wanted.ranks = ranks;
  wanted.microbatches = microbatches;
  wanted.placements = std::move(placements);
  wanted.memoryLimit = mostOfOneCopy(wanted.placements, ranks, microbatches);
  if (memory.limit)
    wanted.memoryLimit = double(memory.limit);
  else if (memory.device)
    wanted.memoryLimit = double(*memory.device);
  Fallible<ScheduleSearchResult> found = searchSchedule(wanted);
  if (found || memory.limit)
    return found;
  // What schedules know of memory is an estimate, and nobody set a limit.
  wanted.memoryLimit = std::numeric_limits<double>::infinity();
  std::vector<SearchPlacement> all = std::move(wanted.placements);
  std::vector<size_t> indices;
  for (auto [index, placement] : llvm::enumerate(all))
    if (!isTwoWay(placement)) {
      indices.push_back(index);
      wanted.placements.push_back(placement);
    }
  found = searchSchedule(wanted);
  if (found) {
    found->placement = indices[found->placement];
    found->publishedPlacement = indices[found->publishedPlacement];
    std::vector<double> starts(all.size(),
                               std::numeric_limits<double>::infinity());
    for (auto [index, seconds] : llvm::zip_equal(indices, found->starts))
      starts[index] = seconds;
    found->starts = std::move(starts);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

ScheduleChoice::ScheduleChoice(const pipe::Step &step, OperationCosts &costs,
                               const RankLinks &links, int64_t ranks,
                               MemoryBounds memory, StringRef name)
    : step(step), costs(costs), links(links), memory(memory), name(name),
      measures(measureStages(step, costs)), request(requestFor(step, ranks)) {
  measureParts();
  request.costs =
      costsOf(routesOf(StagePlacement::Looped, request.ranks, step.stages()));
}

/// Adds to the measures what weight gradients come apart into: as many parts as
/// a file says, otherwise as many as may fill something.
void ScheduleChoice::measureParts() {
  StageSchedule schedule;
  if (isScheduleFile(name))
    if (auto read = makeRequestedSchedule(name, request))
      schedule = std::move(*read);
  std::vector<int32_t> wanted = schedule.weightParts();
  wanted.resize(step.stages(), 0);
  for (auto [stage, cost] : llvm::enumerate(measures.stages))
    for (FragmentOp fragment :
         step.fragmentsOf(stage, FragmentKind::WeightGradient)) {
      GradientParts parts(fragment, step, costs, wanted[stage]);
      if (wanted[stage] > 0 || parts.size() > 1)
        cost.weightParts = parts.measure();
    }
  if (schedule.stages == step.stages())
    measures.addEmptyParts(schedule);
}

/// What stages and transfers cost where microbatches take `routes`.
StageCosts ScheduleChoice::costsOf(ArrayRef<StageRoute> routes) const {
  StageCosts placed = measures;
  measureTransfers(step, costs, links, routes, placed);
  return placed;
}

SearchPlacement ScheduleChoice::placed(StagePlacement placement) const {
  std::vector<StageRoute> routes =
      routesOf(placement, request.ranks, step.stages());
  return {placement, request.chunks, costsOf(routes), step.vocabularyMeetings(),
          measureOnce(step, costs, links, routes)};
}

std::vector<SearchPlacement> ScheduleChoice::placements() const {
  std::vector<SearchPlacement> found;
  for (const PublishedSchedule &schedule : listSchedules())
    if (schedule.spreadsVocabulary == step.isVocabularySpread() &&
        schedule.accepts(request) &&
        llvm::none_of(found, [&](const SearchPlacement &known) {
          return known.placement == schedule.placement;
        }))
      found.push_back(placed(schedule.placement));
  return found;
}

/// `schedule`, which is valid, with the costs of its own placement.
Fallible<ChosenSchedule>
ScheduleChoice::replayed(StageSchedule schedule) const {
  StageCosts placed = measures;
  double once = 0;
  if (schedule.stages == step.stages()) {
    std::vector<StageRoute> routes = StageAssignment::of(schedule).routes;
    placed = costsOf(routes);
    once = measureOnce(step, costs, links, routes);
  }
  Fallible<Timeline> timeline = replay(schedule, placed);
  if (!timeline)
    return timeline.failure();
  return ChosenSchedule{
      std::move(schedule), std::move(*timeline), once, "", 0, 0};
}

/// What is left for activations on the rank whose stages hold most besides,
/// when the stages lie as in `schedule`.
double ScheduleChoice::activationLimit(const StageSchedule &schedule) const {
  std::vector<double> held(schedule.ranks.size(), 0);
  for (auto [stage, cost] : llvm::enumerate(measures.stages))
    for (int32_t rank : schedule.ranksOf(stage))
      held[rank] += cost.parameters;
  return std::max(0.0, double(memory.limit) - *llvm::max_element(held));
}

Fallible<ChosenSchedule> ScheduleChoice::tryOut(StringRef name) const {
  Fallible<StageSchedule> schedule = makeRequestedSchedule(name, request);
  if (schedule && memory.limit) {
    // Now that it is known where the stages lie.
    ScheduleRequest limited = request;
    limited.memoryLimit = activationLimit(*schedule);
    schedule = makeRequestedSchedule(name, limited);
  }
  if (!schedule)
    return schedule.failure();
  return replayed(std::move(*schedule));
}

/// Every published schedule that takes the request and keeps one copy of each
/// stage.
std::vector<ChosenSchedule> ScheduleChoice::published() const {
  std::vector<ChosenSchedule> found;
  for (const PublishedSchedule &schedule : listSchedules()) {
    if (schedule.isTwoWay() || !schedule.accepts(request))
      continue;
    StringRef name(schedule.name.data(), schedule.name.size());
    Fallible<ChosenSchedule> replayed = tryOut(name);
    if (replayed && (replayed->schedule.vocabularyMeetings > 0) ==
                        step.isVocabularySpread())
      found.push_back(std::move(*replayed));
  }
  return found;
}

/// The fastest of `schedules` that fits; null where none does.
const ChosenSchedule *
ScheduleChoice::fastest(const std::vector<ChosenSchedule> &schedules) const {
  const ChosenSchedule *best = nullptr;
  for (const ChosenSchedule &replayed : schedules)
    if ((!memory.limit ||
         replayed.timeline.peakMemory() <= double(memory.limit)) &&
        (!best || replayed.seconds() < best->seconds()))
      best = &replayed;
  return best;
}

/// The one of `schedules`, which are some, that needs the least memory.
static const ChosenSchedule &
smallest(const std::vector<ChosenSchedule> &schedules) {
  return *llvm::min_element(
      schedules, [](const ChosenSchedule &a, const ChosenSchedule &b) {
        return a.timeline.peakMemory() < b.timeline.peakMemory();
      });
}

double ScheduleChoice::leastMemory() const {
  std::vector<ChosenSchedule> found = published();
  return found.empty() ? std::numeric_limits<double>::infinity()
                       : smallest(found).timeline.peakMemory();
}

Fallible<ChosenSchedule>
ScheduleChoice::take(ScheduleSearchResult found) const {
  Fallible<ChosenSchedule> chosen = replayed(std::move(found.schedule));
  if (chosen) {
    chosen->published = std::move(found.published);
    chosen->publishedSeconds = found.publishedSeconds;
    if (found.wholeSeconds > found.makespan)
      chosen->wholeSeconds = found.wholeSeconds;
  }
  return chosen;
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

LogicalResult
ScheduleChoice::checkMemory(const ChosenSchedule &replayed) const {
  if (!memory.limit)
    return success();
  for (auto [rank, line] : llvm::enumerate(replayed.timeline.ranks)) {
    if (line.peakMemory() <= double(memory.limit))
      continue;
    InFlightDiagnostic diagnostic =
        error() << "expected at most " << memory.limit
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
  std::vector<ChosenSchedule> found = published();
  auto bytes = [](double count) { return int64_t(std::ceil(count)); };
  if (const ChosenSchedule *best = fastest(found)) {
    note << "schedule '" << best->schedule.name << "' needs "
         << bytes(best->timeline.peakMemory());
    return;
  }
  if (found.empty()) {
    note << "no other schedule takes these stages";
    return;
  }
  const ChosenSchedule &least = smallest(found);
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
  if (largest > memory.limit)
    note << "one of these alone is " << largest
         << ", so no number of stages needs less than that: only a larger mesh "
            "may";
  else if (resident > double(memory.limit))
    note << "for these alone at least "
         << std::max(bytes(all / double(memory.limit)),
                     int64_t(request.ranks) + 1)
         << " stages are needed";
  else
    note << "more microbatches or more stages need less";
}

/// The schedule `auto` of this step alone. Where no order of tasks fits, the
/// published schedule that needs the least memory.
Fallible<ChosenSchedule> ScheduleChoice::search() const {
  Fallible<ScheduleSearchResult> found =
      searchSchedule(placements(), request.ranks, request.microbatches, memory);
  if (found)
    return take(std::move(*found));
  std::vector<ChosenSchedule> others = published();
  return others.empty() ? Fallible<ChosenSchedule>(found.failure())
                        : smallest(others);
}

FailureOr<ChosenSchedule> ScheduleChoice::choose() const {
  if (!isScheduleFile(name) && failed(checkNumbers()))
    return failure();
  Fallible<ChosenSchedule> chosen = name == "auto" ? search() : tryOut(name);
  if (!chosen)
    return emitScheduleError(step.getLoop().getLoc(), chosen.message());
  if (failed(checkTasks(chosen->schedule)) || failed(checkMemory(*chosen)))
    return failure();
  return std::move(*chosen);
}

//===----------------------------------------------------------------------===//
// Writing it down
//===----------------------------------------------------------------------===//

/// Takes weight gradients apart as `schedule` does.
static void takeGradientsApart(const pipe::Step &step,
                               const StageSchedule &schedule,
                               OperationCosts &costs) {
  for (auto [stage, parts] : llvm::enumerate(schedule.weightParts()))
    if (parts > 0)
      for (FragmentOp fragment :
           step.fragmentsOf(stage, FragmentKind::WeightGradient))
        GradientParts(fragment, step, costs, parts).takeApart();
}

/// Records what each fragment takes.
static void annotateFragments(const pipe::Step &step, OperationCosts &costs) {
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
static void annotateLoop(scf::ForOp loop, const ChosenSchedule &replayed) {
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
static void emitRemarkOn(Location loc, const ChosenSchedule &replayed) {
  auto remark = remark::analysis(
      loc, remark::RemarkOpts::name("schedule").category("tessera-stage"));
  if (!remark)
    return;
  remark << llvm::formatv(
                "schedule '{0}' of {1} stages on {2} pipeline ranks: {3:f3} "
                "ms per step, of which a rank idles {4:f1} %, and at most "
                "{5} bytes on a device",
                replayed.schedule.name, replayed.schedule.stages,
                replayed.schedule.ranks.size(), replayed.seconds() * 1e3,
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

void tessera::stage::recordSchedule(const pipe::Step &step,
                                    OperationCosts &costs,
                                    const ChosenSchedule &chosen) {
  takeGradientsApart(step, chosen.schedule, costs);
  annotateFragments(step, costs);
  annotateLoop(step.getLoop(), chosen);
  emitRemarkOn(step.getLoop().getLoc(), chosen);
}
