//===- PtxControl.cpp - Branches, exits and barriers ----------------------===//

#include "execution/PtxWarp.h"
#include "ptx/PtxDecoder.h"

#include <bit>

using namespace tessera;
using namespace tessera::emulated;

namespace {

Outcome nothing(Warp &, const Instruction &, LaneMask) {
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void decodeBra(Decoding &d) {
  d.take("uni");
  d.label();
  d.handle(
      [](Warp &, const Instruction &, LaneMask) { return Outcome::Branch; });
}

void decodeBrx(Decoding &d) {
  d.expect("idx");
  d.take("uni");
  d.input(Type::U32);
  d.targets();
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      uint32_t index = warp.lanes<uint32_t>(in[0])[lane];
      if (index >= in.data[1])
        return warp.fault(lane, "branch to target " + std::to_string(index) +
                                    " of a list of " +
                                    std::to_string(in.data[1]));
    }
    return Outcome::BranchIndexed;
  });
}

void decodeExit(Decoding &d) {
  d.take("uni");
  d.handle([](Warp &, const Instruction &, LaneMask) { return Outcome::Exit; });
}

void decodeTrap(Decoding &d) {
  d.handle([](Warp &warp, const Instruction &, LaneMask mask) {
    return warp.fault(std::countr_zero(mask), "trap");
  });
}

//===----------------------------------------------------------------------===//
// Barriers of a block
//===----------------------------------------------------------------------===//

/// `bar` and `barrier`, in `Instruction::data`.
enum Data : unsigned { Form, HasCount, Aligned, FirstOperand };
enum Forms : uint32_t { Sync, Arrive, CountTrue, AllTrue, AnyTrue };

bool reduces(const Instruction &in) { return in.data[Form] >= CountTrue; }

/// Writes the result of `bar.red`; operands[0].
void writeReduction(Warp &warp, const Instruction &in, LaneMask mask,
                    const NamedBarrier &barrier) {
  if (in.data[Form] == CountTrue) {
    for (LaneMask rest = mask; rest; rest &= rest - 1)
      warp.lanes<uint32_t>(in[0])[std::countr_zero(rest)] = barrier.result;
    return;
  }
  bool value = in.data[Form] == AllTrue ? barrier.result == barrier.participants
                                        : barrier.result != 0;
  warp.setPredicate(in[0], value ? allLanes : 0, mask);
}

/// All that were expected have arrived.
void complete(Block &block, NamedBarrier &barrier) {
  block.races().barrier(barrier.warps, barrier.arriving);
  barrier.result = barrier.count;
  barrier.participants = barrier.expected;
  barrier.arriving = Clock();
  barrier.arrived = barrier.expected = barrier.warps = barrier.count = 0;
  ++barrier.generation;
}

Outcome barrier(Warp &warp, const Instruction &in, LaneMask mask) {
  Block &block = warp.block();
  unsigned first = std::countr_zero(mask), operand = in.data[FirstOperand];
  uint32_t id = warp.lanes<uint32_t>(in[operand])[first];
  if (id >= 16)
    return warp.fault(first, "expected a barrier below 16, got barrier " +
                                 std::to_string(id));
  NamedBarrier &barrier = block.barrier(id);
  constexpr const char *waiting = "barrier %, where % threads have arrived";
  if (warp.token()) {
    if (barrier.generation < warp.token())
      return warp.block(waiting, id, barrier.arrived);
    if (reduces(in))
      writeReduction(warp, in, mask, barrier);
    return Outcome::Continue;
  }
  uint32_t expected = block.threads(), arriving = std::popcount(mask);
  if (in.data[HasCount]) {
    expected = warp.lanes<uint32_t>(in[operand + 1])[first];
    // Aligned barriers with a count count warps.
    if (in.data[Aligned])
      arriving = warpLanes;
    if (expected == 0 || expected % warpLanes)
      return warp.fault(first, "expected a multiple of 32 threads at barrier " +
                                   std::to_string(id) + ", got " +
                                   std::to_string(expected));
  }
  if (barrier.expected && barrier.expected != expected)
    return warp.fault(first, "barrier " + std::to_string(id) + " is for " +
                                 std::to_string(expected) +
                                 " threads here, but for " +
                                 std::to_string(barrier.expected) +
                                 " to those that have arrived");
  barrier.expected = expected;
  barrier.arrived += arriving;
  if (barrier.arrived > expected)
    return warp.fault(first, "more threads than the expected " +
                                 std::to_string(expected) +
                                 " arrive at barrier " + std::to_string(id));
  block.races().release(warp.index(), barrier.arriving);
  if (in.data[Form] != Arrive)
    barrier.warps |= 1u << warp.index();
  if (reduces(in))
    barrier.count += std::popcount(
        warp.predicate(in[operand + 1 + in.data[HasCount]]) & mask);
  uint64_t generation = barrier.generation;
  if (barrier.arrived == expected)
    complete(block, barrier);
  else if (in.data[Form] != Arrive) {
    warp.token() = generation + 1;
    return warp.block(waiting, id, barrier.arrived);
  }
  if (reduces(in))
    writeReduction(warp, in, mask, barrier);
  return Outcome::Continue;
}

/// A block is a cluster of its own: what others of the cluster would do is
/// done.
void decodeClusterBarrier(Decoding &d) {
  if (d.takeOneOf({"arrive", "wait"}) < 0)
    return d.fail("expected '.arrive' or '.wait'");
  d.takeOneOf({"release", "acquire", "relaxed"});
  if (d.take("aligned"))
    d.converge(Convergence::Warp);
  d.instruction.data = {Sync, 0, 0, 0};
  d.handle(nothing);
}

/// `bar.sync` is `barrier.sync.aligned`.
template <bool alwaysAligned> void decodeBarrier(Decoding &d) {
  d.take("cta");
  if (!alwaysAligned && d.take("cluster"))
    return decodeClusterBarrier(d);
  bool aligned = d.take("aligned") || alwaysAligned;
  if (aligned)
    d.converge(Convergence::Warp);
  int form = d.takeOneOf({"sync", "arrive", "red"});
  bool reduce = form == 2;
  if (reduce) {
    int operation = d.takeOneOf({"popc", "and", "or"});
    form = operation < 0 ? form : CountTrue + operation;
    Type type = d.expectType();
    if (operation < 0 || (type == Type::Pred) != (form != CountTrue))
      return d.fail("expected '.popc.u32', '.and.pred' or '.or.pred'");
    d.output(typeBytes(type));
  } else if (form < 0) {
    return d.fail("expected '.sync', '.arrive' or '.red'");
  }
  d.input(Type::U32);
  bool hasCount = d.left() > (reduce ? 1 : 0);
  if (hasCount)
    d.input(Type::U32);
  if (reduce)
    d.input(Type::Pred);
  if (form == Arrive && !hasCount)
    return d.fail("expected a number of threads");
  d.instruction.data = {static_cast<uint32_t>(form), hasCount, aligned, reduce};
  d.handle(barrier);
}

/// `bar.warp.sync members` shares its first word with the barriers of a block.
void decodeBar(Decoding &d) {
  if (!d.take("warp"))
    return decodeBarrier<true>(d);
  d.expect("sync");
  d.input(Type::B32);
  d.converge(Convergence::Members, 0);
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      if (!(warp.lanes<uint32_t>(in[0])[lane] >> lane & 1))
        return warp.fault(lane, "the lane is not in its own member mask");
    }
    return Outcome::Continue;
  });
}

//===----------------------------------------------------------------------===//
// Without effect
//===----------------------------------------------------------------------===//

/// Memory is sequentially consistent here; see the rationale on races.
void decodeMembar(Decoding &d) {
  if (d.takeOneOf({"cta", "gl", "sys"}) < 0)
    return d.fail("expected '.cta', '.gl' or '.sys'");
  d.handle(nothing);
}

void decodeNanosleep(Decoding &d) {
  d.expect("u32");
  d.input(Type::U32);
  d.handle(nothing);
}

void decodePmevent(Decoding &d) {
  d.take("mask");
  d.immediate();
  d.handle(nothing);
}

/// Grids run one after another.
void decodeGriddepcontrol(Decoding &d) {
  if (d.takeOneOf({"wait", "launch_dependents"}) < 0)
    return d.fail("expected '.wait' or '.launch_dependents'");
  d.handle(nothing);
}

} // namespace

std::span<const Opcode> emulated::controlOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"bra", decodeBra},         {"brx", decodeBrx},
      {"ret", decodeExit},        {"exit", decodeExit},
      {"trap", decodeTrap},       {"brkpt", decodeTrap},
      {"bar", decodeBar},         {"barrier", decodeBarrier<false>},
      {"membar", decodeMembar},   {"nanosleep", decodeNanosleep},
      {"pmevent", decodePmevent}, {"griddepcontrol", decodeGriddepcontrol},
  };
  return opcodes;
}
