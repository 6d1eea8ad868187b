//===- PtxConvert.cpp - Conversions between types -------------------------===//

#include "instructions/PtxFloatLanes.h"

#include <algorithm>
#include <cfenv>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// Modifiers of `cvt`, kept in `Instruction::data[0]`.
enum Mode : uint32_t {
  Nearest = 0,
  TowardsZero = 1,
  Down = 2,
  Up = 3,
  RoundingMask = 3,
  /// Round to an integral value (`.rni` and so on).
  Integral = 4,
  Ftz = 8,
  Sat = 16,
  Relu = 32,
};

int hostRounding(uint32_t modes) {
  static constexpr int roundings[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                      FE_UPWARD};
  return roundings[modes & RoundingMask];
}

template <typename C> C roundIntegral(C value, uint32_t modes) {
  switch (modes & RoundingMask) {
  case TowardsZero:
    return std::trunc(value);
  case Down:
    return std::floor(value);
  case Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// `value` as a T, rounded as `modes` say.
template <typename T, typename S> T roundScalar(S value, uint32_t modes) {
  if ((modes & RoundingMask) == Nearest)
    return static_cast<T>(value);
  int before = std::fegetround();
  std::fesetround(hostRounding(modes));
  volatile S source = value;
  volatile T result = static_cast<T>(source);
  std::fesetround(before);
  return result;
}

/// `value` as a half, rounded once.
template <typename T> T roundHalf(double value, uint32_t modes) {
  T nearest = T::fromFloat(roundToOdd(value, 0));
  double back = nearest.toFloat();
  uint32_t rounding = modes & RoundingMask;
  if (rounding == Nearest || back == value || value != value)
    return nearest;
  bool wantsLess = rounding == Down || (rounding == TowardsZero && value > 0);
  if (wantsLess ? back < value : back > value)
    return nearest;
  // One unit towards the other side; magnitudes are ordered as bits are.
  bool negative = value < 0;
  uint16_t step = wantsLess != negative ? -1 : 1;
  return T{static_cast<uint16_t>(nearest.bits + step)};
}

template <typename D, typename C> D floatToInteger(C value, uint32_t modes) {
  constexpr unsigned bits = 8 * sizeof(D);
  if (value != value)
    return sizeof(D) == 8 || sizeof(C) == 8 ? D(uint64_t(1) << (bits - 1)) : 0;
  C integral = roundIntegral(value, modes);
  // Powers of two, hence exact: the first values that do not fit.
  constexpr int digits = std::numeric_limits<D>::digits;
  C limit = std::ldexp(C(1), digits);
  if (integral >= limit)
    return std::numeric_limits<D>::max();
  if (integral < (std::is_signed_v<D> ? -limit : C(0)))
    return std::numeric_limits<D>::min();
  return static_cast<D>(integral);
}

template <typename D, typename S> D floatToFloat(S source, uint32_t modes) {
  auto value = widen(source);
  if (modes & Ftz)
    value = flush(value);
  if (modes & Integral)
    value = roundIntegral(value, modes);
  if (modes & Relu)
    value = extreme<true, true>(value, decltype(value)(0));
  if (modes & Sat)
    value = saturateUnit(value);
  D result;
  if constexpr (!std::is_floating_point_v<D>) {
    result = roundHalf<D>(value, modes & Integral ? 0u : modes);
    if (isNan(value))
      result = canonicalNan<D>();
  } else {
    result = roundScalar<D>(value, modes & Integral ? 0u : modes);
    if (modes & Ftz)
      result = flush(result);
  }
  return result;
}

template <typename D, typename S> D convertValue(S source, uint32_t modes) {
  constexpr bool fromInteger = std::is_integral_v<S>;
  if constexpr (fromInteger && std::is_integral_v<D>) {
    if (!(modes & Sat))
      return static_cast<D>(source);
    __int128 wide = source;
    return static_cast<D>(std::clamp<__int128>(
        wide, std::numeric_limits<D>::min(), std::numeric_limits<D>::max()));
  } else if constexpr (fromInteger) {
    D result;
    if constexpr (std::is_floating_point_v<D>)
      result = roundScalar<D>(source, modes);
    else
      result = roundHalf<D>(static_cast<double>(source), modes);
    return modes & Sat ? saturateUnit(result) : result;
  } else if constexpr (std::is_integral_v<D>) {
    auto value = widen(source);
    return floatToInteger<D>(modes & Ftz ? flush(value) : value, modes);
  } else {
    return floatToFloat<D>(source, modes);
  }
}

/// Any conversion; registers may be wider than the types.
template <typename D, typename S>
Outcome convertAny(Warp &warp, const Instruction &in, LaneMask mask) {
  std::byte *results = warp.lanes<std::byte>(in[0]);
  const std::byte *sources = warp.lanes<std::byte>(in[1]);
  unsigned resultBytes = in[0].bytes, sourceBytes = in[1].bytes;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    S source;
    std::memcpy(&source, sources + lane * sourceBytes, sizeof source);
    D result = convertValue<D>(source, in.data[0]);
    if constexpr (std::is_integral_v<D>) {
      int64_t extended =
          std::is_signed_v<D> ? int64_t(result) : int64_t(uint64_t(result));
      std::memcpy(results + lane * resultBytes, &extended, resultBytes);
    } else {
      std::memset(results + lane * resultBytes, 0, resultBytes);
      std::memcpy(results + lane * resultBytes, &result, sizeof result);
    }
  }
  return Outcome::Continue;
}

template <typename Body> bool dispatchScalar(Type type, Body body) {
  switch (type) {
  case Type::F16:
    return body(TypeTag<Float16>()), true;
  case Type::BF16:
    return body(TypeTag<BFloat16>()), true;
  case Type::F32:
    return body(TypeTag<float>()), true;
  case Type::F64:
    return body(TypeTag<double>()), true;
  default:
    return dispatchInteger(type, body);
  }
}

uint32_t takeModes(Decoding &d) {
  uint32_t modes = 0;
  int integral = d.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  int rounding = d.takeOneOf({"rn", "rz", "rm", "rp"});
  if (integral >= 0)
    modes |= Integral | integral;
  else if (rounding >= 0)
    modes |= rounding;
  modes |= d.take("ftz") ? Ftz : 0;
  modes |= d.take("sat") ? Sat : 0;
  modes |= d.take("relu") ? Relu : 0;
  return modes;
}

/// `cvt.rn.bf16x2.f32 d, high, low`.
template <typename T>
Outcome convertPair(Warp &warp, const Instruction &in, LaneMask mask) {
  Pair<T> *result = warp.lanes<Pair<T>>(in[0]);
  const float *high = warp.lanes<float>(in[1]), *low = warp.lanes<float>(in[2]);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    result[lane] = {convertValue<T>(low[lane], in.data[0]),
                    convertValue<T>(high[lane], in.data[0])};
  }
  return Outcome::Continue;
}

/// f32 with 10 digits behind the first, ties away from zero or to even, or
/// truncated.
void decodeTf32(Decoding &d, int mode) {
  d.output(4);
  d.input(Type::F32);
  static constexpr auto isFinite = [](uint32_t bits) {
    return (bits & 0x7f800000) != 0x7f800000;
  };
  if (mode == 0)
    return d.handle(lanewise<[](uint32_t a) {
      return isFinite(a) ? (a + 0x1000) & ~0x1fffu : a;
    },
                             uint32_t, uint32_t>);
  if (mode == 1)
    return d.handle(lanewise<[](uint32_t a) {
      return isFinite(a) ? (a + 0xfff + (a >> 13 & 1)) & ~0x1fffu : a;
    },
                             uint32_t, uint32_t>);
  d.handle(lanewise<[](uint32_t a) { return isFinite(a) ? a & ~0x1fffu : a; },
                    uint32_t, uint32_t>);
}

/// Conversions that kernels are full of, in loops that vectorise. Null if the
/// conversion is another one.
Handler commonConversion(Type to, Type from) {
  auto is = [&](Type a, Type b) { return to == a && from == b; };
  if (is(Type::BF16, Type::F32))
    return lanewise<[](float a) {
      return a == a ? BFloat16::fromFloat(a) : canonicalNan<BFloat16>();
    },
                    BFloat16, float>;
  if (is(Type::F32, Type::BF16))
    return lanewise<[](BFloat16 a) { return a.toFloat(); }, float, BFloat16>;
  if (is(Type::F16, Type::F32))
    return lanewise<[](float a) {
      return a == a ? Float16::fromFloat(a) : canonicalNan<Float16>();
    },
                    Float16, float>;
  if (is(Type::F32, Type::F16))
    return lanewise<[](Float16 a) { return a.toFloat(); }, float, Float16>;
  if (is(Type::F32, Type::S32))
    return lanewise<[](int32_t a) { return float(a); }, float, int32_t>;
  if (is(Type::F32, Type::U32))
    return lanewise<[](uint32_t a) { return float(a); }, float, uint32_t>;
  if (is(Type::U64, Type::U32) || is(Type::S64, Type::U32))
    return lanewise<[](uint32_t a) { return uint64_t(a); }, uint64_t, uint32_t>;
  if (is(Type::S64, Type::S32))
    return lanewise<[](int32_t a) { return int64_t(a); }, int64_t, int32_t>;
  if (is(Type::U32, Type::U64) || is(Type::S32, Type::S64))
    return lanewise<[](uint64_t a) { return uint32_t(a); }, uint32_t, uint64_t>;
  return nullptr;
}

/// Decodes `cvt`: conversions that are frequent have handlers of their own, all
/// others one for each pair of types.
void decodeCvt(Decoding &d) {
  bool away = d.take("rna");
  uint32_t modes = takeModes(d);
  Type to = d.expectType(), from = d.expectType();
  d.instruction.data[0] = modes;
  if (to == Type::TF32)
    return decodeTf32(d, away ? 0 : (modes & RoundingMask) == Nearest ? 1 : 2);
  if (away)
    return d.fail("expected '.rna' with '.tf32' only");
  if (to == Type::F16x2 || to == Type::BF16x2) {
    d.output(4);
    d.input(Type::F32);
    d.input(Type::F32);
    if (from != Type::F32)
      return d.fail("expected a conversion from '.f32'");
    return d.handle(to == Type::F16x2 ? convertPair<Float16>
                                      : convertPair<BFloat16>);
  }
  d.output(typeBytes(to), /*widen=*/true);
  d.input(from, /*narrow=*/true);
  if (d.failed())
    return;
  bool exact =
      d.taken(0).bytes == typeBytes(to) && d.taken(1).bytes == typeBytes(from);
  if (Handler common = commonConversion(to, from);
      common && exact && modes == Nearest)
    return d.handle(common);
  bool known = dispatchScalar(to, [&]<typename D>(TypeTag<D>) {
    if (!dispatchScalar(
            from, [&]<typename S>(TypeTag<S>) { d.handle(convertAny<D, S>); }))
      d.fail("expected a conversion from a number");
  });
  if (!known)
    d.fail("expected a conversion to a number");
}

} // namespace

std::span<const Opcode> emulated::convertOpcodes() {
  static constexpr Opcode opcodes[] = {{"cvt", decodeCvt}};
  return opcodes;
}
