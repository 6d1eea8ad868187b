//===- ReshardReplayTest.cpp - What is no plan is refused -----------------===//
//
// Other tests rely on `verify` and `applyStep` to accept what the planner
// makes. Here they refuse what is wrong with it.
//
//===----------------------------------------------------------------------===//

#include "Printing.h"

#include "tessera/Sharding/Reshard/ReshardPlanner.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tessera;

using Kind = ReshardStep::Kind;

namespace {

TensorSharding dims(llvm::ArrayRef<AxisList> axes, AxisList unreduced = {}) {
  TensorSharding sharding = TensorSharding::getReplicated(axes.size());
  for (size_t i = 0; i < axes.size(); ++i)
    sharding.dims[i].axes = axes[i];
  sharding.unreduced = std::move(unreduced);
  return sharding;
}

ReshardStep step(Kind kind, AxisList axes, int64_t dim = -1,
                 int64_t targetDim = -1) {
  ReshardStep step;
  step.kind = kind;
  step.axes = std::move(axes);
  step.dim = dim;
  step.targetDim = targetDim;
  return step;
}

/// Why `step` cannot be applied to `sharding`, on a mesh of 2 x 2 x 2.
std::string refusal(const ReshardStep &step, TensorSharding sharding) {
  Mesh mesh({{"x", 2}, {"y", 2}, {"z", 2}});
  return applyStep(step, mesh, sharding);
}

TEST(ApplyStep, RefusesAxesThatAreInUse) {
  const char *error = "expected axes that are not in use";
  EXPECT_EQ(refusal(step(Kind::Slice, {"x"}, 0), dims({{"y"}})), "");
  EXPECT_EQ(refusal(step(Kind::Slice, {"y"}, 0), dims({{"y"}})), error);
  EXPECT_EQ(refusal(step(Kind::Slice, {"y"}, 0), dims({{}}, {"y"})), error);
  EXPECT_EQ(refusal(step(Kind::ReplicatedToUnreduced, {"y"}), dims({{"y"}})),
            error);
}

TEST(ApplyStep, RefusesAxesThatAreNotTheMinorMost) {
  TensorSharding sharding = dims({{"x", "y"}, {}});
  EXPECT_EQ(refusal(step(Kind::AllGather, {"y"}, 0), sharding), "");
  EXPECT_EQ(refusal(step(Kind::AllGather, {"x"}, 0), sharding),
            "expected the minor-most axes of the dimension");
  EXPECT_EQ(refusal(step(Kind::AllGather, {"y"}, 1), sharding),
            "expected the minor-most axes of the dimension");
  EXPECT_EQ(refusal(step(Kind::ShardedToUnreduced, {"x"}, 0), sharding),
            "expected the minor-most axes of the dimension");
  EXPECT_EQ(refusal(step(Kind::AllToAll, {"x"}, 0, 1), sharding),
            "expected the minor-most axes of the source dimension");
  EXPECT_EQ(refusal(step(Kind::AllToAll, {"y"}, 0, 0), sharding),
            "expected two dimensions");
}

TEST(ApplyStep, RefusesExchangesInWhichADimensionGivesAndTakes) {
  TensorSharding sharding = dims({{"x"}, {"y"}, {}});
  ReshardStep exchange = step(Kind::Exchange, {"x", "y"});
  exchange.moves = {{0, 2, {"x"}}, {1, 2, {"y"}}};
  EXPECT_EQ(refusal(exchange, sharding), "");
  exchange.moves = {{0, 1, {"x"}}, {1, 2, {"y"}}};
  EXPECT_EQ(refusal(exchange, sharding),
            "expected dimensions that either give or take");
  exchange.moves = {{0, 2, {"y"}}};
  EXPECT_EQ(refusal(exchange, sharding),
            "expected the minor-most axes of every source dimension");
}

TEST(ApplyStep, RefusesReductionsOfWhatIsNotPending) {
  TensorSharding sharding = dims({{}}, {"x"});
  for (const ReshardStep &reduction :
       {step(Kind::AllReduce, {"x"}), step(Kind::ReduceScatter, {"x"}, 0)})
    EXPECT_EQ(refusal(reduction, sharding), "");
  for (const ReshardStep &reduction :
       {step(Kind::AllReduce, {"y"}), step(Kind::ReduceScatter, {"y"}, 0)})
    EXPECT_EQ(refusal(reduction, sharding), "expected unreduced axes");
}

TEST(VerifyPlan, RefusesPermutationsOfOtherAxes) {
  Mesh mesh({{"x", 2}, {"y", 3}});
  ReshardProblem problem{dims({{"x", "y"}}), dims({{"y", "x"}}), {6}, 4};
  ReshardPlanner planner(mesh);
  ReshardPlan plan = *planner.plan(problem).plan;
  ASSERT_EQ(plan.steps.size(), 1u);
  ASSERT_EQ(plan.verify(problem, mesh), "");
  ReshardPlan wrong = plan;
  wrong.steps[0].axes = {"x"};
  EXPECT_NE(wrong.verify(problem, mesh)
                .find("expected a permutation of the same axes"),
            std::string::npos);
  // The way back.
  wrong = plan;
  std::swap(wrong.steps[0].from, wrong.steps[0].to);
  EXPECT_NE(wrong.verify(problem, mesh)
                .find("expected every device to receive the part it needs"),
            std::string::npos);
}

TEST(VerifyPlan, RefusesChangesOfTheMeshToOtherDevices) {
  Mesh line(MeshAxis{"x", 4}), ring(MeshAxis{"x", 4}, {0, 1, 3, 2});
  ReshardProblem problem{dims({{"x"}}), dims({{"x"}}), {8}, 4};
  ReshardPlanner planner(line, ring);
  ReshardPlan plan = *planner.plan(problem).plan;
  ASSERT_EQ(plan.steps.size(), 1u);
  ASSERT_EQ(plan.steps[0].kind, Kind::ChangeMesh);
  ASSERT_EQ(plan.verify(problem, line, ring), "");
  ReshardPlan wrong = plan;
  wrong.steps[0].targets = {1, 0, 2, 3};
  EXPECT_NE(wrong.verify(problem, line, ring)
                .find("expected every device to receive the part it needs"),
            std::string::npos);
  // What would do if nothing had to move.
  EXPECT_EQ(plan.verify(problem, line, line).empty(), false);
}

TEST(VerifyPlan, RefusesPlansWithAStepMoreOrLess) {
  Mesh mesh({{"x", 4}, {"y", 2}, {"z", 2}});
  std::vector<TensorSharding> shardings = {dims({{}, {}}),
                                           dims({{"x"}, {}}),
                                           dims({{"x", "y"}, {}}),
                                           dims({{"y"}, {"x"}}),
                                           dims({{}, {"z", "x"}}),
                                           dims({{"z"}, {}}, {"x"}),
                                           dims({{}, {}}, {"x", "y"}),
                                           dims({{AxisRef("x", 1, 2)}, {"y"}})};
  ReshardPlanner planner(mesh);
  unsigned changed = 0;
  for (const TensorSharding &source : shardings)
    for (const TensorSharding &target : shardings) {
      ReshardProblem problem{source, target, {16, 16}, 4};
      const ReshardResult &result = planner.plan(problem);
      ASSERT_TRUE(result.plan);
      ASSERT_EQ(result.plan->verify(problem, mesh), "");
      for (size_t i = 0; i < result.plan->steps.size(); ++i) {
        ReshardPlan less = *result.plan, more = *result.plan,
                    cheap = *result.plan;
        less.steps.erase(less.steps.begin() + i);
        EXPECT_NE(less.verify(problem, mesh), "");
        more.steps.insert(more.steps.begin() + i, more.steps[i]);
        EXPECT_NE(more.verify(problem, mesh), "");
        cheap.steps[i].bytes += 1;
        EXPECT_NE(cheap.verify(problem, mesh).find("wrong number of bytes"),
                  std::string::npos);
        cheap.steps[i].bytes -= 2;
        EXPECT_NE(cheap.verify(problem, mesh).find("wrong number of bytes"),
                  std::string::npos);
        ++changed;
      }
    }
  EXPECT_GT(changed, 50u);
}

} // namespace
