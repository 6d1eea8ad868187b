//===- ScheduleCheck.h - Whether a schedule is one that can run -----------===//
#ifndef TESSERA_STAGES_SCHEDULECHECK_H
#define TESSERA_STAGES_SCHEDULECHECK_H

#include "tessera/Stages/StageCosts.h"
#include "tessera/Support/Fallible.h"

namespace tessera {

/// Where in a file a task was read; both count from 1, columns in characters.
struct TaskOrigin {
  int32_t line;
  int32_t column;
};

/// Where a schedule was read: per rank and task.
struct ScheduleOrigin {
  std::string file;
  std::vector<std::vector<TaskOrigin>> ranks;
};

/// What a schedule is held against, beside the rules that hold for all.
struct ScheduleLimits {
  /// The most bytes that a rank may hold, parameters included, and what the
  /// stages hold; no limit without costs.
  const StageCosts *costs = nullptr;
  double memory = 0;
};

/// Checks that `schedule` computes every microbatch of every stage once and can
/// be run:
///
/// - tasks name a stage and a microbatch within the schedule's numbers, and no
///   task comes twice;
/// - every stage has for every microbatch one F, and either one B or one I and
///   one W, in this order and all on one rank. Instead of W there may be parts
///   of it, in order; a stage has as many for each microbatch that has any;
/// - where there are S or T tasks, the ranks meet once or twice, and every rank
///   has both for every microbatch, under its own number;
/// - in-order execution ends: no ranks wait for each other in a circle. Sends
///   never wait, so it does not matter whether a rank waits for its input when
///   the task starts or has asked for it before;
/// - within `limits`, no rank holds more than its memory.
///
/// Fails with one line that names the offending task and its rank. With an
/// origin the line starts with `file:line:column: error: `.
Fallible<void> checkSchedule(const StageSchedule &schedule,
                             const ScheduleLimits &limits = {},
                             const ScheduleOrigin *origin = nullptr);

} // namespace tessera

#endif // TESSERA_STAGES_SCHEDULECHECK_H
