//===- PlacementGraph.h - Who holds what, and how that changes ------------===//
#ifndef TESSERA_TEST_UNIT_SHARDING_PLACEMENTGRAPH_H
#define TESSERA_TEST_UNIT_SHARDING_PLACEMENTGRAPH_H

#include "tessera/Sharding/Reshard/ReshardPlan.h"

#include <map>
#include <vector>

namespace tessera {

/// All placements of a tensor on the devices of a mesh and all steps between
/// them, as an explicit graph: an oracle for the planner that shares no code
/// with it.
///
/// A placement says, per device, which block of the tensor it holds and which
/// of the contributions to that block's sum: nothing else. Collectives are
/// carried out on this description, group by group, and are a step if what
/// comes out is another placement. Axes only name the groups and their links.
/// A permutation is a step between any two placements with the same holdings.
/// A reassembly is one from any placement to one with the blocks of the goal,
/// before which there are only slices and reductions.
class PlacementGraph {
public:
  /// All dimensions of `shape` divide by every number of parts.
  PlacementGraph(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                 int64_t elementBytes, llvm::ArrayRef<LinkCosts> links = {});

  /// The number of different placements that shardings describe.
  size_t size() const { return placements.size(); }
  /// A sharding that describes placement number `placement`.
  const TensorSharding &sharding(size_t placement) const {
    return shardings[placement];
  }
  /// Fills `seconds(...)`: Dijkstra's algorithm from every goal.
  void findShortestPaths(bool withReassemblies = true);
  /// The cost of the cheapest way.
  double seconds(size_t from, size_t to) const { return distances[to][from]; }

private:
  /// What one device holds: of every dimension the elements [begin, end), and
  /// the numbers of the contributions to the block's sum that it has added up.
  struct Holding {
    std::vector<std::pair<int, int>> block;
    std::vector<int> contributions;

    auto operator<=>(const Holding &) const = default;
  };
  /// Per device. The contributions to a block are numbered by first appearance.
  using Placement = std::vector<Holding>;
  /// A part of prime size of an axis, and its digit per device.
  struct Part {
    AxisRef axis;
    size_t axisNumber;
    int64_t before, size;
    std::vector<int> digits;
  };
  /// Parts that can be used side by side, and the groups of devices that differ
  /// along them, by index.
  struct Grouping {
    std::vector<size_t> parts;
    std::vector<std::vector<int>> groups;
  };
  struct Edge {
    size_t from;
    double seconds;
    /// The grouping over which data becomes unreduced, or -1.
    int madeUnreduced;
    /// Whether this is a slice or a reduction.
    bool reduces = false;
  };
  /// Pieces that devices have and pieces that they want, by number.
  struct Pieces {
    std::vector<std::vector<int>> had, wanted;
    double bytes;
  };

  void makeParts();
  bool fit(const std::vector<size_t> &used, size_t part) const;
  void makeGroupings(std::vector<size_t> used);
  void makePlacements(std::vector<std::vector<size_t>> roles,
                      std::vector<size_t> used);
  void addPlacement(const std::vector<std::vector<size_t>> &roles);
  static void renumber(Placement &placement);

  // Steps. What they make of a placement, or nothing where they do not apply.
  using Result = std::optional<Placement>;
  static bool isCommon(const Placement &placement, const Grouping &grouping);
  static Result slice(Placement placement, const Grouping &grouping,
                      size_t dim);
  static Result gather(Placement placement, const Grouping &grouping,
                       size_t dim);
  bool isPending(size_t placement, const Grouping &grouping) const;
  bool isMinorMost(size_t placement, const Grouping &grouping,
                   size_t dim) const;
  static Result reduce(Placement placement, const Grouping &grouping);
  static Placement makeUnreduced(Placement placement, const Grouping &grouping);
  void addCollectives(size_t from);
  void addExchanges(size_t from, const Placement &placement,
                    const Grouping &parts, unsigned moves, unsigned givers,
                    unsigned takers);
  void addPermutations();
  void addReassemblies();
  double reassemblySeconds(size_t from, size_t to) const;
  Pieces piecesOf(const Placement &from, const Placement &to,
                  const std::vector<size_t> &pending) const;
  int fewestRounds(const Pieces &pieces, size_t axes) const;
  bool haveSameBlocks(size_t a, size_t b) const;
  double permutationSeconds(const Placement &from, const Placement &to) const;
  bool moveWithin(const Placement &from, const Placement &to,
                  size_t axes) const;
  void add(size_t from, Result to, double seconds, int madeUnreduced = -1,
           bool reduces = false);
  std::vector<double> distancesTo(size_t goal) const;
  double seconds(CollectiveKind kind, const Grouping &grouping,
                 double operandBytes) const;
  double bytesOf(const Holding &holding) const;

  const Mesh &mesh;
  std::vector<int> shape;
  double elementBytes;
  std::vector<LinkCosts> links;
  int devices;
  std::vector<Part> parts;
  std::vector<Grouping> groupings;
  std::vector<Placement> placements;
  std::vector<TensorSharding> shardings;
  /// Per placement the shardings that describe it: lists of parts per
  /// dimension, and the set of what is unreduced.
  std::vector<std::vector<std::vector<std::vector<size_t>>>> descriptions;
  std::map<Placement, size_t> numberOf;
  std::vector<std::vector<Edge>> edgesTo;
  /// Reassemblies, by where they lead.
  std::vector<std::vector<Edge>> reassembliesTo;
  std::vector<std::vector<double>> distances;
};

} // namespace tessera

#endif // TESSERA_TEST_UNIT_SHARDING_PLACEMENTGRAPH_H
