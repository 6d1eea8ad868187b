//===- ScheduleSearchGraph.h - Tasks, orders and their times ----*- C++ -*-===//
//
// What the parts of the schedule search share: the tasks of a step as a graph
// with integer times, orders of them, and the times that follow from an order.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_SEARCH_SCHEDULESEARCHGRAPH_H
#define TESSERA_STAGES_SEARCH_SCHEDULESEARCHGRAPH_H

#include "tessera/Stages/StageCosts.h"

#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <optional>

namespace tessera {

/// A task that another one waits for or is waited for by.
struct TaskLink {
  int32_t task;
  /// Ticks of the transfer between both.
  int64_t delay;
};

/// A task of the step. Times in ticks.
struct SearchTask {
  StageTask task;
  int32_t rank = 0;
  int64_t duration = 0;
  TaskMemory memory;
  llvm::SmallVector<TaskLink, 2> inputs;
  llvm::SmallVector<TaskLink, 2> outputs;
};

/// Per rank its tasks in order.
using TaskOrder = std::vector<std::vector<int32_t>>;

/// All tasks of a step and what they wait for, whatever their order.
class TaskGraph {
public:
  /// The tasks of `schedule`, which is complete. Times are rounded to 2^-44 of
  /// the time of all tasks and transfers together.
  TaskGraph(const StageSchedule &schedule, const StageCosts &costs);

  int32_t size() const { return static_cast<int32_t>(tasks.size()); }
  int32_t ranks() const { return static_cast<int32_t>(parameters.size()); }
  const SearchTask &operator[](int32_t task) const { return tasks[task]; }

  /// The order of the schedule that the graph was made from.
  const TaskOrder &order() const { return original; }
  StageSchedule scheduleOf(const TaskOrder &order) const;

  /// Bytes that a rank holds all the time.
  double parametersOf(int32_t rank) const { return parameters[rank]; }
  /// The most bytes that a rank holds, parameters included, if it runs `tasks`.
  double memoryOf(int32_t rank, const std::vector<int32_t> &order) const;
  /// Whether no rank ever holds more than `limit`.
  bool fits(const TaskOrder &order, double limit) const;

  /// Ticks before which a task cannot begin in any order.
  int64_t earliest(int32_t task) const { return heads[task]; }
  /// Ticks that no order is faster than: a rank's tasks together, what must
  /// come before the first of them, and what must come after the last.
  int64_t bound() const;
  double seconds(int64_t ticks) const {
    return static_cast<double>(ticks) / ticksPerSecond;
  }

private:
  void chooseScale(const StageSchedule &schedule, const StageCosts &costs);
  void computeHeadsAndTails();

  std::vector<SearchTask> tasks;
  /// By task what must pass before it and after it in any order.
  std::vector<int64_t> heads, tails;
  TaskOrder original;
  std::vector<double> parameters;
  int32_t stages, microbatches, vocabularyMeetings;
  double ticksPerSecond = 1;
};

/// The times of an order. Kept between orders, for its memory.
class OrderTimes {
public:
  explicit OrderTimes(const TaskGraph &graph);

  /// Computes everything below for `order`; false if ranks wait for each other
  /// in a circle.
  bool compute(const TaskOrder &order);

  /// Ticks until the last task ends.
  int64_t makespan = 0;
  /// By task: when it begins, and how long before the end of the step it must
  /// end for the step not to take longer.
  std::vector<int64_t> begin, tail;
  /// By task: its position in its rank's order.
  std::vector<int32_t> position;
  /// By task: the tasks before and after it on its rank; -1 for none.
  std::vector<int32_t> before, after;

  int64_t end(int32_t task) const { return begin[task] + graph[task].duration; }
  /// Whether the step would take longer if the task did.
  bool isCritical(int32_t task) const {
    return end(task) + tail[task] == makespan;
  }

private:
  const TaskGraph &graph;
  std::vector<int32_t> missing, sorted;
};

/// Makes orders from nothing, task after task in the order of time, with
/// parameters from a fixed list; calls `found` with each one that fits the
/// memory. If there is an order `fixed`, all tasks but weight gradients keep
/// it.
void forEachGreedyOrder(const TaskGraph &graph, double memoryLimit,
                        const TaskOrder *fixed,
                        const std::function<void(TaskOrder)> &found);

/// Improves `order`, which fits the memory limit, by moving tasks, with at most
/// `replays` orders timed; subtracts from `replays` what it used.
TaskOrder improveOrder(const TaskGraph &graph, TaskOrder order,
                       double memoryLimit, int64_t &replays);

} // namespace tessera

#endif // TESSERA_STAGES_SEARCH_SCHEDULESEARCHGRAPH_H
