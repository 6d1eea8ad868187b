//===- MemoryGuards.h - Whether a rank keeps to its memory ----------------===//
//
// With guards, every block of a rank's memory (an argument, a result, the
// arena) lies between two red zones, and a ledger says which value lies where:
// the bytes that a kernel, collective or copy has written as a whole, with a
// checksum.
//
//   - What is read must be one value of the ledger, of just that size and
//   unchanged: no memory that nobody has written, no value of which another has
//   overwritten a part.
//   - What is written must lie inside of one block. Afterwards red zones and
//   the values near by must be as before.
//
// So a buffer that is too small shows as soon as what it damages is read, and a
// kernel that writes behind its buffers at once.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CORE_MEMORYGUARDS_H
#define TESSERA_RUNTIME_CORE_MEMORYGUARDS_H

#include "program/Manifest.h"
#include "tessera/runtime.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::runtime {

/// The guards of one rank. Only the thread that runs the rank uses them during
/// a step. Methods return what is wrong, in words; nothing if all is well.
class MemoryGuards {
public:
  using Problem = std::optional<std::string>;

  /// Bytes that a call reads or writes.
  struct Range {
    const std::byte *begin;
    int64_t bytes;
    Range(const void *begin, int64_t bytes)
        : begin(static_cast<const std::byte *>(begin)), bytes(bytes) {}
    const std::byte *end() const { return begin + bytes; }
    friend bool operator==(const Range &, const Range &) = default;
  };

  /// Who wrote a value: a kernel, collective, ... and its site; or, without a
  /// site, what came from outside. Both are static or live as long as the job.
  struct Writer {
    const char *kind;
    const TesseraSite *site;
    std::string describe() const;
  };

  /// Of the red zones on both sides of a block.
  static constexpr int64_t redZone = 4096;

  /// `kernels` outlive the guards.
  explicit MemoryGuards(const KernelTable &kernels) : kernels(&kernels) {}
  /// From now on another entry point's run.
  void setKernels(const KernelTable &table) { kernels = &table; }

  /// Watches the block of `bytes` at `begin`, with red zones of memory on both
  /// sides: `name` is what messages call it. It holds no value yet.
  void addBlock(std::string name, std::byte *begin, int64_t bytes);
  /// An argument has been set from outside.
  void setBlock(const void *begin);
  /// Forgets all values but those of blocks that were set: what a step leaves
  /// behind in the other blocks is none of the next one's business.
  void beginStep();

  /// The buffers of a launch that are read, then those that are written.
  Problem splitBuffers(const TesseraSite &kernel, void *const *buffers,
                       std::vector<Range> &read,
                       std::vector<Range> &written) const;

  /// To be asked before a call reads and writes: are the values there, and is
  /// the memory?
  Problem before(std::span<const Range> read, std::span<const Range> written);
  /// And after it.
  Problem after(std::span<const Range> written, Writer writer);

  /// Between these two, a call of collectives that was started with this future
  /// reads `read` and writes `written`: each of its parts a range of both.
  Problem start(int32_t future, std::span<const Range> read,
                std::span<const Range> written, Writer writer);
  Problem wait(int32_t future);

  /// What is wrong at the end of a step: red zones, results that nobody has
  /// written.
  Problem endStep(std::span<void *const> results) const;

private:
  struct Block {
    std::string name;
    std::byte *begin;
    int64_t bytes;
    bool isSet = false;
  };
  /// What lies in memory from its key on. Entries do not overlap: one that is
  /// overwritten in part ends where the other one begins.
  struct Entry {
    const std::byte *end;
    int64_t bytes; ///< Of the value as it was written.
    uint64_t checksum;
    Writer writer;
    std::optional<Writer> destroyer;
    bool isInFlight = false; ///< A collective is still writing it.
  };
  /// A part of a call that was started.
  struct Flight {
    Range read, written;
    uint64_t checksum; ///< Of what it reads.
    Writer writer;
  };
  using Ledger = std::map<const std::byte *, Entry>;

  const Block *blockAt(const std::byte *address) const;
  /// Whether what it reads is still there, and what it writes.
  Problem checkFlight(const Flight &flight) const;
  Problem checkRead(Range range) const;
  Problem checkRange(Range range) const;
  Problem checkRedZones() const;
  /// Whether values near `range` are what they were.
  Problem checkNeighbours(Range range) const;
  void record(Range range, Writer writer, bool isInFlight);
  /// Bytes 4 to 8 of argument 'x', of 8 bytes.
  std::string describe(Range range) const;

  const KernelTable *kernels;
  /// By address.
  std::map<const std::byte *, Block> blocks;
  Ledger ledger;
  std::map<int32_t, std::vector<Flight>> flights;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_MEMORYGUARDS_H
