//===- TestKernel.h - Kernels written in tests ----------------------------===//

#ifndef TESSERA_TEST_UNIT_EMULATED_TESTKERNEL_H
#define TESSERA_TEST_UNIT_EMULATED_TESTKERNEL_H

#include "execution/PtxLaunch.h"

#include <cstring>
#include <gtest/gtest.h>

namespace tessera::emulated {

/// A kernel with 64-bit pointer parameters `p0`, `p1`, ... and buffers for
/// them.
class TestKernel {
public:
  /// A kernel of `pointers` parameters whose body is `body`; the parameters are
  /// loaded to `%a0`, `%a1`, ... and converted to global addresses, registers
  /// %p, %h (16 bits), %r, %d (64 bits), %f, %e (f64) are declared, and the
  /// linear index of the thread in the grid of one-dimensional blocks is in
  /// `%tid1`. `globals` stands in front of the kernel.
  TestKernel(unsigned pointers, const std::string &body,
             const std::string &globals = "");

  /// The values that parameter number `index` will point to.
  template <typename T> void set(unsigned index, const std::vector<T> &values) {
    buffers[index].resize(values.size() * sizeof(T));
    std::memcpy(buffers[index].data(), values.data(), buffers[index].size());
  }
  template <typename T> std::vector<T> get(unsigned index) const {
    std::vector<T> values(buffers[index].size() / sizeof(T));
    std::memcpy(values.data(), buffers[index].data(), buffers[index].size());
    return values;
  }

  /// Launches; what went wrong, or an empty text.
  std::string run(uint32_t blocks = 1, uint32_t threads = 32,
                  uint32_t sharedBytes = 0);

  /// Where parameter number `index` points to.
  uint64_t address(unsigned index) const {
    return reinterpret_cast<uint64_t>(buffers[index].data());
  }

  LaunchTraffic traffic;
  LaunchChecks checks;
  LaunchStatistics statistics;
  unsigned hostThreads = 1;

private:
  std::unique_ptr<Module> module;
  std::vector<std::vector<std::byte>> buffers;
};

/// 32 results of type D of an instruction with sources of types S, one lane for
/// each value of `sources`: `instruction` is without operands, `suffixes` are
/// the types by which operands are loaded and stored (`u32`, `f32`, ...).
std::vector<uint64_t>
executeInstruction(const std::string &instruction,
                   const std::string &resultType,
                   const std::vector<std::string> &sourceTypes,
                   const std::vector<std::vector<uint64_t>> &sources);

} // namespace tessera::emulated

#endif // TESSERA_TEST_UNIT_EMULATED_TESTKERNEL_H
