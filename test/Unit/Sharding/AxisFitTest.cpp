//===- AxisFitTest.cpp ----------------------------------------------------===//
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "Printing.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// x has the chains 1|2|4|8, y the chains 1|2|6 and 1|3|6.
const Mesh mesh({{"x", 8}, {"y", 6}});

AxisRef x(int64_t preSize, int64_t size) { return {"x", preSize, size}; }
AxisRef y(int64_t preSize, int64_t size) { return {"y", preSize, size}; }

TEST(AxisFit, FitsWhatNeitherOverlapsNorCuts) {
  EXPECT_TRUE(fitsBeside(y(1, 3), y(3, 2), mesh));
  EXPECT_FALSE(fitsBeside(y(1, 2), y(3, 2), mesh));
  // Every device has another pair of values, but no grid has both.
  EXPECT_FALSE(fitsBeside(y(2, 3), y(3, 2), mesh));
  EXPECT_FALSE(fitsBeside(y(1, 3), AxisRef("y"), mesh));
  EXPECT_TRUE(fitTogether({y(1, 3), "x", y(3, 2)}, mesh));
  EXPECT_FALSE(fitTogether({y(1, 2), "x", y(3, 2)}, mesh));
}

TEST(AxisFit, PrefixStopsAtTheFirstUsedPart) {
  EXPECT_EQ(prefixBeside({"x", "y"}, {"y"}, mesh), AxisList({"x"}));
  EXPECT_EQ(prefixBeside({"x", "y"}, {x(4, 2)}, mesh), AxisList({x(1, 4)}));
  EXPECT_EQ(prefixBeside({"x", "y"}, {x(1, 2)}, mesh), AxisList());
  EXPECT_EQ(prefixBeside({x(2, 4), "y"}, {x(1, 2)}, mesh),
            AxisList({x(2, 4), "y"}));
  // What is free of y before (3)2 is (1)3, but not (1)2.
  EXPECT_EQ(prefixBeside({"y"}, {y(3, 2)}, mesh), AxisList({y(1, 3)}));
  EXPECT_EQ(prefixBeside({y(1, 2)}, {y(3, 2)}, mesh), AxisList());
}

TEST(AxisFit, AxesBesideOthersStayWhole) {
  EXPECT_EQ(axesBeside({y(1, 2), "x", y(2, 3)}, {y(3, 2)}, mesh),
            AxisList({"x"}));
  EXPECT_EQ(axesBeside({y(3, 2), "x"}, {x(4, 2), y(1, 3)}, mesh),
            AxisList({y(3, 2)}));
}

TEST(AxisFit, ShardingGivesUpWhatDoesNotFit) {
  TensorSharding sharding = TensorSharding::getReplicated(2);
  sharding.dims[0].axes = {x(1, 2), y(1, 2), x(2, 2)};
  sharding.dims[1].axes = {y(2, 3)};
  sharding.unreduced = {x(4, 2)};
  sharding.unreducedKind = ReductionKind::Max;
  ASSERT_EQ(sharding.verify({8, 3}, mesh), "");
  EXPECT_EQ(toString(without(sharding, {y(3, 2)}, mesh)),
            R"([{"x":(1)4}, {}], unreduced=max{"x":(4)2})");
  EXPECT_EQ(toString(without(sharding, {x(4, 2)}, mesh)),
            R"([{"x":(1)2, "y":(1)2, "x":(2)2}, {"y":(2)3}])");
}

} // namespace
