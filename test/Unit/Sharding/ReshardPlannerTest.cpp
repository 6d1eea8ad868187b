#include "PlacementGraph.h"
#include "Printing.h"
#include "SimulatedDevices.h"

#include "tessera/Sharding/Reshard/ReshardPlanner.h"

#include <gtest/gtest.h>

#include <random>

using namespace tessera;

namespace {

/// A mesh whose axes are called x, y, z.
Mesh meshOf(llvm::ArrayRef<int64_t> sizes) {
  const char *names[] = {"x", "y", "z", "w"};
  llvm::SmallVector<MeshAxis> axes;
  for (size_t i = 0; i < sizes.size(); ++i)
    axes.push_back({names[i], sizes[i]});
  return Mesh(axes);
}

TensorSharding dims(llvm::ArrayRef<AxisList> axes, AxisList unreduced = {}) {
  TensorSharding sharding = TensorSharding::getReplicated(axes.size());
  for (size_t i = 0; i < axes.size(); ++i)
    sharding.dims[i].axes = axes[i];
  sharding.unreduced = std::move(unreduced);
  return sharding;
}

//===----------------------------------------------------------------------===//
// All pairs on small meshes
//===----------------------------------------------------------------------===//

struct Setting {
  std::vector<int64_t> mesh;
  size_t rank;
  /// Links without latency make bytes decide, the defaults and small tensors
  /// make the number of collectives decide.
  std::vector<LinkCosts> links;
  int64_t elementBytes;
};

void PrintTo(const Setting &setting, std::ostream *os) {
  *os << "mesh ";
  for (int64_t size : setting.mesh)
    *os << size << ' ';
  *os << "rank " << setting.rank << (setting.links.empty() ? "" : " links")
      << " bytes " << setting.elementBytes;
}

std::string describe(const ReshardProblem &problem, const ReshardPlan &plan) {
  return toString(problem.source) + " -> " + toString(problem.target) + ": " +
         toString(plan);
}

class AllPairs : public testing::TestWithParam<Setting> {};

TEST_P(AllPairs, PlansAreRightAndTheCheapest) {
  const Setting &setting = GetParam();
  Mesh mesh = meshOf(setting.mesh);
  llvm::SmallVector<int64_t> shape(setting.rank, mesh.numDevices());
  PlacementGraph all(mesh, shape, setting.elementBytes, setting.links);
  all.findShortestPaths();

  ReshardOptions options;
  options.links.assign(setting.links.begin(), setting.links.end());
  options.useIdleAxes = true;
  options.memoryLimit = std::numeric_limits<int64_t>::max();
  ReshardPlanner planner(mesh, options);
  for (size_t from = 0; from < all.size(); ++from) {
    TensorSharding source = all.sharding(from);
    SimulatedDevices start(mesh, shape, source);
    ASSERT_EQ(start.check(source), "");
    for (size_t to = 0; to < all.size(); ++to) {
      ReshardProblem problem{source, all.sharding(to),
                             llvm::SmallVector<int64_t>(shape),
                             setting.elementBytes};
      const ReshardResult &result = planner.plan(problem);
      ASSERT_TRUE(result.plan) << result.error;
      const ReshardPlan &plan = *result.plan;
      auto what = [&] { return describe(problem, plan); };
      ASSERT_EQ(plan.verify(problem, mesh), "") << what();
      SimulatedDevices devices = start;
      for (const ReshardStep &step : plan.steps)
        devices.run(step);
      ASSERT_EQ(devices.check(problem.target), "") << what();
      double best = all.seconds(from, to);
      // Bytes are whole numbers in the plan.
      ASSERT_NEAR(plan.seconds, best, 1e-9 * best + 1e-10) << what();
      ReshardPlan naive = gatherThenSlice(problem, mesh, planner.getCosts());
      ASSERT_EQ(naive.verify(problem, mesh), "") << what();
      ASSERT_LE(plan.seconds, naive.seconds * (1 + 1e-9)) << what();
    }
  }
}

using AllPairsByDefault = AllPairs;

TEST_P(AllPairsByDefault, PlansAreRightAndNoDearerThanGatherThenSlice) {
  const Setting &setting = GetParam();
  Mesh mesh = meshOf(setting.mesh);
  llvm::SmallVector<int64_t> shape(setting.rank, mesh.numDevices());
  PlacementGraph all(mesh, shape, setting.elementBytes, setting.links);
  ReshardOptions options;
  options.links.assign(setting.links.begin(), setting.links.end());
  ReshardPlanner planner(mesh, options);
  for (size_t from = 0; from < all.size(); ++from)
    for (size_t to = 0; to < all.size(); ++to) {
      ReshardProblem problem{all.sharding(from), all.sharding(to), shape,
                             setting.elementBytes};
      const ReshardResult &result = planner.plan(problem);
      ASSERT_TRUE(result.plan) << result.error;
      auto what = [&] { return describe(problem, *result.plan); };
      ASSERT_EQ(result.plan->verify(problem, mesh), "") << what();
      ReshardPlan naive = gatherThenSlice(problem, mesh, planner.getCosts());
      ASSERT_LE(result.plan->seconds, naive.seconds * (1 + 1e-9)) << what();
      ASSERT_LE(result.plan->peakBytes, naive.peakBytes) << what();
    }
}

std::vector<Setting> settings(size_t maxRank, bool allLinks) {
  const LinkCosts fast{0, 100e9}, slow{0, 10e9}, slowAndLate{50e-6, 10e9};
  std::vector<Setting> list;
  for (const auto &mesh : std::vector<std::vector<int64_t>>{
           {4}, {2, 2}, {4, 2}, {2, 2, 2}, {6}, {2, 3}})
    for (size_t rank = 0; rank <= maxRank; ++rank) {
      list.push_back({mesh, rank, {}, 1 << 14});
      if (rank > 2)
        continue;
      std::vector<LinkCosts> links(mesh.size(), fast);
      links[0] = slow;
      list.push_back({mesh, rank, links, 1 << 20});
      if (!allLinks)
        continue;
      links[0] = slowAndLate;
      list.push_back({mesh, rank, links, 1 << 12});
      links[0] = fast;
      list.push_back({mesh, rank, links, 1 << 20});
    }
  return list;
}

INSTANTIATE_TEST_SUITE_P(SmallMeshes, AllPairs,
                         testing::ValuesIn(settings(3, true)));
INSTANTIATE_TEST_SUITE_P(SmallMeshes, AllPairsByDefault,
                         testing::ValuesIn(settings(2, false)));

//===----------------------------------------------------------------------===//
// Samples on larger meshes
//===----------------------------------------------------------------------===//

/// A sharding in which every axis, or each of its two parts, splits some
/// dimension, is unreduced, or is not used, by chance.
TensorSharding randomSharding(const Mesh &mesh, size_t rank,
                              std::mt19937 &random) {
  std::vector<AxisRef> axes;
  for (const MeshAxis &axis : mesh.axes) {
    if (axis.size % 2 == 0 && axis.size > 2 && random() % 3 == 0) {
      axes.push_back(AxisRef(axis.name, 1, 2));
      axes.push_back(AxisRef(axis.name, 2, axis.size / 2));
    } else {
      axes.push_back(AxisRef(axis.name));
    }
  }
  for (size_t i = axes.size(); i > 1; --i)
    std::swap(axes[i - 1], axes[random() % i]);
  TensorSharding sharding = TensorSharding::getReplicated(rank);
  for (const AxisRef &axis : axes) {
    size_t role = random() % (rank + 2);
    if (role < rank)
      sharding.dims[role].axes.push_back(axis);
    else if (role == rank && random() % 3 == 0)
      sharding.unreduced.push_back(axis);
  }
  return sharding.canonical(mesh);
}

TEST(ReshardPlanner, SampledPlansOnLargerMeshesAreRightAndNotDearer) {
  std::mt19937 random(20261121);
  for (const auto &sizes : std::vector<std::vector<int64_t>>{
           {2, 2, 2, 2}, {2, 4, 8}, {6, 4, 2, 8}, {16, 8, 16}})
    for (bool twoLevels : {false, true}) {
      Mesh mesh = meshOf(sizes);
      ReshardOptions options;
      options.links.resize(twoLevels ? sizes.size() : 0);
      if (twoLevels)
        options.links[0] = {2e-5, 5e9};
      ReshardPlanner planner(mesh, options);
      for (int sample = 0; sample < 60; ++sample) {
        size_t rank = 1 + sample % 4;
        ReshardProblem problem{
            randomSharding(mesh, rank, random),
            randomSharding(mesh, rank, random),
            llvm::SmallVector<int64_t>(rank, mesh.numDevices()), 2};
        const ReshardResult &result = planner.plan(problem);
        ASSERT_TRUE(result.plan) << result.error;
        auto what = [&] { return describe(problem, *result.plan); };
        ASSERT_EQ(result.plan->verify(problem, mesh), "") << what();
        ReshardPlan naive = gatherThenSlice(problem, mesh, planner.getCosts());
        ASSERT_LE(result.plan->seconds, naive.seconds * (1 + 1e-9)) << what();
        ASSERT_LE(result.plan->peakBytes, naive.peakBytes) << what();
      }
    }
}

//===----------------------------------------------------------------------===//
// Single plans
//===----------------------------------------------------------------------===//

/// The plan as text, after checking it on simulated devices.
std::string planText(const Mesh &mesh, const TensorSharding &source,
                     const TensorSharding &target,
                     llvm::ArrayRef<int64_t> shape, ReshardOptions options = {},
                     int64_t elementBytes = 1 << 16) {
  ReshardPlanner planner(mesh, options);
  ReshardProblem problem{source, target, llvm::SmallVector<int64_t>(shape),
                         elementBytes};
  const ReshardResult &result = planner.plan(problem);
  if (!result.plan)
    return result.error;
  EXPECT_EQ(result.plan->verify(problem, mesh), "");
  SimulatedDevices devices(mesh, shape, source);
  for (const ReshardStep &step : result.plan->steps)
    devices.run(step);
  EXPECT_EQ(devices.check(target), "");
  EXPECT_EQ(&planner.plan(problem), &result) << "cached";
  return toString(*result.plan);
}

TEST(ReshardPlanner, SamePlacementNeedsNothing) {
  Mesh mesh = meshOf({2, 2});
  TensorSharding open = dims({{"x"}, {}});
  open.dims[0].open = true;
  EXPECT_EQ(planText(mesh, open, dims({{"x"}, {}}), {4, 4}), "");
}

TEST(ReshardPlanner, MovingTwoAxesToAnotherDimensionIsOneExchange) {
  // jax#21562, which GSPMD solves by gathering everything.
  EXPECT_EQ(planText(meshOf({2, 2}), dims({{"y"}, {}, {"x"}}),
                     dims({{}, {"x", "y"}, {}}), {4, 4, 4}),
            R"(exchange dim 2 -> 1 over {"x"}, dim 0 -> 1 over {"y"})");
}

TEST(ReshardPlanner, ExchangedAxesSendEveryPieceOnce) {
  // Whole parts where both axes are of one size.
  EXPECT_EQ(planText(meshOf({2, 2}), dims({{"x"}, {"y"}}), dims({{"y"}, {"x"}}),
                     {8, 8}),
            R"(permute {"x", "y"} -> {"y", "x"})");
  EXPECT_EQ(planText(meshOf({4, 2}), dims({{"x"}, {"y"}}), dims({{"y"}, {"x"}}),
                     {8, 8}),
            R"(reassemble to [{"y"}, {"x"}] in 2 rounds of 1/2)");
  EXPECT_EQ(planText(meshOf({2, 3}), dims({{"x"}, {"y"}}), dims({{"y"}, {"x"}}),
                     {6, 6}),
            R"(reassemble to [{"y"}, {"x"}] in 6 rounds of 1/6)");
  // The sum is formed before, of as few bytes as possible.
  EXPECT_EQ(planText(meshOf({2, 8, 2}), dims({{"x"}, {"y"}}, {"z"}),
                     dims({{"y"}, {"x", "z"}}), {32, 32}),
            R"(reduce_scatter dim 0 over {"z"}; )"
            R"(reassemble to [{"y"}, {"x", "z"}] in 2 rounds of 1/2)");
}

TEST(ReshardPlanner, PiecesTakeFastLinksWhereTheyCan) {
  // Every half of the mesh has all of the tensor.
  ReshardOptions options;
  options.links = {{0, 1e9}, {0, 100e9}, {0, 100e9}};
  Mesh mesh = meshOf({2, 2, 4});
  ReshardPlanner planner(mesh, options);
  ReshardProblem problem{dims({{"y"}, {"z"}}), dims({{"z"}, {"y"}}), {8, 8}, 4};
  const ReshardPlan &plan = *planner.plan(problem).plan;
  ASSERT_EQ(plan.steps.size(), 1u);
  ASSERT_TRUE(plan.steps[0].pieces);
  EXPECT_EQ(plan.steps[0].pieces->links.bandwidth, 100e9);
  EXPECT_EQ(plan.steps[0].axes, (AxisList{"y", "z"}));
}

TEST(ReshardPlanner, ReorderedAxesAreOnePermutation) {
  EXPECT_EQ(
      planText(meshOf({2, 3}), dims({{"x", "y"}}), dims({{"y", "x"}}), {6}),
      R"(permute {"x", "y"} -> {"y", "x"})");
}

TEST(ReshardPlanner, PendingSumsAreReducedWhereTheyAreNeeded) {
  Mesh mesh = meshOf({2, 2});
  EXPECT_EQ(planText(mesh, dims({{}}, {"x"}), dims({{}}), {4}),
            R"(all_reduce over {"x"})");
  EXPECT_EQ(planText(mesh, dims({{}}, {"x", "y"}), dims({{}}), {4}),
            R"(all_reduce over {"x", "y"})");
  EXPECT_EQ(planText(mesh, dims({{}}, {"x"}), dims({{"x"}}), {4}),
            R"(reduce_scatter dim 0 over {"x"})");
  EXPECT_EQ(planText(mesh, dims({{"y"}}, {"x"}), dims({{"y", "x"}}), {4}),
            R"(reduce_scatter dim 0 over {"x"})");
  EXPECT_EQ(planText(mesh, dims({{}}), dims({{}}, {"x"}), {4}),
            R"(replicated_to_unreduced over {"x"})");
  EXPECT_EQ(planText(mesh, dims({{"x"}}), dims({{}}, {"x"}), {4}),
            R"(sharded_to_unreduced dim 0 over {"x"})");
}

TEST(ReshardPlanner, AnotherMonoidIsReducedFirst) {
  // Half of the tensor on each device, and neutral elements in the other half.
  Mesh mesh = meshOf({2, 2});
  TensorSharding source = dims({{}}, {"x"}), target = dims({{}}, {"x"});
  target.unreducedKind = ReductionKind::Max;
  ReshardPlanner planner(mesh);
  const ReshardResult &result = planner.plan({source, target, {4}, 4});
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(toString(*result.plan), R"(reduce_scatter dim 0 over {"x"}; )"
                                    R"(sharded_to_unreduced dim 0 over {"x"})");
  EXPECT_EQ(result.plan->steps[1].result.unreducedKind, ReductionKind::Max);
}

TEST(ReshardPlanner, HierarchicalReductionOnTwoLevelNetworks) {
  ReshardOptions options;
  options.links = {{0, 1e9}, {0, 100e9}};
  EXPECT_EQ(planText(meshOf({2, 2}), dims({{}}, {"x", "y"}), dims({{}}), {4},
                     options),
            R"(reduce_scatter dim 0 over {"y"}; all_reduce over {"x"}; )"
            R"(all_gather dim 0 over {"y"})");
}

TEST(ReshardPlanner, IdleAxesHelpOnlyOnRequest) {
  ReshardOptions options;
  options.links = {{0, 1e9}, {0, 100e9}};
  EXPECT_EQ(
      planText(meshOf({2, 2}), dims({{}}, {"x"}), dims({{}}), {4}, options),
      R"(all_reduce over {"x"})");
  options.useIdleAxes = true;
  EXPECT_EQ(
      planText(meshOf({2, 2}), dims({{}}, {"x"}), dims({{}}), {4}, options),
      R"(slice dim 0 over {"y"}; all_reduce over {"x"}; )"
      R"(all_gather dim 0 over {"y"})");
}

TEST(ReshardPlanner, MemoryLimitForbidsLargeSteps) {
  Mesh mesh = meshOf({2, 2});
  TensorSharding source = dims({{"x"}, {}}), target = dims({{}, {"x"}});
  ReshardOptions options;
  // One byte an element, half the tensor in, half out.
  options.memoryLimit = 16;
  EXPECT_EQ(planText(mesh, source, target, {4, 4}, options, 1),
            R"(all_to_all dim 0 -> 1 over {"x"})");
  options.memoryLimit = 15;
  EXPECT_EQ(planText(mesh, source, target, {4, 4}, options, 1),
            "expected a plan whose steps need at most 15 bytes, got none");
}

TEST(ReshardPlanner, MemoryLimitAllowsSlices) {
  // Cut by cut, the first slice would need more than the whole one.
  EXPECT_EQ(planText(meshOf({4}), dims({{}}), dims({{"x"}}), {8}),
            R"(slice dim 0 over {"x"})");
}

TEST(ReshardPlanner, CutsThatDoNotDivideEachOther) {
  Mesh mesh = meshOf({6});
  AxisRef halves("x", 1, 2), minorHalves("x", 3, 2);
  AxisRef thirds("x", 1, 3), minorThirds("x", 2, 3);
  EXPECT_EQ(planText(mesh, dims({{thirds}}), dims({{minorThirds}}), {6}),
            R"(permute {"x"} -> {"x":(2)3, "x":(1)2})");
  // Six parts are split alike by both cuts.
  EXPECT_EQ(planText(mesh, dims({{halves}}), dims({{thirds}}), {6}),
            R"(slice dim 0 over {"x":(2)3}; all_gather dim 0 over )"
            R"({"x":(3)2})");
}

TEST(ReshardPlanner, UnevenDimensionsStayOrAreRefused) {
  Mesh mesh = meshOf({2, 2});
  TensorSharding source = dims({{"x"}, {"y"}});
  ReshardPlanner planner(mesh);
  ReshardProblem stays{source, dims({{"x"}, {}}), {5, 4}, 4};
  const ReshardResult &result = planner.plan(stays);
  ASSERT_TRUE(result.plan);
  EXPECT_EQ(toString(*result.plan), R"(all_gather dim 1 over {"y"})");
  EXPECT_EQ(result.plan->bytes, 3 * 2 * 4);
  EXPECT_EQ(result.plan->verify(stays, mesh), "");
  EXPECT_EQ(planner.plan({source, dims({{}, {"y"}}), {5, 4}, 4}).error,
            "expected dimension 0 of size 5 to divide into equal parts, got "
            "2 parts to become 1");
  EXPECT_EQ(planner.plan({source, dims({{"z"}, {}}), {4, 4}, 4}).error,
            R"(unknown axis "z", the mesh has "x", "y")");
}

TEST(ReshardPlanner, VerifyFindsWrongPlans) {
  Mesh mesh = meshOf({2, 2});
  ReshardProblem problem{
      dims({{"x", "y"}, {}}), dims({{"y", "x"}, {}}), {4, 4}, 4};
  ReshardPlanner planner(mesh);
  ReshardPlan plan = *planner.plan(problem).plan;
  EXPECT_EQ(plan.verify(problem, mesh), "");
  ReshardPlan wrong = plan;
  wrong.steps[0].to = wrong.steps[0].from;
  EXPECT_EQ(wrong.verify(problem, mesh),
            R"(step 0 (permute {"x", "y"} -> {"x", "y"}): expected every )"
            R"(device to receive the part it needs)");
  wrong = plan;
  wrong.steps.clear();
  EXPECT_EQ(wrong.verify(problem, mesh),
            R"(expected to end in [{"y", "x"}, {}], got [{"x", "y"}, {}])");
  ReshardProblem uneven{dims({{"x"}, {"y"}}), dims({{"y"}, {"x"}}), {8, 8}, 4};
  Mesh larger = meshOf({4, 2});
  ReshardPlanner largerPlanner(larger);
  ReshardPlan pieces = *largerPlanner.plan(uneven).plan;
  EXPECT_EQ(pieces.verify(uneven, larger), "");
  std::swap(pieces.steps[0].pieces->origins[0],
            pieces.steps[0].pieces->origins[1]);
  EXPECT_EQ(pieces.verify(uneven, larger),
            R"(step 0 (reassemble to [{"y"}, {"x"}] in 2 rounds of 1/2): )"
            R"(expected every device to receive the pieces it needs)");
  wrong = plan;
  wrong.steps[0].bytes = 1;
  EXPECT_EQ(wrong.verify(problem, mesh),
            R"(step 0 (permute {"x", "y"} -> {"y", "x"}): wrong number of )"
            R"(bytes)");
  wrong = plan;
  wrong.steps[0].kind = ReshardStep::Kind::AllGather;
  wrong.steps[0].dim = 0;
  wrong.steps[0].axes = {"x"};
  EXPECT_EQ(wrong.verify(problem, mesh),
            R"(step 0 (all_gather dim 0 over {"x"}): expected the )"
            R"(minor-most axes of the dimension)");
}

} // namespace
