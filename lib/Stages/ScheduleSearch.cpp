//===- ScheduleSearch.cpp - The schedule `auto` ---------------------------===//
//
//   1. Starts: for every placement all published schedules that fit the memory,
//      the same with backward tasks split and weight gradients moved to gaps,
//      schedules made greedily under many rules, and one microbatch after
//      the other, which fits if anything does.
//   2. The best few are improved by moving tasks for a part of the budget, the
//      best of them with the rest.
//   3. The same with weight gradients in parts, where these are known and time
//      is left to gain.
//
// The parts are in ScheduleSearchGreedy.cpp and ScheduleSearchImprove.cpp; why
// it is so stands in docs/rationale/schedule-search.md.
//
//===----------------------------------------------------------------------===//

#include "tessera/Stages/ScheduleSearch.h"

#include "ScheduleSearchGraph.h"
#include "tessera/Stages/ScheduleCheck.h"
#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Stages/WeightParts.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <memory>

using namespace tessera;

namespace {

/// How many starts are improved.
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
  double makespan = 0;
};

class ScheduleSearch {
public:
  explicit ScheduleSearch(const ScheduleSearchRequest &request)
      : request(request) {}

  Fallible<ScheduleSearchResult> run();

private:
  void addPlacement(size_t placement);
  void addPublished(size_t placement, const PublishedSchedule &published);
  void addSplit(size_t placement, const StageSchedule &schedule);
  void addGreedy(size_t placement, const StageSchedule &tasks);
  void addOrders(size_t placement, const std::shared_ptr<TaskGraph> &graph,
                 const TaskOrder *fixed);
  bool add(Start start);
  StageSchedule oneByOne(const SearchPlacement &placement, bool splits) const;
  int64_t budget() const;
  void improve();
  bool tryParts();
  void setResult(StageSchedule schedule, size_t placement);

  const ScheduleSearchRequest &request;
  /// The best of them first.
  std::vector<Start> starts;
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

/// Each B as I and W, one after the other.
StageSchedule withSplitBackward(const StageSchedule &schedule) {
  StageSchedule split = schedule;
  for (std::vector<StageTask> &tasks : split.ranks) {
    std::vector<StageTask> made;
    for (const StageTask &task : tasks) {
      if (task.kind != TaskKind::Backward) {
        made.push_back(task);
        continue;
      }
      made.push_back({TaskKind::InputGradient, task.stage, task.microbatch});
      made.push_back({TaskKind::WeightGradient, task.stage, task.microbatch});
    }
    tasks = std::move(made);
  }
  return split;
}

} // namespace

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// Times `start` and keeps it if it fits the memory and is better than the last
/// of those kept; returns whether it fits.
bool ScheduleSearch::add(Start start) {
  const TaskGraph &graph = *start.graph;
  double memory = 0;
  for (int32_t rank = 0; rank < graph.ranks(); ++rank)
    memory = std::max(memory, graph.memoryOf(rank, start.order[rank]));
  leastMemory = std::min(leastMemory, memory);
  if (memory > request.memoryLimit)
    return false;
  OrderTimes times(graph);
  ++result.replays;
  if (!times.compute(start.order))
    return false;
  start.makespan = graph.seconds(times.makespan);
  auto isFaster = [](const Start &a, const Start &b) {
    return a.makespan < b.makespan;
  };
  auto isSame = [&](const Start &other) {
    return other.graph == start.graph && other.order == start.order;
  };
  if (std::any_of(starts.begin(), starts.end(), isSame))
    return true;
  starts.insert(std::upper_bound(starts.begin(), starts.end(), start, isFaster),
                start);
  if (starts.size() > kStarts)
    starts.pop_back();
  return true;
}

void ScheduleSearch::addOrders(size_t placement,
                               const std::shared_ptr<TaskGraph> &graph,
                               const TaskOrder *fixed) {
  forEachGreedyOrder(*graph, request.memoryLimit, fixed, [&](TaskOrder order) {
    add({graph, std::move(order), placement, 0});
  });
}

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
  // The vocabulary's passes are other tasks than the request has costs for.
  if (!schedule || schedule->vocabularyMeetings > 0 ||
      schedule->stages != request.ranks * where.chunks)
    return;

  auto graph = std::make_shared<TaskGraph>(*schedule, where.costs);
  if (add({graph, graph->order(), placement, 0})) {
    Fallible<Timeline> timeline = replayTimes(*schedule, where.costs);
    assert(timeline && "published schedules can be replayed");
    if (timeline->makespan() < result.publishedMakespan) {
      result.publishedMakespan = timeline->makespan();
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
  StageSchedule split = withSplitBackward(schedule);
  auto graph =
      std::make_shared<TaskGraph>(split, request.placements[placement].costs);
  addOrders(placement, graph, &graph->order());
}

void ScheduleSearch::addGreedy(size_t placement, const StageSchedule &tasks) {
  auto graph =
      std::make_shared<TaskGraph>(tasks, request.placements[placement].costs);
  add({graph, graph->order(), placement, 0});
  addOrders(placement, graph, nullptr);
}

/// One microbatch after the other; under two-way placements every other one in
/// the other direction.
StageSchedule ScheduleSearch::oneByOne(const SearchPlacement &placement,
                                       bool splits) const {
  StageSchedule schedule;
  schedule.stages = request.ranks * placement.chunks;
  schedule.microbatches = request.microbatches;
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
    for (int32_t stage = schedule.stages - 1; stage >= 0; --stage)
      add(TaskKind::Backward, stage);
  }
  return splits ? withSplitBackward(schedule) : schedule;
}

void ScheduleSearch::addPlacement(size_t placement) {
  const SearchPlacement &where = request.placements[placement];
  for (const PublishedSchedule &published : listSchedules())
    if (published.placement == where.placement)
      addPublished(placement, published);
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
  for (const Start &start : starts)
    tasks = std::max<int64_t>(tasks, start.graph->size());
  return std::max<int64_t>(5'000, 25'000'000 / tasks);
}

/// Improves all starts with half of the budget, and the best with the rest.
void ScheduleSearch::improve() {
  int64_t total = budget();
  int64_t left = total;
  auto improveStart = [&](Start start, int64_t most) {
    int64_t replays = std::min(most, left);
    int64_t before = replays;
    start.order = improveOrder(*start.graph, std::move(start.order),
                               request.memoryLimit, replays);
    left -= before - replays;
    result.replays += before - replays;
    add(std::move(start));
  };
  std::vector<Start> first = starts;
  int64_t share = total / (2 * static_cast<int64_t>(first.size()));
  for (Start &start : first)
    improveStart(std::move(start), share);
  improveStart(starts.front(), left);
}

/// Goes on from the best schedules with their weight gradients in parts, and
/// keeps what comes of it if it is worth more tasks; returns whether it is.
bool ScheduleSearch::tryParts() {
  const double whole = result.wholeMakespan;
  if (!request.splitsBackward || whole <= result.bound * (1 + kWorthParts))
    return false;
  std::vector<Start> before = std::exchange(starts, {});
  for (const Start &start : before) {
    const StageCosts &costs = request.placements[start.placement].costs;
    StageSchedule split =
        withSplitBackward(start.graph->scheduleOf(start.order));
    StageSchedule parts = takeWeightsApart(split, costs);
    if (parts.ranks == split.ranks)
      continue;
    auto graph = std::make_shared<TaskGraph>(parts, costs);
    add({graph, graph->order(), start.placement, 0});
    addOrders(start.placement, graph, &graph->order());
  }
  if (!starts.empty())
    improve();
  if (!starts.empty() && starts.front().makespan <= whole * (1 - kWorthParts))
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
  result.makespan = timeline->makespan();
  result.longestStage = timeline->longestStage();
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

  result.bound = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < request.placements.size(); ++i) {
    addPlacement(i);
    const SearchPlacement &where = request.placements[i];
    TaskGraph tasks(oneByOne(where, request.splitsBackward), where.costs);
    result.bound = std::min(result.bound, tasks.seconds(tasks.bound()));
  }
  if (starts.empty())
    return Failure{"expected a memory limit of at least " + print(leastMemory) +
                   " bytes per rank for any schedule, got " +
                   print(request.memoryLimit)};
  improve();
  result.wholeMakespan = starts.front().makespan;
  bool hasParts = tryParts();
  const Start &best = starts.front();
  setResult(best.graph->scheduleOf(best.order), best.placement);
  // Two that are equal in ticks may differ by a rounding.
  if (result.makespan > result.publishedMakespan)
    setResult(bestPublished, result.publishedPlacement);
  if (!hasParts)
    result.wholeMakespan = result.makespan;
  return std::move(result);
}

Fallible<ScheduleSearchResult>
tessera::searchSchedule(const ScheduleSearchRequest &request) {
  return ScheduleSearch(request).run();
}
