//===- ScheduleReplayTest.cpp - Tests of ScheduleReplay -------------------===//
#include "tessera/Stages/ScheduleReplay.h"

#include "tessera/Stages/ScheduleGenerators.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

using enum TaskKind;

/// Two stages on two ranks, one microbatch, I and W apart.
StageSchedule makeTwoRanks() {
  StageSchedule schedule{"two", 2, 1, 0, {}};
  schedule.ranks = {
      {{Forward, 0, 0}, {InputGradient, 0, 0}, {WeightGradient, 0, 0}},
      {{Forward, 1, 0}, {InputGradient, 1, 0}, {WeightGradient, 1, 0}}};
  return schedule;
}

TEST(ScheduleReplay, TasksStartWhenTheirInputsHaveArrived) {
  StageCost cost;
  cost.forward = 2;
  cost.inputGradient = 3;
  cost.weightGradient = 5;
  auto timeline = replay(makeTwoRanks(), StageCosts::uniform(2, cost, {7, 11}));
  ASSERT_TRUE(bool(timeline)) << timeline.message();
  const std::vector<TimedTask> &first = timeline->ranks[0].tasks;
  const std::vector<TimedTask> &second = timeline->ranks[1].tasks;
  EXPECT_EQ(first[0].begin, 0);
  EXPECT_EQ(second[0].begin, 2 + 7);
  EXPECT_EQ(second[1].begin, 11);
  EXPECT_EQ(second[2].begin, 14);
  EXPECT_EQ(first[1].begin, 14 + 11);
  EXPECT_EQ(first[2].begin, 28);
  EXPECT_EQ(timeline->makespan(), 33);
  EXPECT_EQ(timeline->longestStage(), 33);
  EXPECT_EQ(timeline->meanBusy(), 10);
  EXPECT_DOUBLE_EQ(timeline->bubbleRate(), 23.0 / 33);
}

} // namespace
