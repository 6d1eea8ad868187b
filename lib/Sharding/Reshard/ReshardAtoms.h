//===- ReshardAtoms.h - The parts of axes that a reshard moves ------------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDATOMS_H
#define TESSERA_SHARDING_RESHARD_RESHARDATOMS_H

#include "tessera/Sharding/Reshard/ReshardPlanner.h"

namespace tessera {

/// A part of an axis that moves as a whole.
struct ReshardAtom {
  AxisRef axis;
  int64_t size;
  LinkCosts links;
  /// The grids that it belongs to, all of one mesh.
  uint32_t grids;
  /// Whether a part of it may be worth moving by itself.
  bool trades = false;
};

/// Atoms that cut all devices of a mesh, or all that matter, into a grid, so
/// that they can be used side by side.
struct ReshardGrid {
  /// Which of `ReshardMeshes`.
  unsigned mesh;
  uint32_t atoms = 0;
  /// The atoms that are unreduced in the target.
  uint32_t wantedUnreduced = 0;
};

/// What the search for a plan may move, and where to.
struct ReshardAtoms {
  static constexpr unsigned kMaxAtoms = 15, kMaxDims = 8;

  /// The dimensions of the tensor that may change.
  llvm::SmallVector<unsigned> dims;
  /// Those of one axis from major to minor.
  llvm::SmallVector<ReshardAtom> atoms;
  /// Those of the source's mesh before those of the target's.
  llvm::SmallVector<ReshardGrid, 2> grids;

  /// Whether there are more than a search can describe; then the grids lack
  /// their atoms.
  bool tooLarge() const {
    return atoms.size() > kMaxAtoms || dims.size() > kMaxDims;
  }
};

/// Cuts the axes that `problem`, between placements on `meshes`, moves, at the
/// boundaries that source and target name. Axes that neither uses take part
/// with `useIdleAxes` only. Atoms are cut further, into primes where that makes
/// at most `maxCutAtoms` of them, otherwise only as far as their sizes have
/// common divisors, and not at all where it is 0.
ReshardAtoms cutIntoAtoms(const ReshardProblem &problem,
                          const ReshardMeshes &meshes, bool useIdleAxes,
                          unsigned maxCutAtoms);

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDATOMS_H
