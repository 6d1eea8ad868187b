//===- HalfPrecision.h - f16 and bf16 from and to f32 ---------------------===//
//
// Branch-free bit manipulations, so that loops over them vectorise and need
// neither hardware support nor compiler-rt. All roundings are to nearest, ties
// to even; NaNs stay NaNs (quiet), infinities and signed zeros are exact.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_HALFPRECISION_H
#define TESSERA_SUPPORT_HALFPRECISION_H

#include <bit>
#include <cstdint>

namespace tessera {

/// A bfloat16: the upper half of an f32.
struct BFloat16 {
  uint16_t bits;

  static BFloat16 fromFloat(float value) {
    uint32_t word = std::bit_cast<uint32_t>(value);
    uint32_t rounded = (word + 0x7fffu + ((word >> 16) & 1u)) >> 16;
    uint32_t quietNan = (word >> 16) | 0x40u;
    return {static_cast<uint16_t>(
        (word & 0x7fffffffu) > 0x7f800000u ? quietNan : rounded)};
  }
  float toFloat() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
};

/// An IEEE binary16.
struct Float16 {
  uint16_t bits;

  static Float16 fromFloat(float value) {
    uint32_t word = std::bit_cast<uint32_t>(value);
    uint32_t sign = (word >> 16) & 0x8000u, magnitude = word & 0x7fffffffu;
    // Normal results: rebias the exponent by 15 - 127 and round away the lower
    // 13 bits; this carries into the exponent where it must. Subnormal ones:
    // adding 0.5 leaves the rounded multiple of 2^-24 in the lowest bits of the
    // sum.
    uint32_t normal =
        (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    uint32_t subnormal =
        std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
        0x3f000000u;
    uint32_t finite = magnitude < (113u << 23) ? subnormal : normal;
    uint32_t special = magnitude > 0x7f800000u
                           ? 0x7e00u | ((magnitude >> 13) & 0x3ffu)
                           : 0x7c00u;
    return {static_cast<uint16_t>(
        sign | (magnitude >= 0x47800000u ? special : finite))};
  }
  float toFloat() const {
    uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
    uint32_t normal =
        (magnitude << 13) + (magnitude >= 0x7c00u ? 224u << 23 : 112u << 23);
    uint32_t word =
        magnitude < 0x400u ? std::bit_cast<uint32_t>(subnormal) : normal;
    return std::bit_cast<float>(sign | word);
  }
};

} // namespace tessera

#endif // TESSERA_SUPPORT_HALFPRECISION_H
