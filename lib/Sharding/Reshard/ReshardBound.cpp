//===- ReshardBound.cpp - What a reshard costs at least -------------------===//
#include "Reshard/ReshardBound.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace tessera;

ReshardBound::ReshardBound(const ReshardSpace &space)
    : space(space), target(space.target()), targetSplit(target.split()),
      bytesOfTarget(space.localBytes(target)),
      fast{std::numeric_limits<double>::infinity(), 0}, slow(fast) {
  auto improve = [](LinkCosts &links, const LinkCosts &other) {
    links.latency = std::min(links.latency, other.latency);
    links.bandwidth = std::max(links.bandwidth, other.bandwidth);
  };
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    int64_t begin = 1;
    for (unsigned i = 0; i < target.dims[dim].size(); ++i) {
      unsigned atom = target.dims[dim][i];
      targetDigits[atom] = {dim, begin, begin * space.atom(atom).size};
      begin = targetDigits[atom].end;
    }
  }
  for (unsigned atom = 0; atom < space.numAtoms(); ++atom)
    improve(fast, space.atom(atom).links);
  for (unsigned atom = 0; atom < space.numAtoms(); ++atom) {
    const LinkCosts &links = space.atom(atom).links;
    if (links.latency <= fast.latency && links.bandwidth >= fast.bandwidth)
      continue;
    slowAtoms |= 1u << atom;
    improve(slow, links);
  }
}

/// In which of so many values the digit at `to`, of an element of which what
/// comes before is known, is the one at `from`; 1 where it is not known to come
/// after that. Digits of one dimension are parts of its index in a mixed radix:
/// where they overlap, the rest of the later one counts.
static int64_t laterValues(const ReshardBound::Digit &from,
                           const ReshardBound::Digit &to) {
  if (from.dim != to.dim)
    return from.dim < to.dim ? to.end / to.begin : 1;
  if (from.begin >= to.begin)
    return 1;
  int64_t known = std::max(from.end, to.begin);
  bool isChain = known % from.end == 0 && known % to.begin == 0 &&
                 known < to.end && to.end % known == 0;
  return isChain ? to.end / known : 1;
}

/// Of how many elements of a unit's part one, at most, is also in its part of
/// the target, as far as atoms decide that split both, at different positions:
/// the element's digits at both must be equal. If all digits are told in order,
/// then those to which atoms move from earlier ones are independent of each
/// other, and those from which atoms move to earlier ones as well.
int64_t ReshardBound::crossing(const ReshardState &state, Units units) const {
  int64_t up = 1, down = 1;
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    const AtomList &list = state.dims[dim];
    int64_t begin = 1;
    for (unsigned i = 0; i < list.size(); ++i) {
      unsigned atom = list[i];
      Digit now{dim, begin, begin * space.atom(atom).size};
      begin = now.end;
      const Digit &wanted = targetDigits[atom];
      if (!((targetSplit & units.atoms) >> atom & 1) ||
          (!units.countsOrder && wanted.dim == dim))
        continue;
      up *= laterValues(now, wanted);
      down *= laterValues(wanted, now);
    }
  }
  return std::max(up, down);
}

/// What a unit already has of its part of the target, on average over units and
/// at most, in bytes: the digits of both parts must be its own (one in the
/// product of all atoms used), and those of atoms that cross must be equal. On
/// different grids nothing is known but the sizes.
int64_t ReshardBound::averageOverlap(const ReshardState &state,
                                     Units units) const {
  AtomSet split = state.split();
  if (state.grid != target.grid)
    return space.wholeBytes() /
           std::max(space.product(split), space.product(targetSplit));
  AtomSet both = (split | targetSplit) & ~(state.unreduced | target.unreduced);
  return llvm::divideCeil(space.wholeBytes(),
                          space.product(both & units.atoms) *
                              crossing(state, units));
}

/// How many contributions to an element may be left of those in `state`: as
/// many as in the target, but one where the kind of the reduction changes.
int64_t ReshardBound::contributionsLeft(const ReshardState &state,
                                        AtomSet units) const {
  bool endsBefore = space.kindsDiffer() && !state.hasTargetKind;
  return endsBefore ? 1 : space.product(target.unreduced & units);
}

/// What a unit has to receive at least to get from `state` to the target, in
/// bytes and on average over its devices. With all atoms, each device is a unit
/// by itself.
///
/// A unit receives what it needs and does not have. If the target is unreduced
/// over u units, one of them may hold everything, but what none of them has any
/// contribution to, one of them must receive.
///
/// Where a sum has more contributions than may be left, messages are counted by
/// element: contributions are added to others until as many as may be are left,
/// what comes out goes to all units but one that want it, and what is left of
/// an element where none of those has a contribution has to get there.
int64_t ReshardBound::missingBytes(const ReshardState &state,
                                   Units units) const {
  int64_t wholeBytes = space.wholeBytes();
  int64_t wanted = wholeBytes / space.product(targetSplit & units.atoms),
          missing = 0;
  int64_t holders = space.product(target.unreduced & units.atoms);
  int64_t pending = space.product(state.unreduced & units.atoms);
  int64_t left = contributionsLeft(state, units.atoms);
  AtomSet atoms = space.atomsOf(state) & units.atoms;
  if (state.grid != target.grid && pending > left && !target.unreduced) {
    int64_t bytes = wholeBytes / space.product(atoms);
    missing = (pending - 1) * bytes + std::max<int64_t>(0, wanted - bytes);
  } else if (state.grid != target.grid) {
    missing = wanted / holders - averageOverlap(state, units);
  } else if (pending > left) {
    int64_t bytes = wholeBytes / space.product(atoms);
    int64_t copies = space.product(atoms & ~(targetSplit | target.unreduced));
    missing = (pending - left + copies - 1) * bytes +
              left * (bytes - llvm::divideCeil(bytes, crossing(state, units)));
  } else {
    missing = (wanted - averageOverlap(state, units)) / holders;
  }
  return std::max<int64_t>(0, missing) /
         space.product(space.atomsOf(state) & ~units.atoms);
}

/// Whether some dimension is split in a way that its target does not begin
/// with, so that a collective has to undo it.
bool ReshardBound::needsShrink(const ReshardState &state) const {
  if (state.grid != target.grid)
    return false;
  for (unsigned dim = 0; dim < space.numDims(); ++dim)
    if (!target.dims[dim].sharesPrefix(state.dims[dim], state.dims[dim].size()))
      return true;
  return false;
}

/// The rounds of messages from `state` to the target, at least: growing parts
/// takes gathers with as many participants as parts are joined, a pending sum
/// takes reductions with as many participants as there are contributions, and
/// undoing a split takes one collective.
int64_t ReshardBound::leastRounds(const ReshardState &state,
                                  int64_t missing) const {
  int64_t bytes = space.localBytes(state), rounds = 0;
  int64_t pending = space.product(state.unreduced);
  int64_t left = contributionsLeft(state, space.allAtoms());
  if (pending > left)
    rounds = messageRounds(CollectiveKind::ReduceScatter,
                           llvm::divideCeil(pending, left));
  if (target.unreduced)
    return rounds ? rounds : missing > 0 ? 2 : 0;
  if (bytesOfTarget > bytes)
    rounds += messageRounds(CollectiveKind::AllGather,
                            llvm::divideCeil(bytesOfTarget, bytes));
  else if (needsShrink(state))
    rounds += 2;
  return rounds;
}

/// What devices miss arrives on the fastest links, but for what all the devices
/// miss that fast links join: that arrives on slow ones first.
int64_t ReshardBound::boundOf(const ReshardState &state,
                              bool countsOrder) const {
  int64_t missing = missingBytes(state, {space.allAtoms(), countsOrder});
  int64_t rounds = leastRounds(state, missing);
  double seconds = 0;
  if (slowAtoms && state.grid == target.grid) {
    int64_t slowBytes = missingBytes(state, {slowAtoms, countsOrder});
    int64_t slowRounds = slowBytes > 0 ? 2 : 0;
    seconds = slowBytes / slow.bandwidth + slowRounds * slow.latency;
    missing = std::max<int64_t>(0, missing - slowBytes);
    rounds = std::max<int64_t>(0, rounds - slowRounds);
  }
  return (seconds + missing / fast.bandwidth + rounds * fast.latency) *
         kPicosecondsPerSecond;
}
