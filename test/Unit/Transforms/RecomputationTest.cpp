//===- RecomputationTest.cpp - the search against all plans ---------------===//

#include "RecomputationGraphs.h"

#include "Rematerialization/RecomputationSearch.h"

#include "gtest/gtest.h"

#include <map>
#include <optional>
#include <queue>
#include <random>

using namespace tessera::schedule;

namespace {

/// The fewest seconds within `limit` of all orders of all operations, however
/// often each runs: the shortest path over sets of values that are held.
class Optimum {
public:
  Optimum(const RecomputationProblem &problem, int64_t limit)
      : problem(problem), limit(limit) {}

  std::optional<double> seconds() const {
    std::priority_queue<State, std::vector<State>, std::greater<>> queue;
    std::map<unsigned, double> known = {{0, 0}};
    queue.push({0, 0});
    while (!queue.empty()) {
      auto [spent, held] = queue.top();
      queue.pop();
      if (spent > known[held])
        continue;
      if (holds(held, problem.operations.back().operands))
        return spent;
      auto reach = [&](unsigned next, double cost) {
        auto [entry, isNew] = known.try_emplace(next, cost);
        if (!isNew && entry->second <= cost)
          return;
        entry->second = cost;
        queue.push({cost, next});
      };
      for (unsigned i = 0; i + 1 < problem.operations.size(); ++i) {
        unsigned bit = 1u << i;
        if (held & bit)
          reach(held & ~bit, spent);
        else if (holds(held, problem.operations[i].operands) &&
                 bytesOf(held | bit) <= limit)
          reach(held | bit, spent + problem.operations[i].seconds);
      }
    }
    return std::nullopt;
  }

private:
  using State = std::pair<double, unsigned>;

  bool holds(unsigned held, const std::vector<unsigned> &operands) const {
    for (unsigned operand : operands)
      if (!(held >> operand & 1))
        return false;
    return true;
  }
  int64_t bytesOf(unsigned held) const {
    int64_t bytes = 0;
    for (unsigned i = 0; i < problem.values.size(); ++i)
      bytes += held >> i & 1 ? problem.values[i].bytes : 0;
    return bytes;
  }

  const RecomputationProblem &problem;
  int64_t limit;
};

/// How near the search comes to the optimum over limits between the least that
/// anything fits and what is held without any.
struct Nearness {
  unsigned limits = 0, met = 0, optimal = 0;
  double ratios = 0;

  void print() const {
    printf("%u limits, %u met, %u at the optimum, on average %.4f of it\n",
           limits, met, optimal, ratios / met);
  }
  void compare(const RecomputationProblem &problem) {
    RecomputationPlan original = RecomputationPlan::original(problem);
    int64_t peak = measurePlan(problem, original).peak;
    for (int64_t limit = peak; limit > 0; --limit) {
      std::optional<double> best = Optimum(problem, limit).seconds();
      if (!best)
        return;
      RecomputationPlan plan = findRecomputation(problem, limit);
      ASSERT_EQ(verifyPlan(problem, plan), "");
      PlanCosts costs = measurePlan(problem, plan);
      ++limits;
      if (costs.peak > limit)
        continue;
      ++met;
      // All orders are fewer seconds where the program computes what it does
      // not need.
      ASSERT_GE(costs.seconds, *best);
      ratios += costs.seconds / *best;
      optimal += costs.seconds == *best;
    }
  }
};

} // namespace

TEST(RecomputationTest, ChainsComeNearToTheOptimum) {
  std::mt19937 random(1);
  Nearness nearness;
  for (int i = 0; i < 60; ++i)
    nearness.compare(chainWithGradient(3 + i % 4, random).problem);
  nearness.print();
  EXPECT_GE(nearness.met, 0.98 * nearness.limits);
  EXPECT_GE(nearness.optimal, 0.97 * nearness.met);
  EXPECT_LE(nearness.ratios, 1.002 * nearness.met);
}

// The optimum may have another order, which the search takes as it is.
TEST(RecomputationTest, AnyGraphComesNearToTheOptimum) {
  std::mt19937 random(2);
  Nearness nearness;
  for (int i = 0; i < 60; ++i)
    nearness.compare(anyGraph(8 + i % 4, random).problem);
  nearness.print();
  EXPECT_GE(nearness.met, 0.85 * nearness.limits);
  EXPECT_LE(nearness.ratios, 1.1 * nearness.met);
}

TEST(RecomputationTest, TheSamePlanForTheSameProblem) {
  std::mt19937 random(3);
  RecomputationGraph graph = chainWithGradient(6, random);
  RecomputationPlan first = findRecomputation(graph.problem, 20),
                    second = findRecomputation(graph.problem, 20);
  ASSERT_EQ(first.steps.size(), second.steps.size());
  for (size_t i = 0; i < first.steps.size(); ++i)
    EXPECT_EQ(first.steps[i].sources, second.steps[i].sources);
}

TEST(RecomputationTest, LongChainsFitIntoLittle) {
  std::mt19937 random(4);
  RecomputationGraph graph = chainWithGradient(400, random);
  RecomputationPlan original = RecomputationPlan::original(graph.problem);
  PlanCosts free = measurePlan(graph.problem, original);
  double seconds = free.seconds;
  for (double share : {0.9, 0.7, 0.5, 0.3, 0.1}) {
    int64_t limit = share * free.peak;
    RecomputationPlan plan = findRecomputation(graph.problem, limit);
    EXPECT_EQ(verifyPlan(graph.problem, plan), "");
    PlanCosts costs = measurePlan(graph.problem, plan);
    EXPECT_LE(costs.peak, limit);
    EXPECT_GE(costs.seconds, seconds);
    seconds = costs.seconds;
  }
  // Once more is all of the forward pass, which the backward pass follows.
  EXPECT_LE(seconds, 2 * free.seconds);
}

TEST(RecomputationTest, RefusesWhatIsNoProblemAndNoPlan) {
  std::mt19937 random(5);
  RecomputationGraph graph = chainWithGradient(3, random);
  EXPECT_EQ(graph.problem.check(), "");
  RecomputationPlan plan = RecomputationPlan::original(graph.problem);
  EXPECT_EQ(verifyPlan(graph.problem, plan), "");
  plan.steps.push_back(plan.steps.back());
  EXPECT_NE(verifyPlan(graph.problem, plan), "");
  plan.steps.resize(3);
  EXPECT_NE(verifyPlan(graph.problem, plan), "");
  graph.problem.operations[0].operands = {1};
  EXPECT_NE(graph.problem.check(), "");
}
