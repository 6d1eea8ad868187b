//===- PtxWarpOps.cpp - Instructions in which lanes exchange values -------===//

#include "instructions/PtxLanes.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// The lanes that take part with `lane`: its member mask, without lanes that
/// have exited. The interpreter has seen to it that all of them are here.
LaneMask membersOf(Warp &warp, const Instruction &in, unsigned lane,
                   LaneMask mask) {
  return warp.lanes<uint32_t>(in[in.members])[lane] & mask;
}

/// Every lane must name itself.
bool checkMembers(Warp &warp, const Instruction &in, LaneMask mask) {
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    if (membersOf(warp, in, lane, mask) >> lane & 1)
      continue;
    warp.fault(lane, "the lane is not in its own member mask");
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

enum ShuffleMode { Up, Down, Butterfly, Index };

/// The lane that `lane` reads from, or -1 if it would be out of its segment.
template <ShuffleMode mode> int sourceLane(int lane, uint32_t b, uint32_t c) {
  int amount = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  int last = (lane & segment) | (clamp & ~segment);
  int source = mode == Up          ? lane - amount
               : mode == Down      ? lane + amount
               : mode == Butterfly ? lane ^ amount
                                   : (lane & segment) | (amount & ~segment);
  bool inside = mode == Up ? source >= last : source <= last;
  return inside ? source : -1;
}

/// Operands: result, predicate if `data[0]`, value, b, c, members.
template <ShuffleMode mode>
Outcome shuffle(Warp &warp, const Instruction &in, LaneMask mask) {
  unsigned first = 1 + in.data[0];
  uint32_t *result = warp.lanes<uint32_t>(in[0]);
  const uint32_t *b = warp.lanes<uint32_t>(in[first + 1]);
  const uint32_t *c = warp.lanes<uint32_t>(in[first + 2]);
  const uint32_t *members = warp.lanes<uint32_t>(in[in.members]);
  uint32_t values[warpLanes], everybody = mask;
  int sources[warpLanes];
  std::copy_n(warp.lanes<uint32_t>(in[first]), warpLanes, values);
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    sources[lane] = sourceLane<mode>(lane, b[lane], c[lane]);
    everybody &= members[lane];
  }
  // Where all lanes exchange with all, everybody takes part.
  if (everybody != allLanes) {
    if (!checkMembers(warp, in, mask))
      return Outcome::Fault;
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      unsigned source = sources[lane] < 0 ? lane : sources[lane];
      if (!(membersOf(warp, in, lane, mask) >> source & 1))
        return warp.fault(lane, "shuffle from lane " + std::to_string(source) +
                                    ", which does not take part");
    }
  }
  LaneMask inside = 0;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    bool found = sources[lane] >= 0;
    uint32_t value = values[found ? sources[lane] : lane];
    result[lane] = mask >> lane & 1 ? value : result[lane];
    inside |= found ? 1u << lane : 0;
  }
  if (in.data[0])
    warp.setPredicate(in[1], inside, mask);
  return Outcome::Continue;
}

void decodeShfl(Decoding &d) {
  d.expect("sync");
  int mode = d.takeOneOf({"up", "down", "bfly", "idx"});
  d.expect("b32");
  if (mode < 0)
    return d.fail("expected '.up', '.down', '.bfly' or '.idx'");
  bool predicate = d.paired();
  d.output(4);
  if (predicate)
    d.output(0);
  for (unsigned i = 0; i < 4; ++i)
    d.input(Type::B32);
  d.instruction.data[0] = predicate;
  d.converge(Convergence::Members, predicate + 4);
  static constexpr Handler handlers[] = {shuffle<Up>, shuffle<Down>,
                                         shuffle<Butterfly>, shuffle<Index>};
  d.handle(handlers[mode]);
}

//===----------------------------------------------------------------------===//
// Votes and matches
//===----------------------------------------------------------------------===//

enum VoteMode : uint32_t { All, Any, Uniform, Ballot };

/// Operands: result, predicate, members.
Outcome vote(Warp &warp, const Instruction &in, LaneMask mask) {
  if (!checkMembers(warp, in, mask))
    return Outcome::Fault;
  LaneMask votes = warp.predicate(in[1]) & mask, agreed = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    LaneMask members = membersOf(warp, in, lane, mask), yes = votes & members;
    bool result = in.data[0] == All   ? yes == members
                  : in.data[0] == Any ? yes != 0
                                      : yes == 0 || yes == members;
    agreed |= result ? 1u << lane : 0;
    if (in.data[0] == Ballot)
      warp.lanes<uint32_t>(in[0])[lane] = yes;
  }
  if (in.data[0] != Ballot)
    warp.setPredicate(in[0], agreed, mask);
  return Outcome::Continue;
}

void decodeVote(Decoding &d) {
  d.expect("sync");
  int mode = d.takeOneOf({"all", "any", "uni", "ballot"});
  d.expect(mode == Ballot ? "b32" : "pred");
  if (mode < 0)
    return d.fail("expected '.all', '.any', '.uni' or '.ballot'");
  d.output(mode == Ballot ? 4 : 0);
  d.input(Type::Pred);
  d.input(Type::B32);
  d.instruction.data[0] = mode;
  d.converge(Convergence::Members, 2);
  d.handle(vote);
}

/// Operands: result, predicate if `data[1]`, value, members. `data[0]`: all.
template <typename T>
Outcome match(Warp &warp, const Instruction &in, LaneMask mask) {
  if (!checkMembers(warp, in, mask))
    return Outcome::Fault;
  const T *values = warp.lanes<T>(in[1 + in.data[1]]);
  LaneMask equalToAll = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    LaneMask members = membersOf(warp, in, lane, mask), equal = 0;
    for (LaneMask others = members; others; others &= others - 1)
      if (values[std::countr_zero(others)] == values[lane])
        equal |= others & -others;
    bool all = equal == members;
    equalToAll |= all ? 1u << lane : 0;
    warp.lanes<uint32_t>(in[0])[lane] = in.data[0] && !all ? 0 : equal;
  }
  if (in.data[1])
    warp.setPredicate(in[1], equalToAll, mask);
  return Outcome::Continue;
}

void decodeMatch(Decoding &d) {
  int mode = d.takeOneOf({"any", "all"});
  d.expect("sync");
  Type type = d.expectType();
  if (mode < 0)
    return d.fail("expected '.any' or '.all'");
  bool predicate = d.paired();
  d.output(4);
  if (predicate)
    d.output(0);
  d.input(type);
  d.input(Type::B32);
  d.instruction.data[0] = mode;
  d.instruction.data[1] = predicate;
  d.converge(Convergence::Members, predicate + 2);
  d.handle(typeBytes(type) == 8 ? match<uint64_t> : match<uint32_t>);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Operands: result, value, members.
template <auto op, typename T>
Outcome reduce(Warp &warp, const Instruction &in, LaneMask mask) {
  if (!checkMembers(warp, in, mask))
    return Outcome::Fault;
  T values[warpLanes];
  std::copy_n(warp.lanes<T>(in[1]), warpLanes, values);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    LaneMask others = membersOf(warp, in, lane, mask);
    T result = values[std::countr_zero(others)];
    for (others &= others - 1; others; others &= others - 1)
      result = op(result, values[std::countr_zero(others)]);
    warp.lanes<T>(in[0])[lane] = result;
  }
  return Outcome::Continue;
}

template <typename T> Handler reduceOf(int operation) {
  static constexpr Handler handlers[] = {
      reduce<[](T a, T b) -> T { return uint32_t(a) + uint32_t(b); }, T>,
      reduce<[](T a, T b) { return std::min(a, b); }, T>,
      reduce<[](T a, T b) { return std::max(a, b); }, T>,
      reduce<[](T a, T b) -> T { return a & b; }, T>,
      reduce<[](T a, T b) -> T { return a | b; }, T>,
      reduce<[](T a, T b) -> T { return a ^ b; }, T>};
  return handlers[operation];
}

void decodeRedux(Decoding &d) {
  d.expect("sync");
  int operation = d.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  Type type = d.expectType();
  d.output(4);
  d.input(type);
  d.input(Type::B32);
  if (operation < 0 || isFloatType(type))
    return d.fail("expected an operation on 32-bit integers");
  d.converge(Convergence::Members, 2);
  d.handle(type == Type::S32 ? reduceOf<int32_t>(operation)
                             : reduceOf<uint32_t>(operation));
}

//===----------------------------------------------------------------------===//
// Who is here
//===----------------------------------------------------------------------===//

void decodeActivemask(Decoding &d) {
  d.expect("b32");
  d.output(4);
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      warp.lanes<uint32_t>(in[0])[std::countr_zero(rest)] = mask;
    return Outcome::Continue;
  });
}

/// `elect.sync d|p, members`: the lowest member is elected.
void decodeElect(Decoding &d) {
  d.expect("sync");
  if (!d.paired())
    return d.fail("expected a lane and a predicate");
  d.output(4);
  d.output(0);
  d.input(Type::B32);
  d.converge(Convergence::Members, 2);
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    if (!checkMembers(warp, in, mask))
      return Outcome::Fault;
    LaneMask elected = 0;
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      unsigned leader = std::countr_zero(membersOf(warp, in, lane, mask));
      warp.lanes<uint32_t>(in[0])[lane] = leader;
      elected |= leader == lane ? 1u << lane : 0;
    }
    warp.setPredicate(in[1], elected, mask);
    return Outcome::Continue;
  });
}

} // namespace

std::span<const Opcode> emulated::warpOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"shfl", decodeShfl},   {"vote", decodeVote},
      {"match", decodeMatch}, {"redux", decodeRedux},
      {"elect", decodeElect}, {"activemask", decodeActivemask},
  };
  return opcodes;
}
