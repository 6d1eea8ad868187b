//===- PtxGlobalRaces.cpp -------------------------------------------------===//

#include "PtxGlobalRaces.h"

#include <bit>

using namespace tessera;
using namespace tessera::emulated;

GlobalRaces::GlobalRaces(const std::vector<Allocation> &memory,
                         unsigned granule)
    : memory(memory), granuleShift(std::countr_zero(granule)) {
  for (const Allocation &allocation : memory) {
    // Granules are aligned as addresses are; the first may begin earlier.
    uint64_t cells = (allocation.bytes >> granuleShift) + 2;
    pageCounts.push_back(cells / pageCells + 1);
    pages.push_back(std::make_unique<Page[]>(pageCounts.back()));
  }
}

GlobalRaces::~GlobalRaces() {
  for (size_t i = 0; i < pages.size(); ++i)
    for (size_t j = 0; j < pageCounts[i]; ++j)
      delete[] pages[i][j].load();
}

GlobalRaces::Cell &GlobalRaces::cell(size_t allocation, uint64_t index) {
  Page &page = pages[allocation][index / pageCells];
  Cell *cells = page.load(std::memory_order_acquire);
  if (!cells) {
    auto fresh = std::make_unique<Cell[]>(pageCells);
    if (page.compare_exchange_strong(cells, fresh.get()))
      cells = fresh.release();
  }
  return cells[index % pageCells];
}

int64_t GlobalRaces::note(uint32_t block, size_t allocation, uint64_t address,
                          unsigned bytes, Access access) {
  constexpr std::memory_order relaxed = std::memory_order_relaxed;
  uint32_t self = block + 1;
  uint64_t base = memory[allocation].address >> granuleShift;
  uint64_t begin = (address >> granuleShift) - base;
  uint64_t end = ((address + bytes - 1) >> granuleShift) - base;
  for (uint64_t i = begin; i <= end; ++i) {
    Cell &cell = this->cell(allocation, i);
    uint32_t writer = cell.writer.load(relaxed);
    if (writer && writer != self)
      return writer - 1;
    uint32_t reader = cell.reader.load(relaxed);
    if (access == Access::Read) {
      if (reader != self && reader != several)
        cell.reader.store(reader ? several : self, relaxed);
      continue;
    }
    if (reader && reader != self)
      return reader == several ? (block ? 0 : 1) : reader - 1;
    if (!writer)
      cell.writer.store(self, relaxed);
  }
  return -1;
}
