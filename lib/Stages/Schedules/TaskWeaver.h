//===- TaskWeaver.h - Lists of tasks laid side by side in time ------------===//
#ifndef TESSERA_STAGES_SCHEDULES_TASKWEAVER_H
#define TESSERA_STAGES_SCHEDULES_TASKWEAVER_H

#include "tessera/Stages/StageDependencies.h"

#include <cstdint>
#include <deque>

namespace tessera {

/// Turns several ordered lists of tasks per rank, its *lanes*, into one order
/// per rank, and puts weight gradients where the rank would wait.
///
/// List scheduling over a simulated clock: again and again, of the next tasks
/// of all lanes whose inputs are there, the one that can start first is given
/// the next position of its rank; of several, that of the lane with
/// more left.
///
/// - A rank whose next task cannot start yet first runs those of its waiting
///   weight gradients that fit in the gap without delaying it. What has not
///   found a gap comes last.
/// - A lane may be given a reach: then, before the rank's first backward task
///   and after the lane's last forward task (the turns in between keep their
///   order), a task further down may come first if it can start earlier than
///   the ones before it, and, of a forward task, if its rank still has room
///   for all the tasks that it overtakes.
/// - A forward task that would exceed `liveLimit` has to wait; if the rank
/// could
///   not go on otherwise, it runs a weight gradient instead.
///
/// The published schedules that are defined by a rule or by a pattern that is
/// then compacted are made by it. Time is tasks x (ranks + lanes x reach).
class TaskWeaver {
public:
  /// Weaves the tasks of `schedule`, whose order within a rank does not matter,
  /// by `costs`, which must outlive this.
  TaskWeaver(const StageSchedule &schedule, const StageCosts &costs);

  /// Adds a lane to `rank`: the tasks in order, without weight gradients. Up to
  /// `reach` tasks may be overtaken.
  void addLane(int32_t rank, std::vector<StageTask> tasks, int32_t reach = 0);
  /// The most (stage, microbatch) pairs that `rank` may hold between the start
  /// of F and the end of W or B.
  void setLiveLimit(int32_t rank, int32_t limit) {
    ranks[rank].liveLimit = limit;
  }

  /// The tasks of every rank in order. Those that could never start (lanes that
  /// wait for each other) are missing.
  std::vector<std::vector<StageTask>> run();

private:
  struct Lane {
    /// What is left, in order.
    std::deque<StageTask> tasks;
    /// How many of them are forward tasks.
    int32_t forwards;
    int32_t reach;
  };
  /// A task that can be next, and its start.
  struct Choice {
    int32_t lane = -1;
    int32_t position = 0;
    double start = 0;

    explicit operator bool() const { return lane >= 0; }
  };
  struct Rank {
    std::vector<Lane> lanes;
    std::vector<StageTask> order;
    std::deque<StageTask> weights;
    double free = 0;
    int32_t live = 0;
    /// Whether the rank has run a backward task.
    bool hasGradients = false;
    int32_t liveLimit = INT32_MAX;
    /// What comes next; not settled again before something changes it.
    Choice choice;
    bool isSettled = false;
  };

  void settle(Rank &rank);
  bool isBetter(const Rank &rank, const Choice &choice, double end) const;
  bool chooseFrom(Rank &rank, int32_t lane);
  void place(Rank &rank);
  void append(Rank &rank, const StageTask &task, double start);
  void unsettleUsers(const StageTask &task);
  void runWeight(Rank &rank);
  /// When the inputs of `task` are there; below 0 if one has not been placed.
  double arrival(const StageTask &task) const;

  const StageCosts &costs;
  const int32_t stages;
  StageDependencies dependencies;
  std::vector<double> ends;
  std::vector<Rank> ranks;
};

} // namespace tessera

#endif // TESSERA_STAGES_SCHEDULES_TASKWEAVER_H
