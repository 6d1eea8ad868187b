//===- PtxFixture.h - Executing pieces of PTX in tests --------------------===//

#ifndef TESSERA_TEST_RUNTIME_PTXFIXTURE_H
#define TESSERA_TEST_RUNTIME_PTXFIXTURE_H

#include "../../runtime/emulated/execution/PtxLaunch.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace tessera::emulated {

/// Global memory for kernels under test, aligned to 128 bytes.
class Buffer {
public:
  explicit Buffer(size_t bytes) : storage(bytes + 128) {
    uint64_t address = reinterpret_cast<uint64_t>(storage.data());
    begin = storage.data() + (-address & 127);
    size = bytes;
  }
  template <typename T> T *as() { return reinterpret_cast<T *>(begin); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(begin); }
  size_t bytes() const { return size; }

private:
  std::vector<std::byte> storage;
  std::byte *begin;
  size_t size;
};

/// Executes one block of `threads` threads of a kernel whose statements are
/// `body`: %tid.x is in %me, the buffers' addresses in %b0, %b1, ..., `shared`
/// bytes of shared memory at `smem`, and there are registers %r0 to %r399,
/// %rd0 to %rd63, %fd0 to %fd15 and %p0 to %p7. Returns what went wrong.
std::optional<std::string> runPtx(const std::string &body, unsigned threads,
                                  const std::vector<Buffer *> &buffers,
                                  unsigned shared = 0);

/// `{%r<first>, ...}`.
std::string registerList(unsigned first, unsigned count);

/// Replaces each `@name@` of `text` by its value.
std::string
substitute(std::string text,
           const std::vector<std::pair<std::string, std::string>> &values);

/// Small integers, which sums of products in any order of any precision hold
/// exactly.
class SmallNumbers {
public:
  float operator()() { return static_cast<float>(int(generator() % 9) - 4); }

private:
  std::mt19937 generator{1};
};

} // namespace tessera::emulated

#endif // TESSERA_TEST_RUNTIME_PTXFIXTURE_H
