//===- PtxRaces.cpp -------------------------------------------------------===//

#include "checks/PtxRaces.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

void Clock::join(const Clock &other) {
  for (unsigned i = 0; i < maxAgents; ++i)
    times[i] = std::max(times[i], other.times[i]);
}

void RaceDetector::begin(uint32_t sharedBytes, unsigned granule,
                         unsigned warps) {
  unsigned shift = std::countr_zero(granule);
  size_t count = (sharedBytes + granule - 1) >> shift;
  // Cells of earlier blocks are older than `start`: no need to clear them.
  if (cells.size() != count || shift != granuleShift || now > 1u << 31) {
    cells.assign(count, Cell());
    now = 0;
  }
  exactTimes.clear();
  freeClocks.clear();
  granuleShift = shift;
  warpCount = warps;
  start = ++now;
  knownOfWarps.fill(start - 1);
  for (unsigned agent = 0; agent < maxAgents; ++agent) {
    clocks[agent].times.fill(start - 1);
    clocks[agent].times[agent] = start;
  }
}

void RaceDetector::advance(Agent agent) {
  now = std::max(now, ++clocks[agent].times[agent]);
}

void RaceDetector::acquire(Agent agent, const Clock &clock) {
  uint32_t own = clocks[agent].times[agent];
  clocks[agent].join(clock);
  clocks[agent].times[agent] = own;
}

void RaceDetector::release(Agent agent, Clock &clock) {
  clock.join(clocks[agent]);
  advance(agent);
}

void RaceDetector::order(Agent from, Agent to) {
  Clock clock;
  release(from, clock);
  acquire(to, clock);
  knownOfWarps[to] = std::max(knownOfWarps[to], knownOfWarps[from]);
}

void RaceDetector::barrier(uint32_t warps, const Clock &clock) {
  uint32_t before = 0;
  for (uint32_t rest = warps; rest; rest &= rest - 1) {
    Agent warp = std::countr_zero(rest);
    before = std::max(before, clocks[warp].times[warp]);
  }
  bool isWhole = unsigned(std::popcount(warps)) == warpCount;
  for (uint32_t rest = warps; rest; rest &= rest - 1) {
    Agent warp = std::countr_zero(rest);
    Clock &own = clocks[warp];
    own.join(clock);
    for (uint32_t others = warps; others; others &= others - 1)
      own.times[std::countr_zero(others)] = before;
    own.times[warp] = before;
    advance(warp);
    if (isWhole)
      knownOfWarps[warp] = before;
  }
}

/// Gives a granule that several agents read at different times a clock.
void RaceDetector::share(Cell &cell) {
  if (freeClocks.empty()) {
    freeClocks.push_back(exactTimes.size() / (2 * warpCount));
    exactTimes.resize(exactTimes.size() + 2 * warpCount);
  }
  cell.clocks = freeClocks.back();
  freeClocks.pop_back();
  for (uint64_t rest = cell.readers; rest; rest &= rest - 1)
    exactTime(cell, std::countr_zero(rest)) = cell.readTime;
  cell.exact = true;
}

void RaceDetector::forgetReaders(Cell &cell) {
  if (cell.exact)
    freeClocks.push_back(cell.clocks);
  cell.exact = false;
  cell.readers = 0;
}

std::optional<Race> RaceDetector::read(Cell &cell, Agent agent, uint32_t who) {
  if (cell.writeTime < start)
    return Race{agent, Access::Read, 0, /*uninitialized=*/true};
  if (!knows(agent, cell.writer >> 24, cell.writeTime))
    return Race{cell.writer >> 24, cell.atomic ? Access::Atomic : Access::Write,
                cell.writer & 0xffffff, false};
  uint32_t own = clocks[agent].times[agent];
  uint64_t bit = uint64_t(1) << agent;
  cell.reader = who;
  if (cell.exact) {
    exactTime(cell, agent) = own;
    cell.readers |= bit;
    return std::nullopt;
  }
  bool superseded = cell.readTime != own;
  for (uint64_t rest = cell.readers & ~bit; superseded && rest;
       rest &= rest - 1)
    superseded = knows(agent, std::countr_zero(rest), cell.readTime);
  if (superseded) {
    cell.readers = bit;
    cell.readTime = own;
  } else if (cell.readTime == own) {
    cell.readers |= bit;
  } else {
    share(cell);
    exactTime(cell, agent) = own;
    cell.readers |= bit;
  }
  return std::nullopt;
}

std::optional<Race> RaceDetector::write(Cell &cell, Agent agent, uint32_t who,
                                        bool atomic) {
  bool fresh = cell.writeTime < start;
  if (!fresh && !(atomic && cell.atomic) &&
      !knows(agent, cell.writer >> 24, cell.writeTime))
    return Race{cell.writer >> 24, cell.atomic ? Access::Atomic : Access::Write,
                cell.writer & 0xffffff, false};
  if (fresh)
    cell.readers = 0, cell.exact = false;
  for (uint64_t rest = cell.readers; rest; rest &= rest - 1) {
    Agent reader = std::countr_zero(rest);
    uint32_t time = cell.exact ? exactTime(cell, reader) : cell.readTime;
    if (!knows(agent, reader, time))
      return Race{reader, Access::Read, cell.reader & 0xffffff, false};
  }
  forgetReaders(cell);
  cell.writeTime = clocks[agent].times[agent];
  cell.writer = who;
  cell.atomic = atomic;
  return std::nullopt;
}

/// The common cases: what others did to the granule since it was written was
/// before a barrier, or at the same time. False: `note` has to look closer.
inline bool RaceDetector::passes(Cell &cell, Agent agent, Access access,
                                 uint32_t who) {
  const Clock &clock = clocks[agent];
  uint32_t own = clock.times[agent];
  uint64_t bit = uint64_t(1) << agent;
  Agent writer = cell.writer >> 24;
  bool ordered = writer == agent || cell.writeTime <= clock.times[writer];
  if (cell.exact || !ordered)
    return false;
  bool alone =
      (cell.readers & ~bit) == 0 ||
      (cell.readTime <= knownOfWarps[agent] && cell.readers >> maxWarps == 0);
  if (access == Access::Read) {
    if (cell.writeTime < start || (cell.readTime != own && !alone))
      return false;
    cell.readers = cell.readTime == own ? cell.readers | bit : bit;
    cell.readTime = own;
    cell.reader = who;
    return true;
  }
  if (access != Access::Write || !alone)
    return false;
  cell.readers = 0;
  cell.writeTime = own;
  cell.writer = who;
  cell.atomic = false;
  return true;
}

std::optional<Race> RaceDetector::note(Cell &cell, Agent agent, Access access,
                                       uint32_t who) {
  switch (access) {
  case Access::Read:
    return read(cell, agent, who);
  case Access::AtomicRead:
    if (cell.writeTime >= start && !cell.atomic &&
        !knows(agent, cell.writer >> 24, cell.writeTime))
      return Race{cell.writer >> 24, Access::Write, cell.writer & 0xffffff,
                  false};
    return std::nullopt;
  case Access::Write:
  case Access::Atomic:
    return write(cell, agent, who, access == Access::Atomic);
  }
  return std::nullopt;
}

std::optional<RaceDetector::LaneRace>
RaceDetector::accessLanes(Agent agent, Access access, const uint64_t *offsets,
                          uint32_t lanes, uint32_t bytes,
                          uint32_t instruction) {
  uint32_t who = agent << 24 | (instruction & 0xffffff);
  // Lanes often access one granule together. The granules that were noted, by
  // their last bits.
  std::array<uint64_t, 32> noted;
  noted.fill(~uint64_t(0));
  unsigned shift = std::countr_zero(bytes);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    uint64_t &slot = noted[(offsets[lane] >> shift) % noted.size()];
    if (slot == offsets[lane])
      continue;
    slot = offsets[lane];
    uint32_t end = (offsets[lane] + bytes - 1) >> granuleShift;
    for (uint32_t i = offsets[lane] >> granuleShift; i <= end; ++i)
      if (!passes(cells[i], agent, access, who))
        if (std::optional<Race> race = note(cells[i], agent, access, who))
          return LaneRace{lane, *race};
  }
  return std::nullopt;
}

std::optional<Race> RaceDetector::access(Agent agent, Access access,
                                         uint32_t offset, uint32_t bytes,
                                         uint32_t instruction) {
  uint64_t wide = offset;
  std::optional<LaneRace> race =
      accessLanes(agent, access, &wide, /*lanes=*/1, bytes, instruction);
  return race ? std::optional(race->race) : std::nullopt;
}
