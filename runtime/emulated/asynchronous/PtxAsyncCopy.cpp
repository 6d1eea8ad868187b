//===- PtxAsyncCopy.cpp - cp.async ----------------------------------------===//

#include "asynchronous/PtxAsync.h"

using namespace tessera;
using namespace tessera::emulated;

namespace {
/// What follows the addresses of a cp.async.
enum SourceForm : uint32_t {
  WholeSource,
  SizedSource,  ///< Operand 2: bytes to read; the rest is zero.
  IgnoredSource ///< Operand 2: a predicate; if true all is zero.
};
} // namespace

/// Starts cp.async: checks source and destination, the latter as written by the
/// asynchronous agent, and notes the copy. A lane reads as many bytes as the
/// instruction or its operand says, and zeros fill the rest.
static Outcome copyAsync(Warp &warp, const Instruction &instruction,
                         LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  async.beginWrite(warp);
  uint32_t bytes = instruction.bytes;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    uint32_t sourceBytes = bytes;
    if (instruction.data[0] == SizedSource)
      sourceBytes = warp.lanes<uint32_t>(instruction[2])[lane];
    else if (instruction.data[0] == IgnoredSource &&
             (warp.predicate(instruction[2]) >> lane & 1))
      sourceBytes = 0;
    if (sourceBytes > bytes)
      return warp.fault(lane, "expected cp.async to read at most " +
                                  std::to_string(bytes) + " bytes, got " +
                                  std::to_string(sourceBytes));
    std::byte *to =
        warp.accessAs(asynchronousAgent(warp.index()), Space::Shared, lane,
                      warp.address(instruction[0], lane), bytes, Access::Write);
    if (!to)
      return Outcome::Fault;
    uint64_t source = warp.address(instruction[1], lane);
    auto laneIndex = static_cast<uint8_t>(lane);
    if (sourceBytes) {
      std::byte *from = warp.access(Space::Global, lane, source, sourceBytes,
                                    Access::Read, bytes);
      if (!from)
        return Outcome::Fault;
      async.copies(warp).start({to, from, sourceBytes, laneIndex});
    }
    if (sourceBytes < bytes)
      async.copies(warp).start(
          {to + sourceBytes, nullptr, bytes - sourceBytes, laneIndex});
  }
  return Outcome::Continue;
}

static Outcome commitGroup(Warp &warp, const Instruction &, LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  async.copies(warp).commit(lanes, async.asyncClock(warp));
  return Outcome::Continue;
}

static Outcome waitGroup(Warp &warp, const Instruction &instruction,
                         LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  Clock clock;
  async.copies(warp).wait(lanes, instruction.data[0], clock);
  warp.block().races().acquire(warp.index(), clock);
  return Outcome::Continue;
}

static Outcome waitAll(Warp &warp, const Instruction &instruction,
                       LaneMask lanes) {
  commitGroup(warp, instruction, lanes);
  return waitGroup(warp, instruction, lanes); // data[0] is 0.
}

static Outcome arriveAfterCopies(Warp &warp, const Instruction &instruction,
                                 LaneMask lanes) {
  auto &async = warp.block().state<AsyncCopies>();
  bool counted = instruction.data[0];
  Clock clock = async.asyncClock(warp);
  warp.block().races().release(warp.index(), clock);
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    std::optional<uint32_t> offset =
        accessMbarrier(warp, instruction.space, instruction[0], lane);
    if (!offset)
      return Outcome::Fault;
    if (!counted)
      if (Fallible<void> result = async.barrier(*offset)->state.addPending();
          !result)
        return warp.fault(lane, result.message());
    async.arriveAfterCopies(warp, lane, *offset, clock);
  }
  return Outcome::Continue;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [mbarrier]
static void decodeArrive(Decoding &d) {
  d.expect("arrive");
  d.instruction.data[0] = d.take("noinc");
  Space space = takeSharedSpace(d);
  d.expect("b64");
  d.address(space);
  d.handle(arriveAfterCopies);
}

/// cp.async.ca|cg.shared.global [to], [from], bytes{, source bytes | ignore}
static void decodeCopy(Decoding &d) {
  bool wholeOnly = d.takeOneOf({"ca", "cg"}) == 1;
  takeSharedSpace(d);
  d.expect("global");
  d.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  bool hasHint = d.take("L2::cache_hint");
  d.address(Space::Shared);
  d.address(Space::Global);
  int64_t bytes = d.immediate();
  if (bytes != 16 && (wholeOnly || (bytes != 4 && bytes != 8)))
    d.fail("expected a cp.async of " +
           std::string(wholeOnly ? "16" : "4, 8 or 16") + " bytes");
  d.instruction.bytes = static_cast<uint8_t>(bytes);
  if (d.left() > (hasHint ? 1u : 0u)) {
    bool ignores = d.atPredicate();
    d.instruction.data[0] = ignores ? IgnoredSource : SizedSource;
    d.input(ignores ? Type::Pred : Type::U32);
  }
  if (hasHint)
    d.input(Type::B64);
  d.handle(copyAsync);
}

static void decodeCp(Decoding &d) {
  if (d.take("reduce"))
    return d.fail("cp.reduce is not emulated");
  d.expect("async");
  if (d.take("bulk"))
    return decodeBulkCopy(d);
  if (d.take("mbarrier"))
    return decodeArrive(d);
  if (d.take("commit_group"))
    return d.handle(commitGroup);
  if (d.take("wait_all"))
    return d.handle(waitAll);
  if (d.take("wait_group")) {
    d.instruction.data[0] = static_cast<uint32_t>(d.immediate());
    return d.handle(waitGroup);
  }
  decodeCopy(d);
}

std::span<const Opcode> emulated::copyOpcodes() {
  static constexpr Opcode opcodes[] = {{"cp", decodeCp}};
  return opcodes;
}
