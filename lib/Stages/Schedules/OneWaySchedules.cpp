//===- OneWaySchedules.cpp - GPipe, 1F1B, eager 1F1B, 2BP -----------------===//
//
// One stage a rank, stage s on rank s. Of p ranks, rank d runs some forward
// tasks first (its warm-up), then forward and backward tasks in turn, then what
// is left of the backward ones. The schedules differ in the length of the
// warm-up:
//
//   gpipe       all microbatches
//   1f1b        p - d - 1: the task after it is the earliest backward task's
//               forward one
//   eager-1f1b  2 (p - d - 1): a microbatch's way to the last stage and back,
//               so that transfers do not stop the turns
//
// 2BP is 1F1B whose weight gradients all come at the end, where no rank waits
// for another.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"

#include <algorithm>

using namespace tessera;

/// 1F1B where rank d runs `warmup(d)` forward tasks first, or all of them if
/// there are fewer. Backward tasks are of kind `backward`.
template <typename Warmup>
static StageSchedule makeInTurns(const ScheduleRequest &request,
                                 TaskKind backward, Warmup warmup) {
  StageSchedule schedule = emptySchedule(request);
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    std::vector<StageTask> &tasks = schedule.ranks[rank];
    int32_t ahead = std::min(warmup(rank), request.microbatches);
    for (int32_t i = 0; i < ahead; ++i)
      tasks.push_back({TaskKind::Forward, rank, i});
    for (int32_t i = 0; i < request.microbatches; ++i) {
      if (ahead + i < request.microbatches)
        tasks.push_back({TaskKind::Forward, rank, ahead + i});
      tasks.push_back({backward, rank, i});
    }
  }
  return schedule;
}

StageSchedule tessera::makeGPipe(const ScheduleRequest &request) {
  return makeInTurns(request, TaskKind::Backward,
                     [&](int32_t) { return request.microbatches; });
}

StageSchedule
tessera::makeOneForwardOneBackward(const ScheduleRequest &request) {
  return makeInTurns(request, TaskKind::Backward,
                     [&](int32_t rank) { return request.ranks - rank - 1; });
}

StageSchedule
tessera::makeEagerOneForwardOneBackward(const ScheduleRequest &request) {
  return makeInTurns(request, TaskKind::Backward, [&](int32_t rank) {
    return 2 * (request.ranks - rank - 1);
  });
}

StageSchedule tessera::makeTwoStageBackward(const ScheduleRequest &request) {
  StageSchedule schedule =
      makeInTurns(request, TaskKind::InputGradient,
                  [&](int32_t rank) { return request.ranks - rank - 1; });
  for (int32_t rank = 0; rank < request.ranks; ++rank)
    for (int32_t i = 0; i < request.microbatches; ++i)
      schedule.ranks[rank].push_back({TaskKind::WeightGradient, rank, i});
  return schedule;
}
