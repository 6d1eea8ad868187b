//===- MemoryGuards.cpp - Whether a rank keeps to its memory --------------===//

#include "MemoryGuards.h"

#include <algorithm>
#include <cstring>

using namespace tessera::runtime;

using Problem = MemoryGuards::Problem;

/// Fills red zones, and memory that nobody has written: as a float -2.9e-16, as
/// an integer far off any index.
static constexpr int poison = 0xA5;

/// Of the bytes; any change of one word changes it.
static uint64_t checksumOf(const std::byte *begin, int64_t bytes) {
  constexpr uint64_t factor = 0x9E3779B97F4A7C15;
  uint64_t sum = static_cast<uint64_t>(bytes), word = 0;
  for (; bytes >= 8; begin += 8, bytes -= 8) {
    std::memcpy(&word, begin, 8);
    sum = (sum ^ word) * factor;
    sum ^= sum >> 29;
  }
  word = 0;
  std::memcpy(&word, begin, bytes);
  return (sum ^ word) * factor;
}

static std::string bytesText(int64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string MemoryGuards::Writer::describe() const {
  return site ? std::string(kind) + " '" + site->name + "' at " + site->location
              : kind;
}

std::string MemoryGuards::describe(Range range) const {
  const Block *block = blockAt(range.begin);
  if (!block)
    return bytesText(range.bytes) + " outside of the rank's memory";
  return bytesText(range.bytes) + " at byte " +
         std::to_string(range.begin - block->begin) + " of " + block->name;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void MemoryGuards::addBlock(std::string name, std::byte *begin, int64_t bytes) {
  std::memset(begin - redZone, poison, bytes + 2 * redZone);
  blocks[begin] = {std::move(name), begin, bytes};
}

void MemoryGuards::setBlock(const void *begin) {
  Block &block = blocks.at(static_cast<const std::byte *>(begin));
  block.isSet = true;
  record({block.begin, block.bytes}, {"the job, from outside", nullptr}, false);
}

void MemoryGuards::beginStep() {
  flights.clear();
  for (const auto &[address, block] : blocks) {
    if (block.isSet)
      continue;
    std::memset(block.begin, poison, block.bytes);
    ledger.erase(ledger.lower_bound(block.begin),
                 ledger.lower_bound(block.begin + block.bytes));
  }
}

/// The block in which, or behind the end of which, `address` lies.
const MemoryGuards::Block *
MemoryGuards::blockAt(const std::byte *address) const {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin())
    return nullptr;
  const Block &block = std::prev(next)->second;
  return address <= block.begin + block.bytes + redZone ? &block : nullptr;
}

Problem MemoryGuards::checkRange(Range range) const {
  if (range.bytes == 0)
    return std::nullopt;
  const Block *block = blockAt(range.begin);
  if (block && range.end() <= block->begin + block->bytes)
    return std::nullopt;
  return "expected memory for " + describe(range) +
         (block ? ", which has " + bytesText(block->bytes) : "");
}

Problem MemoryGuards::checkRedZones() const {
  auto isWhole = [](const std::byte *begin) {
    return std::all_of(begin, begin + redZone,
                       [](std::byte b) { return b == std::byte(poison); });
  };
  for (const auto &[address, block] : blocks) {
    if (!isWhole(block.begin - redZone))
      return "memory before the begin of " + block.name + " was overwritten";
    if (!isWhole(block.begin + block.bytes))
      return "memory behind the end of " + block.name + ", which has " +
             bytesText(block.bytes) + ", was overwritten";
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The ledger
//===----------------------------------------------------------------------===//

/// `range` is one value from now on.
void MemoryGuards::record(Range range, Writer writer, bool isInFlight) {
  if (range.bytes == 0)
    return;
  auto it = ledger.lower_bound(range.begin);
  if (it != ledger.begin())
    if (Entry &before = std::prev(it)->second; before.end > range.begin) {
      before.end = range.begin;
      before.destroyer = writer;
    }
  while (it != ledger.end() && it->first < range.end())
    it = ledger.erase(it);
  ledger[range.begin] = {range.end(),
                         range.bytes,
                         isInFlight ? 0 : checksumOf(range.begin, range.bytes),
                         writer,
                         std::nullopt,
                         isInFlight};
}

Problem MemoryGuards::checkRead(Range range) const {
  if (range.bytes == 0)
    return std::nullopt;
  auto next = ledger.upper_bound(range.begin);
  const auto *found = next == ledger.begin() ? nullptr : &*std::prev(next);
  if (!found || found->second.end <= range.begin)
    return "reads " + describe(range) + ", which nobody has written";
  const Entry &entry = found->second;
  std::string value = "the value of " + entry.writer.describe();
  if (entry.isInFlight)
    return "reads " + value + " before it is complete";
  if (found->first != range.begin || entry.bytes != range.bytes)
    return "reads " + describe(range) + ", where " + value + " of " +
           bytesText(entry.bytes) + " lies";
  if (entry.destroyer)
    return "reads " + value + ", which " + entry.destroyer->describe() +
           " has overwritten from byte " +
           std::to_string(entry.end - range.begin) + " on";
  if (entry.checksum != checksumOf(range.begin, range.bytes))
    return "reads " + value + ", which has been changed since";
  return std::nullopt;
}

Problem MemoryGuards::checkNeighbours(Range range) const {
  auto it = ledger.upper_bound(range.begin - redZone);
  if (it != ledger.begin())
    --it;
  for (; it != ledger.end() && it->first < range.end() + redZone; ++it) {
    const Entry &entry = it->second;
    if (!entry.destroyer && !entry.isInFlight &&
        entry.checksum != checksumOf(it->first, entry.bytes))
      return "writes outside of its buffers: the value of " +
             entry.writer.describe() + " was overwritten";
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Problem MemoryGuards::splitBuffers(const TesseraSite &kernel,
                                   void *const *buffers,
                                   std::vector<Range> &read,
                                   std::vector<Range> &written) const {
  auto found = kernels->find(kernel.name);
  if (found == kernels->end())
    return "the manifest does not know this kernel's buffers";
  const KernelBuffers &sizes = *found->second;
  for (size_t i = 0; i < sizes.bytes.size(); ++i) {
    Range range(buffers[i], sizes.bytes[i]);
    if (static_cast<int32_t>(i) < sizes.operands)
      read.push_back(range);
    if (sizes.isWritten[i])
      written.push_back(range);
  }
  return std::nullopt;
}

Problem MemoryGuards::before(std::span<const Range> read,
                             std::span<const Range> written) {
  // Of what did not go through the guards.
  if (Problem problem = checkRedZones())
    return "finds that " + *problem;
  for (std::span<const Range> ranges : {read, written})
    for (Range range : ranges)
      if (Problem problem = checkRange(range))
        return problem;
  for (Range range : read)
    if (Problem problem = checkRead(range))
      return problem;
  return std::nullopt;
}

Problem MemoryGuards::after(std::span<const Range> written, Writer writer) {
  if (Problem problem = checkRedZones())
    return "writes outside of its buffers: " + *problem;
  for (Range range : written)
    record(range, writer, false);
  for (Range range : written)
    if (Problem problem = checkNeighbours(range))
      return problem;
  return std::nullopt;
}

Problem MemoryGuards::start(int32_t future, std::span<const Range> read,
                            std::span<const Range> written, Writer writer) {
  if (Problem problem = before(read, written))
    return problem;
  std::vector<Flight> &parts = flights[future];
  parts.clear();
  for (size_t i = 0; i < read.size(); ++i)
    parts.push_back({read[i], written[i],
                     checksumOf(read[i].begin, read[i].bytes), writer});
  for (Range range : written)
    record(range, writer, /*isInFlight=*/true);
  return std::nullopt;
}

Problem MemoryGuards::checkFlight(const Flight &flight) const {
  if (flight.read.begin != flight.written.begin &&
      flight.checksum != checksumOf(flight.read.begin, flight.read.bytes))
    return "its operand, " + describe(flight.read) +
           ", was overwritten before it was complete";
  auto entry = ledger.find(flight.written.begin);
  if (flight.written.bytes &&
      (entry == ledger.end() || !entry->second.isInFlight ||
       entry->second.destroyer))
    return "its result, " + describe(flight.written) +
           ", was overwritten before it was complete";
  return std::nullopt;
}

Problem MemoryGuards::wait(int32_t future) {
  auto found = flights.find(future);
  if (found == flights.end())
    return std::nullopt; // For the back end to say.
  std::vector<Flight> parts = std::move(found->second);
  flights.erase(found);
  std::vector<Range> written;
  for (const Flight &part : parts) {
    if (Problem problem = checkFlight(part))
      return problem;
    written.push_back(part.written);
  }
  return after(written, parts.front().writer);
}

Problem MemoryGuards::endStep(std::span<void *const> results) const {
  if (Problem problem = checkRedZones())
    return problem;
  for (const void *result : results) {
    const Block &block = blocks.at(static_cast<const std::byte *>(result));
    if (Problem problem = checkRead({block.begin, block.bytes}))
      return "the program's end " + *problem;
  }
  return std::nullopt;
}
