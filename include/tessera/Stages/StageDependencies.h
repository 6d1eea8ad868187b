//===- StageDependencies.h - Which tasks need which -----------------------===//
//
// The one place that knows what a task waits for:
//
//   F(s, i)  needs F(s-1, i)
//   I or B(s, i)  F(s, i), and I or B(s+1, i)
//   W(s, i)  I(s, i); of its parts, the first I(s, i), a later one the one
//            before it
//   S(r, i)  F(last stage, i)
//   T(r, i)  S(every rank, i)
//   I or B(last stage, i), with one meeting S(every rank, i), with two T
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_STAGEDEPENDENCIES_H
#define TESSERA_STAGES_STAGEDEPENDENCIES_H

#include "tessera/Stages/StageCosts.h"

namespace tessera {

/// Where in a schedule a task stands; rank -1 if nowhere.
struct TaskPosition {
  int32_t rank = -1;
  /// Among the tasks of the rank.
  int32_t index = -1;

  explicit operator bool() const { return rank >= 0; }
};

/// Finds tasks of a schedule and their inputs in constant time. Requires every
/// task's stage and microbatch to be within the schedule's; of a task that
/// stands in it twice, the last position counts. Does not keep the schedule.
class StageDependencies {
public:
  explicit StageDependencies(const StageSchedule &schedule);

  /// The number of possible tasks: stages x microbatches, times 6 and the most
  /// parts that the weight gradient of a stage is taken apart into.
  int32_t size() const { return static_cast<int32_t>(positions.size()); }
  /// A number below `size()` for every possible task.
  int32_t numberOf(const StageTask &task) const {
    int32_t slot = task.part == StageTask::kWhole
                       ? static_cast<int32_t>(task.kind)
                       : kKinds + task.part;
    return (slot * stages + task.stage) * microbatches + task.microbatch;
  }
  TaskPosition positionOf(const StageTask &task) const {
    return positions[numberOf(task)];
  }

  /// The kind of task that gives the cotangent of a stage's input for a
  /// microbatch: I if it is there, otherwise B.
  TaskKind cotangentKind(int32_t stage, int32_t microbatch) const {
    return positionOf({TaskKind::InputGradient, stage, microbatch})
               ? TaskKind::InputGradient
               : TaskKind::Backward;
  }

  /// Calls `visit(input)` for each task that `task` waits for, whether or not
  /// it stands in the schedule.
  template <typename Visit>
  void forEachInput(const StageTask &task, Visit visit) const;

  /// Seconds from the end of `input` until `task` on its rank can use it.
  double transferSeconds(const StageTask &input, const StageTask &task,
                         const StageCosts &costs) const;

private:
  static constexpr int32_t kKinds = 6;

  template <typename Visit>
  void forEachPart(TaskKind kind, int32_t microbatch, Visit visit) const {
    for (int32_t part = 0; part < parts; ++part)
      visit(StageTask{kind, part, microbatch});
  }

  int32_t stages, microbatches, meetings;
  /// The parts of the output layer: one per rank, none without S and T tasks.
  int32_t parts;
  std::vector<TaskPosition> positions;
};

template <typename Visit>
void StageDependencies::forEachInput(const StageTask &task, Visit visit) const {
  const TaskKind kind = task.kind;
  const int32_t stage = task.stage, microbatch = task.microbatch,
                part = task.part;
  switch (kind) {
  case TaskKind::Forward:
    if (stage > 0)
      visit(StageTask{kind, stage - 1, microbatch});
    return;
  case TaskKind::InputGradient:
  case TaskKind::Backward:
    visit(StageTask{TaskKind::Forward, stage, microbatch});
    if (stage + 1 < stages)
      visit(StageTask{cotangentKind(stage + 1, microbatch), stage + 1,
                      microbatch});
    else if (meetings)
      forEachPart(meetings == 1 ? TaskKind::VocabularyForward
                                : TaskKind::VocabularyBackward,
                  microbatch, visit);
    return;
  case TaskKind::WeightGradient:
    if (part > 0)
      visit(StageTask{kind, stage, microbatch, part - 1});
    else
      visit(StageTask{TaskKind::InputGradient, stage, microbatch});
    return;
  case TaskKind::VocabularyForward:
    visit(StageTask{TaskKind::Forward, stages - 1, microbatch});
    return;
  case TaskKind::VocabularyBackward:
    forEachPart(TaskKind::VocabularyForward, microbatch, visit);
    return;
  }
}

} // namespace tessera

#endif // TESSERA_STAGES_STAGEDEPENDENCIES_H
