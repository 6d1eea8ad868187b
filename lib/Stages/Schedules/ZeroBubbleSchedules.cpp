//===- ZeroBubbleSchedules.cpp - ZB-H1, ZB-H2, ZB-V -----------------------===//
//
// The backward pass is split: the input gradient I is what the stage before
// waits for, the weight gradient W can fill bubbles later (Qi, Wan, Huang, Lin:
// Zero Bubble Pipeline Parallelism, ICLR 2024; ZB-V: Pipeline Parallelism with
// Controllable Memory, NeurIPS 2024).
//
// ZB-H1 and ZB-H2 are 1F1B in which rank d holds back d or 2d weight gradients
// until the end, when it would wait for cotangents of later ranks. ZB-H2 runs
// twice the forward tasks first, which fills the bubbles at the start too.
//
// ZB-V places stages there and back: rank d of p has the stages d and
// 2p - 1 - d, so the last rank gets from forward to backward without a transfer
// and all ranks hold as much. The order is that of PyTorch's generator.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"

#include <algorithm>

using namespace tessera;

/// Rank d runs `warmup(d)` forward tasks first, then I and F in turn, with a W
/// between them once more than `heldBack(d)` are waiting.
template <typename Warmup, typename HeldBack>
static StageSchedule makeHoldingBack(const ScheduleRequest &request,
                                     Warmup warmup, HeldBack heldBack) {
  StageSchedule schedule = emptySchedule(request);
  const int32_t microbatches = request.microbatches;
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    std::vector<StageTask> &tasks = schedule.ranks[rank];
    int32_t forward = 0, input = 0, weight = 0;
    auto addForward = [&] {
      if (forward < microbatches)
        tasks.push_back({TaskKind::Forward, rank, forward++});
    };
    while (forward < std::min(warmup(rank), microbatches))
      addForward();
    while (weight < microbatches) {
      if (input < microbatches)
        tasks.push_back({TaskKind::InputGradient, rank, input++});
      if (input - weight > heldBack(rank) || input == microbatches)
        tasks.push_back({TaskKind::WeightGradient, rank, weight++});
      addForward();
    }
  }
  return schedule;
}

StageSchedule tessera::makeZeroBubbleH1(const ScheduleRequest &request) {
  return makeHoldingBack(
      request, [&](int32_t rank) { return request.ranks - rank; },
      [](int32_t rank) { return rank; });
}

StageSchedule tessera::makeZeroBubbleH2(const ScheduleRequest &request) {
  return makeHoldingBack(
      request, [&](int32_t rank) { return 2 * (request.ranks - rank) - 1; },
      [](int32_t rank) { return 2 * rank; });
}

namespace {

/// Writes one rank of ZB-V. Microbatches of each stage are taken in order; what
/// is beyond the last microbatch is left out.
class VShapedRank {
public:
  VShapedRank(const ScheduleRequest &request, int32_t rank,
              std::vector<StageTask> &tasks)
      : stages{rank, 2 * request.ranks - 1 - rank},
        microbatches(request.microbatches), tasks(tasks) {}

  void forward(int chunk) { add(TaskKind::Forward, chunk, forwards[chunk]++); }
  void input(int chunk) {
    add(TaskKind::InputGradient, chunk, inputs[chunk]++);
  }
  void weight(int chunk) {
    add(TaskKind::WeightGradient, chunk, weights[chunk]++);
  }
  void backward(int chunk) {
    input(chunk);
    weight(chunk);
  }

  int32_t forwards[2] = {0, 0}, inputs[2] = {0, 0}, weights[2] = {0, 0};

private:
  void add(TaskKind kind, int chunk, int32_t microbatch) {
    if (microbatch < microbatches)
      tasks.push_back({kind, stages[chunk], microbatch});
  }

  const int32_t stages[2];
  const int32_t microbatches;
  std::vector<StageTask> &tasks;
};

} // namespace

/// ZB-V (Qi et al., "Zero Bubble Pipeline Parallelism", 2023): every rank runs
/// two chunks, placed as a V. Warm-up, steady state and drain follow the
/// paper's listing. With fewer than 2P - 1 microbatches those that do not exist
/// are left out.
StageSchedule tessera::makeZeroBubbleV(const ScheduleRequest &request) {
  StageSchedule schedule = emptySchedule(request);
  const int32_t ranks = request.ranks;
  const int32_t total = std::max(2 * ranks - 1, request.microbatches);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    VShapedRank tasks(request, rank, schedule.ranks[rank]);
    for (int32_t i = 0; i < 2 * (ranks - rank) - 1; ++i)
      tasks.forward(0);
    for (int32_t i = 0; i < rank; ++i) {
      tasks.forward(1);
      tasks.forward(0);
    }
    for (int32_t i = 0; i < ranks - rank; ++i) {
      tasks.forward(1);
      tasks.backward(1);
    }
    while (tasks.forwards[1] < tasks.forwards[0] || tasks.forwards[0] < total) {
      if (tasks.forwards[0] < total)
        tasks.forward(0);
      tasks.backward(0);
      tasks.forward(1);
      tasks.backward(1);
    }
    for (int32_t i = 0; i < rank; ++i) {
      tasks.input(0);
      tasks.input(1);
    }
    for (int32_t i = 0; i < ranks - rank; ++i)
      tasks.backward(0);
    for (int chunk : {1, 0})
      while (tasks.weights[chunk] < total)
        tasks.weight(chunk);
  }
  return schedule;
}
