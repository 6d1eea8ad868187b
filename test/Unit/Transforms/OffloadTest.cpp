//===- OffloadTest.cpp - copies to the host against computing again -------===//

#include "RecomputationGraphs.h"

#include "Rematerialization/RecomputationSearch.h"

#include "gtest/gtest.h"

#include <random>

using namespace tessera;
using namespace tessera::schedule;

namespace {

using Copy = RecomputationProblem::Copy;

/// How many steps of `plan` copy to the host.
int copiesOf(const RecomputationProblem &problem,
             const RecomputationPlan &plan) {
  return std::count_if(plan.steps.begin(), plan.steps.end(), [&](auto &step) {
    return problem.operations[step.operation].copy == Copy::ToHost;
  });
}

/// A chain of layers with their gradients, each of which takes a second and
/// makes ten bytes.
RecomputationProblem layers(unsigned count) {
  std::mt19937 random(1);
  RecomputationProblem problem = chainWithGradient(count, random).problem;
  for (RecomputationProblem::Operation &operation : problem.operations)
    operation.seconds = 1;
  for (RecomputationProblem::Value &value : problem.values)
    value.bytes = value.bytes > 0 ? 10 : 0;
  return problem;
}

} // namespace

// Where a copy takes no longer than what makes the value, half of the memory
// costs nothing.
TEST(OffloadTest, IsFreeWhereItHides) {
  RecomputationProblem problem = layers(32);
  PlanCosts before = measurePlan(problem, RecomputationPlan::original(problem));
  problem.allowCopies({0, 20, 1000000}, 1000000);
  for (double share : {0.9, 0.7, 0.5, 0.3}) {
    int64_t limit = share * before.peak;
    RecomputationPlan plan = findRecomputation(problem, limit);
    ASSERT_EQ(verifyPlan(problem, plan), "");
    PlanCosts costs = measurePlan(problem, plan);
    EXPECT_LE(costs.peak, limit);
    EXPECT_LE(costs.seconds, 1.01 * before.seconds) << share;
    EXPECT_GT(copiesOf(problem, plan), 0);
  }
}

// A link that takes longer than computing again is left alone.
TEST(OffloadTest, IsDearWhereTheLinkIsSlow) {
  RecomputationProblem problem = layers(16);
  PlanCosts before = measurePlan(problem, RecomputationPlan::original(problem));
  int64_t limit = 0.5 * before.peak;
  double again =
      measurePlan(problem, findRecomputation(problem, limit)).seconds;
  problem.allowCopies({0, 0.01, 1000000}, 1000000);
  RecomputationPlan plan = findRecomputation(problem, limit);
  EXPECT_EQ(copiesOf(problem, plan), 0);
  EXPECT_LE(measurePlan(problem, plan).seconds, again);
}

// The host holds no more than it may.
TEST(OffloadTest, KeepsToTheHost) {
  RecomputationProblem problem = layers(32);
  PlanCosts before = measurePlan(problem, RecomputationPlan::original(problem));
  problem.allowCopies({0, 20, 1000000}, 30);
  RecomputationPlan plan = findRecomputation(problem, 0.5 * before.peak);
  ASSERT_EQ(verifyPlan(problem, plan), "");
  EXPECT_LE(measurePlan(problem, plan).peak, int64_t(0.5 * before.peak));
  EXPECT_LE(copiesOf(problem, plan), 3);
}

// A link to the host never makes a plan of any graph worse, nor one that is
// wrong.
TEST(OffloadTest, AnyGraphWithACopyIsRight) {
  std::mt19937 random(2);
  int met = 0, metWithout = 0, better = 0;
  for (int i = 0; i < 60; ++i) {
    RecomputationProblem problem =
        (i % 2 ? anyGraph(8 + i % 9, random)
               : chainWithGradient(3 + i % 11, random))
            .problem;
    PlanCosts before =
        measurePlan(problem, RecomputationPlan::original(problem));
    int64_t limit = before.peak * (3 + random() % 7) / 10;
    PlanCosts without = measurePlan(problem, findRecomputation(problem, limit));
    problem.allowCopies({0.1 * double(random() % 5),
                         0.5 * (1 + random() % 20) / (i % 3 ? 1 : 50), 1000000},
                        1 + random() % 100);
    RecomputationPlan plan = findRecomputation(problem, limit);
    ASSERT_EQ(verifyPlan(problem, plan), "");
    PlanCosts costs = measurePlan(problem, plan);
    met += costs.peak <= limit;
    metWithout += without.peak <= limit;
    EXPECT_LE(std::max(costs.peak, limit), std::max(without.peak, limit));
    if (costs.peak > limit || without.peak > limit)
      continue;
    better += costs.seconds < without.seconds - 1e-9;
    EXPECT_LE(costs.seconds, without.seconds + 1e-9);
  }
  printf("%d limits met, %d without copies; %d plans better\n", met, metWithout,
         better);
  EXPECT_GT(better, 10);
}
