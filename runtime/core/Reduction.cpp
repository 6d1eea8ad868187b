//===- Reduction.cpp ------------------------------------------------------===//
//
// Works in blocks of elements that fit in the first-level cache: the block is
// accumulated over all sources in a local buffer and then copied to all
// destinations. Each source is read once and each destination written once, and
// since a block is read from everywhere before it is written anywhere,
// destinations may alias sources. The inner loops have one operation and no
// branch, so the compiler vectorises them.
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"

#include "tessera/Support/ElementDispatch.h"
#include "tessera/runtime.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace tessera;
using namespace tessera::runtime;

namespace {
struct Sum {
  template <typename T> T operator()(T a, T b) const { return a + b; }
};
struct Product {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
// A NaN on the left is kept by its test, one on the right because comparisons
// with it are false.
struct Minimum {
  template <typename T> T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};
struct Maximum {
  template <typename T> T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct And {
  template <typename T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <typename T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <typename T> T operator()(T a, T b) const { return a ^ b; }
};

/// The type in which `T` is accumulated. Integers wrap around, so they are
/// accumulated unsigned where the sign does not matter: see `reduceWith`.
template <typename T> struct Accumulator {
  using Type = T;
  static T load(T element) { return element; }
  static T store(T value) { return value; }
};
template <typename T> struct HalfAccumulator {
  using Type = float;
  static float load(T element) { return element.toFloat(); }
  static T store(float value) { return T::fromFloat(value); }
};
template <> struct Accumulator<Float16> : HalfAccumulator<Float16> {};
template <> struct Accumulator<BFloat16> : HalfAccumulator<BFloat16> {};
} // namespace

template <typename T, typename Operation>
static void reduceBlocks(Operation operation,
                         std::span<const std::byte *const> sources,
                         std::span<std::byte *const> destinations,
                         int64_t begin, int64_t end) {
  using Accumulate = Accumulator<T>;
  constexpr int64_t block = 1024;
  alignas(64) typename Accumulate::Type values[block];
  alignas(64) T rounded[block];
  for (int64_t start = begin; start < end; start += block) {
    int64_t count = std::min(block, end - start);
    auto at = [&](const std::byte *source) {
      return reinterpret_cast<const T *>(source) + start;
    };
    const T *first = at(sources.front());
    for (int64_t i = 0; i < count; ++i)
      values[i] = Accumulate::load(first[i]);
    for (const std::byte *source : sources.subspan(1)) {
      const T *next = at(source);
      for (int64_t i = 0; i < count; ++i)
        values[i] = operation(values[i], Accumulate::load(next[i]));
    }
    for (int64_t i = 0; i < count; ++i)
      rounded[i] = Accumulate::store(values[i]);
    for (std::byte *destination : destinations)
      std::memcpy(reinterpret_cast<T *>(destination) + start, rounded,
                  count * sizeof(T));
  }
}

bool runtime::isReducible(int32_t dtype, int32_t reduction) {
  if (dtype < 0 || dtype >= elementTypeCount)
    return false;
  auto type = static_cast<ElementType>(dtype);
  switch (reduction) {
  case TESSERA_SUM:
  case TESSERA_PRODUCT:
  case TESSERA_MIN:
  case TESSERA_MAX:
    return true;
  case TESSERA_AND:
  case TESSERA_OR:
  case TESSERA_XOR:
    return !isFloatingPoint(type);
  }
  return false;
}

/// `body(operation)` for the operation of that code, among those that `T` has.
template <typename T, typename Body>
static void dispatchReduction(int32_t reduction, Body body) {
  if constexpr (std::is_integral_v<T>) {
    if (reduction == TESSERA_AND)
      return body(And());
    if (reduction == TESSERA_OR)
      return body(Or());
    if (reduction == TESSERA_XOR)
      return body(Xor());
  }
  if (reduction == TESSERA_SUM)
    return body(Sum());
  if (reduction == TESSERA_PRODUCT)
    return body(Product());
  return reduction == TESSERA_MIN ? body(Minimum()) : body(Maximum());
}

void runtime::reduceInto(int32_t dtype, int32_t reduction,
                         std::span<const std::byte *const> sources,
                         std::span<std::byte *const> destinations,
                         int64_t begin, int64_t end) {
  // Modulo 2, the sum is xor and the product is and.
  if (dtype == TESSERA_I1 && reduction == TESSERA_SUM)
    reduction = TESSERA_XOR;
  if (dtype == TESSERA_I1 && reduction == TESSERA_PRODUCT)
    reduction = TESSERA_AND;
  auto run = [&]<typename T>(TypeTag<T>) {
    dispatchReduction<T>(reduction, [&](auto operation) {
      reduceBlocks<T>(operation, sources, destinations, begin, end);
    });
  };
  // Sums and products of signed integers wrap around: compute them unsigned.
  bool wraps = reduction == TESSERA_SUM || reduction == TESSERA_PRODUCT;
  dispatchElementType(static_cast<ElementType>(dtype), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_same_v<T, Boolean>)
      run(TypeTag<uint8_t>());
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      wraps ? run(TypeTag<std::make_unsigned_t<T>>()) : run(tag);
    else
      run(tag);
  });
}

/// The neutral element of a reduction among the values in which `T` is
/// accumulated.
template <typename T> static T neutralValue(int32_t reduction) {
  using Limits = std::numeric_limits<T>;
  switch (reduction) {
  case TESSERA_PRODUCT:
    return T(1);
  case TESSERA_MIN:
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  case TESSERA_MAX:
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  case TESSERA_AND:
    return T(-1);
  default:
    return T(0);
  }
}

void runtime::fillNeutral(int32_t dtype, int32_t reduction, std::byte *elements,
                          int64_t count) {
  dispatchElementType(static_cast<ElementType>(dtype), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T neutral;
    if constexpr (std::is_same_v<T, Boolean>)
      neutral = T{reduction == TESSERA_PRODUCT || reduction == TESSERA_MIN ||
                  reduction == TESSERA_AND};
    else
      neutral = Accumulator<T>::store(
          neutralValue<decltype(Accumulator<T>::load(T()))>(reduction));
    std::fill_n(reinterpret_cast<T *>(elements), count, neutral);
  });
}
