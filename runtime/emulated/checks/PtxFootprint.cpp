//===- PtxFootprint.cpp ---------------------------------------------------===//

#include "checks/PtxFootprint.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

Footprint::Page &Footprint::page(uint64_t number) {
  Recent &slot = recent[number % recent.size()];
  if (slot.number != number)
    slot = {number, &pages[number]};
  return *slot.page;
}

void Footprint::mark(uint64_t begin, uint64_t end, Bits Page::*kind) {
  uint64_t word = begin / wordBytes, last = (end - 1) / wordBytes;
  while (word <= last) {
    Bits &bits = page(word / pageWords).*kind;
    unsigned inPage = word % pageWords, bit = inPage % 64;
    uint64_t count = std::min<uint64_t>(64 - bit, last - word + 1);
    bits[inPage / 64] |= (~uint64_t(0) >> (64 - count)) << bit;
    word += count;
  }
}

void Footprint::note(const uint64_t *addresses, uint32_t lanes, unsigned bytes,
                     bool isWrite) {
  note(addresses, lanes, bytes, isWrite ? &Page::written : &Page::read);
}

void Footprint::noteCached(const uint64_t *addresses, uint32_t lanes,
                           unsigned bytes) {
  note(addresses, lanes, bytes, &Page::cached);
}

uint64_t Footprint::staleWord() const {
  for (const auto &[number, page] : pages)
    for (size_t i = 0; i < page.cached.size(); ++i)
      if (uint64_t both = page.cached[i] & page.written[i])
        return (number * pageWords + i * 64 + std::countr_zero(both)) *
               wordBytes;
  return 0;
}

void Footprint::note(const uint64_t *addresses, uint32_t lanes, unsigned bytes,
                     Bits Page::*kind) {
  // Lanes mostly access one address, or addresses in a row.
  uint64_t begin = 0, end = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint64_t address = addresses[std::countr_zero(rest)];
    if (address == end) {
      end += bytes;
    } else if (address < begin || address + bytes > end) {
      if (end)
        mark(begin, end, kind);
      begin = address;
      end = address + bytes;
    }
  }
  if (end)
    mark(begin, end, kind);
}

void Footprint::add(const Footprint &other) {
  for (const auto &[number, page] : other.pages) {
    Page &own = pages[number];
    for (size_t i = 0; i < own.read.size(); ++i) {
      own.read[i] |= page.read[i];
      own.written[i] |= page.written[i];
      own.cached[i] |= page.cached[i];
    }
  }
}

/// Words that were written count as written even if they were read, too;
/// neighbouring words of one kind are one range.
std::vector<MemoryRange> Footprint::ranges() const {
  std::vector<uint64_t> numbers;
  for (const auto &entry : pages)
    numbers.push_back(entry.first);
  std::ranges::sort(numbers);
  std::vector<MemoryRange> ranges;
  auto append = [&](uint64_t word, uint64_t count, bool isWrite) {
    uint64_t begin = word * wordBytes, end = begin + count * wordBytes;
    if (!ranges.empty() && ranges.back().end == begin &&
        ranges.back().isWrite == isWrite)
      ranges.back().end = end;
    else
      ranges.push_back({begin, end, isWrite});
  };
  for (uint64_t number : numbers) {
    const Page &page = pages.at(number);
    for (unsigned i = 0; i < page.read.size(); ++i) {
      uint64_t written = page.written[i], read = page.read[i] & ~written;
      // Runs of equal bits, from the lowest.
      for (unsigned bit = 0; bit < 64;) {
        uint64_t in = written >> bit & 1 ? written : read;
        unsigned count = std::countr_one(in >> bit);
        if (count)
          append(number * pageWords + i * 64 + bit, count, in == written);
        else
          count = std::countr_zero((written | read) >> bit);
        bit += std::max(count, 1u);
      }
    }
  }
  return ranges;
}
