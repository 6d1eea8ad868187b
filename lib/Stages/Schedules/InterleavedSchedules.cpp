//===- InterleavedSchedules.cpp - Interleaved 1F1B, breadth-first ---------===//
//
// Of p ranks and v chunks, stage s is on rank s mod p, so a microbatch passes
// all ranks v times, and each visit costs 1/v of the rank's time: bubbles
// shrink by v, transfers grow by it.
//
// Interleaved 1F1B takes microbatches in groups of g: of each group all
// microbatches of the first chunk, then of the second, ...; backward tasks in
// the same order, chunks reversed. With that order, rank d runs
// 2 (p - d - 1) + (v - 1) g forward tasks first, then forward and backward ones
// in turn. g is p if p divides the microbatches, otherwise the next larger size
// that makes the groups equal, as in PyTorch.
//
// Breadth-first is the same with one group and all forward tasks first.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"

#include <algorithm>

using namespace tessera;

int32_t tessera::interleavedGroups(const ScheduleRequest &request) {
  return std::max(1, request.microbatches / request.ranks);
}

/// The `number`-th forward or backward task of rank `rank`, where microbatches
/// are taken in groups of `group`.
static StageTask taskInGroups(const ScheduleRequest &request, int32_t rank,
                              TaskKind kind, int32_t group, int32_t number) {
  int32_t visits = group * request.chunks;
  int32_t chunk = number % visits / group;
  if (kind != TaskKind::Forward)
    chunk = request.chunks - 1 - chunk;
  return {kind, chunk * request.ranks + rank,
          number / visits * group + number % group};
}

/// Takes microbatches in groups of `group`, forward and backward tasks in turn
/// after `warmup(rank)` forward ones.
template <typename Warmup>
static StageSchedule makeInGroups(const ScheduleRequest &request, int32_t group,
                                  Warmup warmup) {
  StageSchedule schedule = emptySchedule(request);
  int32_t total = request.microbatches * request.chunks;
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    auto add = [&](TaskKind kind, int32_t number) {
      if (number < total)
        schedule.ranks[rank].push_back(
            taskInGroups(request, rank, kind, group, number));
    };
    int32_t ahead = std::min(warmup(rank), total);
    for (int32_t number = 0; number < ahead; ++number)
      add(TaskKind::Forward, number);
    for (int32_t number = 0; number < total; ++number) {
      add(TaskKind::Forward, ahead + number);
      add(TaskKind::Backward, number);
    }
  }
  return schedule;
}

StageSchedule tessera::makeInterleaved(const ScheduleRequest &request) {
  int32_t group = request.microbatches / interleavedGroups(request);
  return makeInGroups(request, group, [&](int32_t rank) {
    return 2 * (request.ranks - rank - 1) + (request.chunks - 1) * group;
  });
}

StageSchedule tessera::makeBreadthFirst(const ScheduleRequest &request) {
  return makeInGroups(request, request.microbatches, [&](int32_t) {
    return request.microbatches * request.chunks;
  });
}
