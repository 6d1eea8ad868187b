//===- ReshardSearch.h - Shortest paths between shardings -----------------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDSEARCH_H
#define TESSERA_SHARDING_RESHARD_RESHARDSEARCH_H

#include "Reshard/ReshardBound.h"

#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace tessera {

/// How far a search may look.
struct ReshardSearchLimits {
  /// Give up after this many states.
  size_t maxStates;
  /// Look for paths that cost less than this (in picoseconds).
  int64_t upperBound = std::numeric_limits<int64_t>::max();
  /// The factor on the lower bound; above 1 the path may not be the shortest.
  double boundFactor = 1;
  /// Whether any short path will do, as long as it is found in few states.
  bool isQuick = false;
};

/// The step that leads to a state, in terms of the search.
struct ReshardEdge {
  ReshardStep::Kind kind = ReshardStep::Kind::Slice;
  /// See `ReshardStep::Kind`; dimensions of the search.
  uint8_t dim = 0, targetDim = 0;
};

/// A* in the graph of a problem. The idea is explained above `ReshardPlanner`;
/// `ReshardMoves`, `ReshardPermutations` and `ReshardReassembly` have its
/// edges.
class ReshardSearch {
public:
  /// The states before and after each step.
  struct Path {
    llvm::SmallVector<ReshardState, 0> states;
    /// One fewer.
    llvm::SmallVector<ReshardEdge, 0> edges;
  };

  /// Plans must not need more than `memoryLimit` bytes in one step. `space`
  /// must outlive the search.
  ReshardSearch(ReshardSpace &space, const ReshardBound &bound,
                int64_t memoryLimit);

  /// Whether all grids have few atoms.
  bool hasFewAtoms() const {
    for (unsigned grid = 0; grid < space.numGrids(); ++grid)
      if (!hasFewAtoms(grid))
        return false;
    return true;
  }
  /// The cheapest path from source to target within the limits; where there are
  /// too many states, the cheapest so far, if there is one.
  std::optional<Path> run(const ReshardSearchLimits &searchLimits);
  /// After `run` found a path: what it costs, in picoseconds.
  int64_t getCost() const { return cost; }
  /// Whether `run` failed because it reached the largest number of states.
  bool gaveUp() const { return nodes.size() > limits.maxStates; }

private:
  using Kind = ReshardStep::Kind;

  /// A state that was reached, and how.
  struct Node {
    ReshardKey key;
    int64_t cost;
    /// See `estimate`; no more than what the rest of a path costs at least.
    int64_t rest;
    int parent;
    ReshardEdge edge;
    /// Whether nothing but slices and reductions leads here.
    bool isOnlyReduced = true;
    bool isClosed = false;
  };

  ReshardKey keyOf(const ReshardState &state) const {
    return ReshardKey(state, space.numDims(), space.allAtoms());
  }
  ReshardState stateOf(const Node &node) const {
    return node.key.decode(space.numAtoms());
  }
  /// What the rest of a path from `state` is taken to cost.
  int64_t estimate(const ReshardState &state) const {
    return isRough ? bound.roughBound(state) : bound.lowerBound(state);
  }
  int64_t guidance(const ReshardState &state) const;
  int64_t growthCost(int64_t bytes) const;
  bool isTooDear(int64_t stepCost, int64_t bytes) const;
  /// The same for a step after which devices have as many bytes as before.
  bool isTooDear(int64_t stepCost) const {
    return nodes[current].cost + stepCost + currentGrowthCost >=
           limits.upperBound;
  }
  void reach(const ReshardState &next, ReshardEdge edge, int64_t stepCost);
  Path pathToGoal() const;

  // Edges. All offer the states they lead to by `reach`.
  void expand(int index);
  void expandSlices(const ReshardState &state);
  void expandGathers(const ReshardState &state);
  bool maySend(const ReshardState &state, AtomSet moved, unsigned to) const;
  void expandExchanges(const ReshardState &state, const ReshardState &next,
                       unsigned moves, AtomSet group, uint32_t givers,
                       uint32_t takers);
  void expandReductions(const ReshardState &state);
  void expandToUnreduced(const ReshardState &state);
  void expandGridChanges(const ReshardState &state);
  void expandPermutations(const ReshardState &state);
  void permuteDim(const ReshardState &state, ReshardState &next, unsigned dim,
                  AtomSet available, AtomSet moved);
  void permuteUnreduced(const ReshardState &state, ReshardState &next,
                        AtomSet available, AtomSet moved);
  unsigned countFitting(const AtomList &old, const AtomList &wanted) const;
  AtomSet usefulNext(const ReshardState &state, unsigned grid, unsigned dim,
                     const AtomList &begin) const;
  std::optional<int64_t> reassemblyBound(const ReshardState &state,
                                         const ReshardState &next) const;
  bool mayReassemble() const;
  void expandReassembly(const ReshardState &state);
  /// Whether all moves on `grid` are tried, or only those towards the target.
  bool hasFewAtoms(unsigned grid) const {
    return llvm::popcount(space.grid(grid).atoms) <= kFewAtoms;
  }
  bool isOnSameMesh(const ReshardState &state, unsigned grid) const {
    return space.grid(grid).mesh == space.grid(state.grid).mesh;
  }
  /// Whether a path may go on from `state` on grid number `grid`: it changes
  /// the mesh once.
  bool mayGoOnOn(const ReshardState &state, unsigned grid) const {
    return space.grid(grid).mesh >= space.grid(state.grid).mesh;
  }

  /// With more atoms, of steps of which there are many only those towards the
  /// target are tried.
  static constexpr int kFewAtoms = 4;

  ReshardSpace &space;
  const ReshardBound &bound;
  const int64_t memoryLimit;
  /// What `guidance` takes an atom for that is not where the target has it, in
  /// picoseconds.
  const int64_t misplacedCost;

  // Of the current search.
  ReshardSearchLimits limits;
  /// Whether states come in the order of `roughBound`, and whether there was an
  /// upper bound when it began.
  bool isRough = false, isBounded = false;
  std::vector<Node> nodes;
  llvm::DenseMap<ReshardKey, int, ReshardKey::Info> indexOf;
  /// A binary heap of (bound on the whole path, order of generation, node).
  std::vector<std::tuple<int64_t, int64_t, int>> queue;
  int64_t generated = 0;
  int64_t cost = 0;
  /// The node of the goal, or -1 until it is reached.
  int goal = -1;
  /// The node being expanded, its local bytes, and what it costs at least if
  /// they have to become those of the target.
  int current = 0;
  int64_t currentBytes = 0, currentGrowthCost = 0;
  /// Of the permutations being listed, per dimension: how many atoms of its
  /// target fit into its parts.
  std::array<uint8_t, ReshardAtoms::kMaxDims> fitting;
};

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDSEARCH_H
