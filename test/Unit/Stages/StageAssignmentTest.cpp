//===- StageAssignmentTest.cpp - Tests of StageAssignment -----------------===//
#include "tessera/Stages/Cuts/StagePartition.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

using Stages = std::vector<std::vector<int32_t>>;

/// "2a1" for one activation of stage 2, "2w1" for one weight gradient.
std::string print(const std::vector<StageLoad> &moment) {
  std::string text;
  for (const StageLoad &load : moment)
    text += std::to_string(load.stage) + "a" +
            std::to_string(load.activations) + "w" +
            std::to_string(load.weightGradients) + " ";
  return text;
}

StageTask task(TaskKind kind, int32_t stage, int32_t microbatch) {
  return {kind, stage, microbatch};
}
constexpr TaskKind F = TaskKind::Forward, I = TaskKind::InputGradient,
                   W = TaskKind::WeightGradient, B = TaskKind::Backward;

TEST(StageAssignment, PutsStagesOnRanks) {
  EXPECT_EQ(StageAssignment::contiguous(3, 8).stagesOfRanks(),
            (Stages{{0}, {1}, {2}}));
  EXPECT_EQ(StageAssignment::interleaved(2, 3, 8).stagesOfRanks(),
            (Stages{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(StageAssignment::vShaped(2, 8).stagesOfRanks(),
            (Stages{{0, 3}, {1, 2}}));
  EXPECT_EQ(StageAssignment::bidirectional(3, 8).stagesOfRanks(),
            (Stages{{0, 2}, {1}, {0, 2}}));
}

TEST(StageAssignment, HoldsNoMoreActivationsThanMicrobatches) {
  StageAssignment assignment = StageAssignment::contiguous(4, 3);
  EXPECT_EQ(print(assignment.moments[0][0]), "0a3w0 ");
  EXPECT_EQ(print(assignment.moments[3][0]), "3a1w0 ");
}

TEST(StageAssignment, OfAScheduleHasItsWorstMoments) {
  StageSchedule schedule;
  schedule.stages = 2;
  schedule.microbatches = 2;
  // Both stages on one rank: at one moment two of stage 0 are held, at another
  // one of each, at a third a weight gradient is left.
  schedule.ranks = {{task(F, 0, 0), task(F, 0, 1), task(F, 1, 0), task(I, 1, 0),
                     task(B, 0, 0), task(W, 1, 0), task(F, 1, 1), task(B, 1, 1),
                     task(B, 0, 1)}};
  StageAssignment assignment = StageAssignment::of(schedule);
  ASSERT_EQ(assignment.moments[0].size(), 2u);
  EXPECT_EQ(print(assignment.moments[0][0]), "0a2w0 1a1w0 ");
  EXPECT_EQ(print(assignment.moments[0][1]), "0a2w0 1a0w1 ");
}

TEST(StageAssignment, OfABidirectionalScheduleHasTwoRoutes) {
  StageSchedule schedule;
  schedule.stages = 2;
  schedule.microbatches = 4;
  schedule.ranks.resize(2);
  for (int32_t microbatch = 0; microbatch < 4; ++microbatch)
    for (int32_t stage = 0; stage < 2; ++stage)
      schedule.ranks[(stage + microbatch) % 2].push_back(
          task(F, stage, microbatch));
  StageAssignment assignment = StageAssignment::of(schedule);
  ASSERT_EQ(assignment.routes.size(), 2u);
  EXPECT_EQ(assignment.routes[0].ranks, (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(assignment.routes[1].ranks, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(assignment.routes[1].weight, 1);
  EXPECT_EQ(assignment.chunks(), 2);
}

} // namespace
