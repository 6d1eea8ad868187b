//===- ReshardSearch.h - Shortest paths between shardings -----------------===//
#pragma once

#include "tessera/Sharding/ReshardPlanner.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <limits>
#include <map>

namespace tessera {

/// How far a search may look.
struct ReshardSearchLimits {
  /// Give up after this many states.
  size_t maxStates;
  /// Look for paths that cost less than this (in picoseconds).
  int64_t upperBound = std::numeric_limits<int64_t>::max();
  /// The factor on the lower bound; above 1 the path may not be the shortest.
  int64_t boundFactor = 1;
};

/// Costs are counted in whole picoseconds.
inline constexpr double kPicosecondsPerSecond = 1e12;

/// The graph of a problem and A* searches in it. The idea is explained above
/// `ReshardPlanner`.
class ReshardSearch {
public:
  /// `problem` passes its check on the two meshes of `meshes`, which may be
  /// equal. Source and target are placements. Atoms are cut further, into
  /// primes where that makes at most `maxCutAtoms` of them, otherwise only as
  /// far as their sizes have common divisors. With 0, axes are cut only where
  /// source and target cut them.
  ReshardSearch(const ReshardProblem &problem, const ReshardMeshes &meshes,
                const ReshardOptions &options, int64_t memoryLimit,
                unsigned maxCutAtoms);

  /// Whether the problem has too many parts of axes for this search.
  bool tooLarge() const {
    return atoms.size() > kMaxAtoms || dims.size() > kMaxDims;
  }
  /// The parts of axes that move as a whole.
  size_t numAtoms() const { return atoms.size(); }
  /// The cheapest plan, if one was found within the limits.
  std::optional<ReshardPlan> run(const ReshardSearchLimits &searchLimits);
  /// What every plan costs at least, in picoseconds.
  int64_t getBound() const {
    return lowerBound(firstStateOf(problem.source, 0));
  }
  /// After `run` found a plan: what it costs, in picoseconds.
  int64_t getPlanCost() const { return planCost; }
  /// Whether `run` failed because it reached the largest number of states.
  bool gaveUp() const { return nodes.size() > limits.maxStates; }

private:
  static constexpr unsigned kMaxAtoms = 15;
  static constexpr unsigned kMaxDims = 8;
  static constexpr uint8_t kUnreduced = 14, kReplicated = 15;
  using Kind = ReshardStep::Kind;

  /// A part of an axis that moves as a whole. Belongs to a set of grids, all of
  /// one mesh.
  struct Atom {
    AxisRef axis;
    int64_t size;
    LinkCosts links;
    uint32_t grids;
    /// Whether a part of it may be worth moving by itself.
    bool trades = false;
  };
  /// Atoms that cut all devices of a mesh, or all that matter, into a grid.
  struct Grid {
    /// Which of `meshes`.
    unsigned mesh;
    uint32_t atoms = 0;
    /// The atoms that are unreduced in the target.
    uint32_t wantedUnreduced = 0;
  };
  using AxisCuts = llvm::SmallVector<int64_t>;
  /// Some atoms, major to minor, and the same as a set.
  struct List {
    std::array<uint8_t, kMaxAtoms> items;
    uint8_t size = 0;
    uint32_t set = 0;

    llvm::ArrayRef<uint8_t> ref() const { return {items.data(), size}; }
    void push(uint8_t atom) {
      items[size++] = atom;
      set |= 1u << atom;
    }
    uint8_t pop() {
      uint8_t atom = items[--size];
      set &= ~(1u << atom);
      return atom;
    }
    /// Whether both begin with the same `count` atoms.
    bool sharesPrefix(const List &other, size_t count) const {
      for (size_t i = 0; i < count; ++i)
        if (items[i] != other.items[i])
          return false;
      return true;
    }
    friend bool operator==(const List &a, const List &b) {
      return a.set == b.set && a.sharesPrefix(b, a.size);
    }
  };
  /// Where every atom of a grid is: in the list of a dimension of the search,
  /// unreduced or, if neither, replicated; and whether unreduced atoms are
  /// those of the target although the source has another monoid.
  struct State {
    std::array<List, kMaxDims> dims;
    uint32_t unreduced = 0;
    uint8_t grid = 0;
    bool hasTargetKind = false;

    /// The atoms that split a dimension.
    uint32_t split() const {
      uint32_t set = 0;
      for (const List &list : dims)
        set |= list.set;
      return set;
    }
    uint32_t used() const { return split() | unreduced; }
  };
  /// A state in 16 bytes. Of two keys most bits are equal, so that all of them
  /// are mixed.
  using Key = std::pair<uint64_t, uint64_t>;
  struct KeyInfo : llvm::DenseMapInfo<Key> {
    static unsigned getHashValue(const Key &key) {
      uint64_t mixed = (key.first ^ llvm::rotl(key.second, 29)) *
                       UINT64_C(0x9E3779B97F4A7C15);
      return mixed >> 32;
    }
  };

  /// A state that was reached, and how.
  struct Node {
    Key key;
    int64_t cost;
    int parent;
    Kind kind;
    uint8_t dim, targetDim;
    /// Whether nothing but slices and reductions leads here.
    bool isOnlyReduced = true;
    bool isClosed = false;
  };

  // Setting up.
  void chooseDims();
  void collectAtoms(bool useIdleAxes);
  void collectAtomsOfMesh(unsigned mesh, bool useIdleAxes);
  void markTraders();
  void refineAtoms();
  std::optional<State> stateOf(const TensorSharding &sharding,
                               unsigned grid) const;
  State firstStateOf(const TensorSharding &sharding, unsigned mesh) const;

  // States.
  const Mesh &meshOf(const State &state) const {
    return meshes.mesh(grids[state.grid].mesh);
  }
  uint32_t atomsOf(const State &state) const { return grids[state.grid].atoms; }
  Key encode(const State &state) const;
  State decode(const Key &key) const;
  /// The number of parts that a set of atoms makes.
  int64_t product(uint32_t set) const { return products[set]; }
  int64_t localBytes(const State &state) const;
  bool divides(unsigned dim, int64_t parts) const;
  bool isGoal(const State &state) const;
  int64_t averageOverlap(const State &state, uint32_t units) const;
  int64_t missingBytes(const State &state, uint32_t units) const;
  bool needsShrink(const State &state) const;
  int64_t leastRounds(const State &state, int64_t missing) const;
  int64_t lowerBound(const State &state) const;

  // Edges. All offer the states they lead to by `reach`.
  void expand(unsigned index);
  void expandSlices(const State &state);
  void expandGathers(const State &state);
  void expandExchanges(const State &state, const State &next, unsigned moves,
                       uint32_t group, uint32_t givers, uint32_t takers);
  void expandReductions(const State &state);
  void expandToUnreduced(const State &state);
  void expandPermutations(const State &state);
  std::optional<int64_t> reassemblyBound(const State &state,
                                         const State &next) const;
  bool mayReassemble() const;
  void expandReassembly(const State &state);
  bool mayGoOnOn(const State &state, unsigned grid) const;
  void expandGridChanges(const State &state);
  std::optional<State> onGrid(const State &state, unsigned grid);
  const std::optional<AxisList> &translated(const AxisList &axes, bool isSet);
  void permuteDim(const State &state, State &next, unsigned dim,
                  uint32_t available);
  /// Whether all moves on `grid` are tried, or only those towards the target.
  bool hasFewAtoms(unsigned grid) const {
    return llvm::popcount(grids[grid].atoms) <= 5;
  }
  bool isUsefulOrder(const State &state, unsigned grid, unsigned dim,
                     const List &order) const;
  void forEachMovedBlock(
      llvm::ArrayRef<uint8_t> before, llvm::ArrayRef<uint8_t> after,
      llvm::function_ref<void(llvm::ArrayRef<uint8_t>, llvm::ArrayRef<uint8_t>)>
          visit) const;
  bool isTooDear(int64_t cost, int64_t bytes) const;
  void reach(const State &next, Kind kind, unsigned dim, unsigned targetDim,
             int64_t cost);
  int64_t costOf(CollectiveKind kind, uint32_t group, int64_t bytes) const;

  // The plan.
  TensorSharding shardingOf(const State &state) const;
  void fillExchange(const State &before, const State &after,
                    ReshardStep &step) const;
  void fillReassembly(const State &before, ReshardStep &step) const;
  void fillMeshChange(const State &before, ReshardStep &step) const;
  ReshardStep stepBetween(const State &before, const State &after,
                          const Node &node) const;
  void fillPermutation(const State &before, const State &after,
                       ReshardStep &step) const;
  ReshardPlan planTo(int goal) const;

  const ReshardProblem &problem;
  const ReshardMeshes &meshes;
  const int64_t memoryLimit;
  const unsigned maxCutAtoms;

  /// The dimensions of the tensor that the search may change.
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<Atom> atoms;
  llvm::SmallVector<Grid, 2> grids;
  /// Axes of the source mesh on the target mesh, as lists and as sets, for all
  /// that were asked for.
  std::map<std::pair<AxisList, bool>, std::optional<AxisList>> translations;
  /// Per set of atoms the product of their sizes.
  std::vector<int64_t> products;
  /// The bytes of a tensor that is split over no atom.
  int64_t wholeBytes = 0;
  /// The fastest links of the mesh, for the lower bound.
  LinkCosts best;
  /// The atoms whose links are slower, and the fastest of these links.
  uint32_t slowAtoms = 0;
  LinkCosts slowLinks;
  State target;
  bool kindsDiffer = false;
  int64_t targetBytes = 0;

  // Of the current search.
  ReshardSearchLimits limits;
  std::vector<Node> nodes;
  llvm::DenseMap<Key, int, KeyInfo> indexOf;
  /// A binary heap of (bound on the whole path, order of generation, node).
  std::vector<std::tuple<int64_t, int64_t, int>> queue;
  int64_t generated = 0;
  int64_t planCost = 0;
  /// The node being expanded, and its local bytes.
  int current = 0;
  int64_t currentBytes = 0;
};

} // namespace tessera
