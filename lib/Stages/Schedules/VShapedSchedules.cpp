//===- VShapedSchedules.cpp - V-Half and V-Min ----------------------------===//
//
// Stages are placed there and back, and every microbatch runs the same pattern,
// its *building block*, six slots of time after the one before (a rank has six
// tasks per microbatch: F, I and W of two stages). The longer a block holds an
// activation, the more of them are alive at once: memory is the block's span
// divided by six. V-Half and V-Min are the blocks with a half and a third of
// the span of 1F1B (Qi, Wan, Amar, Lin: Pipeline Parallelism with Controllable
// Memory, NeurIPS 2024).
//
// The blocks say only in which slot F and I start. Repeating them gives the
// order of these; weight gradients go where the rank would wait, within the
// schedule's memory. In the warm-up and the cool-down, where slots are empty, a
// task may overtake up to two others.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"
#include "Schedules/TaskWeaver.h"

#include <algorithm>
#include <array>

using namespace tessera;

/// The first slots of F and I of a rank's near stage, and of its far one.
struct BuildingBlock {
  int32_t nearForward, farForward, farInput, nearInput;
};

static constexpr int32_t kSlotsPerMicrobatch = 6;
static constexpr int32_t kReach = 2;

/// F and I of all microbatches on a rank with these two stages, in the order of
/// their slots.
static std::vector<StageTask> repeatBlock(const BuildingBlock &block,
                                          int32_t near, int32_t far,
                                          int32_t microbatches) {
  const std::array<std::pair<int32_t, StageTask>, 4> first = {
      {{block.nearForward, {TaskKind::Forward, near, 0}},
       {block.farForward, {TaskKind::Forward, far, 0}},
       {block.farInput, {TaskKind::InputGradient, far, 0}},
       {block.nearInput, {TaskKind::InputGradient, near, 0}}}};
  std::vector<std::pair<int32_t, StageTask>> slots;
  for (int32_t i = 0; i < microbatches; ++i)
    for (auto [slot, task] : first) {
      task.microbatch = i;
      slots.push_back({slot + i * kSlotsPerMicrobatch, task});
    }
  // No two tasks of a rank have the same slot.
  std::sort(slots.begin(), slots.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<StageTask> tasks;
  tasks.reserve(slots.size());
  for (const auto &[slot, task] : slots)
    tasks.push_back(task);
  return tasks;
}

/// Repeats `blockOf(rank)` and compacts it; no rank holds more than `limit`
/// activations of a stage.
template <typename BlockOf>
static StageSchedule makeFromBlocks(const ScheduleRequest &request,
                                    int32_t limit, BlockOf blockOf) {
  StageSchedule schedule = emptySchedule(request);
  std::vector<std::vector<StageTask>> lanes;
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    lanes.push_back(repeatBlock(blockOf(rank), rank,
                                2 * request.ranks - 1 - rank,
                                request.microbatches));
    schedule.ranks[rank] = lanes.back();
  }
  const StageCosts costs =
      request.costs.value_or(StageCosts::uniform(schedule.stages));
  TaskWeaver weaver(schedule, costs);
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    weaver.addLane(rank, std::move(lanes[rank]), kReach);
    weaver.setLiveLimit(rank, limit);
  }
  schedule.ranks = weaver.run();
  return schedule;
}

StageSchedule tessera::makeVHalf(const ScheduleRequest &request) {
  const int32_t p = request.ranks, shift = p % 2 ? 0 : 3;
  return makeFromBlocks(request, p + 2, [&](int32_t d) {
    return BuildingBlock{2 * d, 3 * p - d - 2, 3 * p + shift + 2 * d - 1,
                         6 * p + shift - d - 2};
  });
}

StageSchedule tessera::makeVMin(const ScheduleRequest &request) {
  const int32_t p = request.ranks, shift = p % 3 ? 0 : 2;
  return makeFromBlocks(request, 2 * ((p + 4) / 3), [&](int32_t d) {
    return BuildingBlock{d, 2 * p - d - 1, 2 * p + shift + d,
                         4 * p + shift - d - 1};
  });
}
