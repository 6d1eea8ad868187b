//===- PairwiseChoice.cpp - many choices that depend on each other --------===//

#include "PairwiseChoice.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace tessera;

/// Passes in either direction. Messages of the graphs at hand have settled by
/// then.
static constexpr unsigned kMaxRounds = 60;
/// The number of rounds without a better solution after which to stop.
static constexpr unsigned kPatience = 20;
/// Differences below this, in seconds, are noise of the summation.
static constexpr double kNoise = 1e-12;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

PairwiseChoice::Node PairwiseChoice::addNode(llvm::ArrayRef<double> costs) {
  nodes.emplace_back().costs.assign(costs.begin(), costs.end());
  return nodes.size() - 1;
}

/// The edge between two nodes; a new one without costs if there is none.
unsigned PairwiseChoice::edgeBetween(Node a, Node b) {
  if (nodes[a].edges.size() > nodes[b].edges.size())
    std::swap(a, b);
  for (unsigned edge : nodes[a].edges)
    if (edges[edge].other(a) == b)
      return edge;
  Edge &edge = edges.emplace_back();
  edge.a = a;
  edge.b = b;
  edge.costs.assign(numOptions(a) * numOptions(b), 0);
  nodes[a].edges.push_back(edges.size() - 1);
  nodes[b].edges.push_back(edges.size() - 1);
  return edges.size() - 1;
}

void PairwiseChoice::addEdge(
    Node a, Node b, llvm::function_ref<double(unsigned, unsigned)> cost) {
  Edge &edge = edges[edgeBetween(a, b)];
  for (unsigned i = 0; i < numOptions(a); ++i)
    for (unsigned j = 0; j < numOptions(b); ++j)
      pairCost(edge, a, i, j) += cost(i, j);
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

/// Takes `edge` away from `node`, which may become one to be reduced.
void PairwiseChoice::detach(Node node, unsigned edge,
                            llvm::SmallVectorImpl<Node> &queue) {
  NodeData &data = nodes[node];
  data.edges.erase(llvm::find(data.edges, edge));
  if (data.edges.size() <= 2 && !data.isQueued) {
    data.isQueued = true;
    queue.push_back(node);
  }
}

void PairwiseChoice::reduceIntoNeighbour(Node node) {
  const Edge &edge = edges[nodes[node].edges[0]];
  Node neighbour = edge.other(node);
  for (unsigned j = 0; j < numOptions(neighbour); ++j) {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < numOptions(node); ++i)
      best = std::min(best, nodes[node].costs[i] + pairCost(edge, node, i, j));
    nodes[neighbour].costs[j] += best;
  }
}

void PairwiseChoice::reduceIntoEdge(Node node) {
  unsigned toU = nodes[node].edges[0], toV = nodes[node].edges[1];
  Node u = edges[toU].other(node), v = edges[toV].other(node);
  unsigned between = edgeBetween(u, v);
  for (unsigned j = 0; j < numOptions(u); ++j)
    for (unsigned k = 0; k < numOptions(v); ++k) {
      double best = std::numeric_limits<double>::infinity();
      for (unsigned i = 0; i < numOptions(node); ++i)
        best = std::min(best, nodes[node].costs[i] +
                                  pairCost(edges[toU], node, i, j) +
                                  pairCost(edges[toV], node, i, k));
      pairCost(edges[between], u, j, k) += best;
    }
}

void PairwiseChoice::reduce() {
  llvm::SmallVector<Node, 0> queue;
  for (Node node = 0; node < nodes.size(); ++node) {
    nodes[node].isQueued = nodes[node].edges.size() <= 2;
    if (nodes[node].isQueued)
      queue.push_back(node);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    Node node = queue[next];
    llvm::SmallVector<unsigned, 2> ends(nodes[node].edges.begin(),
                                        nodes[node].edges.end());
    if (ends.size() > 2) {
      // An edge has come in between.
      nodes[node].isQueued = false;
      continue;
    }
    if (ends.size() == 1)
      reduceIntoNeighbour(node);
    else if (ends.size() == 2)
      reduceIntoEdge(node);
    for (unsigned edge : ends)
      detach(edges[edge].other(node), edge, queue);
    reduced.push_back({node, std::move(ends)});
  }
}

/// Chooses for a reduced node, given the choices of the neighbours it had.
void PairwiseChoice::restore(const Reduced &reduced) {
  double best = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < numOptions(reduced.node); ++i) {
    double cost = nodes[reduced.node].costs[i];
    for (unsigned index : reduced.edges) {
      const Edge &edge = edges[index];
      cost +=
          pairCost(edge, reduced.node, i, choices[edge.other(reduced.node)]);
    }
    if (cost < best - kNoise) {
      best = cost;
      choices[reduced.node] = i;
    }
  }
}

void PairwiseChoice::solve() {
  choices.assign(nodes.size(), 0);
  reduce();
  solveRest();
  for (const Reduced &node : llvm::reverse(reduced))
    restore(node);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

double PairwiseChoice::restCost(llvm::ArrayRef<unsigned> choices) const {
  double sum = 0;
  for (Node node : rest)
    sum += nodes[node].costs[choices[node]];
  for (unsigned index : restEdges) {
    const Edge &edge = edges[index];
    sum += pairCost(edge, edge.a, choices[edge.a], choices[edge.b]);
  }
  return sum;
}

/// Tells the neighbours that come later (`forward`) or earlier what their
/// options cost: the node's own costs, shared out among the chains through it,
/// and what it heard from the others.
void PairwiseChoice::sendMessages(Node node, bool forward) {
  llvm::SmallVector<double, 16> sum(nodes[node].costs.begin(),
                                    nodes[node].costs.end());
  unsigned later = 0;
  for (unsigned index : nodes[node].edges) {
    const std::vector<float> &heard = edges[index].heardBy(node);
    for (auto [total, part] : llvm::zip_equal(sum, heard))
      total += part;
    later += edges[index].other(node) > node;
  }
  unsigned chains = std::max<unsigned>(later, nodes[node].edges.size() - later);
  for (unsigned index : nodes[node].edges) {
    Edge &edge = edges[index];
    Node other = edge.other(node);
    if ((other > node) != forward)
      continue;
    const std::vector<float> &heard = edge.heardBy(node);
    std::vector<float> &said = edge.heardBy(other);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned j = 0; j < said.size(); ++j) {
      double best = std::numeric_limits<double>::infinity();
      for (unsigned i = 0; i < sum.size(); ++i)
        best = std::min(best, sum[i] / chains - heard[i] +
                                  pairCost(edge, node, i, j));
      said[j] = best;
      least = std::min(least, best);
    }
    for (float &message : said)
      message -= least;
  }
}

/// Chooses in the order of the nodes: what is best given the choices before and
/// the messages from behind.
void PairwiseChoice::readOff(llvm::SmallVectorImpl<unsigned> &found) const {
  for (Node node : rest) {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < numOptions(node); ++i) {
      double cost = nodes[node].costs[i];
      for (unsigned index : nodes[node].edges) {
        const Edge &edge = edges[index];
        Node other = edge.other(node);
        cost += other < node ? pairCost(edge, node, i, found[other])
                             : edge.heardBy(node)[i];
      }
      if (cost < best - kNoise) {
        best = cost;
        found[node] = i;
      }
    }
  }
}

void PairwiseChoice::improveNodeByNode() {
  auto costOf = [&](Node node, unsigned option) {
    double cost = nodes[node].costs[option];
    for (unsigned edge : nodes[node].edges)
      cost +=
          pairCost(edges[edge], node, option, choices[edges[edge].other(node)]);
    return cost;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Node node : rest) {
      double best = costOf(node, choices[node]);
      for (unsigned option = 0; option < numOptions(node); ++option)
        if (double cost = costOf(node, option); cost < best - kNoise) {
          best = cost;
          choices[node] = option;
          changed = true;
        }
    }
  }
}

void PairwiseChoice::solveRest() {
  for (Node node = 0; node < nodes.size(); ++node) {
    if (nodes[node].isQueued)
      continue;
    rest.push_back(node);
    for (unsigned index : nodes[node].edges) {
      Edge &edge = edges[index];
      edge.heardBy(node).assign(numOptions(node), 0);
      if (edge.a == node)
        restEdges.push_back(index);
    }
  }
  double bestCost = restCost(choices);
  llvm::SmallVector<unsigned, 0> found = choices;
  for (unsigned round = 0, idle = 0; round < kMaxRounds && idle < kPatience;
       ++round, ++idle) {
    for (Node node : rest)
      sendMessages(node, /*forward=*/true);
    for (Node node : llvm::reverse(rest))
      sendMessages(node, /*forward=*/false);
    readOff(found);
    if (double cost = restCost(found); cost < bestCost - kNoise) {
      bestCost = cost;
      choices = found;
      idle = 0;
    }
  }
  improveNodeByNode();
}
