//===- MinimumCut.cpp - cheapest separation of a flow network -------------===//

#include "tessera/Support/MinimumCut.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tessera;

int64_t MinimumCut::capacity(double seconds) {
  return seconds < 1e6 ? std::llround(std::max(seconds, 0.0) * 1e12)
                       : kUncuttable;
}

void MinimumCut::addEdge(Node from, Node to, int64_t capacity) {
  edges.push_back({to, capacity});
  edges.push_back({from, 0});
}

void MinimumCut::sortEdges() {
  firstEdge.assign(numNodes + 1, 0);
  for (const Edge &reverse : edges)
    ++firstEdge[reverse.to + 1];
  std::partial_sum(firstEdge.begin(), firstEdge.end(), firstEdge.begin());
  edgesByNode.resize(edges.size());
  std::vector<unsigned> next(firstEdge);
  for (unsigned index = 0; index < edges.size(); ++index)
    edgesByNode[next[edges[index ^ 1].to]++] = index;
}

/// Breadth-first distances from the source along edges with capacity left;
/// returns whether the sink is within reach.
bool MinimumCut::findLevels() {
  level.assign(numNodes, -1);
  level[kSource] = 0;
  std::vector<Node> queue = {kSource};
  for (size_t head = 0; head < queue.size(); ++head) {
    Node node = queue[head];
    for (unsigned i = firstEdge[node]; i < firstEdge[node + 1]; ++i) {
      const Edge &edge = edges[edgesByNode[i]];
      if (edge.capacity == 0 || level[edge.to] >= 0)
        continue;
      level[edge.to] = level[node] + 1;
      queue.push_back(edge.to);
    }
  }
  return level[kSink] >= 0;
}

/// Pushes flow along one path of growing levels from source to sink; returns
/// how much, 0 where there is no such path.
int64_t MinimumCut::push() {
  std::vector<unsigned> path;
  Node node = kSource;
  while (node != kSink) {
    unsigned &next = nextEdge[node];
    while (next < firstEdge[node + 1]) {
      const Edge &edge = edges[edgesByNode[next]];
      if (edge.capacity > 0 && level[edge.to] == level[node] + 1)
        break;
      ++next;
    }
    if (next < firstEdge[node + 1]) {
      path.push_back(edgesByNode[next]);
      node = edges[path.back()].to;
      continue;
    }
    if (path.empty())
      return 0;
    // A dead end: go back, and never come this way again.
    node = edges[path.back() ^ 1].to;
    path.pop_back();
    ++nextEdge[node];
  }
  int64_t flow = kUncuttable;
  for (unsigned index : path)
    flow = std::min(flow, edges[index].capacity);
  for (unsigned index : path) {
    edges[index].capacity -= flow;
    edges[index ^ 1].capacity += flow;
  }
  return flow;
}

void MinimumCut::solve() {
  sortEdges();
  while (findLevels()) {
    nextEdge.assign(firstEdge.begin(), firstEdge.end() - 1);
    while (push() > 0)
      ;
  }
}
