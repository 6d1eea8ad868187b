//===- ZeroPPSchedule.cpp - Units of microbatches, blockwise --------------===//
//
// ZeroPP (Tang et al. 2024) schedules microbatches in units: within one, each
// stage's tasks of all the unit's microbatches follow each other, so that a
// stage's parameters, which are sharded over data-parallel replicas, are
// gathered once for them. Weight gradients fill what is left open, within a
// unit or between two.
//
// The paper's abstract says as much; the rest is ours: a unit has as many
// microbatches as there are ranks; the forward tasks of all stages in order,
// then the input gradients, stages reversed; weight gradients wherever a rank
// would wait, at the latest when it holds two units.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"
#include "Schedules/TaskWeaver.h"

#include <algorithm>

using namespace tessera;

/// How many units of activations a rank may hold.
static constexpr int32_t kUnitsHeld = 2;

/// The tasks of one rank, unit by unit, without weight gradients.
static std::vector<StageTask> makeUnits(const ScheduleRequest &request,
                                        int32_t rank) {
  std::vector<StageTask> tasks;
  for (int32_t first = 0; first < request.microbatches;
       first += request.ranks) {
    int32_t end = std::min(first + request.ranks, request.microbatches);
    for (int32_t chunk = 0; chunk < request.chunks; ++chunk)
      for (int32_t i = first; i < end; ++i)
        tasks.push_back({TaskKind::Forward, chunk * request.ranks + rank, i});
    for (int32_t chunk = request.chunks - 1; chunk >= 0; --chunk)
      for (int32_t i = first; i < end; ++i)
        tasks.push_back(
            {TaskKind::InputGradient, chunk * request.ranks + rank, i});
  }
  return tasks;
}

/// How many activations of a stage a rank may hold: two units, or less if
/// memory asks for it, but one unit at least.
static int32_t liveLimit(const ScheduleRequest &request) {
  const int32_t unit = request.ranks * request.chunks;
  double largest = 0;
  if (request.costs)
    for (const StageCost &cost : request.costs->stages)
      largest = std::max({largest, cost.activation, cost.weightInput});
  if (largest == 0)
    return kUnitsHeld * unit;
  double fitting =
      std::min(request.memoryLimit / largest, double(kUnitsHeld) * unit);
  return std::max(unit, static_cast<int32_t>(fitting));
}

StageSchedule tessera::makeZeroPP(const ScheduleRequest &request) {
  StageSchedule schedule = emptySchedule(request);
  for (int32_t rank = 0; rank < request.ranks; ++rank)
    schedule.ranks[rank] = makeUnits(request, rank);
  const StageCosts costs =
      request.costs.value_or(StageCosts::uniform(schedule.stages));
  TaskWeaver weaver(schedule, costs);
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    weaver.addLane(rank, schedule.ranks[rank]);
    weaver.setLiveLimit(rank, liveLimit(request));
  }
  schedule.ranks = weaver.run();
  return schedule;
}
