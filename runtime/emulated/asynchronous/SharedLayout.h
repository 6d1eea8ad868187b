//===- SharedLayout.h - How matrices lie in shared memory -----------------===//
//
// The permutations of shared memory that TMA writes and wgmma reads, from the
// PTX ISA ("Shared Memory Matrix Layout", "Matrix Descriptor Format") and the
// description of cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_SHAREDLAYOUT_H
#define TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_SHAREDLAYOUT_H

#include "tessera/Support/Fallible.h"

#include <cstdint>

namespace tessera::emulated {

/// A permutation of the 16-byte chunks of shared memory that lets a warp read
/// rows as well as columns of a matrix without bank conflicts. Values are the
/// bytes of a row of the pattern.
enum class Swizzle : uint32_t { None = 0, B32 = 32, B64 = 64, B128 = 128 };

/// Where the byte that would be at `address` without a swizzle lies. The
/// permutation belongs to the address, not to the tile: with rows of W bytes,
/// the chunk number (address bits 4 and up, log2(W / 16) of them) is XORed with
/// as many bits from bit 7 on. It repeats every 8 * W bytes.
inline uint32_t swizzled(uint32_t address, Swizzle swizzle) {
  if (swizzle == Swizzle::None)
    return address;
  uint32_t chunks = static_cast<uint32_t>(swizzle) / 16;
  return address ^ (((address >> 7) & (chunks - 1)) << 4);
}

/// Which index of an operand's matrix moves fastest in shared memory: the one
/// that is summed over (K), or the other (M of A, N of B).
enum class Major { K, MN };

/// The operand of a wgmma in shared memory, as its 64-bit descriptor says.
struct MatrixDescriptor {
  uint32_t start;   ///< Bytes from the start of shared memory.
  uint32_t leading; ///< Leading dimension byte offset.
  uint32_t stride;  ///< Stride dimension byte offset.
  Swizzle swizzle;

  /// Reads a descriptor. All offsets are stored without their lowest four bits:
  ///   bits 0-13 start, 16-29 leading, 32-45 stride, 49-51 base offset, 62-63
  ///   swizzle (0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes).
  /// A base offset (of patterns that do not begin at a multiple of their
  /// period) is refused.
  static Fallible<MatrixDescriptor> decode(uint64_t bits);

  /// Bytes from the start of shared memory to element (`mn`, `k`) of a matrix
  /// with elements of `elementBytes`. With T = 16 / elementBytes elements in a
  /// chunk and W bytes in a row of the pattern, before the permutation:
  ///   K, no swizzle:  (mn % 8) * 16 + (mn / 8) * stride
  ///                   + (k / T) * leading + (k % T) * elementBytes
  ///   K, swizzle W:   (mn % 8) * W + (mn / 8) * stride + k * elementBytes
  ///   MN, no swizzle: (mn % T) * elementBytes + (mn / T) * stride
  ///                   + (k % 8) * 16 + (k / 8) * leading
  ///   MN, swizzle W:  (mn % (W / elementBytes)) * elementBytes
  ///                   + (mn / (W / elementBytes)) * leading
  ///                   + (k % 8) * W + (k / 8) * stride
  uint32_t addressOf(uint32_t mn, uint32_t k, Major major,
                     uint32_t elementBytes) const;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_SHAREDLAYOUT_H
