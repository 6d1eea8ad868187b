//===- ShardLayoutTest.cpp - Cutting tensors and putting them together ----===//

#include "../../runtime/core/program/ShardLayout.h"
#include "RankHarness.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace tessera;
using namespace tessera::runtime;
using namespace tessera::runtime::test;

static ShardLayout layoutOf(const DeviceMesh &mesh, Shape global, Shape local,
                            std::vector<std::vector<SubAxis>> axes) {
  auto layout = ShardLayout::create(mesh, global, local, axes);
  EXPECT_TRUE(layout) << layout.message();
  return *layout;
}

/// The shard of a rank when the global tensor counts 1, 2, 3, ...
static std::vector<int32_t> shardOf(const ShardLayout &layout, int32_t rank) {
  std::vector<int32_t> global(*elementCountOf(layout.globalShape()));
  std::iota(global.begin(), global.end(), 1);
  std::vector<int32_t> shard(*elementCountOf(layout.localShape()), -1);
  layout.scatter(rank, 4, reinterpret_cast<std::byte *>(global.data()),
                 reinterpret_cast<std::byte *>(shard.data()));
  return shard;
}

using Values = std::vector<int32_t>;

TEST(ShardLayout, CutsRowsAndColumns) {
  DeviceMesh mesh = meshOf({2, 2});
  ShardLayout layout =
      layoutOf(mesh, {4, 4}, {2, 2}, {{{0, 1, 2}}, {{1, 1, 2}}});
  EXPECT_EQ(shardOf(layout, 0), (Values{1, 2, 5, 6}));
  EXPECT_EQ(shardOf(layout, 1), (Values{3, 4, 7, 8}));
  EXPECT_EQ(shardOf(layout, 2), (Values{9, 10, 13, 14}));
}

TEST(ShardLayout, FirstAxisOfADimensionIsMajor) {
  DeviceMesh mesh = meshOf({2, 3});
  ShardLayout layout = layoutOf(mesh, {6}, {1}, {{{1, 1, 3}, {0, 1, 2}}});
  // Rank 1 is at a=0, b=1: shard 1 * 2 + 0.
  EXPECT_EQ(shardOf(layout, 1), Values{3});
  EXPECT_EQ(shardOf(layout, 3), Values{2});
}

TEST(ShardLayout, SubAxesAreDigitsOfTheAxis) {
  DeviceMesh mesh = meshOf({8});
  ShardLayout middle = layoutOf(mesh, {4}, {2}, {{{0, 2, 2}}});
  for (int32_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(shardOf(middle, rank)[0], rank / 2 % 2 ? 3 : 1) << rank;
  EXPECT_EQ(middle.owners(), (Values{0, 2}));
}

TEST(ShardLayout, LastShardsArePaddedWithZeros) {
  DeviceMesh mesh = meshOf({4});
  ShardLayout layout = layoutOf(mesh, {5}, {2}, {{{0, 1, 4}}});
  EXPECT_EQ(shardOf(layout, 1), (Values{3, 4}));
  EXPECT_EQ(shardOf(layout, 2), (Values{5, 0}));
  EXPECT_EQ(shardOf(layout, 3), (Values{0, 0}));
}

// Whatever the sharding, gathering the owners' shards gives the tensor back.
TEST(ShardLayout, GatherUndoesScatter) {
  DeviceMesh mesh = meshOf({2, 4, 3});
  SubAxis a{0, 1, 2}, b{1, 1, 4}, high{1, 1, 2}, low{1, 2, 2}, c{2, 1, 3};
  std::vector<std::vector<std::vector<SubAxis>>> shardings = {
      {{}, {}, {}},       {{a}, {b}, {c}},     {{c, b, a}, {}, {}},
      {{}, {low, a}, {}}, {{high}, {}, {low}}, {{}, {}, {a, c}}};
  for (const auto &axes : shardings)
    for (Shape global : {Shape{24, 8, 6}, Shape{7, 5, 10}, Shape{1, 1, 1}}) {
      Shape local = global;
      for (size_t dim = 0; dim < 3; ++dim) {
        int64_t shards = 1;
        for (const SubAxis &axis : axes[dim])
          shards *= axis.size;
        local[dim] = (global[dim] + shards - 1) / shards;
      }
      ShardLayout layout = layoutOf(mesh, global, local, axes);
      std::vector<int32_t> tensor(*elementCountOf(global), -1);
      for (int32_t rank : layout.owners()) {
        std::vector<int32_t> shard = shardOf(layout, rank);
        layout.gather(rank, 4, reinterpret_cast<std::byte *>(shard.data()),
                      reinterpret_cast<std::byte *>(tensor.data()));
      }
      std::vector<int32_t> expected(tensor.size());
      std::iota(expected.begin(), expected.end(), 1);
      EXPECT_EQ(tensor, expected);
    }
}

TEST(ShardLayout, ScalarsHaveOneOwner) {
  ShardLayout layout = layoutOf(meshOf({2, 2}), {}, {}, {});
  EXPECT_EQ(shardOf(layout, 3), Values{1});
  EXPECT_EQ(layout.owners(), Values{0});
}

// What lies along unreduced axes are summands, each of which covers the tensor.
TEST(ShardLayout, UnreducedAxesHoldSummands) {
  DeviceMesh mesh = meshOf({2, 2});
  auto layout = ShardLayout::create(mesh, {4}, {2}, {{{1, 1, 2}}}, {{0, 1, 2}});
  ASSERT_TRUE(layout) << layout.message();
  EXPECT_EQ(layout->summands(), 2);
  EXPECT_EQ(layout->owners(0), (Values{0, 1}));
  EXPECT_EQ(layout->owners(1), (Values{2, 3}));
  EXPECT_EQ(layout->summandOf(3), 1);
  EXPECT_FALSE(*layout == layoutOf(mesh, {4}, {2}, {{{1, 1, 2}}}));
}

TEST(ShardLayout, UnreducedAxesShardNothing) {
  auto layout =
      ShardLayout::create(meshOf({2}), {4}, {2}, {{{0, 1, 2}}}, {{0, 1, 2}});
  EXPECT_FALSE(layout);
}
