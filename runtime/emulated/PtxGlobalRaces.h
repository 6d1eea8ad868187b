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

#ifndef TESSERA_RUNTIME_EMULATED_PTXGLOBALRACES_H
#define TESSERA_RUNTIME_EMULATED_PTXGLOBALRACES_H

#include "PtxDeviceMemory.h"
#include "PtxRaces.h"

#include <atomic>
#include <memory>
#include <vector>

namespace tessera::emulated {

/// Of one launch; used by all its threads at once.
class GlobalRaces {
public:
  /// `granule` (1, 2, 4, ... bytes) is the smallest unit of any access.
  GlobalRaces(const std::vector<Allocation> &memory, unsigned granule);
  ~GlobalRaces();

  /// Notes a plain access by block number `block` inside of allocation
  /// `allocation`. The number of a block that it races with, or -1.
  int64_t note(uint32_t block, size_t allocation, uint64_t address,
               unsigned bytes, Access access);

private:
  /// Numbers of blocks plus one; 0: none.
  struct Cell {
    std::atomic<uint32_t> writer = 0, reader = 0;
  };
  static constexpr uint32_t several = ~0u;
  static constexpr unsigned pageCells = 1024;
  using Page = std::atomic<Cell *>;

  Cell &cell(size_t allocation, uint64_t index);

  const std::vector<Allocation> &memory;
  unsigned granuleShift;
  std::vector<std::unique_ptr<Page[]>> pages;
  std::vector<size_t> pageCounts;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTXGLOBALRACES_H
