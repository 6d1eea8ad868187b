//===- PtxInteger.cpp - Arithmetic of integers ----------------------------===//

#include "instructions/PtxLanes.h"

#include <algorithm>
#include <limits>
#include <type_traits>

using namespace tessera;
using namespace tessera::emulated;

/// Integers in which arithmetic wraps around instead of being undefined: at
/// least 32 bits, because smaller ones are promoted to `int`.
template <typename T>
using Wrapping =
    std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;
/// Twice as wide.
template <typename T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

static int32_t saturate(int64_t value) {
  return std::clamp<int64_t>(value, std::numeric_limits<int32_t>::min(),
                             std::numeric_limits<int32_t>::max());
}

/// What integers become, lane by lane.
static constexpr auto addOf = [](auto a, auto b) {
  using W = Wrapping<decltype(a)>;
  return W(a) + W(b);
};
static constexpr auto subOf = [](auto a, auto b) {
  using W = Wrapping<decltype(a)>;
  return W(a) - W(b);
};
static constexpr auto mulOf = [](auto a, auto b) {
  using W = Wrapping<decltype(a)>;
  return W(a) * W(b);
};
static constexpr auto madOf = [](auto a, auto b, auto c) {
  using W = Wrapping<decltype(a)>;
  return W(a) * W(b) + W(c);
};
/// Division by zero gives all ones, as the hardware does.
static constexpr auto divOf = [](auto a, auto b) {
  using T = decltype(a);
  if (b == 0)
    return T(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return T(Wrapping<T>(0) - Wrapping<T>(a));
  return T(a / b);
};
static constexpr auto remOf = [](auto a, auto b) {
  using T = decltype(a);
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return T(0);
  return b == 0 ? a : T(a % b);
};
static constexpr auto minOf = [](auto a, auto b) { return std::min(a, b); };
static constexpr auto maxOf = [](auto a, auto b) { return std::max(a, b); };
static constexpr auto negOf = [](auto a) {
  using W = Wrapping<decltype(a)>;
  return W(0) - W(a);
};
static constexpr auto absOf = [](auto a) {
  return a < 0 ? decltype(a)(negOf(a)) : a;
};
static constexpr auto sadOf = [](auto a, auto b, auto c) {
  using W = Wrapping<decltype(a)>;
  return W(c) + (a < b ? W(b) - W(a) : W(a) - W(b));
};

static void decodeAdd(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Add, type);
  if (decodePacked(d, PackedOperation::Add, type))
    return;
  if (d.take("cc"))
    return decodeCarry(d, CarryOperation::Add, type, /*takesCarry=*/false,
                       /*leavesCarry=*/true);
  decodeIntegers<addOf, 2>(d, type);
  if (type == Type::S32 && d.take("sat"))
    d.handle(
        lanewise<[](int32_t a, int32_t b) { return saturate(int64_t(a) + b); },
                 int32_t, int32_t, int32_t>);
}

static void decodeSub(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Sub, type);
  if (d.take("cc"))
    return decodeCarry(d, CarryOperation::Subtract, type,
                       /*takesCarry=*/false, /*leavesCarry=*/true);
  decodeIntegers<subOf, 2>(d, type);
  if (type == Type::S32 && d.take("sat"))
    d.handle(
        lanewise<[](int32_t a, int32_t b) { return saturate(int64_t(a) - b); },
                 int32_t, int32_t, int32_t>);
}

/// `addc` and `subc`: with the carry that an instruction before left.
template <CarryOperation operation> static void decodeWithCarry(Decoding &d) {
  bool leavesCarry = d.take("cc");
  decodeCarry(d, operation, d.expectType(), /*takesCarry=*/true, leavesCarry);
}

static void decodeMul(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Mul, type);
  int part = d.takeOneOf({"lo", "hi", "wide"});
  if (part < 0)
    return d.fail("expected '.lo', '.hi' or '.wide'");
  if (part == 2 && typeBytes(type) == 8)
    return d.fail("expected '.wide' of 16 or 32 bits");
  d.output(typeBytes(type) * (part == 2 ? 2 : 1));
  d.input(type);
  d.input(type);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    if (part == 0)
      return d.handle(lanewise<mulOf, T, T, T>);
    if (part == 1)
      return d.handle(lanewise<[](T a, T b) -> T {
        return (Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T));
      },
                               T, T, T>);
    if constexpr (sizeof(T) < 8)
      d.handle(
          lanewise<[](T a, T b) -> Wide<T> { return Wide<T>(a) * Wide<T>(b); },
                   Wide<T>, T, T>);
  });
}

/// Decodes `mad`: the low or high half of an integer product, or all of it as
/// the wider type, plus an addend. Of floats it is a fused multiply-add.
static void decodeMad(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Fma, type);
  int part = d.takeOneOf({"lo", "hi", "wide"});
  if (part < 0)
    return d.fail("expected '.lo', '.hi' or '.wide'");
  if (part == 2 && typeBytes(type) == 8)
    return d.fail("expected '.wide' of 16 or 32 bits");
  static constexpr std::pair<Type, Type> wider[] = {{Type::U16, Type::U32},
                                                    {Type::S16, Type::S32},
                                                    {Type::U32, Type::U64},
                                                    {Type::S32, Type::S64}};
  Type addend = type;
  for (auto [narrow, wide] : wider)
    if (part == 2 && narrow == type)
      addend = wide;
  d.output(typeBytes(addend));
  d.input(type);
  d.input(type);
  d.input(addend);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    if (part == 0)
      return d.handle(lanewise<madOf, T, T, T, T>);
    if (part == 1)
      return d.handle(lanewise<[](T a, T b, T c) -> T {
        return Wrapping<T>((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T))) +
               Wrapping<T>(c);
      },
                               T, T, T, T>);
    if constexpr (sizeof(T) < 8)
      d.handle(lanewise<[](T a, T b, Wide<T> c) -> Wide<T> {
        using U = std::make_unsigned_t<Wide<T>>;
        return U(Wide<T>(a) * Wide<T>(b)) + U(c);
      },
                        Wide<T>, T, T, Wide<T>>);
  });
}

/// `.s16x2` and the like would need pairs; LLVM emits them from sm_90 on only
/// for vectors of 16-bit integers.
template <bool most> static void decodeExtreme(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, most ? FloatOperation::Max : FloatOperation::Min,
                       type);
  if (decodePacked(d, most ? PackedOperation::Max : PackedOperation::Min, type))
    return;
  if (most)
    decodeIntegers<maxOf, 2>(d, type);
  else
    decodeIntegers<minOf, 2>(d, type);
}

/// `dp4a.atype.btype d, a, b, c`: four products of bytes.
static void decodeDp4a(Decoding &d) {
  Type a = d.expectType(), b = d.expectType();
  d.destinationAndSources(Type::B32, 3);
  auto dot = []<typename A, typename B>(TypeTag<A>, TypeTag<B>) -> Handler {
    return lanewise<[](uint32_t a, uint32_t b, uint32_t c) {
      for (unsigned i = 0; i < 32; i += 8)
        c += int32_t(A(a >> i)) * int32_t(B(b >> i));
      return c;
    },
                    uint32_t, uint32_t, uint32_t, uint32_t>;
  };
  TypeTag<int8_t> s;
  TypeTag<uint8_t> u;
  bool signedA = a == Type::S32, signedB = b == Type::S32;
  d.handle(signedA ? (signedB ? dot(s, s) : dot(s, u))
                   : (signedB ? dot(u, s) : dot(u, u)));
}

std::span<const Opcode> emulated::integerOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"add", decodeAdd},
      {"sub", decodeSub},
      {"addc", decodeWithCarry<CarryOperation::Add>},
      {"subc", decodeWithCarry<CarryOperation::Subtract>},
      {"mul", decodeMul},
      {"mad", decodeMad},
      {"div", decodeArithmetic<divOf, 2, FloatOperation::Div>},
      {"rem", decodeArithmetic<remOf, 2>},
      {"min", decodeExtreme<false>},
      {"max", decodeExtreme<true>},
      {"abs", decodeArithmetic<absOf, 1, FloatOperation::Abs>},
      {"neg", decodeArithmetic<negOf, 1, FloatOperation::Neg>},
      {"sad", decodeArithmetic<sadOf, 3>},
      {"dp4a", decodeDp4a},
  };
  return opcodes;
}
