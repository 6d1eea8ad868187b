//===- MinimumCut.h - cheapest separation of a flow network ---------------===//
#ifndef TESSERA_SUPPORT_MINIMUMCUT_H
#define TESSERA_SUPPORT_MINIMUMCUT_H

#include <cstdint>
#include <limits>
#include <vector>

namespace tessera {

/// A directed network with capacities, and its minimum cut between a source and
/// a sink by Dinic's algorithm.
class MinimumCut {
public:
  using Node = unsigned;
  static constexpr Node kSource = 0, kSink = 1;
  /// The capacity of an edge that is never cut.
  static constexpr int64_t kUncuttable =
      std::numeric_limits<int64_t>::max() / 4;

  /// The capacity of an edge that costs `seconds` to cut: picoseconds.
  static int64_t capacity(double seconds);

  Node addNode() { return numNodes++; }
  /// Adds an edge; cutting it, `from` on the source's side and `to` on the
  /// sink's, costs `capacity`.
  void addEdge(Node from, Node to, int64_t capacity);

  /// Finds the cut. Call once, after all edges have been added. Where
  /// several cuts cost the same, the source's side is as small as possible.
  void solve();
  /// Whether the cut leaves `node` on the source's side.
  bool isOnSourceSide(Node node) const { return level[node] >= 0; }

private:
  struct Edge {
    Node to;
    int64_t capacity;
  };

  void sortEdges();
  bool findLevels();
  int64_t push();

  /// Edge 2i+1 is the reverse of edge 2i.
  std::vector<Edge> edges;
  Node numNodes = 2;
  /// The edges by the node that they come from, in the order in which they were
  /// added; those of node i start at `firstEdge`[i].
  std::vector<unsigned> edgesByNode, firstEdge;
  std::vector<int> level;
  /// Per node the place among `edgesByNode` up to which no path is left.
  std::vector<unsigned> nextEdge;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_MINIMUMCUT_H
