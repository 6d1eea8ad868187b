//===- PairwiseChoiceTest.cpp - choices against all possibilities ---------===//

#include "../../../lib/Transforms/Shard/PairwiseChoice.h"

#include <gtest/gtest.h>

#include <random>

using tessera::PairwiseChoice;

namespace {

/// A random graph of choices, kept beside to try everything.
struct RandomGraph {
  PairwiseChoice choices;
  std::vector<unsigned> numOptions;

  /// Every node but the first is joined to `numBefore` earlier ones.
  RandomGraph(unsigned seed, unsigned numNodes, unsigned numBefore) {
    std::mt19937 random(seed);
    auto cost = [&] { return double(random() % 1000) * 1e-6; };
    for (unsigned node = 0; node < numNodes; ++node) {
      numOptions.push_back(1 + random() % 4);
      std::vector<double> own;
      for (unsigned i = 0; i < numOptions.back(); ++i)
        own.push_back(cost());
      choices.addNode(own);
      for (unsigned i = 0; i < std::min(node, numBefore); ++i)
        choices.addEdge((random() % node), node,
                        [&](unsigned, unsigned) { return cost(); });
    }
  }

  double smallestCost() const {
    std::vector<unsigned> tried(numOptions.size(), 0);
    double best = choices.totalCost(tried);
    for (size_t node = 0; node < tried.size();) {
      if (++tried[node] == numOptions[node]) {
        tried[node++] = 0;
        continue;
      }
      best = std::min(best, choices.totalCost(tried));
      node = 0;
    }
    return best;
  }
};

TEST(PairwiseChoice, IsExactOnTrees) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomGraph graph(seed, 9, 1);
    graph.choices.solve();
    EXPECT_NEAR(graph.choices.totalCost(), graph.smallestCost(), 1e-9)
        << "seed " << seed;
  }
}

TEST(PairwiseChoice, IsNearTheOptimumWithCycles) {
  double found = 0, smallest = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomGraph graph(seed, 8, 3);
    graph.choices.solve();
    EXPECT_GE(graph.choices.totalCost(), graph.smallestCost() - 1e-9);
    found += graph.choices.totalCost();
    smallest += graph.smallestCost();
  }
  EXPECT_LE(found, 1.02 * smallest);
}

TEST(PairwiseChoice, KeepsTheFirstOptionsWhereNothingIsCheaper) {
  PairwiseChoice choices;
  PairwiseChoice::Node a = choices.addNode({1e-6, 1e-6}),
                       b = choices.addNode({1e-6, 1e-6});
  choices.addEdge(a, b, [](unsigned i, unsigned j) { return i == j ? 0 : 1; });
  choices.solve();
  EXPECT_EQ(choices.choice(a), 0u);
  EXPECT_EQ(choices.choice(b), 0u);
}

/// A chain that can only be improved by changing all of it.
TEST(PairwiseChoice, ChangesAWholeChain) {
  PairwiseChoice choices;
  std::vector<PairwiseChoice::Node> nodes;
  for (unsigned i = 0; i < 20; ++i) {
    nodes.push_back(choices.addNode({i == 10 ? 2e-6 : 0, 0}));
    if (i > 0)
      choices.addEdge(nodes[i - 1], nodes[i], [](unsigned a, unsigned b) {
        return a == b ? 0 : 1.5e-6;
      });
  }
  choices.solve();
  for (PairwiseChoice::Node node : nodes)
    EXPECT_EQ(choices.choice(node), 1u);
}

} // namespace
