//===- Ring.cpp -----------------------------------------------------------===//

#include "Ring.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::sockets;

/// What lies at the beginning; the bytes of both directions follow.
struct RingPair::Memory {
  /// By direction: 0 from who made it to the other.
  RingHeader rings[2];
  /// By side.
  alignas(64) std::atomic<uint32_t> isAsleep[2];
};

static constexpr int64_t headerSize = 4096;

RingPair::RingPair(int file, void *memory, int64_t size, int side)
    : file(file), memory(static_cast<Memory *>(memory)), size(size),
      capacity((size - headerSize) / 2), side(side) {
  static_assert(sizeof(Memory) <= headerSize);
}

static Fallible<void *> map(int file, int64_t size) {
  void *memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return Failure{std::string("cannot map shared memory: ") +
                   std::strerror(errno)};
  return memory;
}

Fallible<std::unique_ptr<RingPair>> RingPair::create(int64_t capacity) {
  int file = memfd_create("tessera", MFD_CLOEXEC);
  int64_t size = headerSize + 2 * capacity;
  // All of it now: memory that is missing later is a signal without a word.
  int error = file < 0 ? errno : posix_fallocate(file, 0, size);
  if (error != 0) {
    ::close(file);
    return Failure{"cannot have " + std::to_string(size) +
                   " bytes of shared memory: " + std::strerror(error)};
  }
  Fallible<void *> memory = map(file, size);
  if (!memory) {
    ::close(file);
    return memory.failure();
  }
  return std::unique_ptr<RingPair>(new RingPair(file, *memory, size, 0));
}

Fallible<std::unique_ptr<RingPair>> RingPair::attach(int descriptor) {
  struct stat about = {};
  int64_t size = fstat(descriptor, &about) == 0 ? about.st_size : 0;
  int64_t capacity = (size - headerSize) / 2;
  Fallible<void *> memory =
      capacity > 0 && std::has_single_bit(static_cast<uint64_t>(capacity))
          ? map(descriptor, size)
          : Failure{"shared memory of " + std::to_string(size) + " bytes"};
  if (!memory) {
    ::close(descriptor);
    return memory.failure();
  }
  return std::unique_ptr<RingPair>(new RingPair(descriptor, *memory, size, 1));
}

RingPair::~RingPair() {
  munmap(memory, size);
  closeDescriptor();
}

void RingPair::closeDescriptor() {
  if (file >= 0)
    ::close(file);
  file = -1;
}

std::byte *RingPair::bytesOf(int direction) const {
  return reinterpret_cast<std::byte *>(memory) + headerSize +
         direction * capacity;
}

int64_t RingPair::write(const std::byte *bytes, int64_t count) {
  RingHeader &ring = memory->rings[side];
  uint64_t begin = ring.written.load(std::memory_order_relaxed);
  uint64_t taken = ring.read.load(std::memory_order_acquire);
  count = std::min(count, capacity - static_cast<int64_t>(begin - taken));
  if (count <= 0)
    return 0;
  int64_t at = begin & (capacity - 1), head = std::min(count, capacity - at);
  std::memcpy(bytesOf(side) + at, bytes, head);
  std::memcpy(bytesOf(side), bytes + head, count - head);
  ring.written.store(begin + count, std::memory_order_release);
  return count;
}

int64_t RingPair::read(std::byte *bytes, int64_t count) {
  RingHeader &ring = memory->rings[1 - side];
  uint64_t begin = ring.read.load(std::memory_order_relaxed);
  uint64_t there = ring.written.load(std::memory_order_acquire);
  count = std::min(count, static_cast<int64_t>(there - begin));
  if (count <= 0)
    return 0;
  int64_t at = begin & (capacity - 1), head = std::min(count, capacity - at);
  std::memcpy(bytes, bytesOf(1 - side) + at, head);
  std::memcpy(bytes + head, bytesOf(1 - side), count - head);
  ring.read.store(begin + count, std::memory_order_release);
  return count;
}

bool RingPair::canWrite() const {
  const RingHeader &ring = memory->rings[side];
  return static_cast<int64_t>(ring.written - ring.read) < capacity;
}

bool RingPair::canRead() const {
  const RingHeader &ring = memory->rings[1 - side];
  return ring.written != ring.read;
}

// Both orders of "set the flag, look at the ring" and "change the ring, look at
// the flag" are sequentially consistent, so that one of both sees the other.

void RingPair::setAsleep(bool isAsleep) {
  memory->isAsleep[side].store(isAsleep);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool RingPair::mustWakeOther() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic<uint32_t> &flag = memory->isAsleep[1 - side];
  return flag.load(std::memory_order_relaxed) && flag.exchange(0);
}
