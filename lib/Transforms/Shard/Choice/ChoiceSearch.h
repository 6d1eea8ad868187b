//===- ChoiceSearch.h - choices that no reduction settles -----------------===//
//
// Elsewhere: TRW-S, message passing, belief propagation.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_CHOICE_CHOICESEARCH_H
#define TESSERA_TRANSFORMS_SHARD_CHOICE_CHOICESEARCH_H

#include "Choice/CostTables.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::shard {

/// A graph of choices: nodes with a cost per option, edges with a cost per pair
/// of options.
struct ChoiceGraph {
  struct Edge {
    /// Positions among the nodes, which differ.
    unsigned a, b;
    /// Rows for the options of `a`.
    CostTables::Table costs;
  };
  llvm::SmallVector<CostTables::Vector, 0> nodes;
  /// At most one between two nodes.
  llvm::SmallVector<Edge, 0> edges;
  /// What the costs have been lowered by: only tells what is little.
  double lowered = 0;
};

/// Searches for choices of small total cost by sequential tree-reweighted
/// message passing (V. Kolmogorov, "Convergent Tree-Reweighted Message Passing
/// for Energy Minimization", 2006): every node tells its neighbours how much
/// each of their options would cost it and all behind it, forwards and
/// backwards along the order of the nodes. A round of passes gives a lower
/// bound of the cost, and a set of choices that is read off in that order and
/// then improved: the choices of a forest among the nodes are made anew at
/// once, the best ones given all others, for different forests until none
/// helps. The search ends when the best choices meet the bound, or when neither
/// gets better, or after so many rounds as a
/// graph of its size may take. Time is proportional to edges times options
/// squared.
class ChoiceSearch {
public:
  using Node = unsigned;
  using Choices = llvm::SmallVector<unsigned, 0>;

  /// `tables` have the costs of `graph`; both must outlive the search.
  ChoiceSearch(CostTables &tables, const ChoiceGraph &graph);

  /// Good choices, and the first options where nothing is cheaper.
  Choices run();
  /// `start`, improved forest by forest.
  Choices improve(Choices start);

private:
  /// An edge as one of its ends sees it.
  struct Half {
    Node other;
    /// Row-major: rows for my options, or for the other's.
    const float *fromMine, *fromOther;
    /// Where among `messages` stands what I have heard, and what I have said.
    unsigned heard, said;
  };
  /// A tree among the nodes: positions among the members of its forest.
  struct Tree {
    unsigned begin, end;
    /// The moment in which the choices of all its nodes were made last.
    uint64_t solvedAt = 0;
  };
  /// A node of a forest, with its parent and the edge that leads from there;
  /// null for a root.
  struct Member {
    Node node, parent;
    const Half *fromParent;
  };
  /// Nodes with only trees between them.
  struct Forest {
    llvm::BitVector isPicked;
    /// Tree by tree, parents before children.
    llvm::SmallVector<Member, 0> members;
    llvm::SmallVector<Tree, 0> trees;
  };

  size_t numNodes() const { return graph.nodes.size(); }
  llvm::ArrayRef<double> costs(Node node) const {
    return tables.vectorCosts(graph.nodes[node]);
  }
  llvm::ArrayRef<Half> halves(Node node) const {
    return llvm::ArrayRef(allHalves).slice(
        firstHalf[node], firstHalf[node + 1] - firstHalf[node]);
  }
  llvm::MutableArrayRef<double> treeCosts(Node node) {
    return {&allTreeCosts[firstCost[node]], costs(node).size()};
  }
  double cost(const Choices &choices) const;
  double sendMessages(Node node, bool forward);
  void readOff(Choices &found) const;
  llvm::BitVector pickForest(size_t start) const;
  Forest growForest(llvm::BitVector picked) const;
  llvm::ArrayRef<Member> membersOf(const Forest &forest,
                                   const Tree &tree) const {
    return llvm::ArrayRef(forest.members)
        .slice(tree.begin, tree.end - tree.begin);
  }
  bool hasChanged(const Forest &forest, const Tree &tree) const;
  void improveTree(const Forest &forest, Tree &tree);
  double improve();
  void choose(Node node, unsigned option) {
    if (choices[node] != option)
      changedAt[node] = now;
    choices[node] = option;
  }

  const CostTables &tables;
  const ChoiceGraph &graph;
  /// The edges node by node; those of node i start at `firstHalf`[i].
  std::vector<Half> allHalves;
  std::vector<unsigned> firstHalf;
  /// What each end of an edge has heard from the other, per option of its own.
  std::vector<float> messages;
  /// The forests to improve one after the other, once they have been picked.
  std::vector<Forest> forests;
  /// Moments are counted; a tree around which nothing has changed since its
  /// choices were made would make them again.
  uint64_t now = 0;
  std::vector<uint64_t> changedAt;
  /// What the options of the nodes of one tree cost, with all below them; those
  /// of node i start at `firstCost`[i].
  std::vector<double> allTreeCosts;
  std::vector<unsigned> firstCost;
  Choices choices;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_CHOICE_CHOICESEARCH_H
