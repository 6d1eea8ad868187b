//===- ScheduleSearchTies.cpp - The other figure of a schedule ------------===//
//
// Of schedules that are equal by what is minimised, the step or the longest
// stage, one is better by the other. That all ranks end by a deadline which
// keeps the one figure and shortens the other is a goal of the same form
// (OrderGoal). The deadline of the other figure is halved towards its lower
// bound.
//
//===----------------------------------------------------------------------===//

#include "Search/ScheduleSearchGraph.h"

#include <algorithm>
#include <cassert>

using namespace tessera;

/// Into how many tries the orders that may be timed are divided.
static constexpr int64_t kTries = 4;

/// The value of `order`, which can run, under `goal`.
static int64_t valueOf(const TaskGraph &graph, const TaskOrder &order,
                       const OrderGoal &goal) {
  OrderTimes times(graph, goal);
  bool runs = times.compute(order);
  assert(runs && "orders that were kept can run");
  return runs ? times.value : 0;
}

/// The goal that the step ends by `stepEnd`, and the longest stage has
/// `stagesValue` as its value at most. Ticks.
static OrderGoal goalOfBoth(const TaskGraph &graph, int64_t stepEnd,
                            int64_t stagesValue) {
  int64_t longestStage = stagesValue - graph.latestBegin();
  std::vector<int64_t> deadlines;
  for (int32_t rank = 0; rank < graph.ranks(); ++rank)
    deadlines.push_back(
        std::min(stepEnd, graph.earliestOnRank(rank) + longestStage));
  return OrderGoal::byDeadlines(deadlines);
}

TaskOrder tessera::improveOther(const TaskGraph &graph, TaskOrder order,
                                TieBreak tie, double memoryLimit,
                                int64_t &replays) {
  const bool keepsStep = tie == TieBreak::ForShortStages;
  const OrderGoal step = graph.shortStep(), stages = graph.shortStages();
  const OrderGoal &other = keepsStep ? stages : step;
  const int64_t kept = valueOf(graph, order, keepsStep ? step : stages);
  const int64_t most = std::max<int64_t>(replays / kTries, 1);
  int64_t low = graph.bound(other), high = valueOf(graph, order, other);
  // A thousandth less is worth no more time.
  for (int64_t aim = low; high - low > kept / 1000 && replays > 0;
       aim = low + (high - low) / 2) {
    OrderGoal goal =
        keepsStep ? goalOfBoth(graph, kept, aim) : goalOfBoth(graph, aim, kept);
    int64_t left = std::min(replays, most), before = left;
    TaskOrder improved = improveOrder(graph, order, goal, memoryLimit, left);
    replays -= before - left;
    if (valueOf(graph, improved, goal) <= goal.enough) {
      order = std::move(improved);
      high = std::min(aim, valueOf(graph, order, other));
    } else {
      low = aim + 1;
    }
  }
  return order;
}
