//===- ReshardPermutations.cpp - Whole parts on other devices -------------===//
//
// A permutation leads to every state that splits each dimension, and the
// pending reduction, into as many parts as before. They are listed by filling
// dimension after dimension with atoms; as soon as the atoms moved so far cost
// too much, what remains is not listed.
//
//===----------------------------------------------------------------------===//
#include "Reshard/ReshardSearch.h"

using namespace tessera;

/// How many of the `wanted` atoms divide the number of parts that `old` makes,
/// together.
unsigned ReshardSearch::countFitting(const AtomList &old,
                                     const AtomList &wanted) const {
  int64_t parts = space.product(old.set());
  AtomSet begin = 0;
  for (unsigned i = 0; i < wanted.size(); ++i) {
    begin |= 1u << wanted[i];
    if (parts % space.product(begin) != 0)
      return i;
  }
  return wanted.size();
}

/// The atoms that may follow `begin` in dimension `dim` after a permutation of
/// `state` to another state on `grid`.
/// With few atoms every order is tried; otherwise those that keep the dimension
/// or begin it with as much of its target as fits, and go on in one order.
AtomSet ReshardSearch::usefulNext(const ReshardState &state, unsigned grid,
                                  unsigned dim, const AtomList &begin) const {
  if (hasFewAtoms(grid))
    return space.allAtoms();
  unsigned size = begin.size(), shared = fitting[dim];
  const AtomList &old = state.dims[dim], &wanted = space.target().dims[dim];
  AtomSet useful = 0;
  if (size < old.size() && old.sharesPrefix(begin, size))
    useful |= 1u << old[size];
  if (!begin.sharesPrefix(wanted, std::min(size, shared)))
    return useful;
  if (size < shared)
    useful |= 1u << wanted[size];
  else if (begin.isSortedFrom(shared))
    useful |= size == shared ? space.allAtoms()
                             : ~((AtomSet(2) << begin[size - 1]) - 1);
  return useful;
}

void ReshardSearch::permuteDim(const ReshardState &state, ReshardState &next,
                               unsigned dim, AtomSet available, AtomSet moved) {
  if (dim == space.numDims())
    return permuteUnreduced(state, next, available, moved);
  const AtomList &old = state.dims[dim];
  AtomList &now = next.dims[dim];
  int64_t parts = space.product(old.set()), have = space.product(now.set());
  if (have == parts) {
    if (isOnSameMesh(state, next.grid) && old != now) {
      moved |= space.movedAtoms(old, now);
      if (isTooDear(space.costOf(CollectiveKind::Permute, moved, currentBytes)))
        return;
    }
    return permuteDim(state, next, dim + 1, available, moved);
  }
  for (unsigned atom :
       AtomNumbers(available & usefulNext(state, next.grid, dim, now))) {
    if (parts % (have * space.atom(atom).size) != 0)
      continue;
    now.push(atom);
    permuteDim(state, next, dim, available & ~(1u << atom), moved);
    now.pop();
  }
}

/// The last part of `permuteDim`: the pending reduction takes some of the
/// `available` atoms and keeps its number of contributions.
void ReshardSearch::permuteUnreduced(const ReshardState &state,
                                     ReshardState &next, AtomSet available,
                                     AtomSet movedInDims) {
  int64_t contributions = space.product(state.unreduced);
  // Without a pending reduction, only the empty set is left.
  AtomSet subset = contributions == 1 ? 0 : available;
  while (true) {
    if (space.product(subset) == contributions) {
      next.unreduced = subset;
      AtomSet moved = movedInDims;
      if (isOnSameMesh(state, next.grid))
        moved |= (state.unreduced ^ subset) | (state.used() ^ next.used());
      if (moved)
        reach(next, {Kind::Permute},
              space.costOf(CollectiveKind::Permute, moved, currentBytes));
    }
    if (!subset)
      return;
    subset = (subset - 1) & available;
  }
}

void ReshardSearch::expandPermutations(const ReshardState &state) {
  // Two permutations in a row are one.
  if (nodes[current].parent >= 0 && nodes[current].edge.kind == Kind::Permute)
    return;
  const LinkCosts &links = bound.fastestLinks();
  int64_t least = (2 * links.latency + currentBytes / links.bandwidth) *
                  kPicosecondsPerSecond;
  if (isTooDear(least))
    return;
  for (unsigned grid = 0; grid < space.numGrids(); ++grid) {
    if (!mayGoOnOn(state, grid))
      continue;
    ReshardState next;
    next.grid = grid;
    next.hasTargetKind = state.hasTargetKind;
    for (unsigned dim = 0; dim < space.numDims(); ++dim)
      fitting[dim] =
          grid == space.target().grid
              ? countFitting(state.dims[dim], space.target().dims[dim])
              : 0;
    // Between two meshes, all devices may exchange their parts.
    permuteDim(state, next, 0, space.grid(grid).atoms,
               isOnSameMesh(state, grid) ? 0 : space.atomsOf(state));
  }
}
