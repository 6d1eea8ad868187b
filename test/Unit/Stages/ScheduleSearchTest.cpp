//===- ScheduleSearchTest.cpp - Tests of the schedule `auto` --------------===//
#include "tessera/Stages/Search/ScheduleSearch.h"

#include "tessera/Stages/ScheduleCheck.h"
#include "tessera/Stages/ScheduleReplay.h"

#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <random>

using namespace tessera;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

using Random = std::mt19937;

double draw(Random &random, int32_t least, int32_t most) {
  return least + static_cast<double>(random() % (most - least + 1));
}

/// Costs of small whole numbers, so that sums are exact.
StageCosts randomCosts(Random &random, int32_t stages) {
  StageCosts costs = StageCosts::uniform(stages);
  for (StageCost &cost : costs.stages) {
    cost.forward = draw(random, 1, 8);
    cost.inputGradient = draw(random, 0, 8);
    cost.weightGradient = draw(random, 1, 6);
    cost.activation = draw(random, 1, 4);
    cost.weightInput = draw(random, 0, 4);
    cost.parameters = draw(random, 0, 9);
  }
  for (BoundaryCost &boundary : costs.boundaries)
    boundary = {draw(random, 0, 2), draw(random, 0, 2)};
  return costs;
}

/// `costs`, but that the last stage has an output layer of `seconds` per task
/// beside its own work.
StageCosts vocabularyCosts(StageCosts costs, double seconds) {
  costs.stages.back().forward += seconds;
  costs.stages.back().inputGradient += seconds;
  costs.stages.back().weightGradient += seconds;
  return costs;
}

ScheduleSearchRequest contiguous(const StageCosts &costs, int32_t microbatches,
                                 double memoryLimit = kUnlimited) {
  ScheduleSearchRequest request;
  request.ranks = static_cast<int32_t>(costs.stages.size());
  request.microbatches = microbatches;
  request.placements = {{StagePlacement::Looped, 1, costs}};
  request.memoryLimit = memoryLimit;
  return request;
}

/// Whether the result is a schedule that is what it says, within the limit.
void expectSound(const ScheduleSearchRequest &request,
                 const ScheduleSearchResult &result) {
  const StageCosts &costs = request.placements[result.placement].costs;
  ScheduleLimits limits{&costs, request.memoryLimit};
  Fallible<void> check = checkSchedule(result.schedule, limits);
  EXPECT_TRUE(check) << check.message();
  Fallible<Timeline> timeline = replay(result.schedule, costs);
  ASSERT_TRUE(timeline);
  EXPECT_EQ(timeline->makespan() + request.placements[result.placement].once,
            result.makespan);
  EXPECT_LE(timeline->peakMemory(), request.memoryLimit);
  EXPECT_LE(result.bound, result.makespan * (1 + 1e-9));
  EXPECT_LE(result.makespan, result.publishedSeconds * (1 + 1e-12));
}

//===----------------------------------------------------------------------===//
// Against the published schedules
//===----------------------------------------------------------------------===//

/// The makespan of the best published schedule within the limit, found without
/// the search.
double bestPublished(const ScheduleSearchRequest &request) {
  double best = kUnlimited;
  for (const SearchPlacement &placement : request.placements)
    for (const PublishedSchedule &published : listSchedules()) {
      if (published.placement != placement.placement ||
          (published.splitsBackward && !request.splitsBackward))
        continue;
      Fallible<StageSchedule> schedule =
          makeSchedule(published.name,
                       {request.ranks, request.microbatches, placement.chunks,
                        placement.costs, request.memoryLimit});
      if (!schedule ||
          schedule->vocabularyMeetings != placement.vocabularyMeetings)
        continue;
      Fallible<Timeline> timeline = replay(*schedule, placement.costs);
      if (timeline && timeline->peakMemory() <= request.memoryLimit)
        best = std::min(best, timeline->makespan() + placement.once);
    }
  return best;
}

/// Equal and drawn costs, several limits, every placement.
TEST(ScheduleSearch, IsNeverSlowerThanPublishedSchedules) {
  Random random(11);
  for (int32_t ranks : {2, 4, 6})
    for (int32_t microbatches : {3, 8, 12})
      for (int32_t chunks : {1, 2})
        for (StagePlacement placement :
             {StagePlacement::Looped, StagePlacement::VShaped,
              StagePlacement::TwoWayLooped})
          for (double memory : {kUnlimited, 1.0 * ranks, 0.5 * ranks + 1}) {
            bool isV = placement == StagePlacement::VShaped;
            bool isTwoWay = placement == StagePlacement::TwoWayLooped;
            if ((isV && chunks != 2) || (isTwoWay && chunks != 1))
              continue;
            SCOPED_TRACE(std::to_string(ranks) + " ranks, " +
                         std::to_string(microbatches) + " microbatches, " +
                         std::to_string(chunks) + " chunks, memory " +
                         std::to_string(memory));
            ScheduleSearchRequest request;
            request.ranks = ranks;
            request.microbatches = microbatches;
            request.memoryLimit = memory * chunks;
            request.replays = 150;
            request.placements = {
                {placement, chunks, StageCosts::uniform(ranks * chunks)}};
            Fallible<ScheduleSearchResult> result = searchSchedule(request);
            ASSERT_TRUE(result) << result.message();
            expectSound(request, *result);
            EXPECT_LE(result->makespan, bestPublished(request) * (1 + 1e-12));

            request.placements[0].costs = randomCosts(random, ranks * chunks);
            request.memoryLimit = memory * chunks * 6 + 20;
            result = searchSchedule(request);
            ASSERT_TRUE(result) << result.message();
            expectSound(request, *result);
            EXPECT_LE(result->makespan, bestPublished(request) * (1 + 1e-12));
          }
}

/// 4 ranks and 12 microbatches, a last stage with the output layer of a large
/// vocabulary, transfers of a tenth of a stage's task.
double gainOverPublished(StagePlacement placement, int32_t chunks,
                         double memory) {
  StageCost cost;
  cost.forward = 1.0 / chunks;
  cost.inputGradient = 1.1 / chunks;
  cost.weightGradient = 0.9 / chunks;
  cost.activation = 1.0 / chunks;
  cost.weightInput = 0.5 / chunks;
  ScheduleSearchRequest request;
  request.ranks = 4;
  request.microbatches = 12;
  request.placements = {
      {placement, chunks,
       vocabularyCosts(StageCosts::uniform(4 * chunks, cost, {0.1, 0.1}),
                       0.3)}};
  request.memoryLimit = memory;
  request.replays = 2000;
  Fallible<ScheduleSearchResult> result = searchSchedule(request);
  if (!result)
    return 0;
  expectSound(request, *result);
  return 1 - result->makespan / result->publishedSeconds;
}

/// The stated margins: 5% with two interleaved stages per rank, and 1.5% over
/// ZB-V within its memory. With one stage per rank ZB-H1 reaches the bound.
TEST(ScheduleSearch, BeatsPublishedSchedulesWithALargeVocabulary) {
  EXPECT_GT(gainOverPublished(StagePlacement::Looped, 2, 8), 0.05);
  EXPECT_GT(gainOverPublished(StagePlacement::VShaped, 2, 4), 0.015);
}

/// A model with an output layer of `seconds` per task, on the last stage and
/// spread over the ranks, which meet once or twice.
ScheduleSearchRequest spreadOrNot(double seconds, double memory) {
  constexpr int32_t kRanks = 4;
  StageCost cost;
  cost.inputGradient = 1.1;
  cost.weightGradient = 0.9;
  cost.weightInput = 0.5;
  StageCosts whole = StageCosts::uniform(kRanks, cost, {0.1, 0.1});
  StageCosts spread = whole;
  spread.vocabularyMeeting = 0.1;
  for (StageCost &stage : spread.stages) {
    stage.vocabularyForward = 1.1 * seconds / kRanks;
    stage.vocabularyBackward = 2.2 * seconds / kRanks;
    stage.vocabularyActivation = 0.25;
  }
  ScheduleSearchRequest request;
  request.ranks = kRanks;
  request.microbatches = 12;
  request.memoryLimit = memory;
  request.replays = 2000;
  request.placements = {
      {StagePlacement::Looped, 1, vocabularyCosts(whole, seconds)},
      {StagePlacement::Looped, 1, spread, 2},
      {StagePlacement::Looped, 1, spread, 1}};
  return request;
}

/// Where the output layer is large, it is spread; where the step pays for that
/// with more than it gains, it is not.
TEST(ScheduleSearch, SpreadsTheOutputLayerWhereThatIsFaster) {
  for (double memory : {kUnlimited, 8.0, 5.5})
    for (double seconds : {0.3, 1.0, 3.0}) {
      SCOPED_TRACE(std::to_string(memory) + " " + std::to_string(seconds));
      ScheduleSearchRequest request = spreadOrNot(seconds, memory);
      Fallible<ScheduleSearchResult> result = searchSchedule(request);
      ASSERT_TRUE(result) << result.message();
      expectSound(request, *result);
      EXPECT_LE(result->makespan, bestPublished(request) * (1 + 1e-12));
      EXPECT_GT(result->placement, 0u);
      request.placements[1].once = request.placements[2].once =
          12 * 3 * seconds;
      result = searchSchedule(request);
      ASSERT_TRUE(result) << result.message();
      expectSound(request, *result);
      EXPECT_EQ(result->placement, 0u);
    }
}

/// Any order of the tasks of a spread output layer is one that can run, within
/// any memory that it fits.
TEST(ScheduleSearch, OrdersTasksOfASpreadOutputLayer) {
  Random random(23);
  for (int32_t ranks : {2, 3, 5})
    for (int32_t microbatches : {1, 4, 7})
      for (int32_t meetings : {1, 2})
        for (double memory : {kUnlimited, 40.0, 20.0}) {
          StageCosts costs = randomCosts(random, ranks);
          costs.vocabularyMeeting = draw(random, 0, 2);
          for (StageCost &stage : costs.stages) {
            stage.vocabularyForward = draw(random, 1, 6);
            stage.vocabularyBackward = draw(random, 1, 6);
            stage.vocabularyActivation = draw(random, 0, 4);
          }
          ScheduleSearchRequest request = contiguous(costs, microbatches);
          request.placements[0].vocabularyMeetings = meetings;
          request.memoryLimit = memory;
          request.replays = 150;
          Fallible<ScheduleSearchResult> result = searchSchedule(request);
          ASSERT_TRUE(result) << result.message();
          expectSound(request, *result);
          EXPECT_LE(result->makespan, bestPublished(request) * (1 + 1e-12));
        }
}

/// 32 ranks with 64 microbatches and memory for fewer than 1F1B needs: 6,144
/// tasks.
TEST(ScheduleSearch, HandlesManyRanksInTime) {
  ScheduleSearchRequest request =
      contiguous(StageCosts::uniform(32, {}, {0.1, 0.1}), 64, 26);
  request.replays = 1500;
  std::clock_t start = std::clock();
  Fallible<ScheduleSearchResult> result = searchSchedule(request);
  double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  ASSERT_TRUE(result) << result.message();
  expectSound(request, *result);
  EXPECT_LT(seconds, 20);
}

//===----------------------------------------------------------------------===//
// Against all schedules
//===----------------------------------------------------------------------===//

/// Calls `call` with every order of F, I and W (or F and B) of a stage. The
/// microbatches are alike, so that they may as well run in order in each kind.
void forAllOrders(int32_t stage, int32_t microbatches,
                  const std::vector<TaskKind> &kinds,
                  std::vector<int32_t> &done, std::vector<StageTask> &tasks,
                  const std::function<void()> &call) {
  if (tasks.size() == kinds.size() * microbatches)
    return call();
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    if (done[kind] == microbatches ||
        (kind > 0 && done[kind] == done[kind - 1]))
      continue;
    tasks.push_back({kinds[kind], stage, done[kind]});
    ++done[kind];
    forAllOrders(stage, microbatches, kinds, done, tasks, call);
    --done[kind];
    tasks.pop_back();
  }
}

void forAllSchedules(StageSchedule &schedule, size_t rank,
                     const std::vector<TaskKind> &kinds,
                     const std::function<void()> &call) {
  if (rank == schedule.ranks.size())
    return call();
  std::vector<int32_t> done(kinds.size());
  forAllOrders(static_cast<int32_t>(rank), schedule.microbatches, kinds, done,
               schedule.ranks[rank],
               [&] { forAllSchedules(schedule, rank + 1, kinds, call); });
}

/// The smallest makespan of all schedules of one stage per rank, with all
/// backward tasks split or none.
double exhaustiveOptimum(const ScheduleSearchRequest &request) {
  const StageCosts &costs = request.placements[0].costs;
  double best = kUnlimited;
  std::vector<std::vector<TaskKind>> choices = {
      {TaskKind::Forward, TaskKind::Backward}};
  if (request.splitsBackward)
    choices.push_back(
        {TaskKind::Forward, TaskKind::InputGradient, TaskKind::WeightGradient});
  for (const std::vector<TaskKind> &kinds : choices) {
    StageSchedule schedule;
    schedule.stages = request.ranks;
    schedule.microbatches = request.microbatches;
    schedule.ranks.resize(request.ranks);
    forAllSchedules(schedule, 0, kinds, [&] {
      for (int32_t rank = 0; rank < request.ranks; ++rank)
        if (peakActivation(schedule, costs, rank) +
                costs.stages[rank].parameters >
            request.memoryLimit)
          return;
      Fallible<Timeline> timeline = replayTimes(schedule, costs);
      if (timeline)
        best = std::min(best, timeline->makespan());
    });
  }
  return best;
}

TEST(ScheduleSearch, FindsTheOptimumOfSmallProblems) {
  Random random(5);
  for (int32_t round = 0; round < 60; ++round) {
    int32_t ranks = round % 10 == 0 ? 3 : 2;
    int32_t microbatches = ranks == 3 ? 2 : 1 + round % 3;
    ScheduleSearchRequest request =
        contiguous(randomCosts(random, ranks), microbatches);
    request.splitsBackward = round % 4 != 0;
    for (double memory : {kUnlimited, draw(random, 12, 22)}) {
      SCOPED_TRACE("round " + std::to_string(round) + ", memory " +
                   std::to_string(memory));
      request.memoryLimit = memory;
      double optimum = exhaustiveOptimum(request);
      Fallible<ScheduleSearchResult> result = searchSchedule(request);
      ASSERT_EQ(static_cast<bool>(result), optimum < kUnlimited);
      if (!result)
        continue;
      expectSound(request, *result);
      EXPECT_NEAR(result->makespan, optimum, 1e-9);
    }
  }
}

//===----------------------------------------------------------------------===//
// Parts of weight gradients
//===----------------------------------------------------------------------===//

/// `costs` with weight gradients of `count` equal parts.
StageCosts withParts(StageCosts costs, int32_t count) {
  for (StageCost &cost : costs.stages)
    cost.weightParts.assign(
        count, {cost.weightGradient / count, 0, cost.weightInput / count});
  return costs;
}

int64_t countParts(const StageSchedule &schedule) {
  int64_t count = 0;
  for (const std::vector<StageTask> &tasks : schedule.ranks)
    for (const StageTask &task : tasks)
      count += task.part != StageTask::kWhole;
  return count;
}

/// Unequal stages whose activations just fit: gaps are shorter than a weight
/// gradient, and memory is free sooner after a part of one.
TEST(ScheduleSearch, FillsGapsWithPartsOfWeightGradients) {
  StageCosts costs = StageCosts::uniform(4, {3, 3.4, 3});
  const double scales[] = {1.4, 0.7, 1.4, 1};
  for (size_t i = 0; i < 4; ++i) {
    StageCost &cost = costs.stages[i];
    for (double *field :
         {&cost.forward, &cost.inputGradient, &cost.weightGradient,
          &cost.activation, &cost.weightInput})
      *field *= scales[i];
  }
  ScheduleSearchRequest request = contiguous(costs, 8, 4);
  Fallible<ScheduleSearchResult> whole = searchSchedule(request);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->makespan, whole->wholeSeconds);
  request.placements[0].costs = withParts(costs, 4);
  Fallible<ScheduleSearchResult> parts = searchSchedule(request);
  ASSERT_TRUE(parts);
  expectSound(request, *parts);
  EXPECT_NEAR(parts->wholeSeconds, whole->makespan, 1e-9);
  EXPECT_LT(parts->makespan, 0.95 * whole->makespan);
  EXPECT_GT(countParts(parts->schedule), 0);
}

/// Where one task each reaches the bound, more would only cost calls.
TEST(ScheduleSearch, LeavesWeightGradientsWholeWithoutAGain) {
  ScheduleSearchRequest request =
      contiguous(withParts(StageCosts::uniform(4), 4), 8);
  Fallible<ScheduleSearchResult> result = searchSchedule(request);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->makespan, result->wholeSeconds);
  EXPECT_EQ(countParts(result->schedule), 0);
}

TEST(ScheduleSearch, IsNeverSlowerWithParts) {
  Random random(17);
  for (int32_t round = 0; round < 12; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    int32_t ranks = 2 + round % 3, chunks = 1 + round % 2;
    StageCosts costs = randomCosts(random, ranks * chunks);
    ScheduleSearchRequest request;
    request.ranks = ranks;
    request.microbatches = 2 + round % 5;
    request.memoryLimit = round % 4 ? 20 + 10 * chunks : kUnlimited;
    request.replays = 2000;
    request.placements = {
        {chunks == 2 ? StagePlacement::VShaped : StagePlacement::Looped, chunks,
         costs}};
    Fallible<ScheduleSearchResult> whole = searchSchedule(request);
    request.placements[0].costs = withParts(costs, 1 + round % 4);
    Fallible<ScheduleSearchResult> parts = searchSchedule(request);
    ASSERT_EQ(bool(whole), bool(parts));
    if (!parts)
      continue;
    expectSound(request, *parts);
    EXPECT_LE(parts->makespan, whole->makespan * (1 + 1e-12));
  }
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

TEST(ScheduleSearch, IsDeterministic) {
  Random random(3);
  ScheduleSearchRequest request = contiguous(randomCosts(random, 4), 8, 60);
  request.replays = 3000;
  Fallible<ScheduleSearchResult> first = searchSchedule(request);
  Fallible<ScheduleSearchResult> second = searchSchedule(request);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->schedule.ranks, second->schedule.ranks);
  EXPECT_EQ(first->replays, second->replays);
}

TEST(ScheduleSearch, LeavesBackwardTasksWholeIfAsked) {
  ScheduleSearchRequest request =
      contiguous(vocabularyCosts(StageCosts::uniform(4), 1), 8);
  request.splitsBackward = false;
  request.replays = 500;
  Fallible<ScheduleSearchResult> result = searchSchedule(request);
  ASSERT_TRUE(result);
  for (const std::vector<StageTask> &tasks : result->schedule.ranks)
    for (const StageTask &task : tasks)
      EXPECT_TRUE(task.kind == TaskKind::Forward ||
                  task.kind == TaskKind::Backward);
}

/// The same model cut for two placements: halves of stages interleaved have
/// half of the bubble, but here transfers take longer than tasks.
TEST(ScheduleSearch, ChoosesTheBetterPlacement) {
  StageCost half;
  half.forward = half.inputGradient = half.weightGradient = 0.5;
  half.activation = half.weightInput = 0.5;
  for (bool isSlow : {false, true}) {
    BoundaryCost boundary = isSlow ? BoundaryCost{4, 4} : BoundaryCost{};
    ScheduleSearchRequest request =
        contiguous(StageCosts::uniform(4, {}, boundary), 8, 6);
    request.placements.push_back(
        {StagePlacement::VShaped, 2, StageCosts::uniform(8, half, boundary)});
    request.replays = 2000;
    Fallible<ScheduleSearchResult> result = searchSchedule(request);
    ASSERT_TRUE(result) << result.message();
    expectSound(request, *result);
    EXPECT_EQ(result->placement, isSlow ? 0u : 1u);
  }
}

/// One microbatch needs 3 bytes of activations on rank 1 and 10 of parameters.
TEST(ScheduleSearch, TooLittleMemoryNamesTheLeastLimit) {
  StageCosts costs = StageCosts::uniform(2);
  costs.stages[1].activation = 3;
  costs.stages[1].parameters = 10;
  ScheduleSearchRequest request = contiguous(costs, 4, 12);
  Fallible<ScheduleSearchResult> result = searchSchedule(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.message(), "expected a memory limit of at least 13 "
                              "bytes per rank for any schedule, got 12");
  request.memoryLimit = 0.5;
  EXPECT_EQ(searchSchedule(request).message(),
            "expected a memory limit of at least 13 bytes per rank for any "
            "schedule, got 0.5");
  request.memoryLimit = 13;
  result = searchSchedule(request);
  ASSERT_TRUE(result);
  expectSound(request, *result);
}

TEST(ScheduleSearch, RefusesCostsThatDoNotFit) {
  ScheduleSearchRequest request = contiguous(StageCosts::uniform(4), 4);
  request.placements[0].chunks = 2;
  EXPECT_FALSE(searchSchedule(request));
  request.placements[0].chunks = 0;
  EXPECT_EQ(searchSchedule(request).message(),
            "expected at least 1 stages per rank, got 0");
  request.placements[0] = {StagePlacement::VShaped, 3, StageCosts::uniform(12)};
  EXPECT_EQ(searchSchedule(request).message(),
            "expected 2 stages per rank, got 3");
  request.placements.clear();
  EXPECT_EQ(searchSchedule(request).message(),
            "expected at least one placement to search under");
  EXPECT_EQ(searchSchedule({}).message(),
            "expected at least one placement to search under");
  request.microbatches = 0;
  EXPECT_EQ(searchSchedule(request).message(),
            "expected at least 1 rank and 1 microbatch, got 4 and 0");
  request.microbatches = 4;
  request.ranks = -1;
  EXPECT_EQ(searchSchedule(request).message(),
            "expected at least 1 rank and 1 microbatch, got -1 and 4");
}

} // namespace
