//===- MinimumCut.cpp - cheapest separation of a flow network -------------===//

#include "tessera/Support/MinimumCut.h"

#include <algorithm>

using namespace tessera;

void MinimumCut::addEdge(Node from, Node to, int64_t capacity) {
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

/// Breadth-first distances from the source along edges with capacity left;
/// returns whether the sink is within reach.
bool MinimumCut::findLevels() {
  level.assign(edgesOf.size(), -1);
  level[kSource] = 0;
  std::vector<Node> queue = {kSource};
  for (size_t head = 0; head < queue.size(); ++head)
    for (unsigned index : edgesOf[queue[head]]) {
      const Edge &edge = edges[index];
      if (edge.capacity == 0 || level[edge.to] >= 0)
        continue;
      level[edge.to] = level[queue[head]] + 1;
      queue.push_back(edge.to);
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
    while (next < edgesOf[node].size()) {
      const Edge &edge = edges[edgesOf[node][next]];
      if (edge.capacity > 0 && level[edge.to] == level[node] + 1)
        break;
      ++next;
    }
    if (next < edgesOf[node].size()) {
      path.push_back(edgesOf[node][next]);
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
  while (findLevels()) {
    nextEdge.assign(edgesOf.size(), 0);
    while (push() > 0)
      ;
  }
}
