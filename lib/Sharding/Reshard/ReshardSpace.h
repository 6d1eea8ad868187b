//===- ReshardSpace.h - The shardings that a search goes through ----------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDSPACE_H
#define TESSERA_SHARDING_RESHARD_RESHARDSPACE_H

#include "Reshard/ReshardState.h"

#include <map>
#include <vector>

namespace tessera {

/// Costs are counted in whole picoseconds.
inline constexpr double kPicosecondsPerSecond = 1e12;

/// What the states of a problem mean: which shardings they are, how many bytes
/// a device holds, and what collectives between them cost. Except for
/// remembered translations between meshes, nothing changes after construction.
class ReshardSpace {
public:
  /// Source and target of `problem` are placements; `problem` and `meshes` must
  /// outlive the space.
  ReshardSpace(const ReshardProblem &problem, const ReshardMeshes &meshes,
               ReshardAtoms cut);

  const ReshardState &source() const { return sourceState; }
  const ReshardState &target() const { return targetState; }
  unsigned numDims() const { return cut.dims.size(); }
  unsigned numAtoms() const { return cut.atoms.size(); }
  unsigned numGrids() const { return cut.grids.size(); }
  AtomSet allAtoms() const { return sets.size() - 1; }
  const ReshardAtom &atom(unsigned number) const { return cut.atoms[number]; }
  const ReshardGrid &grid(unsigned number) const { return cut.grids[number]; }
  AtomSet atomsOf(const ReshardState &state) const {
    return cut.grids[state.grid].atoms;
  }
  const Mesh &meshOf(const ReshardState &state) const {
    return meshes.mesh(cut.grids[state.grid].mesh);
  }
  const CollectiveCosts &costsOf(const ReshardState &state) const {
    return meshes.costs(cut.grids[state.grid].mesh);
  }
  /// The dimension of the tensor that number `dim` of the search stands for.
  unsigned tensorDim(unsigned dim) const { return cut.dims[dim]; }
  /// Whether source and target have pending reductions of different kinds.
  bool kindsDiffer() const { return differentKinds; }

  /// The number of parts that a set of atoms makes.
  int64_t product(AtomSet set) const { return sets[set].product; }
  /// The slowest links of a set of atoms.
  const LinkCosts &linksOf(AtomSet set) const { return sets[set].links; }
  /// The bytes of a tensor that is split over no atom.
  int64_t wholeBytes() const { return bytesOfWhole; }
  int64_t localBytes(const ReshardState &state) const {
    return bytesOfWhole / product(state.split());
  }
  bool divides(unsigned dim, int64_t parts) const {
    return problem.shape[cut.dims[dim]] % parts == 0;
  }
  bool isGoal(const ReshardState &state) const;
  /// What a collective takes whose groups differ along `group`, each device
  /// with an operand of `bytes` bytes, in picoseconds.
  int64_t costOf(CollectiveKind kind, AtomSet group, int64_t bytes) const {
    return collectiveSeconds(kind, product(group), bytes, linksOf(group)) *
           kPicosecondsPerSecond;
  }

  /// Lines up two lists of equally many parts and visits what differs, in
  /// blocks of equal size: where the atoms of a block begin and end in
  /// `before`, and where in `after`.
  template <typename Visit>
  void forEachMovedBlock(const AtomList &before, const AtomList &after,
                         Visit &&visit) const {
    unsigned left = 0, entered = 0;
    while (left < before.size()) {
      unsigned leftEnd = left + 1, enteredEnd = entered + 1;
      int64_t leftSize = atom(before[left]).size;
      int64_t enteredSize = atom(after[entered]).size;
      while (leftSize != enteredSize)
        if (leftSize < enteredSize)
          leftSize *= atom(before[leftEnd++]).size;
        else
          enteredSize *= atom(after[enteredEnd++]).size;
      // Where the first atoms are equal, the block has no more.
      if (before[left] != after[entered])
        visit(left, leftEnd, entered, enteredEnd);
      left = leftEnd;
      entered = enteredEnd;
    }
  }
  /// The atoms of these blocks.
  AtomSet movedAtoms(const AtomList &before, const AtomList &after) const {
    AtomSet moved = 0;
    forEachMovedBlock(before, after,
                      [&](unsigned left, unsigned leftEnd, unsigned entered,
                          unsigned enteredEnd) {
                        for (unsigned i = left; i < leftEnd; ++i)
                          moved |= 1u << before[i];
                        for (unsigned i = entered; i < enteredEnd; ++i)
                          moved |= 1u << after[i];
                      });
    return moved;
  }

  /// The sharding on `meshOf(state)`.
  TensorSharding shardingOf(const ReshardState &state) const;
  /// The same placement as `state` in atoms of another grid, if it has them.
  std::optional<ReshardState> onGrid(const ReshardState &state, unsigned grid);

private:
  /// What is known of a set of atoms.
  struct SetFacts {
    int64_t product = 1;
    LinkCosts links;
  };

  void fillSets();
  int64_t computeWholeBytes() const;
  std::optional<ReshardState> stateOf(const TensorSharding &sharding,
                                      unsigned grid) const;
  ReshardState firstStateOf(const TensorSharding &sharding,
                            unsigned mesh) const;
  const std::optional<AxisList> &translated(const AxisList &axes, bool isSet);

  const ReshardProblem &problem;
  const ReshardMeshes &meshes;
  ReshardAtoms cut;
  /// By the set as a number.
  std::vector<SetFacts> sets;
  int64_t bytesOfWhole = 0;
  bool differentKinds;
  ReshardState sourceState, targetState;
  /// Axes of the source mesh on the target mesh, as lists and as sets, for all
  /// that were asked for.
  std::map<std::pair<AxisList, bool>, std::optional<AxisList>> translations;
};

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDSPACE_H
