//===- PairwiseChoiceTest.cpp - choices against all possibilities ---------===//

#include "../../../lib/Transforms/Shard/PairwiseChoice.h"

#include <gtest/gtest.h>

#include <random>

using tessera::PairwiseChoice;

namespace {

/// A random graph of choices, kept beside to try everything.
struct RandomGraph {
  struct Edge {
    unsigned a, b;
    std::vector<double> costs;
  };
  std::vector<std::vector<double>> nodes;
  std::vector<Edge> edges;

  /// Every node but the first is joined to up to `numBefore` earlier ones.
  RandomGraph(unsigned seed, unsigned numNodes, unsigned numBefore) {
    std::mt19937 random(seed);
    auto fill = [&](std::vector<double> &costs) {
      for (double &cost : costs)
        cost = double(random() % 1000) * 1e-6;
    };
    for (unsigned node = 0; node < numNodes; ++node) {
      fill(nodes.emplace_back(1 + random() % 4));
      for (unsigned i = 0; i < std::min(node, numBefore); ++i) {
        unsigned before = random() % node;
        edges.push_back({before, node, {}});
        edges.back().costs.resize(nodes[before].size() * nodes[node].size());
        fill(edges.back().costs);
      }
    }
  }

  double totalCost(llvm::function_ref<unsigned(unsigned)> choice) const {
    double sum = 0;
    for (unsigned node = 0; node < nodes.size(); ++node)
      sum += nodes[node][choice(node)];
    for (const Edge &edge : edges)
      sum += edge.costs[choice(edge.a) * nodes[edge.b].size() + choice(edge.b)];
    return sum;
  }
  double foundCost() const {
    PairwiseChoice choices;
    for (const std::vector<double> &node : nodes)
      choices.addNode(node);
    for (const Edge &edge : edges)
      choices.addEdge(edge.a, edge.b, [&](unsigned i, unsigned j) {
        return edge.costs[i * nodes[edge.b].size() + j];
      });
    choices.solve();
    return totalCost([&](unsigned node) { return choices.choice(node); });
  }
  double smallestCost() const {
    std::vector<unsigned> tried(nodes.size(), 0);
    auto cost = [&] {
      return totalCost([&](unsigned node) { return tried[node]; });
    };
    double best = cost();
    for (size_t node = 0; node < tried.size();) {
      if (++tried[node] == nodes[node].size()) {
        tried[node++] = 0;
        continue;
      }
      best = std::min(best, cost());
      node = 0;
    }
    return best;
  }
};

TEST(PairwiseChoice, IsExactOnTrees) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomGraph graph(seed, 9, 1);
    EXPECT_NEAR(graph.foundCost(), graph.smallestCost(), 1e-9)
        << "seed " << seed;
  }
}

TEST(PairwiseChoice, IsNearTheOptimumWithCycles) {
  double found = 0, smallest = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomGraph graph(seed, 8, 4);
    EXPECT_GE(graph.foundCost(), graph.smallestCost() - 1e-9);
    found += graph.foundCost();
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
