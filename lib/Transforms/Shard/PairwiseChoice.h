//===- PairwiseChoice.h - many choices that depend on each other ----------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PAIRWISECHOICE_H
#define TESSERA_TRANSFORMS_SHARD_PAIRWISECHOICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera {

/// A graph whose nodes each choose one of a few options, where an option has a
/// cost of its own and two neighbours a cost for each pair of options. Finds
/// choices of small total cost: the smallest where the graph is made of chains,
/// trees and forks that join again (a series-parallel graph), a good one
/// elsewhere.
///
/// **Reduction.** A node with one neighbour is added to that neighbour's costs:
/// for each option there, the best option here. A node with two is added to
/// their common edge in the same way. This is exact, and often leaves nothing.
/// (Reductions R1 and R2 of partitioned boolean quadratic problems; B. Scholz
/// and E. Eckstein, "Register Allocation for Irregular Architectures", 2002.)
///
/// **The rest** is solved by sequential tree-reweighted message passing (V.
/// Kolmogorov, "Convergent Tree-Reweighted Message Passing for Energy
/// Minimization", 2006): every node tells its neighbours how much each of their
/// options would cost it and all behind it, forwards and backwards along the
/// order of the nodes. A round of passes gives a lower bound of the cost, and a
/// set of choices that is read off in that order and then improved: the choices
/// of a forest among the nodes are made anew at once, the best ones given all
/// others, for different forests until none helps. The search ends when the
/// best choices meet the bound, or when neither gets better. Where nothing is
/// cheaper, the first options stand.
class PairwiseChoice {
public:
  using Node = unsigned;

  /// Adds a node whose options cost `costs`, in seconds; at least one.
  Node addNode(llvm::ArrayRef<double> costs);
  /// Adds `cost` to one option of `node`.
  void addCost(Node node, unsigned option, double cost) {
    nodes[node].costs[option] += cost;
  }
  /// Adds `cost(i, j)` for option i of `a` and option j of `b`, which differ.
  void addEdge(Node a, Node b,
               llvm::function_ref<double(unsigned, unsigned)> cost);

  /// Makes the choices. Call once, after all nodes and edges have been added.
  void solve();
  /// The option that `node` chose.
  unsigned choice(Node node) const { return choices[node]; }

private:
  struct NodeData {
    llvm::SmallVector<double, 4> costs;
    /// The edges to nodes that have not been reduced.
    llvm::SmallVector<unsigned, 4> edges;
    bool isQueued = false;
  };
  struct Edge {
    Node a, b;
    /// The options of `b`.
    unsigned columns;
    /// Row-major, rows for the options of `a`. Edges of the rest share equal
    /// ones, which do not change any more.
    std::shared_ptr<float[]> costs;
    /// What each end has heard from the other, per option of its own.
    std::vector<float> toA, toB;

    Node other(Node node) const { return node == a ? b : a; }
    std::vector<float> &heardBy(Node node) { return node == a ? toA : toB; }
    const std::vector<float> &heardBy(Node node) const {
      return node == a ? toA : toB;
    }
  };
  /// A reduced node and the edges it had then, one or two.
  struct Reduced {
    Node node;
    llvm::SmallVector<unsigned, 2> edges;
  };

  /// The costs of an edge, seen from one of its ends.
  struct PairCosts {
    const float *costs;
    unsigned mineStride, theirsStride;

    float operator()(unsigned mine, unsigned theirs) const {
      return costs[mine * mineStride + theirs * theirsStride];
    }
  };
  /// A tree among the nodes of the rest.
  struct Tree {
    /// Its nodes, parents before children.
    std::vector<Node> nodes;
    /// The edge of each node to its parent, `kNoEdge` for the root.
    std::vector<unsigned> toParent;
    /// The edges to nodes outside of the tree, per node.
    std::vector<llvm::SmallVector<unsigned, 4>> outside;
    /// The moment in which the choices of all its nodes were made last.
    uint64_t solvedAt = 0;
  };

  unsigned numOptions(Node node) const { return nodes[node].costs.size(); }
  static PairCosts pairCosts(const Edge &edge, Node from) {
    return from == edge.a ? PairCosts{edge.costs.get(), edge.columns, 1}
                          : PairCosts{edge.costs.get(), 1, edge.columns};
  }
  static float &pairCost(Edge &edge, Node from, unsigned mine,
                         unsigned theirs) {
    return from == edge.a ? edge.costs[mine * edge.columns + theirs]
                          : edge.costs[theirs * edge.columns + mine];
  }
  static float pairCost(const Edge &edge, Node from, unsigned mine,
                        unsigned theirs) {
    return pairCosts(edge, from)(mine, theirs);
  }
  /// For each option of the other end the least of what an option of mine costs
  /// (`mine`) with what the pair costs.
  static void leastSums(llvm::ArrayRef<double> mine, PairCosts costs,
                        llvm::MutableArrayRef<double> sums);
  unsigned edgeBetween(Node a, Node b);
  void detach(Node node, unsigned edge, llvm::SmallVectorImpl<Node> &queue);
  void reduce();
  void reduceIntoNeighbour(Node node);
  void reduceIntoEdge(Node node);
  void restore(const Reduced &reduced);

  void shareCosts();
  void solveRest();
  double restCost(llvm::ArrayRef<unsigned> choices) const;
  double sendMessages(Node node, bool forward);
  void readOff(llvm::SmallVectorImpl<unsigned> &found) const;
  std::vector<bool> pickForest(size_t start) const;
  std::vector<Tree> treesOf(const std::vector<bool> &picked) const;
  bool hasChanged(const Tree &tree) const;
  void improveTree(Tree &tree);
  void improve();
  void choose(Node node, unsigned option) {
    if (choices[node] != option)
      changedAt[node] = now;
    choices[node] = option;
  }

  std::vector<NodeData> nodes;
  std::vector<Edge> edges;
  std::vector<Reduced> reduced;
  /// The nodes that could not be reduced, and the edges between them.
  std::vector<Node> rest;
  std::vector<unsigned> restEdges;
  /// The forests to improve one after the other, once they have been picked.
  std::vector<std::vector<Tree>> forests;
  /// Moments are counted; a tree around which nothing has changed since its
  /// choices were made would make them again.
  uint64_t now = 0;
  std::vector<uint64_t> changedAt;
  /// What the options of the nodes of one tree cost, with all below them.
  std::vector<llvm::SmallVector<double, 8>> treeCosts;
  llvm::SmallVector<unsigned, 0> choices;
};

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SHARD_PAIRWISECHOICE_H
