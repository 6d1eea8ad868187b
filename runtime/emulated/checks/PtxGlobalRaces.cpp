//===- PtxGlobalRaces.cpp -------------------------------------------------===//

#include "checks/PtxGlobalRaces.h"

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

GlobalRaces::Cell *GlobalRaces::cellsOf(size_t allocation, uint64_t number) {
  Page &page = pages[allocation][number];
  Cell *cells = page.load(std::memory_order_acquire);
  if (!cells) {
    auto fresh = std::make_unique<Cell[]>(pageCells);
    if (page.compare_exchange_strong(cells, fresh.get()))
      cells = fresh.release();
  }
  return cells;
}

inline std::optional<uint32_t> GlobalRaces::noteCell(Cell &cell, uint32_t block,
                                                     Access access) {
  constexpr std::memory_order relaxed = std::memory_order_relaxed;
  uint32_t self = block + 1;
  uint32_t writer = cell.writer.load(relaxed);
  if (writer && writer != self)
    return writer - 1;
  uint32_t reader = cell.reader.load(relaxed);
  if (access == Access::Read) {
    if (reader != self && reader != several)
      cell.reader.store(reader ? several : self, relaxed);
    return std::nullopt;
  }
  if (reader && reader != self)
    return reader == several ? (block ? 0 : 1) : reader - 1;
  if (!writer)
    cell.writer.store(self, relaxed);
  return std::nullopt;
}

std::optional<GlobalRaces::LaneRace>
GlobalRaces::note(uint32_t block, size_t allocation, const uint64_t *addresses,
                  uint32_t lanes, unsigned bytes, Access access) {
  uint64_t base = memory[allocation].address >> granuleShift;
  // Neighbouring lanes are mostly in the same page.
  uint64_t number = ~uint64_t(0), previous = ~uint64_t(0);
  Cell *cells = nullptr;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    uint64_t address = addresses[lane];
    // Lanes often read one address together.
    if (address == previous)
      continue;
    previous = address;
    uint64_t end = ((address + bytes - 1) >> granuleShift) - base;
    for (uint64_t i = (address >> granuleShift) - base; i <= end; ++i) {
      if (i / pageCells != number) {
        number = i / pageCells;
        cells = cellsOf(allocation, number);
      }
      if (auto other = noteCell(cells[i % pageCells], block, access))
        return LaneRace{lane, *other};
    }
  }
  return std::nullopt;
}
