//===- OverlapTest.cpp - orders that hide collectives ---------------------===//

#include "Overlap/OverlapSearch.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <ctime>
#include <random>

using namespace tessera::schedule;

namespace {

constexpr unsigned kNone = OverlapProblem::kNone;

/// Operations with a result each, and a last one that reads what is returned.
struct Program {
  OverlapProblem problem;

  unsigned add(int64_t bytes, double seconds, std::vector<unsigned> operands,
               bool isCollective = false) {
    unsigned number = problem.block.operations.size();
    problem.block.values.push_back({bytes, number, kNone});
    problem.block.operations.push_back(
        {std::move(operands), {number}, seconds, 0, true, {}});
    problem.isCollective.push_back(isCollective);
    problem.after.emplace_back();
    return number;
  }
  unsigned argument() { return add(0, 0, {}); }
  void end(std::vector<unsigned> operands) {
    problem.block.operations.push_back(
        {std::move(operands), {}, 0, 0, false, {}});
    problem.isCollective.push_back(false);
    problem.after.emplace_back();
  }
  void dropEnd() {
    problem.block.operations.pop_back();
    problem.isCollective.pop_back();
    problem.after.pop_back();
  }
  OverlapCosts original() const {
    return measureOverlap(problem, OverlapPlan::original(problem));
  }
};

/// A training step of layers: forward, then for each the gradients of input and
/// weight, and the sum of the latter scattered. With `gathers`, weights are
/// gathered, again for the gradients.
Program chainOf(unsigned layers, int64_t activation, int64_t weight,
                double collective, bool gathers) {
  Program program;
  std::vector<unsigned> activations = {program.argument()}, returned;
  auto gather = [&] {
    return program.add(gathers ? weight : 0, gathers ? collective : 0, {},
                       gathers);
  };
  for (unsigned i = 0; i < layers; ++i)
    activations.push_back(
        program.add(activation, 1, {activations.back(), gather()}));
  unsigned gradient = program.add(activation, 0.1, {activations.back()});
  for (unsigned i = layers; i-- > 0;) {
    unsigned dw = program.add(weight, 1, {gradient, activations[i]});
    gradient = program.add(activation, 1, {gradient, gather()});
    returned.push_back(program.add(weight / 8, collective, {dw}, true));
  }
  returned.push_back(gradient);
  program.end(returned);
  return program;
}

double runSeconds(const OverlapProblem &problem, bool collectives) {
  double seconds = 0;
  for (unsigned i = 0; i < problem.isCollective.size(); ++i)
    if (problem.isCollective[i] == collectives)
      seconds += problem.block.operations[i].seconds;
  return seconds;
}

} // namespace

/// Scatters hide beside the products of the layer before; no weight gradient is
/// put off by more than a layer.
TEST(Overlap, ChainWithinALayer) {
  for (bool gathers : {false, true}) {
    Program program = chainOf(32, 100, 40, 0.4, gathers);
    ASSERT_EQ(program.problem.block.check(), "");
    OverlapCosts before = program.original();
    OverlapPlan plan = findOverlap(program.problem, {1 << 20, 0, true});
    ASSERT_EQ(verifyOverlap(program.problem, plan), "");
    OverlapCosts after = measureOverlap(program.problem, plan);
    EXPECT_LE(after.peak, before.peak + 100 + 40);
    EXPECT_LE(after.seconds, 1.05 * runSeconds(program.problem, false));
    EXPECT_GT(before.seconds, 1.1 * after.seconds);
  }
}

/// With not a byte more than the order needs nothing is held longer.
TEST(Overlap, HardLimit) {
  Program program = chainOf(16, 100, 40, 0.4, true);
  int64_t peak = program.original().peak;
  for (int64_t limit : {int64_t(0), peak, peak + 20, peak + 40, peak + 80}) {
    OverlapPlan plan = findOverlap(program.problem, {limit, 0, true});
    EXPECT_LE(measureOverlap(program.problem, plan).peak,
              std::max(limit, peak));
  }
}

/// Updates of shards stand where the text has them, at the end, and what they
/// make is gathered: in the backward pass, as soon as each gradient is summed.
TEST(Overlap, UpdatesBesideTheBackwardPass) {
  unsigned layers = 16;
  Program program = chainOf(layers, 100, 40, 0.8, false);
  std::vector<unsigned> sums = program.problem.block.operations.back().operands;
  sums.pop_back();
  program.dropEnd();
  std::vector<unsigned> gathered;
  for (unsigned sum : sums) {
    unsigned update = program.add(5, 0.01, {sum});
    gathered.push_back(program.add(40, 0.8, {update}, true));
  }
  program.end(gathered);
  double kernels = runSeconds(program.problem, false);
  EXPECT_GE(program.original().seconds, 1.4 * kernels);
  OverlapPlan plan = findOverlap(program.problem, {1 << 20, 0, true});
  // Gathers alone take 12.8 behind the last kernel.
  EXPECT_LE(measureOverlap(program.problem, plan).seconds, kernels + 5);
}

/// Where links are what takes time, they hardly rest.
TEST(Overlap, BoundByLinks) {
  Program program = chainOf(32, 100, 40, 4, true);
  OverlapPlan plan = findOverlap(program.problem, {1 << 20, 0, true});
  EXPECT_LE(measureOverlap(program.problem, plan).seconds,
            1.1 * runSeconds(program.problem, true));
}

/// Any programs, any limits: right, never slower than without overlap, never
/// more than allowed, whether or not seconds are known, and the same each time.
TEST(Overlap, RandomPrograms) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](unsigned bound) { return unsigned(random() % bound); };
    Program program;
    program.argument();
    unsigned count = 5 + below(60);
    for (unsigned i = 1; i < count; ++i) {
      std::vector<unsigned> operands;
      for (unsigned j = below(4); j-- > 0;)
        if (unsigned operand = below(i);
            std::find(operands.begin(), operands.end(), operand) ==
            operands.end())
          operands.push_back(operand);
      bool isCollective = below(3) == 0;
      int64_t bytes = 1 + below(4);
      unsigned number =
          program.add(bytes, 1 + below(5), operands, isCollective);
      for (unsigned operand : operands)
        if (program.problem.block.values[operand].bytes == bytes &&
            below(2) == 0)
          program.problem.block.operations[number].overwrites.push_back(
              {operand, number});
      if (unsigned other = below(i); below(4) == 0)
        program.problem.after[number].push_back(other);
    }
    program.end({below(count), count - 1});
    OverlapCosts before = program.original();
    for (bool hasSeconds : {true, false})
      for (int64_t more : {0, 3, 1000}) {
        OverlapMemory memory = {before.peak + more, 10, hasSeconds};
        OverlapPlan plan = findOverlap(program.problem, memory);
        ASSERT_EQ(verifyOverlap(program.problem, plan), "") << seed;
        OverlapCosts after = measureOverlap(program.problem, plan);
        EXPECT_LE(after.peak, before.peak + (hasSeconds ? more : 0)) << seed;
        EXPECT_LE(after.seconds * double(after.peak + 10),
                  before.seconds * double(before.peak + 10) * 1.000001 +
                      (hasSeconds ? 0 : 1e9))
            << seed;
      }
  }
}

/// Linear: twice the layers take no more than four times as long.
TEST(Overlap, DeepChain) {
  auto seconds = [](unsigned layers) {
    Program program = chainOf(layers, 100, 40, 0.4, true);
    std::clock_t begin = std::clock();
    findOverlap(program.problem, {1 << 20, 0, true});
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  double shallow = seconds(400);
  EXPECT_LE(seconds(800), 4 * shallow + 0.05);
}
