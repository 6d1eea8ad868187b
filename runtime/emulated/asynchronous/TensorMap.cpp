//===- TensorMap.cpp ------------------------------------------------------===//

#include "asynchronous/TensorMap.h"

#include <cstring>
#include <string>

using namespace tessera;
using namespace tessera::emulated;

/// Tells a map from bytes that are none.
static constexpr uint64_t signature = 0x70614d726f736e54;

namespace {
/// The format: the signature and the map as it is in memory.
struct Encoded {
  uint64_t signature;
  uint64_t address;
  uint32_t lastIndex[TensorMap::maxRank];   ///< Sizes less one.
  uint32_t stridesBy16[TensorMap::maxRank]; ///< Strides over 16: below 2^36.
  uint8_t stridesHigh[TensorMap::maxRank];
  uint8_t boxLess1[TensorMap::maxRank];
  uint8_t elementStrides[TensorMap::maxRank];
  uint8_t type, rank, swizzle;
};
static_assert(sizeof(Encoded) <= TensorMap::byteSize);
} // namespace

unsigned TensorMap::elementBytes() const {
  static constexpr unsigned sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return sizes[static_cast<unsigned>(type)];
}

uint32_t TensorMap::boxBytes() const {
  uint32_t bytes = elementBytes();
  for (unsigned i = 0; i < rank; ++i)
    bytes *= boxElements(i);
  return bytes;
}

static std::string inDimension(unsigned dimension) {
  return " of dimension " + std::to_string(dimension);
}

/// The rules about one dimension.
static Fallible<void> checkDimension(const TensorMap &map, unsigned i) {
  if (map.sizes[i] < 1 || map.sizes[i] > uint64_t(1) << 32)
    return Failure{"expected a size from 1 to 2^32" + inDimension(i) +
                   " of a tensor map, got " + std::to_string(map.sizes[i])};
  if (map.box[i] < 1 || map.box[i] > 256)
    return Failure{"expected a box size from 1 to 256" + inDimension(i) +
                   " of a tensor map, got " + std::to_string(map.box[i])};
  if (map.elementStrides[i] < 1 || map.elementStrides[i] > 8)
    return Failure{"expected an element stride from 1 to 8" + inDimension(i) +
                   " of a tensor map, got " +
                   std::to_string(map.elementStrides[i])};
  if (i == 0)
    return {};
  if (map.strides[i] % 16 != 0 || map.strides[i] >= uint64_t(1) << 40)
    return Failure{"expected a stride" + inDimension(i) +
                   " of a tensor map that is a multiple of 16 bytes and below "
                   "2^40, got " +
                   std::to_string(map.strides[i])};
  return {};
}

static Fallible<void> check(const TensorMap &map) {
  if (map.rank < 1 || map.rank > TensorMap::maxRank)
    return Failure{"expected a tensor map of rank 1 to 5, got " +
                   std::to_string(map.rank)};
  if (map.address % 16 != 0)
    return Failure{"expected a tensor map of an address that is a multiple of "
                   "16"};
  for (unsigned i = 0; i < map.rank; ++i)
    if (Fallible<void> result = checkDimension(map, i); !result)
      return result;
  uint32_t rowBytes = map.box[0] * map.elementBytes();
  if (rowBytes % 16 != 0)
    return Failure{"expected a tensor map whose box has rows of a multiple of "
                   "16 bytes, got " +
                   std::to_string(rowBytes)};
  auto width = static_cast<uint32_t>(map.swizzle);
  if (width != 0 && rowBytes > width)
    return Failure{"expected a tensor map whose box has rows of at most the " +
                   std::to_string(width) + " bytes of its swizzle, got " +
                   std::to_string(rowBytes)};
  return {};
}

Fallible<void> TensorMap::encode(std::span<std::byte, byteSize> into) const {
  if (Fallible<void> result = check(*this); !result)
    return result;
  Encoded encoded{};
  encoded.signature = signature;
  encoded.address = address;
  for (unsigned i = 0; i < rank; ++i) {
    encoded.lastIndex[i] = static_cast<uint32_t>(sizes[i] - 1);
    uint64_t stride = i == 0 ? 0 : strides[i] / 16;
    encoded.stridesBy16[i] = static_cast<uint32_t>(stride);
    encoded.stridesHigh[i] = static_cast<uint8_t>(stride >> 32);
    encoded.boxLess1[i] = static_cast<uint8_t>(box[i] - 1);
    encoded.elementStrides[i] = static_cast<uint8_t>(elementStrides[i]);
  }
  encoded.type = static_cast<uint8_t>(type);
  encoded.rank = static_cast<uint8_t>(rank);
  encoded.swizzle = static_cast<uint8_t>(swizzle);
  std::memset(into.data(), 0, into.size());
  std::memcpy(into.data(), &encoded, sizeof(encoded));
  return {};
}

Fallible<TensorMap>
TensorMap::decode(std::span<const std::byte, byteSize> from) {
  Encoded encoded;
  std::memcpy(&encoded, from.data(), sizeof(encoded));
  if (encoded.signature != signature)
    return Failure{"expected a tensor map, got other bytes"};
  TensorMap map;
  map.address = encoded.address;
  map.type = static_cast<TensorMapType>(encoded.type);
  map.rank = encoded.rank;
  map.swizzle = static_cast<Swizzle>(encoded.swizzle);
  for (unsigned i = 0; i < map.rank; ++i) {
    map.sizes[i] = uint64_t(encoded.lastIndex[i]) + 1;
    map.strides[i] =
        ((uint64_t(encoded.stridesHigh[i]) << 32) | encoded.stridesBy16[i]) *
        16;
    map.box[i] = encoded.boxLess1[i] + 1u;
    map.elementStrides[i] = encoded.elementStrides[i];
  }
  return map;
}

Fallible<TensorMap>
emulated::makeTensorMap(int dataType, unsigned rank, uint64_t globalAddress,
                        const uint64_t *globalDim,
                        const uint64_t *globalStrides, const uint32_t *boxDim,
                        const uint32_t *elementStrides, int interleave,
                        int swizzle, int oobFill) {
  static constexpr Swizzle swizzles[] = {Swizzle::None, Swizzle::B32,
                                         Swizzle::B64, Swizzle::B128};
  if (dataType < 0 || dataType > static_cast<int>(TensorMapType::TF32Ftz))
    return Failure{"tensor maps of data type " + std::to_string(dataType) +
                   " are not emulated"};
  if (interleave != 0)
    return Failure{"interleaved tensor maps are not emulated"};
  if (oobFill != 0)
    return Failure{
        "tensor maps with NaN outside of the tensor are not emulated"};
  if (swizzle < 0 || swizzle > 3)
    return Failure{"tensor maps of swizzle " + std::to_string(swizzle) +
                   " are not emulated"};
  if (rank < 1 || rank > TensorMap::maxRank)
    return Failure{"expected a tensor map of rank 1 to 5, got " +
                   std::to_string(rank)};
  TensorMap map;
  map.type = static_cast<TensorMapType>(dataType);
  map.swizzle = swizzles[swizzle];
  map.rank = rank;
  map.address = globalAddress;
  for (unsigned i = 0; i < rank; ++i) {
    map.sizes[i] = globalDim[i];
    map.strides[i] = i == 0 ? 0 : globalStrides[i - 1];
    map.box[i] = boxDim[i];
    map.elementStrides[i] = elementStrides[i];
  }
  if (Fallible<void> result = check(map); !result)
    return result.failure();
  return map;
}
