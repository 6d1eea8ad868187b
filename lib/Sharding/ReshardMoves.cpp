//===- ReshardMoves.cpp - The steps that lead out of a sharding -----------===//
#include "ReshardSearch.h"

#include "tessera/Sharding/MeshTranslation.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace tessera;

int64_t ReshardSearch::costOf(CollectiveKind kind, uint32_t group,
                              int64_t bytes) const {
  LinkCosts links{0, std::numeric_limits<double>::infinity()};
  for (uint32_t rest = group; rest; rest &= rest - 1) {
    const LinkCosts &link = atoms[llvm::countr_zero(rest)].links;
    links.latency = std::max(links.latency, link.latency);
    links.bandwidth = std::min(links.bandwidth, link.bandwidth);
  }
  return collectiveSeconds(kind, product(group), bytes, links) *
         kPicosecondsPerSecond;
}

void ReshardSearch::expandSlices(const State &state) {
  for (uint32_t rest = atomsOf(state) & ~state.used(); rest; rest &= rest - 1) {
    unsigned atom = llvm::countr_zero(rest);
    for (unsigned dim = 0; dim < dims.size(); ++dim) {
      if (!divides(dim, product(state.dims[dim].set) * atoms[atom].size))
        continue;
      State next = state;
      next.dims[dim].push(atom);
      reach(next, Kind::Slice, dim, 0, 0);
    }
  }
}

void ReshardSearch::expandGathers(const State &state) {
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    State gathered = state;
    uint32_t group = 0;
    while (gathered.dims[dim].size) {
      group |= 1u << gathered.dims[dim].pop();
      reach(gathered, Kind::AllGather, dim, 0,
            costOf(CollectiveKind::AllGather, group, currentBytes));
      for (unsigned to = 0; to < dims.size(); ++to) {
        if (to == dim || !divides(to, product(gathered.dims[to].set | group)))
          continue;
        State next = gathered;
        for (uint8_t atom :
             state.dims[dim].ref().drop_front(gathered.dims[dim].size))
          next.dims[to].push(atom);
        reach(next, Kind::AllToAll, dim, to,
              costOf(CollectiveKind::AllToAll, group, currentBytes));
      }
    }
  }
}

/// Lets dimensions give their minor-most atoms in `state` to dimensions that
/// give none themselves, one after the other in any order. `next` is what
/// `moves` moves of the atoms `group` have made so far.
void ReshardSearch::expandExchanges(const State &state, const State &next,
                                    unsigned moves, uint32_t group,
                                    uint32_t givers, uint32_t takers) {
  if (moves > 1)
    reach(next, Kind::Exchange, 0, 0,
          costOf(CollectiveKind::AllToAll, group, currentBytes));
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    if ((givers | takers) >> dim & 1)
      continue;
    llvm::ArrayRef<uint8_t> given = state.dims[dim].ref();
    State rest = next;
    uint32_t moved = 0;
    while (rest.dims[dim].size) {
      moved |= 1u << rest.dims[dim].pop();
      for (unsigned to = 0; to < dims.size(); ++to) {
        if (to == dim || (givers >> to & 1) ||
            !divides(to, product(rest.dims[to].set | moved)) ||
            (!hasFewAtoms(state.grid) && (moved & ~target.dims[to].set)))
          continue;
        State after = rest;
        for (uint8_t atom : given.drop_front(rest.dims[dim].size))
          after.dims[to].push(atom);
        expandExchanges(state, after, moves + 1, group | moved,
                        givers | 1u << dim, takers | 1u << to);
      }
    }
  }
}

void ReshardSearch::expandReductions(const State &state) {
  if (state.hasTargetKind)
    return;
  // All subsets are reduced at once.
  for (uint32_t group = state.unreduced; group;
       group = (group - 1) & state.unreduced) {
    State next = state;
    next.unreduced &= ~group;
    reach(next, Kind::AllReduce, 0, 0,
          costOf(CollectiveKind::AllReduce, group, currentBytes));
    llvm::SmallVector<uint8_t, kMaxAtoms> order;
    for (uint32_t rest = group; rest; rest &= rest - 1)
      order.push_back(llvm::countr_zero(rest));
    int64_t cost = costOf(CollectiveKind::ReduceScatter, group, currentBytes);
    if (isTooDear(cost, currentBytes / product(group)))
      continue;
    do {
      for (unsigned dim = 0; dim < dims.size(); ++dim) {
        if (!divides(dim, product(state.dims[dim].set | group)))
          continue;
        State scattered = next;
        for (uint8_t atom : order)
          scattered.dims[dim].push(atom);
        reach(scattered, Kind::ReduceScatter, dim, 0, cost);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

void ReshardSearch::expandToUnreduced(const State &state) {
  uint32_t wanted = grids[state.grid].wantedUnreduced & ~state.unreduced;
  if (!wanted || (kindsDiffer && !state.hasTargetKind && state.unreduced != 0))
    return;
  State next = state;
  next.hasTargetKind = kindsDiffer;
  if (uint32_t group = wanted & ~state.used()) {
    next.unreduced |= group;
    reach(next, Kind::ReplicatedToUnreduced, 0, 0, 0);
    next.unreduced = state.unreduced;
  }
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    State padded = next;
    while (padded.dims[dim].size) {
      uint8_t atom = padded.dims[dim].pop();
      if (!(wanted >> atom & 1))
        break;
      padded.unreduced |= 1u << atom;
      reach(padded, Kind::ShardedToUnreduced, dim, 0, 0);
    }
  }
}

/// Whether `order` may begin dimension `dim` after a permutation of `state` to
/// another state on `grid`.
/// With few atoms every order is tried; otherwise those that keep the dimension
/// or begin it with as much of its target as fits, and go on in one order.
bool ReshardSearch::isUsefulOrder(const State &state, unsigned grid,
                                  unsigned dim, const List &order) const {
  const List &old = state.dims[dim], &wanted = target.dims[dim];
  if (hasFewAtoms(grid) ||
      (order.size <= old.size && old.sharesPrefix(order, order.size)))
    return true;
  if (grid != target.grid)
    return llvm::is_sorted(order.ref());
  int64_t parts = product(old.set), common = 1;
  size_t fits = 0;
  while (fits < wanted.size &&
         parts % (common * atoms[wanted.items[fits]].size) == 0)
    common *= atoms[wanted.items[fits++]].size;
  size_t shared = std::min<size_t>(fits, order.size);
  return order.sharesPrefix(wanted, shared) &&
         llvm::is_sorted(order.ref().drop_front(shared));
}

/// Lines up two lists of equally many parts and visits what differs, in blocks
/// of equal size.
void ReshardSearch::forEachMovedBlock(
    llvm::ArrayRef<uint8_t> before, llvm::ArrayRef<uint8_t> after,
    llvm::function_ref<void(llvm::ArrayRef<uint8_t>, llvm::ArrayRef<uint8_t>)>
        visit) const {
  while (!before.empty()) {
    size_t left = 1, entered = 1;
    int64_t leftSize = atoms[before[0]].size;
    int64_t enteredSize = atoms[after[0]].size;
    while (leftSize != enteredSize)
      if (leftSize < enteredSize)
        leftSize *= atoms[before[left++]].size;
      else
        enteredSize *= atoms[after[entered++]].size;
    if (before.take_front(left) != after.take_front(entered))
      visit(before.take_front(left), after.take_front(entered));
    before = before.drop_front(left);
    after = after.drop_front(entered);
  }
}

/// Fills dimension `dim` and those after it with `available` atoms such that
/// every dimension, and the pending reduction, keeps its number of parts.
void ReshardSearch::permuteDim(const State &state, State &next, unsigned dim,
                               uint32_t available) {
  if (dim < dims.size()) {
    int64_t parts = product(state.dims[dim].set);
    int64_t have = product(next.dims[dim].set);
    if (have == parts)
      return permuteDim(state, next, dim + 1, available);
    for (uint32_t rest = available; rest; rest &= rest - 1) {
      unsigned atom = llvm::countr_zero(rest);
      if (parts % (have * atoms[atom].size) != 0)
        continue;
      next.dims[dim].push(atom);
      if (isUsefulOrder(state, next.grid, dim, next.dims[dim]))
        permuteDim(state, next, dim, available & ~(1u << atom));
      next.dims[dim].pop();
    }
    return;
  }
  int64_t contributions = product(state.unreduced);
  // Without a pending reduction, only the empty set is left.
  uint32_t subset = contributions == 1 ? 0 : available;
  while (true) {
    if (product(subset) == contributions) {
      next.unreduced = subset;
      uint32_t moved =
          (state.unreduced ^ subset) | (state.used() ^ next.used());
      for (unsigned i = 0; i < dims.size(); ++i)
        forEachMovedBlock(
            state.dims[i].ref(), next.dims[i].ref(),
            [&](llvm::ArrayRef<uint8_t> left, llvm::ArrayRef<uint8_t> entered) {
              for (uint8_t atom : left)
                moved |= 1u << atom;
              for (uint8_t atom : entered)
                moved |= 1u << atom;
            });
      if (&meshOf(state) != &meshOf(next))
        moved = atomsOf(state);
      if (moved)
        reach(next, Kind::Permute, 0, 0,
              costOf(CollectiveKind::Permute, moved, currentBytes));
    }
    if (!subset)
      return;
    subset = (subset - 1) & available;
  }
}

/// Whether a path may go on from `state` on grid number `grid`: it changes the
/// mesh once.
bool ReshardSearch::mayGoOnOn(const State &state, unsigned grid) const {
  return grids[grid].mesh >= grids[state.grid].mesh;
}

void ReshardSearch::expandPermutations(const State &state) {
  // Two permutations in a row are one.
  if (nodes[current].parent >= 0 && nodes[current].kind == Kind::Permute)
    return;
  int64_t cost = (2 * best.latency + currentBytes / best.bandwidth) *
                 kPicosecondsPerSecond;
  if (isTooDear(cost, currentBytes))
    return;
  for (unsigned grid = 0; grid < grids.size(); ++grid) {
    if (!mayGoOnOn(state, grid))
      continue;
    State next;
    next.grid = grid;
    next.hasTargetKind = state.hasTargetKind;
    permuteDim(state, next, 0, grids[grid].atoms);
  }
}

const std::optional<AxisList> &ReshardSearch::translated(const AxisList &axes,
                                                         bool isSet) {
  auto [entry, isNew] = translations.try_emplace({axes, isSet});
  if (isNew)
    entry->second = (isSet ? translateSet : translateAxes)(axes, meshes.source,
                                                           meshes.target);
  return entry->second;
}

/// The same placement as `state` in atoms of another grid, if it has them.
std::optional<ReshardSearch::State> ReshardSearch::onGrid(const State &state,
                                                          unsigned grid) {
  TensorSharding sharding = shardingOf(state);
  if (grids[grid].mesh != grids[state.grid].mesh) {
    auto translate = [&](AxisList &axes, bool isSet) {
      const std::optional<AxisList> &there = translated(axes, isSet);
      if (there)
        axes = *there;
      return there.has_value();
    };
    for (DimSharding &dim : sharding.dims)
      if (!translate(dim.axes, false))
        return std::nullopt;
    if (!translate(sharding.unreduced, true))
      return std::nullopt;
  }
  std::optional<State> next = stateOf(sharding, grid);
  if (next)
    next->hasTargetKind = state.hasTargetKind;
  return next;
}

void ReshardSearch::expandGridChanges(const State &state) {
  for (unsigned grid = 0; grid < grids.size(); ++grid)
    if (grid != state.grid && mayGoOnOn(state, grid))
      if (std::optional<State> next = onGrid(state, grid))
        reach(*next, Kind::ChangeMesh, 0, 0, 0);
}

void ReshardSearch::expand(unsigned index) {
  current = index;
  nodes[index].isClosed = true;
  State state = decode(nodes[index].key);
  currentBytes = localBytes(state);
  expandSlices(state);
  expandGathers(state);
  expandExchanges(state, state, 0, 0, 0, 0);
  expandReductions(state);
  expandToUnreduced(state);
  expandPermutations(state);
  expandReassembly(state);
  expandGridChanges(state);
}
