//===- ExhaustiveReshards.h - All shardings and shortest paths ------------===//
#pragma once

#include "tessera/Sharding/ReshardPlan.h"

#include <vector>

namespace tessera {

/// All placements of a tensor on a mesh, by parts of prime size, and the costs
/// of the cheapest ways between all pairs of them. Written without regard to
/// the planner: every pair of states is looked at and classified, paths are
/// relaxed until nothing changes.
class ExhaustiveReshards {
public:
  /// All dimensions of `shape` must divide by every number of shards.
  ExhaustiveReshards(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                     int64_t elementBytes,
                     llvm::ArrayRef<LinkCosts> links = {});

  size_t size() const { return states.size(); }
  /// The sharding of state number `state`.
  TensorSharding sharding(size_t state) const;
  /// Fills `seconds(...)`.
  void findShortestPaths();
  /// The cost of the cheapest way.
  double seconds(size_t from, size_t to) const {
    return distance[from * states.size() + to];
  }

private:
  struct State {
    /// Per dimension the parts, major to minor.
    std::vector<std::vector<int>> dims;
    std::vector<bool> unreduced;
  };
  void enumerate(State state, size_t part);
  /// The cost of one step, infinite where there is none.
  double stepSeconds(const State &from, const State &to) const;
  /// Whether several dimensions give the ends of their parts to others that
  /// give none.
  bool isExchange(const State &from, const State &to) const;
  double seconds(CollectiveKind kind, const std::vector<int> &group,
                 double operandBytes) const;
  int64_t shards(const State &state, size_t dim) const;
  int64_t contributions(const State &state) const;
  /// The dimension that uses a part; -1 for unreduced, -2 for none.
  int roleOf(const State &state, int part) const;

  const Mesh &mesh;
  size_t rank;
  double globalBytes;
  struct Part {
    AxisRef axis;
    int64_t size;
    LinkCosts links;
  };
  std::vector<Part> parts;
  std::vector<State> states;
  std::vector<double> distance;
};

} // namespace tessera
