//===- StagePartitionTest.cpp - Tests of the stage partitioner ------------===//
//
// The oracle is brute force: all partitions of small chains, each priced by
// StagePartitionProblem::evaluate, which adds up the terms of the definition.
//
//===----------------------------------------------------------------------===//
#include "tessera/Stages/Cuts/StagePartitioner.h"

#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <iostream>
#include <random>

using namespace tessera;

namespace {

void forAllPartitions(int32_t blocks, int32_t stages,
                      const std::function<void(const StagePartition &)> &call,
                      StagePartition partition = {{0}}) {
  int32_t left = stages - partition.stages();
  if (left == 0) {
    if (partition.begins.back() == blocks)
      call(partition);
    return;
  }
  for (int32_t end = partition.begins.back() + 1; end <= blocks; ++end) {
    StagePartition longer = partition;
    longer.begins.push_back(end);
    forAllPartitions(blocks, stages, call, longer);
  }
}

/// What brute force finds.
struct Truth {
  double step = -1;
  int64_t leastMemory = -1;
};

Truth bruteForce(const StagePartitionProblem &problem) {
  Truth truth;
  forAllPartitions(
      static_cast<int32_t>(problem.blocks.size()), problem.assignment.stages,
      [&](const StagePartition &partition) {
        PartitionCost cost = problem.evaluate(partition);
        if (truth.leastMemory < 0 || cost.peakMemory() < truth.leastMemory)
          truth.leastMemory = cost.peakMemory();
        if (problem.memoryLimit && cost.peakMemory() > *problem.memoryLimit)
          return;
        if (truth.step < 0 || cost.step < truth.step)
          truth.step = cost.step;
      });
  return truth;
}

void expectOptimal(const StagePartitionProblem &problem) {
  ASSERT_EQ(problem.check(), std::nullopt);
  StagePartitionResult result = solve(problem);
  Truth truth = bruteForce(problem);
  EXPECT_TRUE(result.exact);
  ASSERT_EQ(result.partition.has_value(), truth.step >= 0);
  if (!result.partition) {
    EXPECT_EQ(result.feasibleMemory, truth.leastMemory);
    EXPECT_NE(result.infeasible.find(std::to_string(truth.leastMemory)),
              std::string::npos);
    return;
  }
  EXPECT_EQ(problem.verify(*result.partition), std::nullopt);
  EXPECT_NEAR(result.cost.step, truth.step, 1e-7 * truth.step);
}

std::vector<StageAssignment> assignmentsOf(int32_t stages,
                                           int32_t microbatches) {
  std::vector<StageAssignment> all = {
      StageAssignment::contiguous(stages, microbatches),
      StageAssignment::bidirectional(stages, microbatches)};
  if (stages % 2 == 0) {
    all.push_back(StageAssignment::vShaped(stages / 2, microbatches));
    all.push_back(StageAssignment::interleaved(stages / 2, 2, microbatches));
  }
  if (stages == 4) {
    all.push_back(StageAssignment::interleaved(1, 4, microbatches));
    // Two Vs in opposite directions.
    StageAssignment bitPipe = StageAssignment::vShaped(2, microbatches);
    bitPipe.routes.push_back({{1, 0, 0, 1}, 1});
    bitPipe.moments.clear();
    all.push_back(bitPipe);
  }
  return all;
}

using Random = std::mt19937;

int64_t draw(Random &random, int64_t least, int64_t most) {
  return least + static_cast<int64_t>(random() % (most - least + 1));
}

StagePartitionProblem randomProblem(Random &random, int32_t count) {
  StagePartitionProblem problem;
  problem.microbatches = static_cast<int32_t>(draw(random, 1, 9));
  for (int32_t i = 0; i < count; ++i) {
    ChainBlock block;
    block.forward = draw(random, 0, 9);
    block.inputGradient = draw(random, 0, 9);
    block.weightGradient = draw(random, 0, 3) == 0 ? 40 : draw(random, 0, 9);
    block.residentBytes = draw(random, 0, 50);
    block.activationBytes = draw(random, 0, 9);
    block.weightGradientBytes = draw(random, 0, 9);
    problem.blocks.push_back(block);
    if (i + 1 < count)
      problem.values.push_back(
          {i, {i + 1}, draw(random, 0, 20), draw(random, 0, 20)});
  }
  for (int64_t skips = draw(random, 0, 3); skips > 0 && count > 2; --skips) {
    ChainValue value;
    value.from = static_cast<int32_t>(draw(random, 0, count - 2));
    for (int32_t use = value.from + 1; use < count; ++use)
      if (draw(random, 0, 2) == 0)
        value.uses.push_back(use);
    value.forwardBytes = draw(random, 0, 30);
    value.backwardBytes = draw(random, 0, 30);
    problem.values.push_back(value);
  }
  for (int64_t ties = draw(random, 0, 2); ties > 0; --ties) {
    TiedParameter tied;
    for (int32_t block = 0; block < count; ++block)
      if (draw(random, 0, 2) == 0)
        tied.blocks.push_back(block);
    tied.residentBytes = draw(random, 0, 60);
    tied.gradientBytes = draw(random, 0, 60);
    if (tied.blocks.size() >= 2)
      problem.tied.push_back(tied);
  }
  problem.secondsPerByte = 0.25 * static_cast<double>(draw(random, 0, 4));
  problem.latency = 0.5 * static_cast<double>(draw(random, 0, 2));
  return problem;
}

/// Drawn chains of up to 8 blocks on up to 6 stages, with skip connections,
/// tied parameters, transfers and memory limits, under every assignment.
TEST(StagePartition, EqualsBruteForceOnDrawnChains) {
  Random random(7);
  for (int32_t round = 0; round < 400; ++round) {
    auto count = static_cast<int32_t>(draw(random, 1, 8));
    StagePartitionProblem problem = randomProblem(random, count);
    for (int32_t stages = 1; stages <= std::min(count, 6); ++stages)
      for (StageAssignment &assignment :
           assignmentsOf(stages, problem.microbatches)) {
        SCOPED_TRACE("round " + std::to_string(round) + ", " +
                     std::to_string(stages) + " stages on " +
                     std::to_string(assignment.ranks) + " ranks");
        problem.assignment = std::move(assignment);
        problem.memoryLimit = std::nullopt;
        expectOptimal(problem);
        int64_t least = bruteForce(problem).leastMemory;
        problem.memoryLimit = least + draw(random, -20, 60);
        expectOptimal(problem);
        if (HasFatalFailure() || HasNonfatalFailure())
          return;
      }
  }
}

/// All chains of up to 8 blocks whose times are 1 or 3, on up to 4 stages.
TEST(StagePartition, EqualsBruteForceOnAllSmallChains) {
  for (int32_t count = 1; count <= 8; ++count)
    for (int32_t code = 0; code < (1 << count); ++code)
      for (int32_t stages = 1; stages <= std::min(count, 4); ++stages)
        for (StageAssignment &assignment : assignmentsOf(stages, 4)) {
          StagePartitionProblem problem;
          problem.microbatches = 4;
          problem.secondsPerByte = 0.1;
          for (int32_t i = 0; i < count; ++i) {
            int64_t size = (code >> i) & 1 ? 3 : 1;
            double seconds = static_cast<double>(size);
            problem.blocks.push_back(
                {seconds, seconds, seconds, size, size, 0});
            if (i + 1 < count)
              problem.values.push_back({i, {i + 1}, size, size});
          }
          problem.assignment = std::move(assignment);
          expectOptimal(problem);
          problem.memoryLimit = 3 * count;
          expectOptimal(problem);
          ASSERT_FALSE(HasNonfatalFailure())
              << "chain " << code << " of " << count << ", " << stages
              << " stages on " << problem.assignment.ranks << " ranks";
        }
}

/// `layers` transformer layers of `perLayer` blocks between an embedding and an
/// output layer that costs as much as `vocabulary` layers and shares the
/// embedding's parameter.
StagePartitionProblem transformer(int32_t layers, int32_t perLayer,
                                  double vocabulary) {
  StagePartitionProblem problem;
  double part = 1.0 / perLayer;
  problem.blocks.push_back({0.01, 0, 0.02, 0, 10, 0});
  for (int32_t i = 0; i < layers * perLayer; ++i) {
    // Attention has no weight gradient to speak of, products have.
    double skew = 0.5 + static_cast<double>(i % perLayer) * part;
    problem.blocks.push_back(
        {part * skew, part * skew * 1.1, part * 0.9, 1000, 340 / perLayer, 64});
  }
  problem.blocks.push_back({vocabulary, vocabulary, vocabulary, 0, 100, 0});
  auto count = static_cast<int32_t>(problem.blocks.size());
  for (int32_t i = 0; i + 1 < count; ++i)
    problem.values.push_back(
        {i, {i + 1}, i % perLayer == 0 ? 20 : 60, i % perLayer == 0 ? 20 : 60});
  problem.tied.push_back({{0, count - 1}, 5000, 2500});
  problem.secondsPerByte = 1e-5;
  problem.latency = 1e-4;
  problem.microbatches = 128;
  return problem;
}

/// In processor time, for tests run next to each other.
double secondsToSolve(const StagePartitionProblem &problem,
                      StagePartitionResult &result) {
  std::clock_t start = std::clock();
  result = solve(problem);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// 96 layers of ten blocks on 64 stages, under every assignment.
TEST(StagePartition, PlacesLargeModelsInTime) {
  StagePartitionProblem problem = transformer(96, 10, 1.0);
  for (StageAssignment assignment : {
           StageAssignment::contiguous(64, 128),
           StageAssignment::vShaped(32, 128),
           StageAssignment::bidirectional(64, 128),
           StageAssignment::interleaved(16, 4, 128),
       }) {
    problem.assignment = assignment;
    StagePartitionResult result;
    double seconds = secondsToSolve(problem, result);
    ASSERT_TRUE(result.partition);
    std::cout << assignment.stages << " stages on " << assignment.ranks
              << " ranks: " << seconds << " s, balance "
              << result.cost.balance() << "\n";
    EXPECT_EQ(problem.verify(*result.partition), std::nullopt);
    EXPECT_LT(seconds, 10);
    EXPECT_GT(result.cost.balance(), 0.9);
    // Memory that is scarce.
    problem.memoryLimit = result.cost.peakMemory() * 97 / 100;
    seconds = secondsToSolve(problem, result);
    std::cout << "  with a memory limit: " << seconds << " s, "
              << (result.partition ? "feasible" : result.infeasible) << "\n";
    EXPECT_LT(seconds, 10);
    problem.memoryLimit = std::nullopt;
  }
}

/// An output layer larger than the mean bounds the step; everything else stays
/// below it, and the balance says how much is lost. 32 layers and one of 6.4:
/// the mean over 8 ranks is 4.8, that is 75% of the output layer alone.
TEST(StagePartition, LargeVocabularyBoundsTheBalance) {
  StagePartitionProblem problem = transformer(32, 1, 6.4);
  for (ChainBlock &block : problem.blocks)
    block.forward = block.inputGradient = block.weightGradient = 1;
  problem.blocks.front() = {0, 0, 0, 0, 10, 0};
  problem.blocks.back() = {6.4, 6.4, 6.4, 0, 100, 0};
  problem.assignment = StageAssignment::contiguous(8, 128);
  StagePartitionResult result = solve(problem);
  ASSERT_TRUE(result.partition);
  EXPECT_EQ(result.partition->begins[7], 33);
  EXPECT_NEAR(result.cost.balance(), 0.75, 1e-9);
}

/// A V puts the first and the last stage on one rank: the tied parameter is
/// held once and no gradient is exchanged.
TEST(StagePartition, TiedParameterOfAVIsHeldOnce) {
  StagePartitionProblem problem = transformer(14, 1, 0.5);
  problem.assignment = StageAssignment::vShaped(4, 128);
  StagePartitionResult bent = solve(problem);
  EXPECT_EQ(bent.cost.once, 0);
  problem.assignment = StageAssignment::interleaved(4, 2, 128);
  StagePartitionResult straight = solve(problem);
  EXPECT_NEAR(straight.cost.once, problem.latency + 2500e-5, 1e-12);
}

/// The long skip connections of a U-shaped network stay within the ranks of a
/// V.
TEST(StagePartition, SkipConnectionsOfAVAreNotSent) {
  StagePartitionProblem problem;
  constexpr int32_t count = 16;
  for (int32_t i = 0; i < count; ++i) {
    problem.blocks.push_back({1, 1, 1, 0, 0, 0});
    if (i + 1 < count)
      problem.values.push_back({i, {i + 1}, 1, 1});
    if (i < count / 2 - 1)
      problem.values.push_back({i, {count - 1 - i}, 100, 100});
  }
  problem.secondsPerByte = 1e-3;
  problem.microbatches = 8;
  problem.assignment = StageAssignment::vShaped(4, 8);
  StagePartitionResult result = solve(problem);
  ASSERT_TRUE(result.partition);
  EXPECT_NEAR(result.cost.balance(), 1, 1e-9);
  // Six boundaries, for the turn stays on its rank; both directions.
  EXPECT_NEAR(result.cost.transfer, 6 * 2e-3, 1e-12);
}

/// Equal ranks without transfers: m T + (p - 1) T / v.
TEST(StagePartition, EstimateIsThatOfOneForwardOneBackward) {
  StagePartitionProblem problem;
  problem.blocks.assign(8, {1, 1, 1, 0, 0, 0});
  problem.microbatches = 16;
  problem.assignment = StageAssignment::contiguous(4, 16);
  EXPECT_NEAR(solve(problem).cost.step, 16 * 6 + 3 * 6, 1e-9);
  problem.assignment = StageAssignment::interleaved(4, 2, 16);
  EXPECT_NEAR(solve(problem).cost.step, 16 * 6 + 3 * 3, 1e-9);
}

/// What schedules are made from: two stages of the chain 0-1-2 with a skip
/// connection from 0 to 2.
TEST(StagePartition, CostsOfItsStages) {
  StagePartitionProblem problem;
  problem.blocks = {
      {1, 2, 3, 10, 4, 5}, {1, 2, 3, 10, 4, 5}, {7, 8, 9, 1, 2, 3}};
  problem.values = {{0, {1}, 8, 8}, {1, {2}, 10, 20}, {0, {2}, 5, 0}};
  problem.tied = {{{0, 2}, 100, 0}};
  problem.secondsPerByte = 0.5;
  problem.latency = 1;
  StageCosts costs = problem.stageCosts({{0, 2, 3}});
  EXPECT_EQ(costs.verify(2), "");
  EXPECT_EQ(costs.stages[0].forward, 2);
  EXPECT_EQ(costs.stages[0].inputGradient, 4);
  EXPECT_EQ(costs.stages[0].weightGradient, 6);
  EXPECT_EQ(costs.stages[0].activation, 8);
  EXPECT_EQ(costs.stages[0].weightInput, 10);
  EXPECT_EQ(costs.stages[0].parameters, 120);
  EXPECT_EQ(costs.stages[1].parameters, 101);
  EXPECT_EQ(costs.boundaries[0].forward, 1 + 15 * 0.5);
  EXPECT_EQ(costs.boundaries[0].backward, 1 + 20 * 0.5);
}

TEST(StagePartition, MoreStagesThanBlocksNamesTheMost) {
  StagePartitionProblem problem;
  problem.blocks.resize(3);
  problem.assignment = StageAssignment::contiguous(4, 1);
  StagePartitionResult result = solve(problem);
  EXPECT_FALSE(result.partition);
  EXPECT_EQ(result.feasibleStages, 3);
  EXPECT_EQ(result.infeasible, "expected at most 3 stages, for so many blocks "
                               "has the model, got 4");
}

TEST(StagePartition, CheckNamesWhatIsWrong) {
  StagePartitionProblem problem;
  problem.assignment = StageAssignment::contiguous(1, 1);
  EXPECT_EQ(problem.check(), "expected at least one block");
  problem.blocks.resize(2);
  EXPECT_EQ(problem.check(), std::nullopt);
  problem.values = {{1, {0}, 0, 0}};
  EXPECT_EQ(problem.check(), "value 0 is not used by blocks after its own, in "
                             "ascending order");
  problem.values.clear();
  problem.tied = {{{1}, 0, 0}};
  EXPECT_EQ(problem.check(), "tied parameter 0 is not of two blocks or more, "
                             "in ascending order");
  problem.tied.clear();
  problem.blocks[1].forward = -1;
  EXPECT_EQ(problem.check(), "block 1 has a negative cost");
  problem.blocks[1].forward = 1;
  problem.assignment.routes[0].ranks = {1};
  EXPECT_EQ(problem.check(), "expected a rank below 1, got 1");
}

TEST(StagePartition, VerifyNamesWhatIsWrong) {
  StagePartitionProblem problem;
  problem.blocks.assign(4, {1, 1, 1, 100, 0, 0});
  problem.assignment = StageAssignment::contiguous(2, 1);
  problem.memoryLimit = 200;
  EXPECT_EQ(problem.verify({{0, 2, 4}}), std::nullopt);
  EXPECT_EQ(problem.verify({{0, 4}}), "expected 2 stages, got 1");
  EXPECT_EQ(problem.verify({{0, 4, 4}}), "stage 1 has no block");
  EXPECT_EQ(problem.verify({{0, 1, 3}}), "the stages do not cover all blocks");
  EXPECT_EQ(problem.verify({{0, 1, 4}}), "rank 1 needs 300 bytes, limit 200");
}

} // namespace
