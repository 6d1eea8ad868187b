//===- ReshardBound.h - What a reshard costs at least ---------------------===//
#pragma once

#include "ReshardSpace.h"

namespace tessera {

/// A lower bound on the cost from a state to the target, from what devices must
/// receive: see `ReshardBound.cpp`.
class ReshardBound {
public:
  explicit ReshardBound(const ReshardSpace &space);

  /// What every path from `state` to the target costs at least, in picoseconds.
  int64_t lowerBound(const ReshardState &state) const;
  /// The fastest links of the mesh.
  const LinkCosts &fastestLinks() const { return fast; }
  int64_t targetBytes() const { return bytesOfTarget; }

private:
  int64_t crossing(const ReshardState &state, AtomSet units) const;
  int64_t averageOverlap(const ReshardState &state, AtomSet units) const;
  int64_t contributionsLeft(const ReshardState &state, AtomSet units) const;
  int64_t missingBytes(const ReshardState &state, AtomSet units) const;
  bool needsShrink(const ReshardState &state) const;
  int64_t leastRounds(const ReshardState &state, int64_t missing) const;

  const ReshardSpace &space;
  const ReshardState &target;
  AtomSet targetSplit;
  /// Per atom that splits the target the dimension of the search that it
  /// splits.
  std::array<uint8_t, ReshardAtoms::kMaxAtoms> targetDims{};
  int64_t bytesOfTarget;
  LinkCosts fast;
  /// The atoms whose links are slower, and the fastest of these links.
  AtomSet slowAtoms = 0;
  LinkCosts slow;
};

} // namespace tessera
