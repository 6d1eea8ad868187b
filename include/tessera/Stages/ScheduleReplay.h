//===- ScheduleReplay.h - What a schedule takes in time and memory --------===//
#ifndef TESSERA_STAGES_SCHEDULEREPLAY_H
#define TESSERA_STAGES_SCHEDULEREPLAY_H

#include "tessera/Stages/StageCosts.h"
#include "tessera/Support/Fallible.h"

namespace tessera {

/// A task and the seconds, from the start of the step, between which it runs.
struct TimedTask {
  StageTask task;
  double begin;
  double end;
};

/// What a rank holds from `time` on until the next step.
struct MemoryStep {
  double time;
  double bytes;
};

/// One pipeline rank's part of a timeline.
struct RankTimeline {
  /// In the schedule's order.
  std::vector<TimedTask> tasks;
  /// Seconds of all tasks together.
  double busy = 0;
  /// Bytes held all the time, for the stages that the rank has.
  double parameters = 0;
  /// The most bytes of activations held at one time.
  double peakActivation = 0;
  /// Bytes of activations over time: ascending times, each once; starts
  /// with 0 bytes and, for a schedule that is complete, ends with them.
  std::vector<MemoryStep> activations;

  double peakMemory() const { return parameters + peakActivation; }
  double begin() const { return tasks.empty() ? 0 : tasks.front().begin; }
  double end() const { return tasks.empty() ? 0 : tasks.back().end; }
};

struct Timeline {
  std::vector<RankTimeline> ranks;

  /// Seconds until the last rank is done.
  double makespan() const;
  /// The longest time between the start of a rank's first task and the end of
  /// its last one. What papers on zero-bubble schedules report: where steps
  /// follow each other without a barrier, a rank that starts late also ends
  /// late and loses nothing by it.
  double longestStage() const;
  /// Seconds of all tasks, averaged over the ranks.
  double meanBusy() const;
  /// The part of `makespan` that a rank idles on average: 0 to below 1.
  double bubbleRate() const;
  /// The same for `longestStage`; below 0 if the rank that takes longest is
  /// idle for a smaller part than the others are busy for less.
  double longestStageBubbleRate() const;
  /// The most bytes that any rank holds, with parameters or without.
  double peakMemory() const;
  double peakActivation() const;
};

/// Runs `schedule` in thought: every rank takes its tasks in order, each as
/// soon as the one before is done and its inputs are there. Transfers do not
/// disturb computation nor each other (sends are asynchronous), and take no
/// time between stages on one rank.
///
/// Fails if ranks wait for each other in a circle or for a task that is not in
/// the schedule (the message names the tasks), and if tasks or costs do not fit
/// the schedule's numbers of stages and microbatches. Time and space
/// are linear in the number of tasks.
Fallible<Timeline> replay(const StageSchedule &schedule,
                          const StageCosts &costs);

/// A task that never starts, and where it stands.
struct ScheduleWait {
  int32_t rank = 0;
  int32_t position = 0;
};

/// As above, without the activations over time (`activations` and
/// `peakActivation` stay empty): for searches. If tasks wait for ever, `wait`
/// becomes the first one that the message names.
Fallible<Timeline> replayTimes(const StageSchedule &schedule,
                               const StageCosts &costs,
                               ScheduleWait *wait = nullptr);

/// The most bytes of activations that rank `rank` holds: follows from the order
/// of its tasks alone. With `perTask`, also what it holds during each task.
double peakActivation(const StageSchedule &schedule, const StageCosts &costs,
                      int32_t rank, std::vector<double> *perTask = nullptr);

} // namespace tessera

#endif // TESSERA_STAGES_SCHEDULEREPLAY_H
