//===- AsyncCopies.cpp ----------------------------------------------------===//

#include "asynchronous/AsyncCopies.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

/// Rounds an f32 to the nearest TF32 (ten bits of mantissa), ties to even.
static uint32_t roundedToTF32(uint32_t bits) {
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return bits;
  return (bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu;
}

static void perform(const CopyRun &run) {
  if (!run.from) {
    std::memset(run.to, 0, run.bytes);
    return;
  }
  std::memcpy(run.to, run.from, run.bytes);
  if (!run.roundToTF32)
    return;
  for (uint32_t i = 0; i < run.bytes; i += 4) {
    uint32_t word;
    std::memcpy(&word, run.to + i, 4);
    word = roundedToTF32(word);
    std::memcpy(run.to + i, &word, 4);
  }
}

//===----------------------------------------------------------------------===//
// CopyGroups
//===----------------------------------------------------------------------===//

/// Moves the runs of `lanes` from `from` to the end of `to`, in order.
static void moveRuns(std::vector<CopyRun> &from, LaneMask lanes,
                     std::vector<CopyRun> &to) {
  auto kept = from.begin();
  for (const CopyRun &run : from) {
    if (lanes >> run.lane & 1)
      to.push_back(run);
    else
      *kept++ = run;
  }
  from.erase(kept, from.end());
}

void CopyGroups::commit(LaneMask lanes, const Clock &clock) {
  Group group{lanes, clock, {}};
  moveRuns(open, lanes, group.runs);
  committed.push_back(std::move(group));
}

void CopyGroups::wait(LaneMask lanes, unsigned allowed, Clock &clock) {
  // From the newest group on, count how many of its own each lane has seen.
  std::array<unsigned, warpLanes> seen = {};
  std::vector<LaneMask> due(committed.size(), 0);
  for (size_t i = committed.size(); i-- > 0;)
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      if ((lanes & committed[i].lanes) >> lane & 1)
        if (seen[lane]++ >= allowed)
          due[i] |= LaneMask(1) << lane;
  for (size_t i = 0; i < committed.size(); ++i) {
    if (!due[i])
      continue;
    std::vector<CopyRun> runs;
    moveRuns(committed[i].runs, due[i], runs);
    for (const CopyRun &run : runs)
      ::perform(run);
    committed[i].lanes &= ~due[i];
    clock.join(committed[i].clock);
  }
  while (!committed.empty() && !committed.front().lanes)
    committed.pop_front();
}

std::vector<CopyRun> CopyGroups::take(unsigned lane) {
  std::vector<CopyRun> runs;
  for (Group &group : committed)
    moveRuns(group.runs, LaneMask(1) << lane, runs);
  moveRuns(open, LaneMask(1) << lane, runs);
  return runs;
}

bool CopyGroups::empty() const {
  return open.empty() &&
         std::all_of(committed.begin(), committed.end(),
                     [](const Group &group) { return group.runs.empty(); });
}

//===----------------------------------------------------------------------===//
// AsyncCopies
//===----------------------------------------------------------------------===//

Fallible<void> AsyncCopies::create(uint32_t offset, uint32_t arrivals) {
  if (barriers.contains(offset))
    return Failure{"initialises an mbarrier that exists and was not "
                   "invalidated"};
  Fallible<Mbarrier> state = Mbarrier::init(arrivals);
  if (!state)
    return state.failure();
  barriers.emplace(offset, Barrier{*state, {}, {}, fenceCount});
  return {};
}

void AsyncCopies::destroy(uint32_t offset) { barriers.erase(offset); }

AsyncCopies::Barrier *AsyncCopies::barrier(uint32_t offset) {
  auto found = barriers.find(offset);
  return found == barriers.end() ? nullptr : &found->second;
}

void AsyncCopies::load(uint32_t barrier, uint32_t bytes, const Clock &clock,
                       std::vector<CopyRun> runs) {
  deliveries.push_back({barrier, bytes, clock, std::move(runs)});
}

void AsyncCopies::arriveAfterCopies(Warp &warp, unsigned lane, uint32_t barrier,
                                    const Clock &clock) {
  deliveries.push_back({barrier, 0, clock, copies(warp).take(lane)});
}

void AsyncCopies::perform(const Delivery &delivery) {
  for (const CopyRun &run : delivery.runs)
    ::perform(run);
  Barrier *target = barrier(delivery.barrier);
  if (!target) {
    deferredFailure = "a bulk copy completes at an mbarrier that does not "
                      "exist any more";
    return;
  }
  Fallible<void> result = update(*target, delivery.clock, [&](Mbarrier &state) {
    return delivery.bytes ? state.completeBytes(delivery.bytes)
                          : state.arrive(1);
  });
  if (!result)
    deferredFailure = result.message();
}

bool AsyncCopies::deliver(uint32_t barrier) {
  auto found = std::find_if(
      deliveries.begin(), deliveries.end(),
      [&](const Delivery &delivery) { return delivery.barrier == barrier; });
  if (found == deliveries.end())
    return false;
  Delivery delivery = std::move(*found);
  deliveries.erase(found);
  perform(delivery);
  return true;
}

bool AsyncCopies::advance(Block &) {
  return !deliveries.empty() && deliver(deliveries.front().barrier);
}

std::optional<std::string> AsyncCopies::finish(Block &) {
  if (deferredFailure)
    return deferredFailure;
  if (!deliveries.empty())
    return std::to_string(deliveries.size()) +
           " bulk copies into shared memory were never waited for";
  for (const CopyGroups &groups : storeGroups)
    if (!groups.empty())
      return "bulk copies out of shared memory were never waited for";
  return std::nullopt;
}

void AsyncCopies::fence(Warp &warp) {
  ++fenceCount;
  warp.block().races().release(warp.index(), fenced);
}

void AsyncCopies::beginWrite(Warp &warp) {
  warp.block().races().order(warp.index(), asynchronousAgent(warp.index()));
}

void AsyncCopies::beginProxyRead(Warp &warp) {
  Clock clock;
  RaceDetector &races = warp.block().races();
  races.release(warp.index(), clock);
  for (unsigned i = 0; i < maxWarps; ++i)
    clock.times[i] = std::min(clock.times[i], fenced.times[i]);
  races.acquire(asynchronousAgent(warp.index()), clock);
}

Clock AsyncCopies::asyncClock(Warp &warp) {
  Clock clock;
  warp.block().races().release(asynchronousAgent(warp.index()), clock);
  return clock;
}
