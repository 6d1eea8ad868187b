//===- ReshardBound.h - What a reshard costs at least ---------------------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDBOUND_H
#define TESSERA_SHARDING_RESHARD_RESHARDBOUND_H

#include "Reshard/ReshardSpace.h"

namespace tessera {

/// A lower bound on the cost from a state to the target, from what devices must
/// receive: see `ReshardBound.cpp`.
class ReshardBound {
public:
  explicit ReshardBound(const ReshardSpace &space);

  /// What every path from `state` to the target costs at least, in picoseconds.
  int64_t lowerBound(const ReshardState &state) const {
    return boundOf(state, /*countsOrder=*/true);
  }
  /// The same where the order of atoms in their dimensions does not count; no
  /// more than `lowerBound`. A search that cannot see all states does better by
  /// it: it slices first, in whatever order, and leaves the rest to
  /// permutations.
  int64_t roughBound(const ReshardState &state) const {
    return boundOf(state, /*countsOrder=*/false);
  }
  /// The fastest links of the mesh.
  const LinkCosts &fastestLinks() const { return fast; }
  int64_t targetBytes() const { return bytesOfTarget; }

  /// What an atom says of an element's index in a dimension of the search, in a
  /// mixed radix: the parts of the dimension before it, and with it.
  struct Digit {
    unsigned dim;
    int64_t begin, end;
  };

private:
  /// Devices that agree in all of `atoms`, and whether the order of atoms in
  /// their dimensions counts.
  struct Units {
    AtomSet atoms;
    bool countsOrder;
  };
  int64_t boundOf(const ReshardState &state, bool countsOrder) const;
  int64_t crossing(const ReshardState &state, Units units) const;
  int64_t averageOverlap(const ReshardState &state, Units units) const;
  int64_t contributionsLeft(const ReshardState &state, AtomSet units) const;
  int64_t missingBytes(const ReshardState &state, Units units) const;
  bool needsShrink(const ReshardState &state) const;
  int64_t leastRounds(const ReshardState &state, int64_t missing) const;

  const ReshardSpace &space;
  const ReshardState &target;
  AtomSet targetSplit;
  /// Per atom that splits the target where it does.
  std::array<Digit, ReshardAtoms::kMaxAtoms> targetDigits{};
  int64_t bytesOfTarget;
  LinkCosts fast;
  /// The atoms whose links are slower, and the fastest of these links.
  AtomSet slowAtoms = 0;
  LinkCosts slow;
};

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDBOUND_H
