//===- KernelCostsTest.cpp - How kernels differ from a roofline -----------===//

#include "tessera/Support/KernelCosts.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

double seconds(const KernelCosts &costs, ProductShape product) {
  return costs.seconds(product.operations(), 0, {&product, 1}, 1000, 10);
}

TEST(KernelCosts, AreThoseOfTheRooflineByDefault) {
  KernelCosts costs;
  EXPECT_EQ(costs.seconds(2000, 10, {}, 1000, 10), 2);
  EXPECT_EQ(costs.seconds(2000, 30, {}, 1000, 10), 3);
  EXPECT_EQ(seconds(costs, {1, 4, 4, 4}), 0.128);
}

TEST(KernelCosts, AreNoShorterThanALaunch) {
  KernelCosts costs{.launch = 5};
  EXPECT_EQ(costs.seconds(2000, 10, {}, 1000, 10), 5);
  EXPECT_EQ(costs.seconds(7000, 10, {}, 1000, 10), 7);
  EXPECT_EQ(costs.fused().seconds(2000, 10, {}, 1000, 10), 2);
}

TEST(KernelCosts, ReachHalfOfTheMemorysBandwidthAtHalfSaturation) {
  KernelCosts costs{.memoryHalfSaturation = 40};
  EXPECT_EQ(costs.seconds(0, 40, {}, 1000, 10), 8);
  EXPECT_EQ(costs.seconds(0, 0, {}, 1000, 10), 0);
}

TEST(KernelCosts, CountFullWavesOfTiles) {
  KernelCosts costs{.efficiency = 0.5, .processors = 4, .tile = 8};
  // Four tiles fill a wave; five take two.
  double wave = 2.0 * 8 * 8 * 16 * 4 / 500;
  EXPECT_DOUBLE_EQ(seconds(costs, {1, 16, 16, 16}), wave);
  EXPECT_DOUBLE_EQ(seconds(costs, {5, 8, 8, 16}), 2 * wave);
  // Half a tile takes as long as a whole one.
  EXPECT_DOUBLE_EQ(seconds(costs, {4, 4, 8, 16}), wave);
}

TEST(KernelCosts, SplitTheDepthOfProductsThatFillNoWave) {
  KernelCosts costs{.processors = 4, .tile = 8};
  // One tile in four parts, two of a depth of two tiles in two each.
  EXPECT_DOUBLE_EQ(seconds(costs, {1, 8, 8, 32}), 2.0 * 8 * 8 * 32 / 1000);
  EXPECT_DOUBLE_EQ(seconds(costs, {2, 8, 8, 16}), 2.0 * 8 * 8 * 16 * 2 / 1000);
  // A depth of one tile is not split.
  EXPECT_DOUBLE_EQ(seconds(costs, {1, 8, 8, 8}), 2.0 * 8 * 8 * 8 * 4 / 1000);
}

TEST(KernelCosts, NeedATileForTheirProcessors) {
  EXPECT_TRUE(KernelCosts().isValid());
  EXPECT_FALSE((KernelCosts{.processors = 4}).isValid());
  EXPECT_FALSE((KernelCosts{.tile = 4}).isValid());
  EXPECT_FALSE((KernelCosts{.efficiency = 0}).isValid());
  EXPECT_FALSE((KernelCosts{.efficiency = 1.5}).isValid());
  EXPECT_FALSE((KernelCosts{.launch = -1}).isValid());
}

} // namespace
