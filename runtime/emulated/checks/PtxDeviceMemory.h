//===- PtxDeviceMemory.h - What kernels may access in global memory -------===//

#ifndef TESSERA_RUNTIME_EMULATED_CHECKS_PTXDEVICEMEMORY_H
#define TESSERA_RUNTIME_EMULATED_CHECKS_PTXDEVICEMEMORY_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tessera::emulated {

/// Bytes that work on a device reads or writes.
struct MemoryRange {
  uint64_t begin, end;
  bool isWrite;
  /// It is one word, of which others see the old value or the new one.
  bool isWord = false;

  bool overlaps(const MemoryRange &other) const {
    return begin < other.end && other.begin < end;
  }
  /// Whether the two accesses, if nothing orders them, are a race.
  bool conflicts(const MemoryRange &other) const {
    return overlaps(other) && (isWrite || other.isWrite) &&
           !(isWord && other.isWord);
  }
};

/// A range of global memory. Device addresses are host addresses: kernels read
/// and write the bytes in place.
struct Allocation {
  uint64_t address, bytes;
  /// How messages call it; may be empty.
  std::string name;

  /// Whether `count` bytes from `from` on lie inside.
  bool contains(uint64_t from, uint64_t count) const {
    return from >= address && count <= bytes && from - address <= bytes - count;
  }
};

/// The allocations of one device, against which every access of a kernel to
/// global memory is checked. Allocations do not overlap. All member functions
/// may be called from several threads; a launch sees the allocations that
/// existed when it began.
class DeviceMemory {
public:
  /// The allocations at one point in time, ascending by address.
  using Snapshot = std::shared_ptr<const std::vector<Allocation>>;

  /// Registers `bytes` bytes from `address` on; they must stay mapped until
  /// `remove`. Replaces an allocation that begins at the same address.
  void add(uint64_t address, uint64_t bytes, std::string name = {});
  /// Forgets the allocation that begins at `address`; false if there is none.
  bool remove(uint64_t address);
  /// The allocation that `address` lies in, if there is one.
  std::optional<Allocation> find(uint64_t address) const;
  Snapshot snapshot() const;

private:
  mutable std::mutex mutex;
  Snapshot allocations = std::make_shared<const std::vector<Allocation>>();
};

/// The allocation that contains `address`; null if none does.
const Allocation *findAllocation(const std::vector<Allocation> &allocations,
                                 uint64_t address);

/// Where `address` lies with regard to the nearest allocation, as
/// `8 bytes after the end of 'arg0' (256 bytes)`.
std::string describeNearest(const std::vector<Allocation> &allocations,
                            uint64_t address);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_CHECKS_PTXDEVICEMEMORY_H
