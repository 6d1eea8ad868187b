//===- PairwiseChoice.cpp - many choices that depend on each other --------===//

#include "PairwiseChoice.h"

#include <algorithm>
#include <limits>

using namespace tessera;

/// Passes in either direction. Messages of the graphs at hand have settled by
/// then.
static constexpr unsigned kMaxRounds = 12;
/// The number of rounds without a better solution after which to stop.
static constexpr unsigned kPatience = 3;
/// Differences below this, in seconds, are noise of the summation.
static constexpr double kNoise = 1e-12;

PairwiseChoice::Node PairwiseChoice::addNode(llvm::ArrayRef<double> costs) {
  optionCosts.insert(optionCosts.end(), costs.begin(), costs.end());
  firstOption.push_back(optionCosts.size());
  return firstOption.size() - 2;
}

void PairwiseChoice::addEdge(
    Node a, Node b, llvm::function_ref<double(unsigned, unsigned)> cost) {
  edges.push_back({a, b, unsigned(pairCosts.size()), 0, 0});
  for (unsigned i = 0; i < numOptions(a); ++i)
    for (unsigned j = 0; j < numOptions(b); ++j)
      pairCosts.push_back(cost(i, j));
}

void PairwiseChoice::buildEnds() {
  size_t numNodes = firstOption.size() - 1, numMessages = 0;
  firstEnd.assign(numNodes + 1, 0);
  for (Edge &edge : edges) {
    ++firstEnd[edge.a + 1];
    ++firstEnd[edge.b + 1];
    edge.toA = numMessages;
    edge.toB = edge.toA + numOptions(edge.a);
    numMessages = edge.toB + numOptions(edge.b);
  }
  for (size_t node = 0; node < numNodes; ++node)
    firstEnd[node + 1] += firstEnd[node];
  allEnds.resize(2 * edges.size());
  std::vector<unsigned> next(firstEnd.begin(), firstEnd.end() - 1);
  for (unsigned index = 0; index < edges.size(); ++index) {
    allEnds[next[edges[index].a]++] = {index, edges[index].b};
    allEnds[next[edges[index].b]++] = {index, edges[index].a};
  }
  messages.assign(numMessages, 0);
}

double PairwiseChoice::totalCost(llvm::ArrayRef<unsigned> choices) const {
  double sum = 0;
  for (size_t node = 0; node < choices.size(); ++node)
    sum += optionCosts[firstOption[node] + choices[node]];
  for (const Edge &edge : edges)
    sum += pairCost(edge, edge.a, choices[edge.a], choices[edge.b]);
  return sum;
}

/// Tells the neighbours that come later (`forward`) or earlier what their
/// options cost: the node's own costs, shared out among the chains through it,
/// and what it heard from the others.
void PairwiseChoice::sendMessages(Node node, bool forward) {
  unsigned count = numOptions(node), later = 0;
  llvm::SmallVector<double, 16> sum(optionCosts.begin() + firstOption[node],
                                    optionCosts.begin() + firstOption[node] +
                                        count);
  for (const End &end : ends(node)) {
    const Edge &edge = edges[end.edge];
    const float *heard = &messages[edge.a == node ? edge.toA : edge.toB];
    for (unsigned i = 0; i < count; ++i)
      sum[i] += heard[i];
    later += end.other > node;
  }
  unsigned chains = std::max<unsigned>(later, ends(node).size() - later);
  for (const End &end : ends(node)) {
    if ((end.other > node) != forward)
      continue;
    const Edge &edge = edges[end.edge];
    const float *heard = &messages[edge.a == node ? edge.toA : edge.toB];
    float *said = &messages[edge.a == node ? edge.toB : edge.toA];
    unsigned theirCount = numOptions(end.other);
    double least = std::numeric_limits<double>::infinity();
    llvm::SmallVector<double, 16> best(theirCount, least);
    for (unsigned j = 0; j < theirCount; ++j) {
      for (unsigned i = 0; i < count; ++i)
        best[j] = std::min(best[j], sum[i] / chains - heard[i] +
                                        pairCost(edge, node, i, j));
      least = std::min(least, best[j]);
    }
    for (unsigned j = 0; j < theirCount; ++j)
      said[j] = best[j] - least;
  }
}

void PairwiseChoice::pass(bool forward) {
  Node numNodes = firstOption.size() - 1;
  for (Node i = 0; i < numNodes; ++i)
    sendMessages(forward ? i : numNodes - 1 - i, forward);
}

/// Chooses in the order of the nodes: what is best given the choices before and
/// the messages from behind.
void PairwiseChoice::readOff(llvm::SmallVectorImpl<unsigned> &found) const {
  Node numNodes = firstOption.size() - 1;
  for (Node node = 0; node < numNodes; ++node) {
    double bestCost = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < numOptions(node); ++i) {
      double cost = optionCosts[firstOption[node] + i];
      for (const End &end : ends(node)) {
        const Edge &edge = edges[end.edge];
        cost += end.other < node
                    ? pairCost(edge, node, i, found[end.other])
                    : messages[(edge.a == node ? edge.toA : edge.toB) + i];
      }
      if (cost < bestCost - kNoise) {
        bestCost = cost;
        found[node] = i;
      }
    }
  }
}

void PairwiseChoice::improveNodeByNode() {
  Node numNodes = firstOption.size() - 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (Node node = 0; node < numNodes; ++node) {
      auto costOf = [&](unsigned option) {
        double cost = optionCosts[firstOption[node] + option];
        for (const End &end : ends(node))
          cost += pairCost(edges[end.edge], node, option, choices[end.other]);
        return cost;
      };
      double bestCost = costOf(choices[node]);
      for (unsigned option = 0; option < numOptions(node); ++option)
        if (double cost = costOf(option); cost < bestCost - kNoise) {
          bestCost = cost;
          choices[node] = option;
          changed = true;
        }
    }
  }
}

void PairwiseChoice::solve() {
  buildEnds();
  choices.assign(firstOption.size() - 1, 0);
  double bestCost = totalCost(choices);
  llvm::SmallVector<unsigned, 0> found = choices;
  for (unsigned round = 0, idle = 0; round < kMaxRounds && idle < kPatience;
       ++round, ++idle) {
    pass(/*forward=*/true);
    pass(/*forward=*/false);
    readOff(found);
    if (double cost = totalCost(found); cost < bestCost - kNoise) {
      bestCost = cost;
      choices = found;
      idle = 0;
    }
  }
  improveNodeByNode();
}
