//===- ScheduleSearch.cpp - The schedule `auto` ---------------------------===//
//
//   1. Starts: for every placement all published schedules that fit the memory,
//      the same with backward tasks split and weight gradients moved to gaps,
//      schedules made greedily under many rules, and one microbatch after
//      the other, which fits if anything does. The last two only where the
//      placement's lower bound says that they may be faster than what there is.
//   2. The best few are improved by moving tasks for a part of the budget, the
//      best of them with the rest.
//   3. The same with weight gradients in parts, where these are known and time
//      is left to gain.
//
// The parts are in ScheduleSearchGreedy.cpp and ScheduleSearchImprove.cpp; why
// it is so stands in docs/rationale/schedule-search.md.
//
//===----------------------------------------------------------------------===//

#include "tessera/Stages/Search/ScheduleSearch.h"

#include "Search/ScheduleSearchGraph.h"
#include "tessera/Stages/ScheduleCheck.h"
#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Stages/WeightParts.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <memory>

using namespace tessera;

namespace {

/// How many starts are improved; besides, the best of every placement is.
constexpr size_t kStarts = 6;
/// Which part of a step more tasks must save: each costs a call and its
/// kernels' launches, which nobody has measured.
constexpr double kWorthParts = 0.005;

/// An order of tasks that fits the memory.
struct Start {
  /// All orders of one set of tasks share their graph.
  std::shared_ptr<TaskGraph> graph;
  TaskOrder order;
  size_t placement = 0;
  /// What is minimised, of this order, and the other figure.
  double seconds = 0, other = 0;
};

/// Collects schedules from all sources, improves the best, and returns the best
/// of these.
class ScheduleSearch {
public:
  explicit ScheduleSearch(const ScheduleSearchRequest &request)
      : request(request), starts(request.placements.size()) {}

  Fallible<ScheduleSearchResult> run();

private:
  void addAllPublished(size_t placement);
  void addAllGreedy(size_t placement);
  double boundOf(size_t placement) const;
  void addPublished(size_t placement, const PublishedSchedule &published);
  void addSplit(size_t placement, const StageSchedule &schedule);
  void addGreedy(size_t placement, const StageSchedule &tasks);
  void addOrders(size_t placement, const std::shared_ptr<TaskGraph> &graph,
                 const TaskOrder *fixed);
  bool add(Start start);
  const Start *best() const;
  std::vector<Start> chosenStarts() const;
  StageSchedule oneByOne(const SearchPlacement &placement, bool splits) const;
  int64_t budget() const;
  OrderGoal goalOf(const TaskGraph &graph) const;
  std::pair<double, double> figuresOf(const Timeline &timeline,
                                      size_t placement) const;
  void improve();
  void breakTie(int64_t replays);
  bool tryParts();
  void setResult(StageSchedule schedule, size_t placement);

  const ScheduleSearchRequest &request;
  /// By placement, the best of them first.
  std::vector<std::vector<Start>> starts;
  /// By placement, seconds that no schedule is faster than.
  std::vector<double> bounds;
  ScheduleSearchResult result;
  /// The one that the result names.
  StageSchedule bestPublished;
  /// The least memory that any order of tasks needs.
  double leastMemory = std::numeric_limits<double>::infinity();
};

/// A whole number without a fraction.
std::string print(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

} // namespace

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

static bool isFaster(const Start &a, const Start &b) {
  return std::pair(a.seconds, a.other) < std::pair(b.seconds, b.other);
}

OrderGoal ScheduleSearch::goalOf(const TaskGraph &graph) const {
  return request.minimizes == ScheduleFigure::Step ? graph.shortStep()
                                                   : graph.shortStages();
}

/// What is minimised, of a timeline, and the other figure. Seconds.
std::pair<double, double> ScheduleSearch::figuresOf(const Timeline &timeline,
                                                    size_t placement) const {
  double once = request.placements[placement].once;
  std::pair figures{timeline.makespan() + once, timeline.longestStage() + once};
  if (request.minimizes == ScheduleFigure::LongestStage)
    std::swap(figures.first, figures.second);
  return figures;
}

/// Times `start` and keeps it if it fits the memory and is better than the last
/// of those kept of its placement; returns whether it fits.
bool ScheduleSearch::add(Start start) {
  const TaskGraph &graph = *start.graph;
  double memory = 0;
  for (int32_t rank = 0; rank < graph.ranks(); ++rank)
    memory = std::max(memory, graph.memoryOf(rank, start.order[rank]));
  leastMemory = std::min(leastMemory, memory);
  if (memory > request.memoryLimit)
    return false;
  OrderGoal goal = graph.shortStep();
  OrderTimes times(graph, goal);
  ++result.replays;
  if (!times.compute(start.order))
    return false;
  int64_t longestStage = 0;
  for (const std::vector<int32_t> &tasks : start.order)
    if (!tasks.empty())
      longestStage = std::max(longestStage, times.end(tasks.back()) -
                                                times.begin[tasks.front()]);
  double once = request.placements[start.placement].once;
  start.seconds = graph.seconds(times.value) + once;
  start.other = graph.seconds(longestStage) + once;
  if (request.minimizes == ScheduleFigure::LongestStage)
    std::swap(start.seconds, start.other);
  auto isSame = [&](const Start &other) {
    return other.graph == start.graph && other.order == start.order;
  };
  std::vector<Start> &kept = starts[start.placement];
  if (std::any_of(kept.begin(), kept.end(), isSame))
    return true;
  kept.insert(std::upper_bound(kept.begin(), kept.end(), start, isFaster),
              start);
  if (kept.size() > kStarts)
    kept.pop_back();
  return true;
}

/// The fastest of all; null if there is none.
const Start *ScheduleSearch::best() const {
  const Start *found = nullptr;
  for (const std::vector<Start> &kept : starts)
    if (!kept.empty() && (!found || isFaster(kept.front(), *found)))
      found = &kept.front();
  return found;
}

/// What is to be improved: the fastest of all, and of each placement under
/// which there may be a faster one.
std::vector<Start> ScheduleSearch::chosenStarts() const {
  std::vector<Start> all, chosen;
  for (const std::vector<Start> &kept : starts)
    for (const Start &start : kept)
      all.insert(std::upper_bound(all.begin(), all.end(), start, isFaster),
                 start);
  for (Start &start : all) {
    bool isFirst =
        std::none_of(chosen.begin(), chosen.end(), [&](const Start &other) {
          return other.placement == start.placement;
        });
    if (chosen.size() < kStarts ||
        (isFirst && bounds[start.placement] < chosen.front().seconds))
      chosen.push_back(std::move(start));
  }
  return chosen;
}

void ScheduleSearch::addOrders(size_t placement,
                               const std::shared_ptr<TaskGraph> &graph,
                               const TaskOrder *fixed) {
  forEachGreedyOrder(*graph, request.memoryLimit, fixed, [&](TaskOrder order) {
    add({graph, std::move(order), placement});
  });
}

/// Adds a published schedule on a placement to the search, where it can be made
/// there, fits into memory and uses no task that the request forbids, and
/// remembers the fastest of them. Where weight gradients may be tasks of their
/// own, adds it with these in gaps, too.
void ScheduleSearch::addPublished(size_t placement,
                                  const PublishedSchedule &published) {
  const SearchPlacement &where = request.placements[placement];
  if (published.splitsBackward && !request.splitsBackward)
    return;
  double parameters = 0;
  std::vector<double> bytes(request.ranks);
  for (size_t stage = 0; stage < where.costs.stages.size(); ++stage)
    for (int32_t rank : ranksOfStage(where.placement, request.ranks,
                                     static_cast<int32_t>(stage)))
      parameters = std::max(parameters, bytes[rank] +=
                                        where.costs.stages[stage].parameters);
  Fallible<StageSchedule> schedule = makeSchedule(
      published.name, {request.ranks, request.microbatches, where.chunks,
                       where.costs, request.memoryLimit - parameters});
  if (!schedule || schedule->vocabularyMeetings != where.vocabularyMeetings ||
      schedule->stages != request.ranks * where.chunks)
    return;

  auto graph = std::make_shared<TaskGraph>(*schedule, where.costs);
  if (add({graph, graph->order(), placement})) {
    Fallible<Timeline> timeline = replayTimes(*schedule, where.costs);
    assert(timeline && "published schedules can be replayed");
    double seconds = figuresOf(*timeline, placement).first;
    if (seconds < result.publishedSeconds) {
      result.publishedSeconds = seconds;
      result.published = std::string(published.name);
      result.publishedPlacement = placement;
      bestPublished = *schedule;
    }
  }
  if (request.splitsBackward)
    addSplit(placement, *schedule);
}

/// Adds `schedule` with its weight gradients in gaps.
void ScheduleSearch::addSplit(size_t placement, const StageSchedule &schedule) {
  StageSchedule split = splitBackward(schedule);
  auto graph =
      std::make_shared<TaskGraph>(split, request.placements[placement].costs);
  addOrders(placement, graph, &graph->order());
}

void ScheduleSearch::addGreedy(size_t placement, const StageSchedule &tasks) {
  auto graph =
      std::make_shared<TaskGraph>(tasks, request.placements[placement].costs);
  add({graph, graph->order(), placement});
  addOrders(placement, graph, nullptr);
}

/// One microbatch after the other; under two-way placements every other one in
/// the other direction.
StageSchedule ScheduleSearch::oneByOne(const SearchPlacement &placement,
                                       bool splits) const {
  StageSchedule schedule;
  schedule.stages = request.ranks * placement.chunks;
  schedule.microbatches = request.microbatches;
  schedule.vocabularyMeetings = placement.vocabularyMeetings;
  schedule.ranks.resize(request.ranks);
  for (int32_t microbatch = 0; microbatch < request.microbatches;
       ++microbatch) {
    auto add = [&](TaskKind kind, int32_t stage) {
      std::vector<int32_t> ranks =
          ranksOfStage(placement.placement, request.ranks, stage);
      schedule.ranks[ranks[microbatch % ranks.size()]].push_back(
          {kind, stage, microbatch});
    };
    for (int32_t stage = 0; stage < schedule.stages; ++stage)
      add(TaskKind::Forward, stage);
    if (placement.vocabularyMeetings)
      for (TaskKind kind :
           {TaskKind::VocabularyForward, TaskKind::VocabularyBackward})
        for (int32_t rank = 0; rank < request.ranks; ++rank)
          schedule.ranks[rank].push_back({kind, rank, microbatch});
    for (int32_t stage = schedule.stages - 1; stage >= 0; --stage)
      add(TaskKind::Backward, stage);
  }
  return splits ? splitBackward(schedule) : schedule;
}

void ScheduleSearch::addAllPublished(size_t placement) {
  for (const PublishedSchedule &published : listSchedules())
    if (published.placement == request.placements[placement].placement)
      addPublished(placement, published);
}

/// Seconds that no schedule under `placement` is below.
double ScheduleSearch::boundOf(size_t placement) const {
  const SearchPlacement &where = request.placements[placement];
  TaskGraph tasks(oneByOne(where, request.splitsBackward), where.costs);
  int64_t ticks = tasks.bound(goalOf(tasks));
  if (request.minimizes == ScheduleFigure::LongestStage)
    ticks -= tasks.latestBegin();
  return tasks.seconds(ticks) + where.once;
}

void ScheduleSearch::addAllGreedy(size_t placement) {
  const SearchPlacement &where = request.placements[placement];
  addGreedy(placement, oneByOne(where, /*splits=*/false));
  if (request.splitsBackward)
    addGreedy(placement, oneByOne(where, /*splits=*/true));
}

//===----------------------------------------------------------------------===//
// Improvement
//===----------------------------------------------------------------------===//

/// How many schedules may be timed while starts are improved.
int64_t ScheduleSearch::budget() const {
  if (request.replays > 0)
    return request.replays;
  int64_t tasks = 1;
  for (const std::vector<Start> &kept : starts)
    for (const Start &start : kept)
      tasks = std::max<int64_t>(tasks, start.graph->size());
  return std::max<int64_t>(5'000, 25'000'000 / tasks);
}

/// Improves all starts with half of the budget, and the best with the rest; an
/// eighth more may go to the other figure.
void ScheduleSearch::improve() {
  int64_t total = budget();
  int64_t left = total;
  auto improveStart = [&](Start start, int64_t most) {
    int64_t replays = std::min(most, left);
    int64_t before = replays;
    start.order =
        improveOrder(*start.graph, std::move(start.order), goalOf(*start.graph),
                     request.memoryLimit, replays);
    left -= before - replays;
    result.replays += before - replays;
    add(std::move(start));
  };
  std::vector<Start> first = chosenStarts();
  int64_t share = total / (2 * static_cast<int64_t>(first.size()));
  for (Start &start : first)
    improveStart(std::move(start), share);
  improveStart(*best(), left);
  if (request.breaksTies)
    breakTie(total / 8);
}

/// Improves the other figure of the best order.
void ScheduleSearch::breakTie(int64_t replays) {
  Start start = *best();
  const TaskGraph &graph = *start.graph;
  bool isStep = request.minimizes == ScheduleFigure::Step;
  int64_t left = replays;
  start.order =
      improveOther(graph, std::move(start.order),
                   isStep ? TieBreak::ForShortStages : TieBreak::ForShortStep,
                   request.memoryLimit, left);
  result.replays += replays - left;
  add(std::move(start));
}

/// Goes on from the best schedules with their weight gradients in parts, and
/// keeps what comes of it if it is worth more tasks; returns whether it is.
bool ScheduleSearch::tryParts() {
  const double whole = result.wholeSeconds;
  if (!request.splitsBackward || whole <= result.bound * (1 + kWorthParts))
    return false;
  std::vector<Start> from = chosenStarts();
  auto before = std::exchange(
      starts, std::vector<std::vector<Start>>(request.placements.size()));
  for (const Start &start : from) {
    const StageCosts &costs = request.placements[start.placement].costs;
    StageSchedule split = splitBackward(start.graph->scheduleOf(start.order));
    StageSchedule parts = takeWeightsApart(split, costs);
    if (parts.ranks == split.ranks)
      continue;
    auto graph = std::make_shared<TaskGraph>(parts, costs);
    add({graph, graph->order(), start.placement});
    addOrders(start.placement, graph, &graph->order());
  }
  if (best())
    improve();
  if (best() && best()->seconds <= whole * (1 - kWorthParts))
    return true;
  starts = std::move(before);
  return false;
}

void ScheduleSearch::setResult(StageSchedule schedule, size_t placement) {
  schedule = joinWeights(schedule);
  schedule.name = "auto";
  Fallible<Timeline> timeline =
      replay(schedule, request.placements[placement].costs);
  assert(timeline && "the search makes schedules that can be replayed");
  result.schedule = std::move(schedule);
  result.placement = placement;
  result.makespan = timeline->makespan() + request.placements[placement].once;
  result.longestStage =
      timeline->longestStage() + request.placements[placement].once;
  result.peakMemory = timeline->peakMemory();
}

Fallible<ScheduleSearchResult> ScheduleSearch::run() {
  if (request.ranks < 1 || request.microbatches < 1)
    return Failure{"expected at least 1 rank and 1 microbatch, got " +
                   std::to_string(request.ranks) + " and " +
                   std::to_string(request.microbatches)};
  if (request.placements.empty())
    return Failure{"expected at least one placement to search under"};
  for (const SearchPlacement &placement : request.placements) {
    bool isV = placement.placement == StagePlacement::VShaped ||
               placement.placement == StagePlacement::TwoWayVShaped;
    if (placement.chunks < 1 || (isV && placement.chunks != 2))
      return Failure{std::string("expected ") + (isV ? "2" : "at least 1") +
                     " stages per rank, got " +
                     std::to_string(placement.chunks)};
    if (std::string error =
            placement.costs.verify(request.ranks * placement.chunks);
        !error.empty())
      return Failure{error};
  }

  for (size_t i = 0; i < request.placements.size(); ++i)
    addAllPublished(i);
  result.bound = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < request.placements.size(); ++i) {
    bounds.push_back(boundOf(i));
    result.bound = std::min(result.bound, bounds[i]);
    // Nothing under this placement is better than what there is.
    if (!best() || bounds[i] < best()->seconds)
      addAllGreedy(i);
  }
  if (!best())
    return Failure{"expected a memory limit of at least " + print(leastMemory) +
                   " bytes per rank for any schedule, got " +
                   print(request.memoryLimit)};
  for (const std::vector<Start> &kept : starts)
    result.starts.push_back(kept.empty()
                                ? std::numeric_limits<double>::infinity()
                                : kept.front().seconds);
  if (request.improves)
    improve();
  result.wholeSeconds = best()->seconds;
  bool hasParts = request.improves && tryParts();
  const Start found = *best();
  setResult(found.graph->scheduleOf(found.order), found.placement);
  // Two that are equal in ticks may differ by a rounding.
  auto minimized = [&] {
    return request.minimizes == ScheduleFigure::Step ? result.makespan
                                                     : result.longestStage;
  };
  if (minimized() > result.publishedSeconds)
    setResult(bestPublished, result.publishedPlacement);
  if (!hasParts)
    result.wholeSeconds = minimized();
  return std::move(result);
}

Fallible<ScheduleSearchResult>
tessera::searchSchedule(const ScheduleSearchRequest &request) {
  return ScheduleSearch(request).run();
}
