//===- PairwiseChoice.h - many choices that depend on each other ----------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PAIRWISECHOICE_H
#define TESSERA_TRANSFORMS_SHARD_PAIRWISECHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace tessera {

/// A graph whose nodes each choose one of a few options, where an option has a
/// cost of its own and two neighbours a cost for each pair of options. Finds
/// choices of small total cost: the smallest on trees (and so on chains), a
/// good one elsewhere.
///
/// The method is sequential tree-reweighted message passing (V. Kolmogorov,
/// "Convergent Tree-Reweighted Message Passing for Energy Minimization", 2006):
/// every node tells its neighbours how much each of their options would cost it
/// and all behind it, forwards and backwards along the order of the nodes. Each
/// pass reads off one set of choices in that order; the cheapest one ever seen
/// is improved node by node until no single change helps. Where nothing is
/// cheaper, the first options stand.
class PairwiseChoice {
public:
  using Node = unsigned;

  /// Adds a node whose options cost `costs`, in seconds; at least one.
  Node addNode(llvm::ArrayRef<double> costs);
  /// Adds `cost` to one option of `node`.
  void addCost(Node node, unsigned option, double cost) {
    optionCosts[firstOption[node] + option] += cost;
  }
  /// Adds `cost(i, j)` for option i of `a` and option j of `b`, which differ.
  void addEdge(Node a, Node b,
               llvm::function_ref<double(unsigned, unsigned)> cost);

  /// Makes the choices. Call once, after all nodes and edges have been added.
  void solve();
  /// The option that `node` chose.
  unsigned choice(Node node) const { return choices[node]; }
  /// The total cost of some choices, one per node.
  double totalCost(llvm::ArrayRef<unsigned> choices) const;
  double totalCost() const { return totalCost(choices); }

private:
  struct Edge {
    Node a, b;
    /// Where the costs start in `pairCosts` (row-major, rows for `a`), and the
    /// messages towards `a` and towards `b` in `messages`.
    unsigned costs, toA, toB;
  };
  /// One end of an edge, seen from a node.
  struct End {
    unsigned edge;
    Node other;
  };

  llvm::ArrayRef<End> ends(Node node) const {
    return llvm::ArrayRef(allEnds).slice(firstEnd[node],
                                         firstEnd[node + 1] - firstEnd[node]);
  }
  unsigned numOptions(Node node) const {
    return firstOption[node + 1] - firstOption[node];
  }
  double pairCost(const Edge &edge, Node from, unsigned mine,
                  unsigned theirs) const {
    return from == edge.a
               ? pairCosts[edge.costs + mine * numOptions(edge.b) + theirs]
               : pairCosts[edge.costs + theirs * numOptions(edge.b) + mine];
  }
  void buildEnds();
  void pass(bool forward);
  void sendMessages(Node node, bool forward);
  void readOff(llvm::SmallVectorImpl<unsigned> &found) const;
  void improveNodeByNode();

  std::vector<unsigned> firstOption = {0};
  std::vector<double> optionCosts;
  std::vector<Edge> edges;
  std::vector<float> pairCosts, messages;
  std::vector<unsigned> firstEnd;
  std::vector<End> allEnds;
  llvm::SmallVector<unsigned, 0> choices;
};

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SHARD_PAIRWISECHOICE_H
