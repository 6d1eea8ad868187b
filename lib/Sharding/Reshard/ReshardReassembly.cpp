//===- ReshardReassembly.cpp - Parts put together from pieces -------------===//
#include "Reshard/ReshardSearch.h"

#include <numeric>

using namespace tessera;

/// What an exchange of pieces from `state` to `next`, on the same grid, costs
/// at least, in picoseconds; nothing where slices and gathers of each dimension
/// by itself are as good, or it has too many rounds.
///
/// *Pieces.* Where old and new split of a dimension diverge after what they
/// have in common, some device's two parts have nothing in common, so that it
/// needs all its pieces. Otherwise the larger part contains the smaller on all
/// devices.
///
/// *Links.* What an atom splits that leaves its dimension, some device has to
/// get from those at another position along it.
std::optional<int64_t>
ReshardSearch::reassemblyBound(const ReshardState &state,
                               const ReshardState &next) const {
  int64_t wanted = 1, kept = 1, had = 1;
  bool crosses = false;
  AtomSet split = state.split(), leaving = 0;
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    const AtomList &old = state.dims[dim], &now = next.dims[dim];
    unsigned common = std::min(old.size(), now.size());
    int64_t before = space.product(old.set()), after = space.product(now.set());
    int64_t pieces = std::lcm(before, after);
    had *= pieces / before;
    wanted *= pieces / after;
    kept *=
        old.sharesPrefix(now, common) ? pieces / std::max(before, after) : 0;
    crosses |= (now.set() & split & ~old.set()) != 0;
    leaving |= old.set() & ~now.set();
  }
  int64_t rounds = wanted - kept;
  if ((kept > 0 && !crosses) || rounds > PieceRouting::kMaxRounds)
    return std::nullopt;
  LinkCosts links = leaving ? space.linksOf(leaving) : bound.fastestLinks();
  return rounds *
         collectiveSeconds(CollectiveKind::Permute, 2, currentBytes / had,
                           links) *
         kPicosecondsPerSecond;
}

/// Whether pieces may be exchanged after what has led to the current node.
/// Before, a path may reduce and slice: what else it did would send bytes
/// again. Behind a slice there would be only more pieces to send than before
/// it. A search for any short path does without, so that its cost spares most
/// of the work here.
bool ReshardSearch::mayReassemble() const {
  const Node &node = nodes[current];
  return !limits.isQuick &&
         (node.parent < 0 ||
          (node.isOnlyReduced && node.edge.kind != Kind::Slice));
}

/// Offers the state with the dimensions of the target and the pending reduction
/// of `state`: pieces go straight to where they are wanted in the end.
void ReshardSearch::expandReassembly(const ReshardState &state) {
  const ReshardState &target = space.target();
  bool isSameGrid = state.grid == target.grid;
  if (!mayReassemble() || !isOnSameMesh(state, target.grid) ||
      (state.unreduced && !isSameGrid) || (state.unreduced & target.split()))
    return;
  ReshardState next = target;
  next.unreduced = state.unreduced;
  next.hasTargetKind = state.hasTargetKind;
  std::optional<int64_t> least = 0;
  if (isSameGrid)
    least = reassemblyBound(state, next);
  if (!least || nodes[current].cost + *least + bound.lowerBound(next) >=
                    limits.upperBound)
    return;
  PieceRouting routing(space.shardingOf(state), space.shardingOf(next),
                       space.meshOf(state));
  if (!routing.isPossible())
    return;
  int64_t pieceBytes = currentBytes / routing.numHad();
  std::optional<PieceRouting::Layout> layout =
      routing.choose(space.costsOf(state), pieceBytes);
  if (!layout ||
      currentBytes + layout->rounds * pieceBytes + space.localBytes(next) >
          memoryLimit)
    return;
  // Of equal costs, what is fewer collectives wins.
  reach(next, {Kind::Reassemble},
        layout->seconds(pieceBytes) * kPicosecondsPerSecond +
            2 * layout->rounds);
}
