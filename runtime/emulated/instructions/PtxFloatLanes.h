//===- PtxFloatLanes.h - Floating-point numbers of a lane -----------------===//
//
// f16 and bf16 are computed in f32 and rounded: for sums, products, quotients
// and roots that is exact, because 24 >= 2 p + 2 digits (Figueroa 1995); fused
// multiply-adds are rounded to odd on the way.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXFLOATLANES_H
#define TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXFLOATLANES_H

#include "instructions/PtxLanes.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace tessera::emulated {

template <typename T>
using BitsOf =
    std::conditional_t<sizeof(T) == 2, uint16_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;

/// What a lane is computed in: f32 for halves.
template <typename T> auto widen(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return value.toFloat();
}
template <typename T, typename C> T narrow(C value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else
    return T::fromFloat(static_cast<float>(value));
}

template <typename T> bool signOf(T value) {
  return std::bit_cast<BitsOf<T>>(value) >> (8 * sizeof(T) - 1);
}
template <typename T> bool isNan(T value) {
  auto wide = widen(value);
  return wide != wide;
}
/// The NaN that instructions make.
template <typename T> T canonicalNan() {
  return std::bit_cast<T>(
      static_cast<BitsOf<T>>(std::numeric_limits<BitsOf<T>>::max() >> 1));
}

/// Subnormal numbers as zeros of their sign (`.ftz`); f32 only.
template <typename T> T flush(T value) {
  if constexpr (std::is_same_v<T, float>) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    return bits & 0x7f800000 ? value : std::bit_cast<float>(bits & 0x80000000);
  } else {
    return value;
  }
}

/// Clamped to [0, 1], NaN to 0 (`.sat`).
template <typename T> T saturateUnit(T value) {
  auto wide = widen(value);
  decltype(wide) clamped = wide > 0 ? (wide < 1 ? wide : 1) : 0;
  return narrow<T>(clamped);
}

/// `value + error`, where that is exact and `error` below half a unit in the
/// last place of `value`, rounded to f32 such that another rounding to fewer
/// digits gives what rounding once would.
inline float roundToOdd(double value, double error) {
  float result = static_cast<float>(value);
  double back = result;
  if ((back == value && error == 0) || std::isnan(value) || std::isinf(value))
    return result;
  uint32_t bits = std::bit_cast<uint32_t>(result);
  bool away = back != value ? std::abs(back) > std::abs(value)
                            : std::signbit(error) != std::signbit(value);
  return std::bit_cast<float>((away ? bits - 1 : bits) | 1);
}

/// a * b + c, rounded once.
template <typename T> T fusedMultiplyAdd(T a, T b, T c) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fma(a, b, c);
  } else {
    double product = double(a.toFloat()) * b.toFloat(), addend = c.toFloat();
    double sum = product + addend;
    // What the sum lost (Knuth's two-sum).
    double part = sum - product;
    double error = (product - (sum - part)) + (addend - part);
    if (!std::isfinite(sum))
      error = 0;
    return T::fromFloat(roundToOdd(sum, error));
  }
}

/// The smaller or larger one by PTX: zeros are ordered by sign; a NaN loses,
/// or wins with `nan`.
template <bool most, bool nan, typename T> T extreme(T a, T b) {
  bool nanA = isNan(a), nanB = isNan(b);
  if (nanA || nanB)
    return nan || (nanA && nanB) ? canonicalNan<T>() : nanA ? b : a;
  auto x = widen(a), y = widen(b);
  bool less = x < y || (x == y && signOf(a) && !signOf(b));
  return less != most ? a : b;
}

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXFLOATLANES_H
