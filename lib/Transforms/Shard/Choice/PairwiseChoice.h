//===- PairwiseChoice.h - many choices that depend on each other ----------===//
//
// Elsewhere: energy minimization on a Markov random field, PBQP.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_CHOICE_PAIRWISECHOICE_H
#define TESSERA_TRANSFORMS_SHARD_CHOICE_PAIRWISECHOICE_H

#include "Choice/ChoiceSearch.h"
#include "Choice/CostTables.h"

#include <vector>

namespace tessera::shard {

/// A graph whose nodes each choose one of a few options, where an option has a
/// cost of its own and two neighbours a cost for each pair of options. Finds
/// choices of small total cost: the smallest where the graph is made of chains,
/// trees and forks that join again (a series-parallel graph), a good one
/// elsewhere. Where nothing is cheaper, the first options stand.
///
/// **Reduction.** A node with one neighbour is added to that neighbour's costs:
/// for each option there, the best option here. A node with two is added to
/// their common edge in the same way. This is exact, and often leaves nothing.
/// (Reductions R1 and R2 of partitioned boolean quadratic problems; B. Scholz
/// and E. Eckstein, "Register Allocation for Irregular Architectures", 2002.)
///
/// **Equal parts.** What remains of a deep model is mostly the same layer over
/// and over. Nodes whose surroundings are equal, as far as `kSurroundings`
/// edges lead, make one choice: they become one node with the costs of all of
/// them, and the small graph of such nodes is solved instead. (Nodes are told
/// apart by colour refinement, as lifted inference does; M. Mladenov, B. Ahmadi
/// and K. Kersting, "Lifted Linear Programming", 2012.) Layers near either end
/// keep choices of their own. Its choices are then improved in the whole graph,
/// where equal nodes may differ again.
///
/// **The rest** is searched; see `ChoiceSearch`.
class PairwiseChoice {
public:
  using Node = unsigned;

  /// `tables` has the costs of the graph, of others too perhaps, and must
  /// outlive it.
  explicit PairwiseChoice(CostTables &tables) : tables(tables) {}

  /// Adds a node whose options cost `costs`.
  Node addNode(CostTables::Lowered costs);
  /// Adds `costs` to those of the options of `node`.
  void addCosts(Node node, CostTables::Lowered costs);
  /// Adds `costs`, with rows for the options of `a` and columns for those of
  /// `b`, which differ.
  void addEdge(Node a, Node b, CostTables::Lowered costs);

  /// Adds what is to be paid in any case, which only tells what is little.
  void addConstant(double seconds) { lowered += seconds; }

  /// Makes the choices. Call once, after all nodes and edges have been added.
  void solve();
  /// The option that `node` chose.
  unsigned choice(Node node) const { return choices[node]; }

private:
  struct NodeData {
    CostTables::Vector costs;
    bool isQueued = false;
    /// The edges to nodes that have not been reduced.
    llvm::SmallVector<unsigned, 4> edges;
  };
  struct Edge {
    Node a, b;
    /// Rows for the options of `a`.
    CostTables::Table costs;

    Node other(Node node) const { return node == a ? b : a; }
  };
  /// A reduced node and the edges it had then, at most two.
  struct Reduced {
    Node node;
    llvm::SmallVector<unsigned, 2> edges;
  };

  /// The costs of `edge` with rows for the options of `node`, one of its ends.
  CostTables::Table costsFrom(Node node, const Edge &edge) {
    return node == edge.a ? edge.costs : tables.transposed(edge.costs);
  }
  void detach(Node node, unsigned edge, llvm::SmallVectorImpl<Node> &queue);
  void reduce();
  void reduceIntoNeighbour(Node node);
  void reduceIntoEdge(Node node);
  void restore(const Reduced &reduced);
  void solveRest();

  CostTables &tables;
  std::vector<NodeData> nodes;
  std::vector<Edge> edges;
  std::vector<Reduced> reduced;
  /// What all costs have been lowered by.
  double lowered = 0;
  llvm::SmallVector<unsigned, 0> choices;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_CHOICE_PAIRWISECHOICE_H
