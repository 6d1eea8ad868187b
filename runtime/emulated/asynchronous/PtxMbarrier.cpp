//===- PtxMbarrier.cpp - mbarrier -----------------------------------------===//

#include "asynchronous/PtxAsync.h"

using namespace tessera;
using namespace tessera::emulated;

/// The object is noted as accessed atomically: its initialisation has to be
/// ordered before, by a barrier, but not the other accesses.
static std::byte *accessObject(Warp &warp, Space space, const Operand &address,
                               unsigned lane, Access access) {
  return warp.access(space, lane, warp.address(address, lane), 8, access);
}

std::optional<uint32_t> emulated::accessMbarrier(Warp &warp, Space space,
                                                 const Operand &address,
                                                 unsigned lane) {
  std::byte *object = accessObject(warp, space, address, lane, Access::Atomic);
  if (!object)
    return std::nullopt;
  uint32_t offset = sharedOffset(warp, object);
  if (warp.block().state<AsyncCopies>().barrier(offset))
    return offset;
  warp.fault(lane, "expected an mbarrier at shared address " +
                       std::to_string(offset) + ", where none was initialised");
  return std::nullopt;
}

/// Calls `use(lane, offset, barrier) -> Fallible<void>` for each of `lanes`.
template <typename Use>
static Outcome forEachBarrier(Warp &warp, const Instruction &instruction,
                              const Operand &address, LaneMask lanes, Use use) {
  auto &async = warp.block().state<AsyncCopies>();
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    std::optional<uint32_t> offset =
        accessMbarrier(warp, instruction.space, address, lane);
    if (!offset)
      return Outcome::Fault;
    Fallible<void> result = use(lane, *offset, *async.barrier(*offset));
    if (!result)
      return warp.fault(lane, result.message());
  }
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// init, inval, expect_tx, complete_tx
//===----------------------------------------------------------------------===//

static Outcome initBarrier(Warp &warp, const Instruction &instruction,
                           LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    std::byte *object = accessObject(warp, instruction.space, instruction[0],
                                     lane, Access::Write);
    if (!object)
      return Outcome::Fault;
    Fallible<void> result = async.create(
        sharedOffset(warp, object), warp.lanes<uint32_t>(instruction[1])[lane]);
    if (!result)
      return warp.fault(lane, result.message());
  }
  return Outcome::Continue;
}

static Outcome invalidateBarrier(Warp &warp, const Instruction &instruction,
                                 LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  return forEachBarrier(warp, instruction, instruction[0], lanes,
                        [&](unsigned, uint32_t offset, AsyncCopies::Barrier &) {
                          async.destroy(offset);
                          return Fallible<void>();
                        });
}

/// `data[0]`: whether bytes complete rather than being expected.
static Outcome countBytes(Warp &warp, const Instruction &instruction,
                          LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  return forEachBarrier(
      warp, instruction, instruction[0], lanes,
      [&](unsigned lane, uint32_t, AsyncCopies::Barrier &barrier) {
        uint32_t bytes = warp.lanes<uint32_t>(instruction[1])[lane];
        return async.update(barrier, Clock(), [&](Mbarrier &state) {
          return instruction.data[0] ? state.completeBytes(bytes)
                                     : state.expectBytes(bytes);
        });
      });
}

//===----------------------------------------------------------------------===//
// arrive
//===----------------------------------------------------------------------===//

namespace {
/// What the decoder of arrive keeps in `Instruction::data`.
enum ArriveData { ArriveKind, HasCount, HasState, Drops };
enum ArriveKinds : uint32_t { PlainArrive, ExpectingArrive, NoComplete };
} // namespace

/// The token of an arrival: the phase above the arrivals pending before.
static uint64_t stateOf(const Mbarrier &barrier) {
  return barrier.phase() << 20 | barrier.pendingArrivals();
}

static Fallible<void> arriveAt(Mbarrier &state, uint32_t kind, uint32_t number,
                               bool drops) {
  if (kind == NoComplete)
    return state.arriveWithoutCompleting(number);
  if (kind == PlainArrive)
    return state.arrive(number, drops);
  if (Fallible<void> result = state.expectBytes(number); !result)
    return result;
  return state.arrive(1, drops);
}

static Outcome arrive(Warp &warp, const Instruction &instruction,
                      LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  unsigned at = instruction.data[HasState];
  Clock clock;
  warp.block().races().release(warp.index(), clock);
  return forEachBarrier(
      warp, instruction, instruction[at], lanes,
      [&](unsigned lane, uint32_t, AsyncCopies::Barrier &barrier) {
        if (instruction.data[HasState])
          warp.lanes<uint64_t>(instruction[0])[lane] = stateOf(barrier.state);
        uint32_t number = instruction.data[HasCount]
                              ? warp.lanes<uint32_t>(instruction[at + 1])[lane]
                              : 1;
        return async.update(barrier, clock, [&](Mbarrier &state) {
          return arriveAt(state, instruction.data[ArriveKind], number,
                          instruction.data[Drops]);
        });
      });
}

static Outcome pendingCount(Warp &warp, const Instruction &instruction,
                            LaneMask lanes) {
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if (lanes >> lane & 1)
      warp.lanes<uint32_t>(instruction[0])[lane] =
          warp.lanes<uint64_t>(instruction[1])[lane] & Mbarrier::limit;
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// test_wait, try_wait
//===----------------------------------------------------------------------===//

namespace {
/// What the decoder of waits keeps in `Instruction::data`.
enum WaitData { ByParity, MayBlock };
} // namespace

static bool hasPassed(Warp &warp, const Instruction &instruction, unsigned lane,
                      const Mbarrier &state) {
  if (instruction.data[ByParity])
    return state.hasPassedParity(warp.lanes<uint32_t>(instruction[2])[lane]);
  return state.phase() > warp.lanes<uint64_t>(instruction[2])[lane] >> 20;
}

/// A try_wait is suspended while none of its lanes can go on, a test_wait never
/// is. What an mbarrier waits for is performed no sooner than somebody waits.
static Outcome waitBarrier(Warp &warp, const Instruction &instruction,
                           LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  bool mayBlock = instruction.data[MayBlock];
  LaneMask passed = 0;
  AsyncCopies::Barrier *open = nullptr;
  Clock clock;
  Outcome outcome = forEachBarrier(
      warp, instruction, instruction[1], lanes,
      [&](unsigned lane, uint32_t offset, AsyncCopies::Barrier &barrier) {
        while (!mayBlock && !hasPassed(warp, instruction, lane, barrier.state))
          if (!async.deliver(offset))
            break;
        if (hasPassed(warp, instruction, lane, barrier.state)) {
          passed |= LaneMask(1) << lane;
          clock.join(barrier.completed);
        } else {
          open = &barrier;
        }
        return async.failure() ? Fallible<void>(Failure{*async.failure()})
                               : Fallible<void>();
      });
  if (outcome != Outcome::Continue)
    return outcome;
  if (mayBlock && !passed)
    return warp.block("an mbarrier (% arrivals and % bytes pending)",
                      open->state.pendingArrivals(),
                      static_cast<uint64_t>(open->state.pendingBytes()));
  warp.block().races().acquire(warp.index(), clock);
  warp.setPredicate(instruction[0], passed, lanes);
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

Space emulated::takeSharedSpace(Decoding &d) {
  // The only block of a cluster is the executing one.
  for (std::string_view space : {"shared::cluster", "shared::cta", "shared"})
    if (d.take(space))
      return Space::Shared;
  return d.takeSpace();
}

/// Memory order and scope, which the emulator always takes to be the strongest.
static void takeOrder(Decoding &d) {
  d.takeOneOf({"release", "acquire", "relaxed"});
  d.takeOneOf({"cta", "cluster"});
}

static void decodeArrive(Decoding &d, bool drops) {
  uint32_t kind = d.take("expect_tx")    ? ExpectingArrive
                  : d.take("noComplete") ? NoComplete
                                         : PlainArrive;
  takeOrder(d);
  Space space = takeSharedSpace(d);
  d.expect("b64");
  // The token is missing where the mbarrier may be another block's.
  bool hasState = !d.nextText().empty();
  if (hasState)
    d.output(8);
  d.address(space);
  bool hasCount = d.left() > 0;
  if (hasCount)
    d.input(Type::U32);
  else if (kind != PlainArrive)
    d.fail("expected a count");
  d.instruction.data = {kind, hasCount, hasState, drops};
  d.handle(arrive);
}

static void decodeWait(Decoding &d, bool mayBlock) {
  bool byParity = d.take("parity");
  takeOrder(d);
  Space space = takeSharedSpace(d);
  d.expect("b64");
  d.output(0);
  d.address(space);
  d.input(byParity ? Type::U32 : Type::B64);
  if (mayBlock && d.left())
    d.input(Type::U32); // How long to be suspended at most.
  d.instruction.data[ByParity] = byParity;
  d.instruction.data[MayBlock] = mayBlock;
  d.handle(waitBarrier);
}

static void decodeBytes(Decoding &d, bool completes) {
  takeOrder(d);
  Space space = takeSharedSpace(d);
  d.expect("b64");
  d.address(space);
  d.input(Type::U32);
  d.instruction.data[0] = completes;
  d.handle(countBytes);
}

static void decodeMbarrier(Decoding &d) {
  if (d.take("arrive"))
    return decodeArrive(d, false);
  if (d.take("arrive_drop"))
    return decodeArrive(d, true);
  if (d.take("test_wait"))
    return decodeWait(d, false);
  if (d.take("try_wait"))
    return decodeWait(d, true);
  if (d.take("expect_tx"))
    return decodeBytes(d, false);
  if (d.take("complete_tx"))
    return decodeBytes(d, true);
  if (d.take("pending_count")) {
    d.expect("b64");
    d.output(4);
    d.input(Type::B64);
    return d.handle(pendingCount);
  }
  bool init = d.take("init");
  if (!init)
    d.expect("inval");
  Space space = takeSharedSpace(d);
  d.expect("b64");
  d.address(space);
  if (init)
    d.input(Type::U32);
  d.handle(init ? initBarrier : invalidateBarrier);
}

std::span<const Opcode> emulated::mbarrierOpcodes() {
  static constexpr Opcode opcodes[] = {{"mbarrier", decodeMbarrier}};
  return opcodes;
}
