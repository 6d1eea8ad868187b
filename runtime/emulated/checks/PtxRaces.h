//===- PtxRaces.h - Happens-before on the shared memory of a block --------===//
//
// Elsewhere: vector clocks, happens-before.
//
// Vector clocks as in FastTrack (Flanagan, Freund 2009), with warps as threads.
// The agents of a block are its warps (0 .. 31) and, for each warp, the engine
// that performs what it starts asynchronously (32 + warp). Each agent has a
// clock: for every agent, the time up to which that one's accesses are known to
// have happened before. An access is a race if an earlier one to the same
// granule, one of the two being a write, is not known.
//
// Block-wide barriers give all warps one time, and each counts on from it, so
// that warps that do the same have the same time. A granule read by many warps
// since a barrier then needs one time and a set of readers. Where readers'
// times differ, an exact clock per granule takes over.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_CHECKS_PTXRACES_H
#define TESSERA_RUNTIME_EMULATED_CHECKS_PTXRACES_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::emulated {

/// A warp of a block, or (32 + warp) the engine of its asynchronous operations.
using Agent = unsigned;
inline constexpr unsigned maxWarps = 32, maxAgents = 64;
inline Agent asynchronousAgent(unsigned warp) { return maxWarps + warp; }

/// What happened before something, or what a synchronisation object (a
/// barrier, an mbarrier) hands from those that arrive to those that wait.
struct Clock {
  std::array<uint32_t, maxAgents> times = {};

  void join(const Clock &other);
};

/// Atomic ones (`atom`, `red`, and strong loads and stores: `.volatile`,
/// `.relaxed`, `.acquire`, `.release`) do not race with one another.
enum class Access : uint8_t { Read, Write, Atomic, AtomicRead };

/// An earlier access that is not ordered before the present one.
struct Race {
  Agent agent;
  Access access;
  /// Index of the instruction that made it.
  uint32_t instruction;
  /// Nobody has written what is being read.
  bool uninitialized;
};

class RaceDetector {
public:
  /// Begins a block: nothing is written, all agents start in parallel.
  /// `granule` (1, 2, 4, ... bytes) is the smallest unit of any access, `warps`
  /// how many there are.
  void begin(uint32_t sharedBytes, unsigned granule, unsigned warps = maxWarps);

  /// What `clock` holds happened before everything `agent` does from now on.
  void acquire(Agent agent, const Clock &clock);
  /// Everything `agent` did so far will happen before whoever acquires `clock`.
  void release(Agent agent, Clock &clock);
  /// Everything that `from` did happens before what `to` does from now on.
  void order(Agent from, Agent to);
  /// All of `warps` wait for one another (`clock` holds what they released).
  void barrier(uint32_t warps, const Clock &clock);

  /// Notes an access of `bytes` bytes at `offset` by instruction `instruction`.
  std::optional<Race> access(Agent agent, Access access, uint32_t offset,
                             uint32_t bytes, uint32_t instruction);

  /// A lane of a warp's access and what that races with.
  struct LaneRace {
    unsigned lane;
    Race race;
  };
  /// The same for `bytes` bytes at the offset of each lane of `lanes`.
  std::optional<LaneRace> accessLanes(Agent agent, Access access,
                                      const uint64_t *offsets, uint32_t lanes,
                                      uint32_t bytes, uint32_t instruction);

private:
  /// Of one granule: its last write, and the reads since.
  struct Cell {
    uint32_t writeTime = 0, readTime = 0;
    /// Agent in the upper 8 bits, instruction in the lower 24.
    uint32_t writer = 0, reader = 0;
    /// Who read it at `readTime`; if `exact`, the times stand in `clocks`.
    uint64_t readers = 0;
    uint32_t clocks = 0;
    bool atomic = false, exact = false;
  };

  bool passes(Cell &cell, Agent agent, Access access, uint32_t who);
  /// Counts on the time of `agent`.
  void advance(Agent agent);
  std::optional<Race> note(Cell &cell, Agent agent, Access access,
                           uint32_t who);
  std::optional<Race> read(Cell &cell, Agent agent, uint32_t who);
  std::optional<Race> write(Cell &cell, Agent agent, uint32_t who, bool atomic);
  bool knows(Agent agent, Agent other, uint32_t time) const {
    return agent == other || time <= clocks[agent].times[other];
  }
  void share(Cell &cell);
  void forgetReaders(Cell &cell);
  /// When `agent` read a granule with an exact clock.
  uint32_t &exactTime(const Cell &cell, Agent agent) {
    unsigned index = agent < maxWarps ? agent : agent - maxWarps + warpCount;
    return exactTimes[cell.clocks * 2 * warpCount + index];
  }

  unsigned granuleShift = 0, warpCount = maxWarps;
  /// The time at which the block began, and the latest one.
  uint32_t start = 0, now = 0;
  std::array<Clock, maxAgents> clocks;
  /// Up to when each agent knows what all warps did (0: it may be less).
  std::array<uint32_t, maxAgents> knownOfWarps = {};
  std::vector<Cell> cells;
  /// Exact clocks: for each the times of the warps, then of their engines.
  std::vector<uint32_t> exactTimes;
  std::vector<uint32_t> freeClocks;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_CHECKS_PTXRACES_H
