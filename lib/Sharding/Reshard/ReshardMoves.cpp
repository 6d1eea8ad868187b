//===- ReshardMoves.cpp - The steps that lead out of a sharding -----------===//
#include "Reshard/ReshardSearch.h"

#include <algorithm>

using namespace tessera;

void ReshardSearch::expandSlices(const ReshardState &state) {
  for (unsigned atom : AtomNumbers(space.atomsOf(state) & ~state.used()))
    for (unsigned dim = 0; dim < space.numDims(); ++dim) {
      if (!space.divides(dim, space.product(state.dims[dim].set()) *
                                  space.atom(atom).size))
        continue;
      ReshardState next = state;
      next.dims[dim].push(atom);
      reach(next, {Kind::Slice, uint8_t(dim)}, 0);
    }
}

/// Whether an exchange may bring the atoms `moved` to dimension `to`: it has to
/// divide, and with many atoms to want them, or they are to be unreduced.
bool ReshardSearch::maySend(const ReshardState &state, AtomSet moved,
                            unsigned to) const {
  const ReshardState &target = space.target();
  return space.divides(to, space.product(state.dims[to].set() | moved)) &&
         (hasFewAtoms(state.grid) ||
          !(moved & ~(target.dims[to].set() | target.unreduced)));
}

void ReshardSearch::expandGathers(const ReshardState &state) {
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    ReshardState gathered = state;
    AtomSet group = 0;
    while (!gathered.dims[dim].empty()) {
      group |= 1u << gathered.dims[dim].pop();
      reach(gathered, {Kind::AllGather, uint8_t(dim)},
            space.costOf(CollectiveKind::AllGather, group, currentBytes));
      int64_t cost =
          space.costOf(CollectiveKind::AllToAll, group, currentBytes);
      if (isTooDear(cost))
        continue;
      for (unsigned to = 0; to < space.numDims(); ++to) {
        if (to == dim || !maySend(gathered, group, to))
          continue;
        ReshardState next = gathered;
        next.dims[to].append(state.dims[dim], gathered.dims[dim].size());
        reach(next, {Kind::AllToAll, uint8_t(dim), uint8_t(to)}, cost);
      }
    }
  }
}

/// Lets dimensions give their minor-most atoms in `state` to dimensions that
/// give none themselves, one after the other in any order. `next` is what
/// `moves` moves of the atoms `group` have made so far.
void ReshardSearch::expandExchanges(const ReshardState &state,
                                    const ReshardState &next, unsigned moves,
                                    AtomSet group, uint32_t givers,
                                    uint32_t takers) {
  if (moves > 0) {
    int64_t cost = space.costOf(CollectiveKind::AllToAll, group, currentBytes);
    if (isTooDear(cost))
      return;
    if (moves > 1)
      reach(next, {Kind::Exchange}, cost);
  }
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    if ((givers | takers) >> dim & 1)
      continue;
    ReshardState rest = next;
    AtomSet moved = 0;
    while (!rest.dims[dim].empty()) {
      moved |= 1u << rest.dims[dim].pop();
      for (unsigned to = 0; to < space.numDims(); ++to) {
        if (to == dim || (givers >> to & 1) || !maySend(rest, moved, to))
          continue;
        ReshardState after = rest;
        after.dims[to].append(state.dims[dim], rest.dims[dim].size());
        expandExchanges(state, after, moves + 1, group | moved,
                        givers | 1u << dim, takers | 1u << to);
      }
    }
  }
}

void ReshardSearch::expandReductions(const ReshardState &state) {
  if (state.hasTargetKind)
    return;
  // All subsets are reduced at once.
  for (AtomSet group = state.unreduced; group;
       group = (group - 1) & state.unreduced) {
    ReshardState next = state;
    next.unreduced &= ~group;
    reach(next, {Kind::AllReduce},
          space.costOf(CollectiveKind::AllReduce, group, currentBytes));
    int64_t cost =
        space.costOf(CollectiveKind::ReduceScatter, group, currentBytes);
    if (isTooDear(cost, currentBytes / space.product(group)))
      continue;
    llvm::SmallVector<unsigned, ReshardAtoms::kMaxAtoms> order;
    for (unsigned atom : AtomNumbers(group))
      order.push_back(atom);
    do {
      for (unsigned dim = 0; dim < space.numDims(); ++dim) {
        if (!space.divides(dim, space.product(state.dims[dim].set() | group)))
          continue;
        ReshardState scattered = next;
        for (unsigned atom : order)
          scattered.dims[dim].push(atom);
        reach(scattered, {Kind::ReduceScatter, uint8_t(dim)}, cost);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

void ReshardSearch::expandToUnreduced(const ReshardState &state) {
  AtomSet wanted = space.grid(state.grid).wantedUnreduced & ~state.unreduced;
  if (!wanted ||
      (space.kindsDiffer() && !state.hasTargetKind && state.unreduced != 0))
    return;
  ReshardState next = state;
  next.hasTargetKind = space.kindsDiffer();
  if (AtomSet group = wanted & ~state.used()) {
    next.unreduced |= group;
    reach(next, {Kind::ReplicatedToUnreduced}, 0);
    next.unreduced = state.unreduced;
  }
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    ReshardState padded = next;
    while (!padded.dims[dim].empty()) {
      unsigned atom = padded.dims[dim].pop();
      if (!(wanted >> atom & 1))
        break;
      padded.unreduced |= 1u << atom;
      reach(padded, {Kind::ShardedToUnreduced, uint8_t(dim)}, 0);
    }
  }
}

void ReshardSearch::expandGridChanges(const ReshardState &state) {
  for (unsigned grid = 0; grid < space.numGrids(); ++grid)
    if (grid != state.grid && mayGoOnOn(state, grid))
      if (std::optional<ReshardState> next = space.onGrid(state, grid))
        reach(*next, {Kind::ChangeMesh}, 0);
}
