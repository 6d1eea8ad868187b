//===- DualPipeSchedules.cpp - DualPipe and DualPipeV ---------------------===//
//
// Microbatches enter at both ends (DeepSeek-AI: DeepSeek-V3 Technical Report,
// 2024). Each rank has two stages, and in the steady state runs F of one next
// to B of the other, whose communication and computation may overlap: two tasks
// side by side, F first.
//
// In DualPipe the two are stages of two copies of the model that run in
// opposite directions, half of the microbatches each; rank d counts as if it
// were min(d, p - 1 - d) of p / 2 ranks. DualPipeV ("cut in half", Qi et al.)
// folds one model instead: the second stage of rank d is 2p - 1 - d.
//
// The steps are those of DeepSeek's published order. The *near* stage is the
// one whose microbatches reach the rank first, the *far* one the other.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"

#include <algorithm>
#include <deque>

using namespace tessera;

namespace {

/// One stage of a rank, and the next microbatch of each pass.
struct Lane {
  int32_t stage;
  int32_t forward;
  int32_t backward;
};

/// Writes the tasks of one rank, which has a stage in each of two lanes.
class DualPipeRank {
public:
  DualPipeRank(Lane near, Lane far, std::vector<StageTask> &tasks)
      : near(near), far(far), tasks(tasks) {}

  /// Writes the tasks of a rank that is `position`-th of `half` ranks from its
  /// near end, for `paired` pairs of F and B in the steady state.
  void write(int32_t half, int32_t position, int32_t paired) {
    const int32_t rest = half - position - 1;
    for (int32_t i = 0; i < 2 * rest; ++i)
      forward(near);
    for (int32_t i = 0; i < position + 1; ++i) {
      forward(near);
      forward(far);
    }
    for (int32_t i = 0; i < rest; ++i) {
      input(far);
      weight();
      forward(far);
    }
    for (int32_t i = 0; i < paired; ++i) {
      // Where the ways meet, the first backward task would wait for the pair.
      if (i == 0 && rest == 0) {
        forward(near);
        backward(far);
      } else {
        pair(near, far);
      }
      pair(far, near);
    }
    for (int32_t i = 0; i < rest; ++i) {
      backward(far);
      pair(far, near);
    }
    writeCooldown(rest, position);
  }

private:
  /// The second half of the backward tasks keep their weight gradients for
  /// the end.
  void writeCooldown(int32_t rest, int32_t position) {
    const int32_t half = (position + 1) / 2;
    bool delays = false;
    auto add = [&](Lane &lane) { delays ? input(lane) : backward(lane); };
    for (int32_t i = 0; i < position + 1; ++i) {
      delays |= i == half && position % 2 == 1;
      add(far);
      delays |= i == half && position % 2 == 0;
      add(near);
    }
    for (int32_t i = 0; i < rest; ++i) {
      weight();
      input(near);
    }
    while (!delayed.empty())
      weight();
  }

  void forward(Lane &lane) {
    tasks.push_back({TaskKind::Forward, lane.stage, lane.forward++});
  }
  void backward(Lane &lane) {
    tasks.push_back({TaskKind::Backward, lane.stage, lane.backward++});
  }
  /// F of one lane beside B of the other.
  void pair(Lane &forwardLane, Lane &backwardLane) {
    forward(forwardLane);
    tasks.back().besideNext = true;
    backward(backwardLane);
  }
  void input(Lane &lane) {
    delayed.push_back({TaskKind::WeightGradient, lane.stage, lane.backward});
    tasks.push_back({TaskKind::InputGradient, lane.stage, lane.backward++});
  }
  /// The weight gradient that has waited longest.
  void weight() {
    tasks.push_back(delayed.front());
    delayed.pop_front();
  }

  Lane near, far;
  std::vector<StageTask> &tasks;
  std::deque<StageTask> delayed;
};

} // namespace

StageSchedule tessera::makeDualPipe(const ScheduleRequest &request) {
  StageSchedule schedule = emptySchedule(request);
  const int32_t ranks = request.ranks, half = request.microbatches / 2;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    Lane down{rank, 0, 0}, up{ranks - 1 - rank, half, half};
    int32_t position = std::min(rank, ranks - 1 - rank);
    bool isUpperHalf = rank >= ranks / 2;
    DualPipeRank(isUpperHalf ? up : down, isUpperHalf ? down : up,
                 schedule.ranks[rank])
        .write(ranks / 2, position, half - ranks + position + 1);
  }
  return schedule;
}

StageSchedule tessera::makeDualPipeV(const ScheduleRequest &request) {
  StageSchedule schedule = emptySchedule(request);
  const int32_t ranks = request.ranks;
  for (int32_t rank = 0; rank < ranks; ++rank)
    DualPipeRank({rank, 0, 0}, {2 * ranks - 1 - rank, 0, 0},
                 schedule.ranks[rank])
        .write(ranks, rank, request.microbatches - 2 * ranks + rank + 1);
  return schedule;
}
