//===- TensorMap.h - Descriptors of tensors for bulk copies ---------------===//
//
// CUDA keeps the format of a CUtensorMap to itself; this is the emulator's. A
// kernel only hands the 128 bytes on, so that any format will do.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_TENSORMAP_H
#define TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_TENSORMAP_H

#include "asynchronous/SharedLayout.h"

#include <array>
#include <cstddef>
#include <span>

namespace tessera::emulated {

/// The elements of a tensor map; numbers of CUtensorMapDataType.
enum class TensorMapType : uint8_t {
  U8 = 0,
  U16 = 1,
  U32 = 2,
  S32 = 3,
  U64 = 4,
  S64 = 5,
  F16 = 6,
  F32 = 7,
  F64 = 8,
  BF16 = 9,
  F32Ftz = 10,
  TF32 = 11,
  TF32Ftz = 12,
};

/// A tensor in global memory and the boxes of it that bulk tensor copies move,
/// as cuTensorMapEncodeTiled is told, dimension 0 the innermost.
struct TensorMap {
  static constexpr size_t byteSize = 128;
  static constexpr unsigned maxRank = 5;

  TensorMapType type = TensorMapType::U8;
  Swizzle swizzle = Swizzle::None;
  unsigned rank = 0;
  uint64_t address = 0;
  std::array<uint64_t, maxRank> sizes{};   ///< Elements, 1 to 2^32.
  std::array<uint64_t, maxRank> strides{}; ///< Bytes; that of 0 is implied.
  std::array<uint32_t, maxRank> box{};     ///< Elements, 1 to 256.
  /// Only every so many elements of the box are copied, 1 to 8; that of
  /// dimension 0 is ignored.
  std::array<uint32_t, maxRank> elementStrides{};

  unsigned elementBytes() const;

  /// Elements that a copy moves along a dimension: the box, thinned out.
  uint32_t boxElements(unsigned dimension) const {
    if (dimension == 0)
      return box[0];
    return (box[dimension] + elementStrides[dimension] - 1) /
           elementStrides[dimension];
  }

  /// Bytes of shared memory that a box takes.
  uint32_t boxBytes() const;

  /// Writes the map, or says which of CUDA's rules it breaks: address and
  /// strides are multiples of 16, sizes and strides below 2^32 and 2^40, boxes
  /// of at most 256, whose rows are a multiple of 16 bytes and no longer than
  /// the swizzle.
  Fallible<void> encode(std::span<std::byte, byteSize> into) const;

  /// Reads a map that `encode` wrote; a failure for anything else.
  static Fallible<TensorMap> decode(std::span<const std::byte, byteSize> from);
};

/// The map that cuTensorMapEncodeTiled would make of its arguments, which are
/// numbers of its enumerations. Interleaved layouts and NaN outside of the
/// tensor are refused.
/// `globalStrides` has rank - 1 entries.
Fallible<TensorMap>
makeTensorMap(int dataType, unsigned rank, uint64_t globalAddress,
              const uint64_t *globalDim, const uint64_t *globalStrides,
              const uint32_t *boxDim, const uint32_t *elementStrides,
              int interleave, int swizzle, int oobFill);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_TENSORMAP_H
