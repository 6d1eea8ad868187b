//===- ScheduleGeneratorsTest.cpp - Tests of ScheduleGenerators -----------===//
//
// Of every published schedule, for many sizes: it is valid, it takes the
// bubbles and the memory that its paper says, and costs drawn at random do not
// make it fail. The figures here are written down again from the papers, for
// tasks of equal time; the formulas of the library are tested in
// PublishedFiguresTest.
//
//===----------------------------------------------------------------------===//
#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include "tessera/Stages/ScheduleCheck.h"
#include "tessera/Stages/ScheduleReplay.h"

#include <gtest/gtest.h>

#include <random>

using namespace tessera;

namespace {

/// Calls `test(published, request)` for every schedule and many requests that
/// it takes.
template <typename Test> void forManyRequests(Test test) {
  for (const PublishedSchedule &published : listSchedules())
    for (int32_t ranks : {1, 2, 3, 4, 5, 6, 8, 12, 16, 32})
      for (int32_t chunks : {1, 2, 3})
        for (int32_t microbatches :
             {1, 2, 3, 4, 7, 8, 12, 16, 17, 32, 40, 64, 96})
          if (microbatches <= 4 * ranks) {
            ScheduleRequest request{ranks, microbatches, chunks};
            if (published.accepts(request))
              test(published, request);
          }
}

std::string describe(const PublishedSchedule &published,
                     const ScheduleRequest &request) {
  return std::string(published.name) + " p=" + std::to_string(request.ranks) +
         " m=" + std::to_string(request.microbatches) +
         " v=" + std::to_string(request.chunks);
}

TEST(ScheduleGenerators, EveryScheduleIsValidForAllItTakes) {
  int32_t tested = 0;
  forManyRequests(
      [&](const PublishedSchedule &published, const ScheduleRequest &request) {
        auto schedule = makeSchedule(published.name, request);
        ASSERT_TRUE(bool(schedule))
            << describe(published, request) << ": " << schedule.message();
        auto checked = checkSchedule(*schedule);
        EXPECT_TRUE(bool(checked))
            << describe(published, request) << ": " << checked.message();
        ++tested;
      });
  EXPECT_GT(tested, 1000);
}

TEST(ScheduleGenerators, TasksStandWhereThePlacementSays) {
  forManyRequests(
      [&](const PublishedSchedule &published, const ScheduleRequest &request) {
        auto schedule = makeSchedule(published.name, request);
        ASSERT_TRUE(bool(schedule));
        bool isSplit = false;
        for (int32_t rank = 0; rank < request.ranks; ++rank)
          for (const StageTask &task : schedule->ranks[rank]) {
            auto holders =
                ranksOfStage(published.placement, request.ranks, task.stage);
            EXPECT_EQ(holders.size(), published.isTwoWay() ? 2 : 1);
            EXPECT_NE(std::find(holders.begin(), holders.end(), rank),
                      holders.end())
                << describe(published, request) << " " << toString(task);
            isSplit |= task.kind == TaskKind::WeightGradient;
          }
        EXPECT_TRUE(published.splitsBackward || !isSplit)
            << describe(published, request);
      });
}

TEST(ScheduleGenerators, RandomCostsDoNotBreakSchedules) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(0, 2);
  forManyRequests(
      [&](const PublishedSchedule &published, const ScheduleRequest &request) {
        if (request.ranks > 12)
          return;
        StageCosts costs = StageCosts::uniform(request.ranks * request.chunks);
        for (StageCost &cost : costs.stages)
          cost = {draw(random), draw(random), draw(random), std::nullopt,
                  draw(random), draw(random), draw(random), draw(random)};
        for (BoundaryCost &boundary : costs.boundaries)
          boundary = {draw(random) / 4, draw(random) / 4};
        ScheduleRequest priced = request;
        priced.costs = costs;
        auto schedule = makeSchedule(published.name, priced);
        ASSERT_TRUE(bool(schedule))
            << describe(published, request) << ": " << schedule.message();
        auto timeline = replay(*schedule, costs);
        ASSERT_TRUE(bool(timeline)) << timeline.message();
        double longest = 0, way = 0;
        for (const RankTimeline &rank : timeline->ranks) {
          longest = std::max(longest, rank.busy);
          EXPECT_LE(rank.end() - rank.begin(), timeline->makespan());
          for (const MemoryStep &step : rank.activations) {
            EXPECT_GE(step.bytes, -1e-9) << describe(published, request);
            EXPECT_LE(step.bytes, rank.peakActivation + 1e-9);
          }
          EXPECT_EQ(rank.activations.back().bytes, 0);
        }
        // No schedule is done before the first microbatch has been there and
        // back.
        for (const StageCost &cost : costs.stages)
          way += cost.forward + cost.inputGradient;
        EXPECT_GE(timeline->makespan(), std::max(longest, way) - 1e-9)
            << describe(published, request);
        EXPECT_GE(timeline->bubbleRate(), 0);
        EXPECT_LT(timeline->bubbleRate(), 1);
      });
}

//===----------------------------------------------------------------------===//
// Published values
//===----------------------------------------------------------------------===//

/// What a rank's part of a microbatch takes: F, I and W of all its stages.
struct Times {
  double forward, input, weight;
};

constexpr Times kEqual{1, 1, 1};

Timeline replayUniform(std::string_view name, ScheduleRequest request,
                       const Times &times, double transfer = 0) {
  const PublishedSchedule *published = findSchedule(name);
  int32_t chunks = request.chunks ? request.chunks : published->defaultChunks;
  StageCost cost;
  cost.forward = times.forward / chunks;
  cost.inputGradient = times.input / chunks;
  cost.weightGradient = times.weight / chunks;
  cost.activation = cost.weightInput = 1.0 / chunks;
  request.costs =
      StageCosts::uniform(request.ranks * chunks, cost, {transfer, transfer});
  auto schedule = makeSchedule(name, request);
  EXPECT_TRUE(bool(schedule)) << schedule.message();
  auto timeline = replay(*schedule, *request.costs);
  EXPECT_TRUE(bool(timeline)) << timeline.message();
  return *timeline;
}

double bubbleTime(const Timeline &timeline) {
  return timeline.makespan() - timeline.meanBusy();
}

TEST(ScheduleGenerators, BubblesAreThePublishedOnes) {
  for (int32_t p : {2, 4, 8, 16, 32})
    for (int32_t m : {p, 2 * p, 4 * p}) {
      auto bubble = [&](std::string_view name, Times times = kEqual,
                        int32_t chunks = 0) {
        return bubbleTime(replayUniform(name, {p, m, chunks}, times));
      };
      EXPECT_NEAR(bubble("gpipe"), 3 * (p - 1), 1e-6);
      EXPECT_NEAR(bubble("1f1b"), 3 * (p - 1), 1e-6);
      EXPECT_NEAR(bubble("eager-1f1b"), 3 * (p - 1), 1e-6);
      for (int32_t v : {2, 3}) {
        EXPECT_NEAR(bubble("interleaved-1f1b", kEqual, v), 3.0 * (p - 1) / v,
                    1e-6);
        EXPECT_NEAR(bubble("breadth-first", kEqual, v), 3.0 * (p - 1) / v,
                    1e-6);
      }
      EXPECT_NEAR(bubble("zb-h1", {1, 1, 0.5}), 1.5 * (p - 1), 1e-6);
      EXPECT_NEAR(bubble("2bp"), 2 * (p - 1), 1e-6);
      // A rate of (p - 2) / (2m + p - 2) where F and B take the same time.
      EXPECT_NEAR(bubble("chimera", {1, 0.5, 0.5}), p - 2, 1e-6);
      // Of (p - 2) / (4m + p - 2), where a rank's time is 2m.
      EXPECT_NEAR(bubble("bitpipe", {1, 0.5, 0.5}), (p - 2) / 2.0, 1e-6);
    }
}

TEST(ScheduleGenerators, TheLongestStageHasThePublishedBubbles) {
  for (int32_t p : {2, 4, 8, 16})
    for (int32_t m : {2 * p, 4 * p}) {
      auto bubble = [&](std::string_view name, Times times) {
        Timeline timeline = replayUniform(name, {p, m}, times);
        return timeline.longestStage() - timeline.meanBusy();
      };
      EXPECT_NEAR(bubble("zb-h2", kEqual), 0, 1e-6);
      EXPECT_NEAR(bubble("zb-h2", {1, 1.2, 0.8}), 0.6 * (p - 1), 1e-6);
      EXPECT_NEAR(bubble("zb-v", kEqual), 0, 1e-6);
    }
  // PyTorch's order of ZB-V.
  auto rate = [](int32_t p, int32_t m, Times times) {
    return replayUniform("zb-v", {p, m}, times).longestStageBubbleRate();
  };
  EXPECT_NEAR(rate(4, 8, {1, 1.2, 0.8}), 0.0476, 5e-5);
  EXPECT_NEAR(rate(8, 16, {1, 1.2, 0.8}), 0.0551, 5e-5);
  EXPECT_NEAR(rate(8, 24, {1, 1.2, 0.8}), 0.0374, 5e-5);
  EXPECT_NEAR(rate(16, 48, {1, 1.2, 0.8}), 0.0400, 5e-5);
  EXPECT_NEAR(rate(8, 16, {1, 1, 0.7}), 0.0464, 5e-5);
}

TEST(ScheduleGenerators, TransfersCostWhatTheFormulasSay) {
  const double c = 0.1;
  for (int32_t p : {2, 4, 8})
    for (int32_t m : {2 * p, 4 * p}) {
      auto timeline = [&](std::string_view name) {
        return replayUniform(name, {p, m}, {1, 1.2, 0.8}, c);
      };
      auto longest = [](const Timeline &line) {
        return line.longestStage() - line.meanBusy();
      };
      EXPECT_NEAR(bubbleTime(timeline("eager-1f1b")), (p - 1) * (3 + 2 * c),
                  1e-6);
      EXPECT_NEAR(longest(timeline("zb-h1")), (p - 1) * (1.4 + 4 * c), 1e-6);
      EXPECT_NEAR(longest(timeline("zb-h2")), (p - 1) * (0.6 + 2 * c), 1e-6);
      EXPECT_NEAR(bubbleTime(timeline("1f1b")),
                  (p - 1) * 3 + (2.0 * (p - 1) * m / p + 2 * (p - 2)) * c,
                  1e-6);
    }
}

TEST(ScheduleGenerators, VHalfAndVMinHaveTheMeasuredBubbles) {
  // In tasks of one stage, F = I = W = 1, as the authors' code gives them.
  auto bubble = [](std::string_view name, int32_t p, int32_t m) {
    return bubbleTime(replayUniform(name, {p, m}, {2, 2, 2}));
  };
  const int32_t ranks[] = {4, 8, 12, 16}, half[] = {5, 17, 29, 41},
                third[] = {11, 27, 41, 59};
  for (int i = 0; i < 4; ++i)
    for (int32_t m : {2 * ranks[i], 3 * ranks[i]}) {
      EXPECT_NEAR(bubble("v-half", ranks[i], m), half[i], 1e-6);
      EXPECT_NEAR(bubble("v-min", ranks[i], m), third[i], 1e-6);
    }
}

TEST(ScheduleGenerators, DualPipeIdlesLessThanItsFormula) {
  // The formula takes F and B of a pair as one task, whose results leave
  // together; as two tasks, F's result leaves earlier, so that a rank idles
  // (p / 2 - 1) (I + T - 2 W) in place of (p / 2 - 1) (F + 2 (I + W) - 3 W):
  // for equal times half of it.
  for (int32_t p : {4, 8, 16}) {
    Timeline timeline = replayUniform("dualpipe", {p, 4 * p}, kEqual);
    EXPECT_NEAR(bubbleTime(timeline), p / 2 - 1, 1e-6);
    for (const RankTimeline &rank : timeline.ranks)
      EXPECT_NEAR(rank.peakActivation, p + 1, 1e-6);
  }
}

TEST(ScheduleGenerators, ZeroPPFillsItsGapsWithWeightGradients) {
  auto bubble = [](ScheduleRequest request, Times times) {
    return bubbleTime(replayUniform("zeropp", request, times));
  };
  EXPECT_NEAR(bubble({4, 16, 2}, kEqual), 3, 1e-6);
  EXPECT_NEAR(bubble({8, 32, 4}, kEqual), 3.5, 1e-6);
  // Short weight gradients run out.
  EXPECT_NEAR(bubble({4, 16, 2}, {1, 1, 0.5}), 6, 1e-6);
  EXPECT_NEAR(bubble({8, 32, 2}, {1, 1, 0.5}), 16, 1e-6);
}

TEST(ScheduleGenerators, ZeroPPHoldsOneUnitAtLeastAndTwoAtMost) {
  auto peak = [](double limit) {
    ScheduleRequest request{4, 16, 2, StageCosts::uniform(8), limit};
    return replay(*makeSchedule("zeropp", request), *request.costs)
        ->peakActivation();
  };
  EXPECT_EQ(peak(1), 8);
  EXPECT_EQ(peak(10.5), 10);
  EXPECT_EQ(peak(1000), 16);
}

TEST(ScheduleGenerators, SpreadOutputLayersDoNotSlowDownTheTurns) {
  for (std::string_view name : {"vocabulary-1", "vocabulary-2"})
    for (double gradients : {0.5, 1.0}) {
      StageCost cost;
      cost.inputGradient = cost.weightGradient = gradients;
      cost.vocabularyForward = 0.3;
      cost.vocabularyBackward = 0.6;
      auto makespan = [&](int32_t m) {
        auto costs = StageCosts::uniform(8, cost);
        return replay(*makeSchedule(name, {8, m, 1, costs}), costs)->makespan();
      };
      EXPECT_NEAR(makespan(64) - makespan(32), 32 * (1 + 2 * gradients + 0.9),
                  1e-6);
    }
}

TEST(ScheduleGenerators, PeaksAreThePublishedOnes) {
  for (int32_t p : {4, 8, 16}) {
    const int32_t m = 4 * p;
    auto peaks = [&](std::string_view name, int32_t chunks = 0) {
      Timeline timeline = replayUniform(name, {p, m, chunks}, kEqual);
      std::vector<double> found;
      for (const RankTimeline &rank : timeline.ranks)
        found.push_back(rank.peakActivation);
      return found;
    };
    auto expectEach = [&](const std::vector<double> &found, auto expected) {
      for (int32_t d = 0; d < p; ++d)
        EXPECT_NEAR(found[d], expected(d), 1e-6) << "rank " << d;
    };
    auto most = [](const std::vector<double> &found) {
      return *std::max_element(found.begin(), found.end());
    };
    expectEach(peaks("gpipe"), [&](int32_t) { return m; });
    expectEach(peaks("1f1b"), [&](int32_t d) { return p - d; });
    expectEach(peaks("eager-1f1b"), [&](int32_t d) { return 2 * (p - d) - 1; });
    EXPECT_NEAR(most(peaks("interleaved-1f1b", 2)), p + (p - 1) / 2.0, 1e-6);
    expectEach(peaks("breadth-first", 2), [&](int32_t) { return m; });
    expectEach(peaks("zb-h1"), [&](int32_t) { return p; });
    expectEach(peaks("zb-h2"), [&](int32_t) { return 2 * p - 1; });
    expectEach(peaks("zb-v"), [&](int32_t) { return p; });
    EXPECT_NEAR(most(peaks("v-half")), (p + 2) / 2.0, 1e-6);
    EXPECT_NEAR(most(peaks("v-min")), (p + 4) / 3, 1e-6);
    EXPECT_NEAR(most(peaks("chimera")), p, 1e-6);
    EXPECT_NEAR(most(peaks("bitpipe")), p, 1e-6);
    expectEach(peaks("dualpipev"), [&](int32_t) { return p + 0.5; });
    EXPECT_NEAR(most(peaks("2bp")), m, 1e-6);
    EXPECT_NEAR(most(peaks("vocabulary-1")), p + 2, 1e-6);
    EXPECT_NEAR(most(peaks("vocabulary-2")), p + 1, 1e-6);
  }
}

//===----------------------------------------------------------------------===//
// Requests that are refused
//===----------------------------------------------------------------------===//

std::string refusal(std::string_view name, const ScheduleRequest &request) {
  auto schedule = makeSchedule(name, request);
  return schedule ? "" : schedule.message();
}

TEST(ScheduleGenerators, RefusalsNameTheNearestChoice) {
  EXPECT_EQ(refusal("dualpipe", {3, 4}),
            "schedule 'dualpipe' expects an even number of ranks, 1 chunk a "
            "rank, and an even number of microbatches, at least two per rank, "
            "got 3 ranks, 4 microbatches and 1 chunk a rank; the nearest that "
            "it takes is 4 ranks, 8 microbatches and 1 chunk a rank");
  EXPECT_EQ(refusal("interleaved-1f1b", {4, 9}),
            "schedule 'interleaved-1f1b' expects 2 or more chunks a rank, and "
            "microbatches that divide into max(1, microbatches / ranks) equal "
            "groups, got 4 ranks, 9 microbatches and 2 chunks a rank; the "
            "nearest that it takes is 4 ranks, 8 microbatches and 2 chunks a "
            "rank");
  EXPECT_EQ(refusal("gpipe", {1, 1, 2}),
            "schedule 'gpipe' expects 1 chunk a rank, got 1 rank, 1 microbatch "
            "and 2 chunks a rank; the nearest that it takes is 1 rank, 1 "
            "microbatch and 1 chunk a rank");
  // What is named is taken.
  for (const PublishedSchedule &published : listSchedules()) {
    std::string message = refusal(published.name, {7, 5, 5});
    EXPECT_TRUE(message.empty() ||
                message.find("; the nearest") != std::string::npos)
        << message;
  }
}

TEST(ScheduleGenerators, RefusesWhatNoScheduleTakes) {
  EXPECT_EQ(refusal("1f1b", {0, 1}),
            "expected at least 1 rank, 1 microbatch and 1 chunk a rank, got 0 "
            "ranks, 1 microbatch and 1 chunk a rank");
  EXPECT_EQ(refusal("gpipe", {2, 0}),
            "expected at least 1 rank, 1 microbatch and 1 chunk a rank, got 2 "
            "ranks, 0 microbatches and 1 chunk a rank");
  EXPECT_TRUE(refusal("1f2b", {1, 1})
                  .starts_with("expected a schedule's name (gpipe, 1f1b, "));
  EXPECT_EQ(refusal("1f1b", {2, 2, 1, StageCosts::uniform(3)}),
            "expected costs of 2 stages, got 3");
}

} // namespace
