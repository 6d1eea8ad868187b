//===- ScheduleSearchGraph.cpp - Tasks, orders and their times ------------===//

#include "Search/ScheduleSearchGraph.h"

#include "tessera/Stages/StageDependencies.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

TaskGraph::TaskGraph(const StageSchedule &schedule, const StageCosts &costs)
    : stages(schedule.stages), microbatches(schedule.microbatches),
      vocabularyMeetings(schedule.vocabularyMeetings) {
  chooseScale(schedule, costs);
  StageDependencies dependencies(schedule);
  std::vector<int32_t> indexOf(dependencies.size(), -1);
  for (size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    original.emplace_back();
    std::vector<bool> holds(stages);
    double bytes = 0;
    for (const StageTask &task : schedule.ranks[rank]) {
      indexOf[dependencies.numberOf(task)] = size();
      original.back().push_back(size());
      SearchTask made;
      made.task = task;
      made.rank = static_cast<int32_t>(rank);
      made.duration = std::llround(costs.seconds(task) * ticksPerSecond);
      made.memory = costs.memory(task);
      tasks.push_back(std::move(made));
      if (!holds[task.stage])
        bytes += costs.stages[task.stage].parameters;
      holds[task.stage] = true;
    }
    parameters.push_back(bytes);
  }
  for (int32_t i = 0; i < size(); ++i)
    dependencies.forEachInput(tasks[i].task, [&](const StageTask &input) {
      int32_t from = indexOf[dependencies.numberOf(input)];
      double seconds =
          dependencies.transferSeconds(input, tasks[i].task, costs);
      int64_t delay = std::llround(seconds * ticksPerSecond);
      tasks[i].inputs.push_back({from, delay});
      tasks[from].outputs.push_back({i, delay});
    });
  computeHeads();
}

void TaskGraph::chooseScale(const StageSchedule &schedule,
                            const StageCosts &costs) {
  double seconds = 0;
  for (const std::vector<StageTask> &order : schedule.ranks)
    for (const StageTask &task : order)
      seconds += costs.seconds(task);
  for (const BoundaryCost &boundary : costs.boundaries)
    seconds += microbatches * (boundary.forward + boundary.backward);
  seconds += microbatches * (vocabularyMeetings + 1) * costs.vocabularyMeeting;
  if (seconds > 0)
    ticksPerSecond = std::ldexp(1, 44) / seconds;
}

StageSchedule TaskGraph::scheduleOf(const TaskOrder &order) const {
  StageSchedule schedule;
  schedule.stages = stages;
  schedule.microbatches = microbatches;
  schedule.vocabularyMeetings = vocabularyMeetings;
  for (const std::vector<int32_t> &rank : order) {
    schedule.ranks.emplace_back();
    for (int32_t task : rank)
      schedule.ranks.back().push_back(tasks[task].task);
  }
  return schedule;
}

//===----------------------------------------------------------------------===//
// Memory and bounds
//===----------------------------------------------------------------------===//

double TaskGraph::memoryOf(int32_t rank,
                           const std::vector<int32_t> &order) const {
  double held = parameters[rank], most = held;
  for (int32_t task : order) {
    held += tasks[task].memory.takes;
    most = std::max(most, held);
    held -= tasks[task].memory.releases;
    most = std::max(most, held);
  }
  return most;
}

bool TaskGraph::fits(const TaskOrder &order, double limit) const {
  for (int32_t rank = 0; rank < ranks(); ++rank)
    if (memoryOf(rank, order[rank]) > limit)
      return false;
  return true;
}

void TaskGraph::computeHeads() {
  heads.assign(size(), 0);
  std::vector<int32_t> missing(size());
  for (int32_t i = 0; i < size(); ++i) {
    missing[i] = static_cast<int32_t>(tasks[i].inputs.size());
    if (missing[i] == 0)
      sorted.push_back(i);
  }
  for (size_t next = 0; next < sorted.size(); ++next) {
    const SearchTask &task = tasks[sorted[next]];
    for (const TaskLink &output : task.outputs) {
      heads[output.task] =
          std::max(heads[output.task],
                   heads[sorted[next]] + task.duration + output.delay);
      if (--missing[output.task] == 0)
        sorted.push_back(output.task);
    }
  }
}

/// By task what of the value must come after it in any order.
std::vector<int64_t> TaskGraph::tailsUnder(const OrderGoal &goal) const {
  std::vector<int64_t> tails(size());
  for (int32_t task : llvm::reverse(sorted)) {
    tails[task] = goal.deliveries[tasks[task].rank];
    for (const TaskLink &output : tasks[task].outputs)
      tails[task] =
          std::max(tails[task], tasks[output.task].duration +
                                    tails[output.task] + output.delay);
  }
  return tails;
}

int64_t TaskGraph::earliestOnRank(int32_t rank) const {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (int32_t task : original[rank])
    first = std::min(first, heads[task]);
  return original[rank].empty() ? 0 : first;
}

int64_t TaskGraph::latestBegin() const {
  int64_t latest = 0;
  for (int32_t rank = 0; rank < ranks(); ++rank)
    latest = std::max(latest, earliestOnRank(rank));
  return latest;
}

OrderGoal TaskGraph::shortStep() const {
  return {std::vector<int64_t>(ranks(), 0)};
}

OrderGoal TaskGraph::shortStages() const {
  std::vector<int64_t> begins;
  for (int32_t rank = 0; rank < ranks(); ++rank)
    begins.push_back(earliestOnRank(rank));
  OrderGoal goal = OrderGoal::byDeadlines(begins);
  goal.enough = 0;
  return goal;
}

OrderGoal OrderGoal::byDeadlines(const std::vector<int64_t> &deadlines) {
  OrderGoal goal;
  goal.enough = *llvm::max_element(deadlines);
  for (int64_t deadline : deadlines)
    goal.deliveries.push_back(goal.enough - deadline);
  return goal;
}

int64_t TaskGraph::bound(const OrderGoal &goal) const {
  std::vector<int64_t> tails = tailsUnder(goal);
  int64_t longest = 0;
  for (const std::vector<int32_t> &order : original) {
    int64_t busy = 0;
    int64_t first = std::numeric_limits<int64_t>::max(), last = first;
    for (int32_t task : order) {
      busy += tasks[task].duration;
      first = std::min(first, heads[task]);
      last = std::min(last, tails[task]);
      longest =
          std::max(longest, heads[task] + tasks[task].duration + tails[task]);
    }
    if (!order.empty())
      longest = std::max(longest, first + busy + last);
  }
  return longest;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

OrderTimes::OrderTimes(const TaskGraph &graph, const OrderGoal &goal)
    : begin(graph.size()), tail(graph.size()), position(graph.size()),
      before(graph.size()), after(graph.size()), graph(graph), goal(goal),
      missing(graph.size()), sorted(graph.size()) {}

bool OrderTimes::compute(const TaskOrder &order) {
  int32_t count = 0;
  for (const std::vector<int32_t> &rank : order)
    for (size_t i = 0; i < rank.size(); ++i) {
      int32_t task = rank[i];
      position[task] = static_cast<int32_t>(i);
      before[task] = i > 0 ? rank[i - 1] : -1;
      after[task] = i + 1 < rank.size() ? rank[i + 1] : -1;
      begin[task] = 0;
      missing[task] =
          static_cast<int32_t>(graph[task].inputs.size()) + (i > 0 ? 1 : 0);
      if (missing[task] == 0)
        sorted[count++] = task;
    }
  auto release = [&](int32_t task, int64_t time) {
    begin[task] = std::max(begin[task], time);
    if (--missing[task] == 0)
      sorted[count++] = task;
  };
  value = 0;
  for (int32_t next = 0; next < count; ++next) {
    int32_t task = sorted[next];
    int64_t done = end(task);
    value = std::max(value, done + goal.deliveries[graph[task].rank]);
    for (const TaskLink &output : graph[task].outputs)
      release(output.task, done + output.delay);
    if (after[task] >= 0)
      release(after[task], done);
  }
  if (count < graph.size())
    return false;
  for (int32_t next = count - 1; next >= 0; --next) {
    int32_t task = sorted[next];
    int64_t rest = goal.deliveries[graph[task].rank];
    for (const TaskLink &output : graph[task].outputs)
      rest = std::max(rest, output.delay + graph[output.task].duration +
                                tail[output.task]);
    if (after[task] >= 0)
      rest = std::max(rest, graph[after[task]].duration + tail[after[task]]);
    tail[task] = rest;
  }
  return true;
}
