//===- PairwiseChoiceTest.cpp - choices against all possibilities ---------===//

#include "Choice/PairwiseChoice.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using tessera::shard::CostTables, tessera::shard::PairwiseChoice;

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
    CostTables tables;
    PairwiseChoice choices(tables);
    for (const std::vector<double> &node : nodes)
      choices.addNode(tables.vector(node));
    for (const Edge &edge : edges)
      choices.addEdge(
          edge.a, edge.b,
          tables.table(nodes[edge.a].size(), nodes[edge.b].size(),
                       [&](unsigned i, unsigned j) {
                         return edge.costs[i * nodes[edge.b].size() + j];
                       }));
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
  CostTables tables;
  PairwiseChoice choices(tables);
  PairwiseChoice::Node a = choices.addNode(tables.vector({1e-6, 1e-6})),
                       b = choices.addNode(tables.vector({1e-6, 1e-6}));
  choices.addEdge(a, b, tables.table(2, 2, [](unsigned i, unsigned j) {
    return i == j ? 0 : 1;
  }));
  choices.solve();
  EXPECT_EQ(choices.choice(a), 0u);
  EXPECT_EQ(choices.choice(b), 0u);
}

/// A chain that can only be improved by changing all of it.
TEST(PairwiseChoice, ChangesAWholeChain) {
  CostTables tables;
  PairwiseChoice choices(tables);
  std::vector<PairwiseChoice::Node> nodes;
  for (unsigned i = 0; i < 20; ++i) {
    nodes.push_back(choices.addNode(tables.vector({i == 10 ? 2e-6 : 0, 0})));
    if (i > 0)
      choices.addEdge(nodes[i - 1], nodes[i],
                      tables.table(2, 2, [](unsigned a, unsigned b) {
                        return a == b ? 0 : 1.5e-6;
                      }));
  }
  choices.solve();
  for (PairwiseChoice::Node node : nodes)
    EXPECT_EQ(choices.choice(node), 1u);
}

/// Many copies of one part, each joined to the next, and the least cost of all
/// choices for them, part by part.
struct Layers {
  static constexpr unsigned kNodes = 5, kOptions = 3, kStates = 243;
  using State = std::array<unsigned, kNodes>;

  /// The nodes of a part are all joined to each other; to the next part each is
  /// joined to two nodes. Parts of one kind cost the same.
  Layers(unsigned seed, unsigned numLayers, unsigned numKinds)
      : numLayers(numLayers), numKinds(numKinds), random(seed) {
    for (unsigned kind = 0; kind < numKinds; ++kind)
      for (auto *list : {&own, &inside, &between}) {
        std::vector<double> &costs = list->emplace_back(200);
        for (double &cost : costs)
          cost = double(random() % 1000) * 1e-6;
      }
  }

  double nodeCost(unsigned layer, unsigned node, unsigned i) const {
    return own[layer % numKinds][node * kOptions + i];
  }
  double insideCost(unsigned layer, unsigned a, unsigned b, unsigned i,
                    unsigned j) const {
    return inside[layer % numKinds][(a + b * b) * 7 + i * kOptions + j];
  }
  double betweenCost(unsigned layer, unsigned a, unsigned step, unsigned i,
                     unsigned j) const {
    return between[layer % numKinds][(2 * a + step) * 9 + i * kOptions + j];
  }
  static unsigned nextOf(unsigned node, unsigned step) {
    return (node + step) % kNodes;
  }

  static State stateOf(unsigned number) {
    State state;
    for (unsigned &option : state) {
      option = number % kOptions;
      number /= kOptions;
    }
    return state;
  }
  double costInside(unsigned layer, const State &state) const {
    double sum = 0;
    for (unsigned b = 0; b < kNodes; ++b) {
      sum += nodeCost(layer, b, state[b]);
      for (unsigned a = 0; a < b; ++a)
        sum += insideCost(layer, a, b, state[a], state[b]);
    }
    return sum;
  }
  double costBetween(unsigned layer, const State &here,
                     const State &next) const {
    double sum = 0;
    for (unsigned a = 0; a < kNodes; ++a)
      for (unsigned step = 0; step < 2; ++step)
        sum += betweenCost(layer, a, step, here[a], next[nextOf(a, step)]);
    return sum;
  }

  double smallestCost() const {
    std::vector<std::vector<double>> toNext(numKinds);
    for (unsigned kind = 0; kind < numKinds; ++kind)
      for (unsigned from = 0; from < kStates; ++from)
        for (unsigned to = 0; to < kStates; ++to)
          toNext[kind].push_back(costBetween(kind, stateOf(from), stateOf(to)));
    std::vector<double> least(kStates, 0);
    for (unsigned layer = 0; layer < numLayers; ++layer) {
      std::vector<double> now(kStates, layer == 0 ? 0 : 1e9);
      for (unsigned to = 0; to < kStates; ++to) {
        for (unsigned from = 0; layer > 0 && from < kStates; ++from)
          now[to] = std::min(
              now[to], least[from] +
                           toNext[(layer - 1) % numKinds][from * kStates + to]);
        now[to] += costInside(layer, stateOf(to));
      }
      least = std::move(now);
    }
    return *std::min_element(least.begin(), least.end());
  }
  double foundCost() const {
    CostTables tables;
    PairwiseChoice choices(tables);
    for (unsigned layer = 0; layer < numLayers; ++layer)
      for (unsigned node = 0; node < kNodes; ++node)
        choices.addNode(
            tables.vector({nodeCost(layer, node, 0), nodeCost(layer, node, 1),
                           nodeCost(layer, node, 2)}));
    for (unsigned layer = 0; layer < numLayers; ++layer) {
      unsigned first = layer * kNodes;
      for (unsigned b = 0; b < kNodes; ++b)
        for (unsigned a = 0; a < b; ++a)
          choices.addEdge(
              first + a, first + b,
              tables.table(kOptions, kOptions, [&](unsigned i, unsigned j) {
                return insideCost(layer, a, b, i, j);
              }));
      for (unsigned a = 0; layer + 1 < numLayers && a < kNodes; ++a)
        for (unsigned step = 0; step < 2; ++step)
          choices.addEdge(
              first + a, first + kNodes + nextOf(a, step),
              tables.table(kOptions, kOptions, [&](unsigned i, unsigned j) {
                return betweenCost(layer, a, step, i, j);
              }));
    }
    choices.solve();
    auto state = [&](unsigned layer) {
      State state;
      for (unsigned node = 0; node < kNodes; ++node)
        state[node] = choices.choice(layer * kNodes + node);
      return state;
    };
    double sum = 0;
    for (unsigned layer = 0; layer < numLayers; ++layer) {
      sum += costInside(layer, state(layer));
      if (layer + 1 < numLayers)
        sum += costBetween(layer, state(layer), state(layer + 1));
    }
    return sum;
  }

  unsigned numLayers, numKinds;
  std::mt19937 random;
  std::vector<std::vector<double>> own, inside, between;
};

/// Of many layers most are equal as far as one can see; these choose as one.
TEST(PairwiseChoice, IsNearTheOptimumForManyEqualLayers) {
  double found = 0, smallest = 0;
  for (unsigned seed = 0; seed < 6; ++seed)
    for (unsigned numKinds : {1, 2}) {
      Layers layers(seed, 90, numKinds);
      double foundHere = layers.foundCost(),
             smallestHere = layers.smallestCost();
      EXPECT_GE(foundHere, smallestHere - 1e-6);
      found += foundHere;
      smallest += smallestHere;
    }
  EXPECT_LE(found, 1.02 * smallest);
}

} // namespace
