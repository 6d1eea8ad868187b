//===- SharedLayout.cpp ---------------------------------------------------===//

#include "asynchronous/SharedLayout.h"

using namespace tessera;
using namespace tessera::emulated;

Fallible<MatrixDescriptor> MatrixDescriptor::decode(uint64_t bits) {
  auto field = [bits](unsigned first) {
    return static_cast<uint32_t>((bits >> first) & 0x3fff) << 4;
  };
  if ((bits >> 49) & 7)
    return Failure{"matrix descriptor with a base offset: the swizzle pattern "
                   "must begin at a multiple of its period"};
  static constexpr Swizzle swizzles[] = {Swizzle::None, Swizzle::B128,
                                         Swizzle::B64, Swizzle::B32};
  return MatrixDescriptor{field(0), field(16), field(32), swizzles[bits >> 62]};
}

uint32_t MatrixDescriptor::addressOf(uint32_t mn, uint32_t k, Major major,
                                     uint32_t elementBytes) const {
  uint32_t chunk = 16 / elementBytes;
  uint32_t width = static_cast<uint32_t>(swizzle);
  uint32_t address = start;
  if (swizzle == Swizzle::None) {
    if (major == Major::K)
      return address + (mn % 8) * 16 + (mn / 8) * stride +
             (k / chunk) * leading + (k % chunk) * elementBytes;
    return address + (mn % chunk) * elementBytes + (mn / chunk) * stride +
           (k % 8) * 16 + (k / 8) * leading;
  }
  if (major == Major::K) {
    address += (mn % 8) * width + (mn / 8) * stride + k * elementBytes;
  } else {
    uint32_t row = width / elementBytes;
    address += (mn % row) * elementBytes + (mn / row) * leading +
               (k % 8) * width + (k / 8) * stride;
  }
  return swizzled(address, swizzle);
}
