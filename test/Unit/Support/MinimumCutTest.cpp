//===- MinimumCutTest.cpp - cuts of small networks ------------------------===//

#include "tessera/Support/MinimumCut.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using tessera::MinimumCut;

namespace {

struct Edge {
  unsigned from, to;
  int64_t capacity;
};

/// The cost of the cut whose source side is the bit set `side`.
int64_t costOf(const std::vector<Edge> &edges, unsigned side) {
  int64_t cost = 0;
  for (const Edge &edge : edges)
    if ((side >> edge.from & 1) && !(side >> edge.to & 1))
      cost += edge.capacity;
  return cost;
}

TEST(MinimumCut, SeparatesAtTheNarrowestPlace) {
  MinimumCut cut;
  MinimumCut::Node a = cut.addNode(), b = cut.addNode();
  cut.addEdge(MinimumCut::kSource, a, 5);
  cut.addEdge(a, b, 2);
  cut.addEdge(b, MinimumCut::kSink, 7);
  cut.solve();
  EXPECT_TRUE(cut.isOnSourceSide(a));
  EXPECT_FALSE(cut.isOnSourceSide(b));
}

TEST(MinimumCut, TakesTheSmallestSourceSideOfEqualCuts) {
  MinimumCut cut;
  MinimumCut::Node a = cut.addNode();
  cut.addEdge(MinimumCut::kSource, a, 3);
  cut.addEdge(a, MinimumCut::kSink, 3);
  cut.solve();
  EXPECT_FALSE(cut.isOnSourceSide(a));
}

TEST(MinimumCut, AgreesWithTryingAllCuts) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    unsigned numNodes = 2 + random() % 6;
    std::vector<Edge> edges;
    for (unsigned i = random() % 20; i > 0; --i) {
      unsigned from = random() % numNodes, to = random() % numNodes;
      if (from != to)
        edges.push_back({from, to, int64_t(random() % 8)});
    }
    MinimumCut cut;
    for (unsigned i = 2; i < numNodes; ++i)
      cut.addNode();
    for (const Edge &edge : edges)
      cut.addEdge(edge.from, edge.to, edge.capacity);
    cut.solve();
    unsigned found = 0;
    for (unsigned i = 0; i < numNodes; ++i)
      found |= unsigned(cut.isOnSourceSide(i)) << i;
    ASSERT_TRUE(found & 1);
    ASSERT_FALSE(found & 2);
    int64_t best = std::numeric_limits<int64_t>::max();
    for (unsigned side = 1; side < 1u << numNodes; side += 4)
      best = std::min(best, costOf(edges, side));
    EXPECT_EQ(costOf(edges, found), best) << "trial " << trial;
  }
}

} // namespace
