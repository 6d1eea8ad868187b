//===- Ring.h - Bytes through shared memory -------------------------------===//

#ifndef TESSERA_RUNTIME_SOCKETS_RING_H
#define TESSERA_RUNTIME_SOCKETS_RING_H

#include "tessera/Support/Fallible.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tessera::sockets {

/// One direction: bytes behind each other in a circle. One process writes, one
/// reads; each moves a number that only grows (Lamport's queue).
struct RingHeader {
  alignas(64) std::atomic<uint64_t> written;
  alignas(64) std::atomic<uint64_t> read;
};

/// Memory that two processes share, with a ring for each direction. It has no
/// name: who makes it hands its descriptor on, so nothing is left behind
/// whoever dies when, and the size of /dev/shm does not matter.
class RingPair {
public:
  /// Two rings of so many bytes, a power of two; fails if there is no memory.
  static Fallible<std::unique_ptr<RingPair>> create(int64_t capacity);
  /// Those that another process has made; takes over the descriptor.
  static Fallible<std::unique_ptr<RingPair>> attach(int descriptor);
  ~RingPair();
  RingPair(const RingPair &) = delete;

  /// To be handed on; closed by `closeDescriptor`, at the latest with this.
  int descriptor() const { return file; }
  void closeDescriptor();

  /// Copies as many bytes as fit, or are there; how many.
  int64_t write(const std::byte *bytes, int64_t count);
  int64_t read(std::byte *bytes, int64_t count);
  bool canWrite() const;
  bool canRead() const;

  /// Says that this side is going to sleep, after which it must look once more
  /// at what it can do, or is not any more.
  void setAsleep(bool isAsleep);
  /// After a read or write: whether the other side sleeps and must be woken; it
  /// is so told once.
  bool mustWakeOther();

private:
  struct Memory;
  RingPair(int file, void *memory, int64_t size, int side);
  std::byte *bytesOf(int direction) const;

  int file;
  Memory *memory;
  int64_t size, capacity;
  int side; ///< 0 for who made it, 1 for the other.
};

} // namespace tessera::sockets

#endif // TESSERA_RUNTIME_SOCKETS_RING_H
