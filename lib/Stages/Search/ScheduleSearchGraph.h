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

/// What an order is judged by: the latest end of a rank, each with the rank's
/// delivery time (the term of job shops) added. Ticks.
struct OrderGoal {
  /// By rank.
  std::vector<int64_t> deliveries;
  /// No order needs to be better than this.
  int64_t enough = 0;

  /// That each rank ends by its deadline: the case for orders whose value is at
  /// most `enough`.
  static OrderGoal byDeadlines(const std::vector<int64_t> &deadlines);
};

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
  /// Ticks before which none of the tasks of `rank` can begin.
  int64_t earliestOnRank(int32_t rank) const;
  /// The goal that all ranks end early, and that each ends early after it can
  /// have begun; the value of an order under the latter is
  /// `latestBegin()` + the longest stage.
  OrderGoal shortStep() const;
  OrderGoal shortStages() const;
  /// The latest earliestOnRank.
  int64_t latestBegin() const;
  /// A value that no order is below: a rank's tasks together, what must come
  /// before the first of them, and what must come after the last.
  int64_t bound(const OrderGoal &goal) const;
  double seconds(int64_t ticks) const {
    return static_cast<double>(ticks) / ticksPerSecond;
  }

private:
  void chooseScale(const StageSchedule &schedule, const StageCosts &costs);
  void computeHeads();
  std::vector<int64_t> tailsUnder(const OrderGoal &goal) const;

  std::vector<SearchTask> tasks;
  /// By task what must pass before it in any order.
  std::vector<int64_t> heads;
  /// All tasks, each behind those that it waits for.
  std::vector<int32_t> sorted;
  TaskOrder original;
  std::vector<double> parameters;
  int32_t stages, microbatches, vocabularyMeetings;
  double ticksPerSecond = 1;
};

/// The times of an order. Kept between orders, for its memory.
class OrderTimes {
public:
  OrderTimes(const TaskGraph &graph, const OrderGoal &goal);

  /// Computes everything below for `order`; false if ranks wait for each other
  /// in a circle.
  bool compute(const TaskOrder &order);

  /// Of the order, under the goal: ticks until the last task ends if that is a
  /// short step.
  int64_t value = 0;
  /// By task: when it begins, and how much less than the value its end must be
  /// for the value not to grow.
  std::vector<int64_t> begin, tail;
  /// By task: its position in its rank's order.
  std::vector<int32_t> position;
  /// By task: the tasks before and after it on its rank; -1 for none.
  std::vector<int32_t> before, after;

  int64_t end(int32_t task) const { return begin[task] + graph[task].duration; }

private:
  const TaskGraph &graph;
  const OrderGoal &goal;
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
                       const OrderGoal &goal, double memoryLimit,
                       int64_t &replays);

/// Which of two figures of an order is improved while the other is kept.
enum class TieBreak { ForShortStages, ForShortStep };

/// Improves one figure of `order`, which fits the memory limit, without losing
/// in the other, with at most `replays` orders timed; subtracts from `replays`
/// what it used.
TaskOrder improveOther(const TaskGraph &graph, TaskOrder order, TieBreak tie,
                       double memoryLimit, int64_t &replays);

} // namespace tessera

#endif // TESSERA_STAGES_SEARCH_SCHEDULESEARCHGRAPH_H
