//===- Conversions.cpp - From one element type to another -----------------===//

#include "ElementAccess.h"
#include "OperationTable.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tessera;

namespace {

//===----------------------------------------------------------------------===//
// What happens to one element
//===----------------------------------------------------------------------===//

/// Narrows to float such that rounding once more, to a half, gives what
/// rounding `value` to the half at once would: an inexact result has an odd
/// last bit (Boldo, Melquiond: Emulation of FMA and correctly rounded sums,
/// 2008). Every integer and float is a `long double`.
float roundToOdd(long double value) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  float narrowed = static_cast<float>(value);
  if (static_cast<long double>(narrowed) == value || !std::isfinite(narrowed))
    return narrowed;
  if (std::abs(static_cast<long double>(narrowed)) > std::abs(value))
    narrowed = std::nextafter(narrowed, 0.0f);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(narrowed) | 1u);
}

/// A number as the float type `To`, rounded to nearest once.
template <typename To, typename C> To toFloat(C number) {
  if constexpr (std::is_arithmetic_v<To>)
    return static_cast<To>(number);
  else
    return To::fromFloat(roundToOdd(static_cast<long double>(number)));
}

struct FloatToFloat {
  template <typename From, typename To> static To apply(From a) {
    return toFloat<To>(load(a));
  }
};

struct SignedToFloat {
  template <typename From, typename To> static To apply(From a) {
    if constexpr (std::is_same_v<From, Boolean>)
      return toFloat<To>(-load(a));
    else
      return toFloat<To>(load(a));
  }
};

struct UnsignedToFloat {
  template <typename From, typename To> static To apply(From a) {
    if constexpr (std::is_same_v<From, Boolean>)
      return toFloat<To>(load(a));
    else
      return toFloat<To>(static_cast<std::make_unsigned_t<From>>(a));
  }
};

/// Toward zero. What does not fit is poison in `arith`; here it becomes the
/// nearest integer that does, and a NaN 0.
template <typename Integer> Integer saturate(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value))
    return 0;
  if (value <= static_cast<double>(Limits::lowest()))
    return Limits::lowest();
  // The largest integer may round up to a power of two that does not fit.
  if (value >= static_cast<double>(Limits::max()))
    return Limits::max();
  return static_cast<Integer>(value);
}

struct FloatToSigned {
  template <typename From, typename To> static To apply(From a) {
    if constexpr (std::is_same_v<To, Boolean>)
      return Boolean{load(a) <= -1};
    else
      return saturate<To>(load(a));
  }
};

struct FloatToUnsigned {
  template <typename From, typename To> static To apply(From a) {
    if constexpr (std::is_same_v<To, Boolean>)
      return Boolean{load(a) >= 1};
    else
      return static_cast<To>(saturate<std::make_unsigned_t<To>>(load(a)));
  }
};

/// Sign extension, zero extension (also of an `index`, which is 64 bits wide)
/// and truncation.
template <bool isSigned> struct IntegerToInteger {
  template <typename From, typename To> static To apply(From a) {
    int64_t wide;
    if constexpr (std::is_same_v<From, Boolean>)
      wide = isSigned ? -load(a) : load(a);
    else if constexpr (isSigned)
      wide = a;
    else
      wide = static_cast<std::make_unsigned_t<From>>(a);
    if constexpr (std::is_same_v<To, Boolean>)
      return Boolean{static_cast<uint8_t>(wide & 1)};
    else
      return static_cast<To>(wide);
  }
};

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Calls `body` with the storage tag of `type`, which is known to be a float or
/// known to be an integer.
template <bool isFloat, typename Body>
void dispatch(ElementType type, Body body) {
  if constexpr (isFloat)
    dispatchFloat(type, body);
  else
    dispatchInteger(type, body);
}

template <typename Rule, bool fromFloat, bool toFloat>
LogicalResult convert(Invocation &in) {
  HostTensor result = in.makeResult();
  dispatch<fromFloat>(in.operand(0).type(), [&](auto fromTag) {
    dispatch<toFloat>(result.type(), [&](auto toTag) {
      using From = typename decltype(fromTag)::Type;
      using To = typename decltype(toTag)::Type;
      std::span<const From> a = in.operand(0).elements<From>();
      std::span<To> r = result.elements<To>();
      for (size_t i = 0; i < r.size(); ++i)
        r[i] = Rule::template apply<From, To>(a[i]);
    });
  });
  return in.give(std::move(result));
}

LogicalResult truncateFloat(Invocation &in) {
  auto mode = cast<arith::TruncFOp>(in.op).getRoundingmode();
  if (mode && *mode != arith::RoundingMode::to_nearest_even)
    return in.fail("expected rounding mode to_nearest_even, got " +
                   arith::stringifyRoundingMode(*mode));
  return convert<FloatToFloat, true, true>(in);
}

LogicalResult bitcast(Invocation &in) {
  HostTensor result = in.makeResult();
  assert(result.byteSize() == in.operand(0).byteSize());
  std::memcpy(result.data(), in.operand(0).data(), result.byteSize());
  return in.give(std::move(result));
}

} // namespace

void tessera::addConversions(OperationTable &table) {
  table.add("arith.extf", convert<FloatToFloat, true, true>);
  table.add("arith.truncf", truncateFloat);
  table.add("arith.sitofp", convert<SignedToFloat, false, true>);
  table.add("arith.uitofp", convert<UnsignedToFloat, false, true>);
  table.add("arith.fptosi", convert<FloatToSigned, true, false>);
  table.add("arith.fptoui", convert<FloatToUnsigned, true, false>);
  table.add("arith.extsi", convert<IntegerToInteger<true>, false, false>);
  table.add("arith.extui", convert<IntegerToInteger<false>, false, false>);
  table.add("arith.trunci", convert<IntegerToInteger<true>, false, false>);
  table.add("arith.index_cast", convert<IntegerToInteger<true>, false, false>);
  table.add("arith.index_castui",
            convert<IntegerToInteger<false>, false, false>);
  table.add("arith.bitcast", bitcast);
}
