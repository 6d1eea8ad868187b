//===- PtxFloat.cpp - Floating-point instructions -------------------------===//

#include "instructions/PtxFloatLanes.h"

#include <cfenv>

using namespace tessera;
using namespace tessera::emulated;

bool emulated::isFloatType(Type type) {
  switch (type) {
  case Type::F16:
  case Type::BF16:
  case Type::F16x2:
  case Type::BF16x2:
  case Type::F32:
  case Type::F64:
    return true;
  default:
    return false;
  }
}

namespace {

/// Modifiers of floating-point instructions.
struct FloatModes {
  /// `FE_TONEAREST` and so on.
  int rounding = FE_TONEAREST;
  bool ftz = false, sat = false;

  explicit FloatModes(Decoding &d) {
    static constexpr int roundings[] = {FE_TONEAREST, FE_TOWARDZERO,
                                        FE_DOWNWARD, FE_UPWARD};
    int chosen = d.takeOneOf({"rn", "rz", "rm", "rp"});
    if (chosen >= 0)
      rounding = roundings[chosen];
    ftz = d.take("ftz");
    sat = d.take("sat");
  }
};

/// Calls `body` with the `TypeTag` of the lanes of `type`.
template <typename Body> void dispatchFloat(Type type, Body body) {
  switch (type) {
  case Type::F16:
    return body(TypeTag<Float16>());
  case Type::BF16:
    return body(TypeTag<BFloat16>());
  case Type::F16x2:
    return body(TypeTag<Pair<Float16>>());
  case Type::BF16x2:
    return body(TypeTag<Pair<BFloat16>>());
  case Type::F64:
    return body(TypeTag<double>());
  default:
    return body(TypeTag<float>());
  }
}

template <typename T> constexpr bool isPair = false;
template <typename T> constexpr bool isPair<Pair<T>> = true;

/// `op` with the modifiers, on single numbers and on pairs.
template <auto op, bool ftz, bool sat, typename T, typename... Rest>
T applyFloat(T first, Rest... rest) {
  if constexpr (isPair<T>) {
    return {applyFloat<op, ftz, sat>(first.low, rest.low...),
            applyFloat<op, ftz, sat>(first.high, rest.high...)};
  } else {
    T result;
    if constexpr (ftz)
      result = flush(op(flush(first), flush(rest)...));
    else
      result = op(first, rest...);
    if constexpr (sat)
      return saturateUnit(result);
    else
      return result;
  }
}

template <typename T, size_t> using Repeat = T;

/// `op` on `sources` lanes of `T`, rounded as `data[0]` says.
template <auto op, bool ftz, bool sat, typename T, size_t... i>
Outcome roundedLanewise(Warp &warp, const Instruction &in, LaneMask mask) {
  T *result = warp.lanes<T>(in[0]);
  int before = std::fegetround();
  std::fesetround(in.data[0]);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    // Volatile, lest the compiler, which knows only one rounding mode, moves
    // the operation.
    volatile T sources[] = {warp.lanes<T>(in[i + 1])[lane]...};
    volatile T value = applyFloat<op, ftz, sat>(T(sources[i])...);
    result[lane] = value;
  }
  std::fesetround(before);
  return Outcome::Continue;
}

/// Chooses the handler of `op` with as many sources as `i`.
template <auto op, typename T, size_t... i>
void handleFloat(Decoding &d, const FloatModes &modes,
                 std::index_sequence<i...>) {
  auto choose = [&]<bool ftz, bool sat>() -> Handler {
    if constexpr (std::is_floating_point_v<T>)
      if (modes.rounding != FE_TONEAREST)
        return roundedLanewise<op, ftz, sat, T, i...>;
    return lanewise<[](Repeat<T, i>... sources) {
      return applyFloat<op, ftz, sat>(sources...);
    },
                    T, Repeat<T, i>...>;
  };
  if (!std::is_floating_point_v<T> && modes.rounding != FE_TONEAREST)
    return d.fail("expected rounding to nearest");
  d.instruction.data[0] = modes.rounding;
  if constexpr (std::is_same_v<T, float>)
    if (modes.ftz)
      return d.handle(modes.sat ? choose.template operator()<true, true>()
                                : choose.template operator()<true, false>());
  d.handle(modes.sat ? choose.template operator()<false, true>()
                     : choose.template operator()<false, false>());
}

#if defined(__x86_64__)
constexpr auto fuse = [](auto a, auto b, auto c) { return std::fma(a, b, c); };

/// Fused multiply-adds where the host has an instruction for them; the library
/// function takes five times as long.
template <typename T, bool ftz>
__attribute__((target("avx2,fma"))) Outcome
fuseLanes(Warp &warp, const Instruction &in, LaneMask mask) {
  T *result = warp.lanes<T>(in[0]);
  const T *a = warp.lanes<T>(in[1]), *b = warp.lanes<T>(in[2]),
          *c = warp.lanes<T>(in[3]);
  if (mask == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      result[lane] = applyFloat<fuse, ftz, false>(a[lane], b[lane], c[lane]);
  } else {
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      result[lane] = applyFloat<fuse, ftz, false>(a[lane], b[lane], c[lane]);
    }
  }
  return Outcome::Continue;
}

Handler fuseHandler(Type type, bool ftz) {
  if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2"))
    return nullptr;
  if (type == Type::F32)
    return ftz ? fuseLanes<float, true> : fuseLanes<float, false>;
  return type == Type::F64 ? fuseLanes<double, false> : Handler();
}
#else
Handler fuseHandler(Type, bool) { return nullptr; }
#endif

/// Takes operands and handles `op` of `sources` sources of `type`.
template <auto op, size_t sources>
void decodeOperation(Decoding &d, Type type, const FloatModes &modes) {
  bool half = type == Type::F16 || type == Type::F16x2;
  if ((modes.ftz || modes.sat) && type != Type::F32 && !half)
    return d.fail("expected '.ftz' and '.sat' with '.f32' and '.f16' only");
  d.output(typeBytes(type));
  for (size_t i = 0; i < sources; ++i)
    d.input(type);
  dispatchFloat(type, [&]<typename T>(TypeTag<T>) {
    handleFloat<op, T>(d, modes, std::make_index_sequence<sources>());
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static constexpr auto addOf = [](auto a, auto b) {
  return narrow<decltype(a)>(widen(a) + widen(b));
};
static constexpr auto subOf = [](auto a, auto b) {
  return narrow<decltype(a)>(widen(a) - widen(b));
};
static constexpr auto mulOf = [](auto a, auto b) {
  return narrow<decltype(a)>(widen(a) * widen(b));
};
static constexpr auto divOf = [](auto a, auto b) {
  return narrow<decltype(a)>(widen(a) / widen(b));
};
static constexpr auto fmaOf = [](auto a, auto b, auto c) {
  return fusedMultiplyAdd(a, b, c);
};
static constexpr auto fmaReluOf = [](auto a, auto b, auto c) {
  return extreme<true, true>(fusedMultiplyAdd(a, b, c), decltype(a){});
};
static constexpr auto absOf = [](auto a) {
  using U = BitsOf<decltype(a)>;
  return std::bit_cast<decltype(a)>(
      static_cast<U>(std::bit_cast<U>(a) & (U(~U(0)) >> 1)));
};
static constexpr auto negOf = [](auto a) {
  using U = BitsOf<decltype(a)>;
  return std::bit_cast<decltype(a)>(
      static_cast<U>(std::bit_cast<U>(a) ^ (U(1) << (8 * sizeof(a) - 1))));
};

template <bool most>
static void decodeFloatExtreme(Decoding &d, Type type,
                               const FloatModes &modes) {
  static constexpr auto quiet = [](auto a, auto b) {
    return extreme<most, false>(a, b);
  };
  static constexpr auto nan = [](auto a, auto b) {
    return extreme<most, true>(a, b);
  };
  if (d.take("NaN"))
    decodeOperation<nan, 2>(d, type, modes);
  else
    decodeOperation<quiet, 2>(d, type, modes);
}

void emulated::decodeFloat(Decoding &d, FloatOperation operation, Type type) {
  FloatModes modes(d);
  switch (operation) {
  case FloatOperation::Add:
    return decodeOperation<addOf, 2>(d, type, modes);
  case FloatOperation::Sub:
    return decodeOperation<subOf, 2>(d, type, modes);
  case FloatOperation::Mul:
    return decodeOperation<mulOf, 2>(d, type, modes);
  case FloatOperation::Div:
    // Approximations are as exact as can be.
    d.takeOneOf({"approx", "full"});
    return decodeOperation<divOf, 2>(d, type, modes);
  case FloatOperation::Min:
    return decodeFloatExtreme<false>(d, type, modes);
  case FloatOperation::Max:
    return decodeFloatExtreme<true>(d, type, modes);
  case FloatOperation::Abs:
    return decodeOperation<absOf, 1>(d, type, modes);
  case FloatOperation::Neg:
    return decodeOperation<negOf, 1>(d, type, modes);
  case FloatOperation::Fma:
    if (d.take("relu"))
      return decodeOperation<fmaReluOf, 3>(d, type, modes);
    decodeOperation<fmaOf, 3>(d, type, modes);
    if (Handler handler = fuseHandler(type, modes.ftz);
        handler && modes.rounding == FE_TONEAREST && !modes.sat)
      d.handle(handler);
    return;
  }
}

static void decodeFma(Decoding &d) {
  Type type = d.expectType();
  if (!isFloatType(type))
    return d.fail("expected a floating-point type");
  decodeFloat(d, FloatOperation::Fma, type);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Rounded to 11 digits behind the first: as coarse as `tanh.approx` of the
/// hardware, so that what depends on more of them shows.
static float coarse(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::isnormal(value) ? std::bit_cast<float>((bits + 0x800) & ~0xfffu)
                              : value;
}

static constexpr auto rcpOf = [](auto a) {
  return narrow<decltype(a)>(1 / widen(a));
};
static constexpr auto sqrtOf = [](auto a) {
  return narrow<decltype(a)>(std::sqrt(widen(a)));
};
static constexpr auto rsqrtOf = [](auto a) {
  return narrow<decltype(a)>(1 / std::sqrt(double(widen(a))));
};
static constexpr auto sinOf = [](auto a) {
  return narrow<decltype(a)>(std::sin(widen(a)));
};
static constexpr auto cosOf = [](auto a) {
  return narrow<decltype(a)>(std::cos(widen(a)));
};
static constexpr auto ex2Of = [](auto a) {
  return narrow<decltype(a)>(std::exp2(widen(a)));
};
static constexpr auto lg2Of = [](auto a) {
  return narrow<decltype(a)>(std::log2(widen(a)));
};
static constexpr auto tanhOf = [](auto a) {
  return narrow<decltype(a)>(coarse(std::tanh(widen(a))));
};

template <auto op> static void decodeFunction(Decoding &d) {
  FloatModes modes(d);
  d.take("approx");
  Type type = d.expectType();
  if (!isFloatType(type))
    return d.fail("expected a floating-point type");
  // `ex2.approx.ftz.bf16`: there is no other.
  if (type == Type::BF16 || type == Type::BF16x2)
    modes.ftz = false;
  decodeOperation<op, 1>(d, type, modes);
}

/// The sign of the first source and the magnitude of the second.
static void decodeCopysign(Decoding &d) {
  Type type = d.expectType();
  d.output(typeBytes(type));
  d.input(type);
  d.input(type);
  if (type == Type::F32)
    return d.handle(
        lanewise<[](float a, float b) { return std::copysign(b, a); }, float,
                 float, float>);
  if (type == Type::F64)
    return d.handle(
        lanewise<[](double a, double b) { return std::copysign(b, a); }, double,
                 double, double>);
  d.fail("expected '.f32' or '.f64'");
}

std::span<const Opcode> emulated::floatOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"fma", decodeFma},
      {"rcp", decodeFunction<rcpOf>},
      {"sqrt", decodeFunction<sqrtOf>},
      {"rsqrt", decodeFunction<rsqrtOf>},
      {"sin", decodeFunction<sinOf>},
      {"cos", decodeFunction<cosOf>},
      {"ex2", decodeFunction<ex2Of>},
      {"lg2", decodeFunction<lg2Of>},
      {"tanh", decodeFunction<tanhOf>},
      {"copysign", decodeCopysign},
  };
  return opcodes;
}
