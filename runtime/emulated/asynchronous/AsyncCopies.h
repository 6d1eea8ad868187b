//===- AsyncCopies.h - What a block has started and not waited for --------===//

#ifndef TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_ASYNCCOPIES_H
#define TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_ASYNCCOPIES_H

#include "asynchronous/Mbarrier.h"
#include "execution/PtxWarp.h"

#include <deque>
#include <unordered_set>

namespace tessera::emulated {

/// A contiguous part of an asynchronous copy.
struct CopyRun {
  std::byte *to;
  const std::byte *from; ///< Null: zeros.
  uint32_t bytes;
  uint8_t lane;             ///< Of the thread that started it.
  bool roundToTF32 = false; ///< Elements are f32 that become TF32.
};

/// The asynchronous copies of a warp that threads wait for by counting groups:
/// cp.async, and bulk copies to global memory.
class CopyGroups {
public:
  void start(const CopyRun &run) { open.push_back(run); }

  /// Each of `lanes` closes a group of what it has started; `clock` is what
  /// happened before.
  void commit(LaneMask lanes, const Clock &clock);

  /// Performs all but the last `allowed` groups of each of `lanes`; joins what
  /// happened before them into `clock`.
  void wait(LaneMask lanes, unsigned allowed, Clock &clock);

  /// Takes everything of one lane out, committed or not.
  std::vector<CopyRun> take(unsigned lane);

  bool empty() const;

private:
  struct Group {
    LaneMask lanes;
    Clock clock;
    std::vector<CopyRun> runs;
  };
  std::vector<CopyRun> open;
  std::deque<Group> committed; ///< Oldest first.
};

/// The asynchronous state of a block: mbarriers and the copies on their way.
/// **Copies are performed as late as a kernel allows**: at the wait for their
/// group, or when nothing else can go on and something waits for their
/// mbarrier. A kernel that lacks a wait so reads stale data; that it does is
/// seen by the race detector, for which a copy is an access of the warp's
/// asynchronous agent that only the wait orders before those of the warp.
class AsyncCopies : public BlockState {
public:
  /// An mbarrier with what happened before its arrivals.
  struct Barrier {
    Mbarrier state;
    Clock arriving = {}, completed = {};
    /// Fences of the block before it was initialised.
    uint64_t fences = 0;
  };

  CopyGroups &copies(Warp &warp) { return copyGroups[warp.index()]; }
  CopyGroups &stores(Warp &warp) { return storeGroups[warp.index()]; }

  /// Creates an mbarrier at a shared offset.
  Fallible<void> create(uint32_t offset, uint32_t arrivals);
  /// Ends one, which exists.
  void destroy(uint32_t offset);
  /// The mbarrier at an offset; null if there is none.
  Barrier *barrier(uint32_t offset);

  /// Changes an mbarrier by `change(Mbarrier &) -> Fallible<void>`, where
  /// `clock` happened before; completes its phase in the detector too.
  template <typename Change>
  Fallible<void> update(Barrier &barrier, const Clock &clock, Change change) {
    uint64_t phase = barrier.state.phase();
    barrier.arriving.join(clock);
    Fallible<void> result = change(barrier.state);
    if (barrier.state.phase() != phase)
      barrier.completed.join(barrier.arriving);
    return result;
  }

  /// A bulk copy into shared memory begins: once performed, `bytes` are
  /// complete at the mbarrier at `barrier`.
  void load(uint32_t barrier, uint32_t bytes, const Clock &clock,
            std::vector<CopyRun> runs);

  /// An arrival at the mbarrier follows once a lane's cp.async so far are
  /// performed (cp.async.mbarrier.arrive).
  void arriveAfterCopies(Warp &warp, unsigned lane, uint32_t barrier,
                         const Clock &clock);

  /// Performs the oldest copy that the mbarrier at `barrier` waits for; false
  /// if there is none.
  bool deliver(uint32_t barrier);

  /// A fence between ordinary accesses and the asynchronous proxy by `warp`:
  /// what it did so far becomes visible to bulk copies and wgmma.
  void fence(Warp &warp);
  uint64_t fences() const { return fenceCount; }

  /// A fence of the tensor map at a global address: bulk copies of this block
  /// see what was written there before.
  void acquireMap(uint64_t address) { acquiredMaps.insert(address); }
  bool hasAcquiredMap(uint64_t address) const {
    return acquiredMaps.contains(address);
  }

  /// Orders what `warp` knows before what its asynchronous agent writes.
  void beginWrite(Warp &warp);
  /// The same before the agent reads shared memory in the asynchronous proxy:
  /// only what a fence has made visible.
  void beginProxyRead(Warp &warp);
  /// What the asynchronous agent of `warp` has done so far.
  Clock asyncClock(Warp &warp);

  /// What went wrong in a copy that no instruction waits for at that time.
  const std::optional<std::string> &failure() const { return deferredFailure; }

  bool advance(Block &block) override;
  std::optional<std::string> finish(Block &block) override;

private:
  struct Delivery {
    uint32_t barrier;
    uint32_t bytes; ///< To complete; 0: an arrival.
    Clock clock;
    std::vector<CopyRun> runs;
  };
  void perform(const Delivery &delivery);

  std::array<CopyGroups, maxWarps> copyGroups, storeGroups;
  std::unordered_map<uint32_t, Barrier> barriers;
  std::deque<Delivery> deliveries; ///< Oldest first.
  Clock fenced;
  uint64_t fenceCount = 0;
  std::unordered_set<uint64_t> acquiredMaps;
  std::optional<std::string> deferredFailure;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_ASYNCCOPIES_H
