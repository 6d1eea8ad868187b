//===- RecomputationGraphs.cpp - problems of recomputation at random ------===//

#include "RecomputationGraphs.h"

using namespace tessera::schedule;

/// One after the other: arguments are evaluated in any order.
static unsigned add(RecomputationGraph &graph, unsigned most,
                    std::vector<unsigned> operands, std::mt19937 &random) {
  int64_t bytes = random() % most + 1;
  double seconds = random() % 8 + 1;
  return graph.add(bytes, seconds, std::move(operands));
}

RecomputationGraph tessera::schedule::chainWithGradient(unsigned layers,
                                                        std::mt19937 &random) {
  RecomputationGraph graph;
  std::vector<unsigned> forward = {add(graph, 8, {}, random)};
  for (unsigned i = 1; i < layers; ++i)
    forward.push_back(add(graph, 8, {forward.back()}, random));
  unsigned gradient = add(graph, 4, {forward.back()}, random);
  for (unsigned i = layers - 1; i-- > 0;)
    gradient = add(graph, 4, {gradient, forward[i]}, random);
  graph.end({gradient});
  return graph;
}

RecomputationGraph tessera::schedule::layersWithGradient(unsigned layers,
                                                         unsigned depth,
                                                         std::mt19937 &random) {
  RecomputationGraph graph;
  std::vector<unsigned> forward = {add(graph, 8, {}, random)};
  for (unsigned layer = 0; layer < layers; ++layer) {
    unsigned residual = forward.back();
    for (unsigned i = 1; i < depth; ++i)
      forward.push_back(add(graph, 16, {forward.back()}, random));
    forward.push_back(add(graph, 16, {forward.back(), residual}, random));
  }
  unsigned gradient = add(graph, 4, {forward.back()}, random);
  for (unsigned i = forward.size() - 1; i-- > 0;)
    gradient = add(graph, 6, {gradient, forward[i]}, random);
  graph.end({gradient});
  return graph;
}

RecomputationGraph tessera::schedule::anyGraph(unsigned operations,
                                               std::mt19937 &random) {
  RecomputationGraph graph;
  for (unsigned i = 0; i < operations; ++i) {
    std::vector<unsigned> operands;
    for (unsigned j = 0; j < i; ++j)
      if (random() % i < 2)
        operands.push_back(j);
    int64_t bytes = random() % 8 + 1;
    double seconds = random() % 8 + 1;
    graph.add(bytes, seconds, std::move(operands));
  }
  std::vector<bool> isRead(operations, false);
  for (const auto &operation : graph.problem.operations)
    for (unsigned operand : operation.operands)
      isRead[operand] = true;
  std::vector<unsigned> results;
  for (unsigned i = 0; i < operations; ++i)
    if (!isRead[i])
      results.push_back(i);
  graph.end(std::move(results));
  return graph;
}
