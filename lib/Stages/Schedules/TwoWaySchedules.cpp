//===- TwoWaySchedules.cpp - Chimera and BitPipe --------------------------===//
//
// Two copies of the model lie over the ranks in opposite directions, and half
// of the microbatches take each (Li, Hoefler: Chimera, SC 2021). Where one copy
// leaves a rank idle, the other has work, so bubbles are about half of those of
// 1F1B; the price is twice the parameters, and adding the gradients of the two
// copies of every stage. BitPipe (Wu et al. 2024) folds each copy into two
// stages a rank, there and back, as interleaving does.
//
// Both papers draw their schedules for a few sizes. Here each copy's order is
// kept in lanes of a TaskWeaver, which weaves them together as if forward and
// backward tasks took equally long; of tasks that could start together, that of
// the lane with more left goes first, so the two copies take turns. For a
// number of microbatches that the ranks divide this gives the published
// bubbles; others have larger ones. (By the real costs the weaver would find
// better orders at times, and worse ones at others.)
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"
#include "Schedules/TaskWeaver.h"

#include <algorithm>

using namespace tessera;

/// F and B take equally long.
static StageCosts makeEvenCosts(int32_t stages) {
  StageCost cost;
  cost.backward = cost.forward;
  return StageCosts::uniform(stages, cost);
}

/// One copy's 1F1B on the rank that has `stage`: the microbatches from `first`
/// on, `count` of them, `live` at once.
static std::vector<StageTask> makeTurns(int32_t stage, int32_t first,
                                        int32_t count, int32_t live) {
  std::vector<StageTask> tasks;
  for (int32_t i = 0; i < count + live - 1; ++i) {
    if (i < count)
      tasks.push_back({TaskKind::Forward, stage, first + i});
    if (i >= live - 1)
      tasks.push_back({TaskKind::Backward, stage, first + i - live + 1});
  }
  return tasks;
}

/// The tasks of one kind of a stage, for `count` microbatches from `first` on.
static std::vector<StageTask> makeRun(TaskKind kind, int32_t stage,
                                      int32_t first, int32_t count) {
  std::vector<StageTask> tasks;
  for (int32_t i = first; i < first + count; ++i)
    tasks.push_back({kind, stage, i});
  return tasks;
}

/// Weaves `lanes` (per rank); no rank holds more than `limit` activations.
static StageSchedule
weave(const ScheduleRequest &request,
      const std::vector<std::vector<std::vector<StageTask>>> &lanes,
      int32_t limit) {
  StageSchedule schedule = emptySchedule(request);
  for (int32_t rank = 0; rank < request.ranks; ++rank)
    for (const std::vector<StageTask> &lane : lanes[rank])
      schedule.ranks[rank].insert(schedule.ranks[rank].end(), lane.begin(),
                                  lane.end());
  const StageCosts costs = makeEvenCosts(schedule.stages);
  TaskWeaver weaver(schedule, costs);
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    for (const std::vector<StageTask> &lane : lanes[rank])
      weaver.addLane(rank, lane);
    weaver.setLiveLimit(rank, limit);
  }
  schedule.ranks = weaver.run();
  return schedule;
}

StageSchedule tessera::makeChimera(const ScheduleRequest &request) {
  const int32_t ranks = request.ranks, half = request.microbatches / 2;
  std::vector<std::vector<std::vector<StageTask>>> lanes(ranks);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    auto add = [&](int32_t stage, int32_t first) {
      lanes[rank].push_back(
          makeTurns(stage, first, half, std::min(ranks - stage, half)));
    };
    add(rank, 0);
    add(ranks - 1 - rank, half);
  }
  return weave(request, lanes, ranks);
}

StageSchedule tessera::makeBitPipe(const ScheduleRequest &request) {
  const int32_t ranks = request.ranks, half = request.microbatches / 2;
  std::vector<std::vector<std::vector<StageTask>>> lanes(ranks);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    // Of each copy, a lane per stage and kind, what is nearest to its end
    // first.
    auto add = [&](int32_t near, int32_t first) {
      const int32_t far = 2 * ranks - 1 - near;
      lanes[rank].push_back(makeRun(TaskKind::Backward, near, first, half));
      lanes[rank].push_back(makeRun(TaskKind::Backward, far, first, half));
      lanes[rank].push_back(makeRun(TaskKind::Forward, far, first, half));
      lanes[rank].push_back(makeRun(TaskKind::Forward, near, first, half));
    };
    add(rank, 0);
    add(ranks - 1 - rank, half);
  }
  return weave(request, lanes, INT32_MAX);
}
