//===- ScheduleReplayTest.cpp - Tests of ScheduleReplay -------------------===//
#include "tessera/Stages/ScheduleReplay.h"

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

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

TEST(ScheduleReplay, MemoryIsHeldFromForwardToWeightGradient) {
  StageCost cost;
  cost.activation = 10;
  cost.weightInput = 4;
  cost.parameters = 100;
  auto timeline = replay(makeTwoRanks(), StageCosts::uniform(2, cost));
  ASSERT_TRUE(bool(timeline));
  // F at 0, I from 3 to 4, W from 4 to 5.
  const RankTimeline &first = timeline->ranks[0];
  std::vector<std::pair<double, double>> steps;
  for (const MemoryStep &step : first.activations)
    steps.push_back({step.time, step.bytes});
  EXPECT_EQ(steps,
            (std::vector<std::pair<double, double>>{{0, 10}, {4, 4}, {5, 0}}));
  EXPECT_EQ(first.peakActivation, 10);
  EXPECT_EQ(first.peakMemory(), 110);
  EXPECT_EQ(timeline->peakMemory(), 110);
  EXPECT_EQ(timeline->peakActivation(), 10);
}

TEST(ScheduleReplay, PartsOfTheOutputLayerAreHeldFromSToT) {
  StageCost cost;
  cost.activation = 10;
  cost.vocabularyForward = cost.vocabularyBackward = 1;
  cost.vocabularyActivation = 3;
  auto schedule = makeSchedule("vocabulary-2", {2, 1, /*chunks=*/1});
  ASSERT_TRUE(bool(schedule));
  auto timeline = replay(*schedule, StageCosts::uniform(2, cost));
  ASSERT_TRUE(bool(timeline));
  // F from 0 to 1 on the first rank, S when the second has done F; T follows,
  // and B of the first rank ends at 7.
  std::vector<std::pair<double, double>> steps;
  for (const MemoryStep &step : timeline->ranks[0].activations)
    steps.push_back({step.time, step.bytes});
  EXPECT_EQ(steps, (std::vector<std::pair<double, double>>{
                       {0, 10}, {2, 13}, {4, 10}, {7, 0}}));
  EXPECT_EQ(timeline->ranks[0].peakActivation, 13);
}

TEST(ScheduleReplay, WeightGradientsMayNeedMoreThanTheActivation) {
  StageCost cost;
  cost.weightInput = 3;
  std::vector<double> held;
  EXPECT_EQ(
      peakActivation(makeTwoRanks(), StageCosts::uniform(2, cost), 0, &held),
      3);
  EXPECT_EQ(held, (std::vector<double>{1, 1, 3}));
}

TEST(ScheduleReplay, PartsOfAWeightGradientReleaseWhatTheyNeededLast) {
  StageSchedule schedule{"parts", 1, 1, 0, {}};
  schedule.ranks = {{{Forward, 0, 0},
                     {InputGradient, 0, 0},
                     {WeightGradient, 0, 0, 0},
                     {WeightGradient, 0, 0, 1}}};
  StageCost cost;
  cost.activation = 10;
  cost.weightInput = 8;
  cost.weightGradient = 5;
  // The first part makes 2 for the second one.
  cost.weightParts = {{3, 2, 5}, {2, 0, 5}};
  auto timeline = replay(schedule, StageCosts::uniform(1, cost));
  ASSERT_TRUE(bool(timeline)) << timeline.message();
  std::vector<std::pair<double, double>> steps;
  for (const MemoryStep &step : timeline->ranks[0].activations)
    steps.push_back({step.time, step.bytes});
  EXPECT_EQ(steps, (std::vector<std::pair<double, double>>{
                       {0, 10}, {2, 10}, {5, 5}, {7, 0}}));
  EXPECT_EQ(timeline->makespan(), 7);

  cost.weightParts.pop_back();
  timeline = replay(schedule, StageCosts::uniform(1, cost));
  ASSERT_FALSE(bool(timeline));
  EXPECT_EQ(timeline.message(),
            "expected costs of 0W0.1, got those of 1 parts");

  // What a stage has no parts for is an empty task.
  StageCosts costs = StageCosts::uniform(1, cost);
  costs.addEmptyParts(schedule);
  EXPECT_EQ(replay(schedule, costs)->makespan(), 5);
}

TEST(ScheduleReplay, BothGradientsInOneTaskTakeTheirSumOrTheirOwnTime) {
  StageSchedule schedule{"one", 1, 1, 0, {}};
  schedule.ranks = {{{Forward, 0, 0}, {Backward, 0, 0}}};
  StageCost cost;
  EXPECT_EQ(replay(schedule, StageCosts::uniform(1, cost))->makespan(), 3);
  cost.backward = 1.5;
  EXPECT_EQ(replay(schedule, StageCosts::uniform(1, cost))->makespan(), 2.5);
}

TEST(ScheduleReplay, NothingIsSentWithinARank) {
  StageSchedule schedule{"fold", 2, 1, 0, {}};
  schedule.ranks = {
      {{Forward, 0, 0}, {Forward, 1, 0}, {Backward, 1, 0}, {Backward, 0, 0}}};
  auto timeline = replay(schedule, StageCosts::uniform(2, {}, {9, 9}));
  EXPECT_EQ(timeline->makespan(), 6);
}

TEST(ScheduleReplay, TheLongestStageLeavesOutWhatRanksStartLater) {
  StageSchedule schedule{"skewed", 2, 2, 0, {}};
  schedule.ranks = {
      {{Forward, 0, 0}, {Forward, 0, 1}, {Backward, 0, 0}, {Backward, 0, 1}},
      {{Forward, 1, 0}, {Backward, 1, 0}, {Forward, 1, 1}, {Backward, 1, 1}}};
  StageCosts costs = StageCosts::uniform(2);
  costs.stages[0].backward = 0;
  auto timeline = replay(schedule, costs);
  ASSERT_TRUE(bool(timeline));
  EXPECT_EQ(timeline->makespan(), 7);
  EXPECT_EQ(timeline->ranks[1].begin(), 1);
  EXPECT_EQ(timeline->longestStage(), 7);
  EXPECT_EQ(timeline->ranks[1].busy, 6);
  EXPECT_DOUBLE_EQ(timeline->bubbleRate(), 3.0 / 7);
}

TEST(ScheduleReplay, RanksThatWaitForEachOtherAreNamed) {
  StageSchedule schedule = makeTwoRanks();
  std::swap(schedule.ranks[1][0], schedule.ranks[1][1]);
  ScheduleWait wait;
  auto timeline = replayTimes(schedule, StageCosts::uniform(2), &wait);
  ASSERT_FALSE(bool(timeline));
  EXPECT_EQ(timeline.message(),
            "0I0 on rank 0 waits for 1I0 on rank 1, 1I0 on rank 1 waits for "
            "1F0 on rank 1, which comes later");
  EXPECT_EQ(wait.rank, 0);
  EXPECT_EQ(wait.position, 1);
  schedule = makeTwoRanks();
  std::swap(schedule.ranks[1][1], schedule.ranks[1][2]);
  EXPECT_TRUE(
      std::string_view(replay(schedule, StageCosts::uniform(2)).message())
          .ends_with("waits for 1I0 on rank 1, which comes later"));
}

TEST(ScheduleReplay, TasksThatNoRankRunsAreNamed) {
  StageSchedule schedule = makeTwoRanks();
  schedule.ranks[1].erase(schedule.ranks[1].begin());
  auto timeline = replay(schedule, StageCosts::uniform(2));
  ASSERT_FALSE(bool(timeline));
  EXPECT_EQ(timeline.message(),
            "0I0 on rank 0 waits for 1I0 on rank 1, 1I0 on rank 1 waits for "
            "1F0, which no rank runs");
  schedule = makeTwoRanks();
  schedule.ranks[0].erase(schedule.ranks[0].begin());
  EXPECT_TRUE(
      std::string_view(replay(schedule, StageCosts::uniform(2)).message())
          .ends_with("waits for 0F0, which no rank runs"));
}

TEST(ScheduleReplay, NumbersThatDoNotFitAreRefused) {
  auto refuse = [](const StageSchedule &schedule, const StageCosts &costs) {
    auto timeline = replay(schedule, costs);
    return timeline ? "" : timeline.message();
  };
  StageSchedule schedule = makeTwoRanks();
  EXPECT_EQ(refuse(schedule, StageCosts::uniform(3)),
            "expected costs of 2 stages, got 3");
  StageCosts costs = StageCosts::uniform(2);
  costs.boundaries.clear();
  EXPECT_EQ(refuse(schedule, costs),
            "expected costs of 1 boundaries between stages, got 0");
  costs = StageCosts::uniform(2);
  costs.stages[1].forward = -1;
  EXPECT_EQ(refuse(schedule, costs), "expected costs of at least 0, got "
                                     "-1.000000 for stage 1");
  costs = StageCosts::uniform(2, {}, {-1, 0});
  EXPECT_EQ(refuse(schedule, costs),
            "expected transfers to take 0 seconds or longer");
  schedule.ranks[0].push_back({Forward, 0, 1});
  EXPECT_EQ(refuse(schedule, StageCosts::uniform(2)),
            "expected tasks of 2 stages and 1 microbatches, got 0F1 on rank 0");
  schedule.microbatches = 1'000'000;
  EXPECT_EQ(refuse(schedule, StageCosts::uniform(2)),
            "expected at least one task for each of 2 stages and 1000000 "
            "microbatches, got 7");
}

} // namespace
