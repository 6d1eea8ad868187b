//===- PtxFootprint.h - What a launch accesses in global memory -----------===//

#ifndef TESSERA_RUNTIME_EMULATED_CHECKS_PTXFOOTPRINT_H
#define TESSERA_RUNTIME_EMULATED_CHECKS_PTXFOOTPRINT_H

#include "checks/PtxDeviceMemory.h"

#include <array>
#include <unordered_map>

namespace tessera::emulated {

/// Memory that others access at the same time as a launch.
struct Hazard {
  MemoryRange range;
  /// Who: `all_reduce 'g' at model.py:3`.
  std::string who;
};

/// What passes between a launch and the rest of its device.
struct LaunchTraffic {
  /// What the kernel must not write, or read if others write it; a fault if it
  /// does.
  std::vector<Hazard> hazards;
  /// What it accessed: ascending, disjoint, a write if anything in it was
  /// written. Filled by a launch that succeeds.
  std::vector<MemoryRange> accesses;
};

/// The words of 4 bytes that were accessed, as bits of pages. One thread at a
/// time.
class Footprint {
public:
  /// Notes an access to `bytes` bytes at the address of each lane of `lanes`.
  void note(const uint64_t *addresses, uint32_t lanes, unsigned bytes,
            bool isWrite);
  /// Notes that an access that `note` was told of went through the cache for
  /// memory that a launch only reads.
  void noteCached(const uint64_t *addresses, uint32_t lanes, unsigned bytes);
  /// A word that was read through it, and written; 0 if there is none.
  uint64_t staleWord() const;
  /// Adds what another one has.
  void add(const Footprint &other);
  /// As `LaunchTraffic::accesses`.
  std::vector<MemoryRange> ranges() const;

private:
  static constexpr unsigned wordBytes = 4, pageWords = 1024;
  using Bits = std::array<uint64_t, pageWords / 64>;
  struct Page {
    Bits read = {}, written = {}, cached = {};
  };

  Page &page(uint64_t number);
  void note(const uint64_t *addresses, uint32_t lanes, unsigned bytes,
            Bits Page::*kind);
  void mark(uint64_t begin, uint64_t end, Bits Page::*kind);

  std::unordered_map<uint64_t, Page> pages;
  /// Pages used lately, by the last bits of their numbers.
  struct Recent {
    uint64_t number = ~uint64_t(0);
    Page *page = nullptr;
  };
  std::array<Recent, 64> recent;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_CHECKS_PTXFOOTPRINT_H
