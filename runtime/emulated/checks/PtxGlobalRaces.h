//===- PtxGlobalRaces.h - Blocks that touch each other's memory -----------===//
//
// Blocks of a grid run in any order and at the same time, so that one must not
// plainly read or write what another one plainly wrote in the same launch. Of
// every granule of global memory that a launch touches we keep the block that
// wrote it and the block (or that several) read it. A block that has used an
// atomic or strong access on global memory may have synchronised with any
// other; from then on its accesses are not checked. Faults are therefore
// always real, while races behind such an access go unseen.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_CHECKS_PTXGLOBALRACES_H
#define TESSERA_RUNTIME_EMULATED_CHECKS_PTXGLOBALRACES_H

#include "checks/PtxDeviceMemory.h"
#include "checks/PtxRaces.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::emulated {

/// Of one launch; used by all its threads at once.
class GlobalRaces {
public:
  /// `granule` (1, 2, 4, ... bytes) is the smallest unit of any access.
  GlobalRaces(const std::vector<Allocation> &memory, unsigned granule);
  ~GlobalRaces();

  /// A lane of an access and the number of a block that it races with.
  struct LaneRace {
    unsigned lane;
    uint32_t block;
  };
  /// Notes a plain access by block number `block` to `bytes` bytes at the
  /// address of each lane of `lanes`, all inside of allocation `allocation`.
  std::optional<LaneRace> note(uint32_t block, size_t allocation,
                               const uint64_t *addresses, uint32_t lanes,
                               unsigned bytes, Access access);

private:
  /// Numbers of blocks plus one; 0: none.
  struct Cell {
    std::atomic<uint32_t> writer = 0, reader = 0;
  };
  static constexpr uint32_t several = ~0u;
  static constexpr unsigned pageCells = 1024;
  using Page = std::atomic<Cell *>;

  Cell *cellsOf(size_t allocation, uint64_t page);
  static std::optional<uint32_t> noteCell(Cell &cell, uint32_t block,
                                          Access access);

  const std::vector<Allocation> &memory;
  unsigned granuleShift;
  std::vector<std::unique_ptr<Page[]>> pages;
  std::vector<size_t> pageCounts;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_CHECKS_PTXGLOBALRACES_H
