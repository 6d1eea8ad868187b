//===- ReshardState.h - Where every atom of a reshard is ------------------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDSTATE_H
#define TESSERA_SHARDING_RESHARD_RESHARDSTATE_H

#include "Reshard/ReshardAtoms.h"

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/bit.h"

#include <array>

namespace tessera {

/// A set of atoms, by their numbers.
using AtomSet = uint32_t;

/// The numbers of the atoms of a set, in ascending order.
class AtomNumbers {
public:
  explicit AtomNumbers(AtomSet set) : set(set) {}

  struct Iterator {
    AtomSet rest;

    unsigned operator*() const { return llvm::countr_zero(rest); }
    Iterator &operator++() {
      rest &= rest - 1;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return rest != other.rest; }
  };
  Iterator begin() const { return {set}; }
  Iterator end() const { return {0}; }

private:
  AtomSet set;
};

/// Some atoms, major to minor, four bits each, and the same as a set.
class AtomList {
public:
  unsigned size() const { return count; }
  bool empty() const { return count == 0; }
  AtomSet set() const { return members; }
  unsigned operator[](unsigned position) const {
    return items >> 4 * position & 15;
  }
  bool contains(unsigned atom) const { return members >> atom & 1; }

  void push(unsigned atom) {
    items |= uint64_t(atom) << 4 * count++;
    members |= 1u << atom;
  }
  unsigned pop() {
    unsigned atom = (*this)[--count];
    items &= ~(UINT64_C(15) << 4 * count);
    members &= ~(1u << atom);
    return atom;
  }
  /// Puts `atom` where nothing is yet, possibly behind a gap.
  void place(unsigned atom, unsigned position) {
    items |= uint64_t(atom) << 4 * position;
    members |= 1u << atom;
    ++count;
  }
  /// Appends what follows the first `begin` atoms of `other`.
  void append(const AtomList &other, unsigned begin) {
    for (unsigned i = begin; i < other.count; ++i)
      push(other[i]);
  }
  /// Whether both have at least `number` atoms and begin with the same.
  bool sharesPrefix(const AtomList &other, unsigned number) const {
    return number <= count && number <= other.count &&
           ((items ^ other.items) & ((UINT64_C(1) << 4 * number) - 1)) == 0;
  }
  /// Whether what follows the first `begin` atoms is in ascending order.
  bool isSortedFrom(unsigned begin) const {
    for (unsigned i = begin + 1; i < count; ++i)
      if ((*this)[i - 1] > (*this)[i])
        return false;
    return true;
  }

  friend bool operator==(const AtomList &a, const AtomList &b) {
    return a.items == b.items && a.count == b.count;
  }
  friend bool operator!=(const AtomList &a, const AtomList &b) {
    return !(a == b);
  }

private:
  uint64_t items = 0;
  AtomSet members = 0;
  unsigned count = 0;
};

/// Where every atom of a grid is: in the list of a dimension of the search,
/// unreduced or, if neither, replicated; and whether unreduced atoms are those
/// of the target although the source has another monoid.
struct ReshardState {
  std::array<AtomList, ReshardAtoms::kMaxDims> dims;
  AtomSet unreduced = 0;
  uint8_t grid = 0;
  bool hasTargetKind = false;

  /// The atoms that split a dimension.
  AtomSet split() const {
    AtomSet set = 0;
    for (const AtomList &list : dims)
      set |= list.set();
    return set;
  }
  AtomSet used() const { return split() | unreduced; }
};

/// A state in 16 bytes: per atom its role and its position there. Of two keys
/// most bits are equal, so that all of them are mixed.
class ReshardKey {
public:
  ReshardKey(const ReshardState &state, unsigned numDims, AtomSet atoms);
  ReshardState decode(unsigned numAtoms) const;

  struct Info {
    static ReshardKey getEmptyKey() { return {~UINT64_C(0), ~UINT64_C(0)}; }
    static ReshardKey getTombstoneKey() {
      return {~UINT64_C(0) - 1, ~UINT64_C(0)};
    }
    static unsigned getHashValue(const ReshardKey &key) {
      uint64_t mixed = (key.words[0] ^ llvm::rotl(key.words[1], 29)) *
                       UINT64_C(0x9E3779B97F4A7C15);
      return mixed >> 32;
    }
    static bool isEqual(const ReshardKey &a, const ReshardKey &b) {
      return a.words == b.words;
    }
  };

private:
  static constexpr unsigned kUnreduced = 14, kReplicated = 15;

  ReshardKey(uint64_t low, uint64_t high) : words{low, high} {}
  void place(unsigned atom, unsigned role, unsigned position) {
    words[atom / 8] |= uint64_t(role << 4 | position) << (atom % 8 * 8);
  }
  unsigned byte(unsigned atom) const {
    return words[atom / 8] >> (atom % 8 * 8) & 255;
  }

  std::array<uint64_t, 2> words = {0, 0};
};

inline ReshardKey::ReshardKey(const ReshardState &state, unsigned numDims,
                              AtomSet atoms) {
  for (unsigned atom : AtomNumbers(atoms & ~state.used()))
    place(atom, kReplicated, 0);
  for (unsigned atom : AtomNumbers(state.unreduced))
    place(atom, kUnreduced, 0);
  for (unsigned dim = 0; dim < numDims; ++dim)
    for (unsigned i = 0; i < state.dims[dim].size(); ++i)
      place(state.dims[dim][i], dim, i);
  // Behind the last atom that there can be.
  place(ReshardAtoms::kMaxAtoms, state.grid, state.hasTargetKind);
}

inline ReshardState ReshardKey::decode(unsigned numAtoms) const {
  ReshardState state;
  for (unsigned atom = 0; atom < numAtoms; ++atom) {
    unsigned role = byte(atom) >> 4;
    if (role == kUnreduced)
      state.unreduced |= 1u << atom;
    else if (role != kReplicated)
      state.dims[role].place(atom, byte(atom) & 15);
  }
  state.grid = byte(ReshardAtoms::kMaxAtoms) >> 4;
  state.hasTargetKind = byte(ReshardAtoms::kMaxAtoms) & 1;
  return state;
}

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDSTATE_H
