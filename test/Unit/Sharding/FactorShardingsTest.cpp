#include "Printing.h"

#include "tessera/Sharding/Rules/FactorShardings.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr int64_t kNone = ShardingRuleBuilder::kNone;
const Mesh mesh({{"x", 4}, {"y", 2}, {"one", 1}});

AxisRef x(int64_t preSize, int64_t size) { return {"x", preSize, size}; }

TensorSharding dims(llvm::ArrayRef<AxisList> axes) {
  TensorSharding sharding = TensorSharding::getReplicated(axes.size());
  for (size_t i = 0; i < axes.size(); ++i)
    sharding.dims[i].axes = axes[i];
  return sharding;
}

/// tensor<8x4xf32> -> tensor<2x4x4xf32>: ([ij,k])->([i,j,k]).
ShardingRule splitRule() {
  ShardingRuleBuilder builder({{8, 4}}, {{2, 4, 4}});
  builder.addReshape();
  return builder.build();
}

FactorShardings project(const ShardingRule &rule, const TensorSharding &in,
                        const TensorSharding &out) {
  static const int64_t inShape[] = {8, 4}, outShape[] = {2, 4, 4};
  static const llvm::ArrayRef<int64_t> stable[] = {inShape, outShape};
  return FactorShardings(rule, stable, mesh, {in, out});
}

TEST(FactorShardings, CompoundDimensionDealsAxesToItsFactors) {
  ShardingRule rule = splitRule();
  FactorShardings view =
      project(rule, dims({{"x"}, {"y"}}), dims({{}, {}, {}}));
  EXPECT_EQ(view.tensor(0).axes[0], AxisList({x(1, 2)}));
  EXPECT_EQ(view.tensor(0).axes[1], AxisList({x(2, 2)}));
  EXPECT_EQ(view.tensor(0).axes[2], AxisList({"y"}));
  EXPECT_EQ(view.dimAxes(0, 0), AxisList({"x"}));
  EXPECT_EQ(view.axesUsedByOthers(0, 1), AxisList({x(1, 2), "y"}));
}

TEST(FactorShardings, WhatFitsNoFactorOverflows) {
  // 3 does not divide i=2, and j is not reached before i is full.
  Mesh three({{"z", 3}, {"y", 2}});
  ShardingRuleBuilder builder({{12}}, {{2, 6}});
  builder.addReshape();
  ShardingRule rule = builder.build();
  const int64_t inShape[] = {12}, outShape[] = {2, 6};
  FactorShardings view(rule, {inShape, outShape}, three,
                       {dims({{"z", "y"}}), dims({{}, {}})});
  EXPECT_EQ(view.tensor(0).axes[0], AxisList());
  EXPECT_EQ(view.tensor(0).overflow[0], AxisList({"z", "y"}));
  EXPECT_EQ(view.dimAxes(0, 0), AxisList({"z", "y"}));
  auto conflicts = findConflicts(rule, view, three);
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].kind, FactorConflict::Overflow);
}

TEST(FactorShardings, AFactorAloneInItsDimensionMayBeUneven) {
  ShardingRuleBuilder builder({{6}}, {{6}});
  builder.addPointwise();
  ShardingRule rule = builder.build();
  const int64_t shape[] = {6};
  FactorShardings view(rule, {shape, shape}, mesh, {dims({{"x"}}), dims({{}})});
  EXPECT_EQ(view.tensor(0).axes[0], AxisList({"x"}));
  EXPECT_EQ(view.longestPrefix(1, 0, {"x"}), AxisList({"x"}));
  EXPECT_EQ(feasibleFactorAxes(rule, {shape, shape}, {AxisList({"x"})}, mesh),
            llvm::SmallVector<AxisList>({AxisList({"x"})}));
}

TEST(FactorShardings, AnEvenFactorIsSplitIntoEqualPartsOnly) {
  ShardingRuleBuilder builder({{6}}, {{}});
  builder.keepEven(builder.addFactor({0}, {kNone}, 6, FactorKind::Reduction));
  ShardingRule rule = builder.build();
  const int64_t shape[] = {6};
  FactorShardings view(rule, {shape, {}}, mesh, {dims({{"x"}}), dims({})});
  EXPECT_EQ(view.tensor(0).axes[0], AxisList());
  EXPECT_EQ(view.tensor(0).overflow[0], AxisList({"x"}));
  EXPECT_EQ(feasibleFactorAxes(rule, {shape, {}}, {AxisList({"x"})}, mesh),
            llvm::SmallVector<AxisList>({AxisList({x(1, 2)})}));
}

TEST(FactorShardings, UnevenCompoundDimensionsOverflowWhole) {
  ShardingRuleBuilder builder({{2, 3}}, {{6}});
  builder.addReshape();
  ShardingRule rule = builder.build();
  const int64_t inShape[] = {2, 3}, outShape[] = {6};
  FactorShardings view(rule, {inShape, outShape}, mesh,
                       {dims({{}, {"x"}}), dims({{"x"}})});
  EXPECT_EQ(view.tensor(0).axes[1], AxisList());
  EXPECT_EQ(view.tensor(0).overflow[1], AxisList({"x"}));
  EXPECT_EQ(view.tensor(1).axes[0], AxisList());
  EXPECT_EQ(view.tensor(1).overflow[0], AxisList({"x"}));
}

TEST(FactorShardings, AxesOfSizeOneAreIgnored) {
  ShardingRule rule = splitRule();
  FactorShardings view = project(rule, dims({{"one", "x"}, {"y"}}),
                                 dims({{x(1, 2)}, {x(2, 2)}, {"y"}}));
  EXPECT_TRUE(findConflicts(rule, view, mesh).empty());
}

TEST(FactorShardings, LongestPrefixRespectsNeighboursAndOtherUses) {
  ShardingRule rule = splitRule();
  FactorShardings view = project(rule, dims({{}, {"y"}}), dims({{}, {}, {}}));
  // j follows i, which is not full yet.
  EXPECT_EQ(view.longestPrefix(0, 1, {"x"}), AxisList());
  // i has room for half of x.
  EXPECT_EQ(view.longestPrefix(0, 0, {"x"}), AxisList({x(1, 2)}));
  // y is taken by k in the operand, but free in the result.
  EXPECT_EQ(view.longestPrefix(0, 0, {"y"}), AxisList());
  EXPECT_EQ(view.longestPrefix(1, 0, {"y"}), AxisList({"y"}));
  EXPECT_EQ(view.longestPrefix(1, 1, {"x"}), AxisList({"x"}));
}

ShardingRule matmul() {
  ShardingRuleBuilder builder({{8, 8}, {8, 8}}, {{8, 8}});
  builder.addFactor({0, kNone}, {0}, 8);
  builder.addFactor({kNone, 1}, {1}, 8);
  builder.addFactor({1, 0}, {kNone}, 8, FactorKind::Reduction);
  return builder.build();
}

const int64_t square[] = {8, 8};
const llvm::ArrayRef<int64_t> squares[] = {square, square, square};

TEST(FactorShardings, ConsistentShardingsMakeTheOperationsOwn) {
  ShardingRule rule = matmul();
  FactorShardings view(
      rule, squares, mesh,
      {dims({{"y"}, {"x"}}), dims({{"x"}, {}}), dims({{"y"}, {}})});
  EXPECT_TRUE(findConflicts(rule, view, mesh).empty());
  llvm::SmallVector<AxisList> axes = commonFactorAxes(rule, view);
  EXPECT_EQ(toString(operandSharding(rule, 0, axes, mesh)),
            R"([{"y"}, {"x"}])");
  EXPECT_EQ(toString(operandSharding(rule, 1, axes, mesh)), R"([{"x"}, {}])");
  EXPECT_EQ(toString(resultSharding(rule, 0, axes, mesh)),
            R"([{"y"}, {}], unreduced={"x"})");
}

TEST(FactorShardings, ConflictsAreNamed) {
  ShardingRule rule = matmul();
  rule.factors[1].kind = FactorKind::NeedReplication;
  FactorShardings view(
      rule, squares, mesh,
      {dims({{"x"}, {"y"}}), dims({{}, {"x"}}), dims({{"x"}, {}})});
  auto conflicts = findConflicts(rule, view, mesh);
  ASSERT_EQ(conflicts.size(), 4u);
  // k: y in the left operand, nothing in the right one.
  EXPECT_EQ(conflicts[0].kind, FactorConflict::NotReplicated);
  EXPECT_EQ(conflicts[0].factorA, 1u);
  EXPECT_EQ(conflicts[0].tensorA, 1u);
  EXPECT_EQ(conflicts[1].kind, FactorConflict::WithinFactor);
  EXPECT_EQ(conflicts[1].factorA, 2u);
  EXPECT_EQ(conflicts[1].tensorB, 1u);
  EXPECT_EQ(conflicts[2].kind, FactorConflict::WithinFactor);
  EXPECT_EQ(conflicts[2].factorA, 1u);
  EXPECT_EQ(conflicts[2].tensorB, 2u);
  EXPECT_EQ(conflicts[3].kind, FactorConflict::AcrossFactors);
  EXPECT_EQ(conflicts[3].factorA, 0u);
  EXPECT_EQ(conflicts[3].factorB, 1u);
}

TEST(FactorShardings, FeasibleAxesAreDisjointEvenAndWithoutGaps) {
  ShardingRule rule = splitRule();
  const int64_t inShape[] = {8, 4}, outShape[] = {2, 4, 4};
  llvm::ArrayRef<int64_t> shapes[] = {inShape, outShape};
  auto feasible = [&](llvm::ArrayRef<AxisList> wanted) {
    return feasibleFactorAxes(rule, shapes, wanted, mesh);
  };
  using Lists = llvm::SmallVector<AxisList>;
  EXPECT_EQ(feasible({{"y"}, {"x"}, {}}), Lists({{"y"}, {"x"}, {}}));
  EXPECT_EQ(feasible({{"y"}, {"y"}, {"x"}}), Lists({{"y"}, {}, {"x"}}));
  EXPECT_EQ(feasible({{}, {"y"}, {"x"}}), Lists({{}, {}, {"x"}}));
  EXPECT_EQ(feasible({{"x"}, {}, {"x"}}), Lists({{x(1, 2)}, {}, {}}));
}

} // namespace
