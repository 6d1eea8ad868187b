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

template <typename T> static T saturate(int64_t value) {
  return std::clamp<int64_t>(value, std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max());
}

static void decodeAdd(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Add, type);
  if (decodePacked(d, PackedOperation::Add, type))
    return;
  if (d.take("cc"))
    return decodeCarry(d, CarryOperation::Add, type, /*takesCarry=*/false,
                       /*leavesCarry=*/true);
  d.destinationAndSources(type, 2);
  if (type == Type::S32 && d.take("sat"))
    return d.handle(lanewise<[](int32_t a, int32_t b) {
      return saturate<int32_t>(int64_t(a) + b);
    },
                             int32_t, int32_t, int32_t>);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(
        lanewise<[](T a, T b) -> T { return Wrapping<T>(a) + Wrapping<T>(b); },
                 T, T, T>);
  });
}

static void decodeSub(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Sub, type);
  if (d.take("cc"))
    return decodeCarry(d, CarryOperation::Subtract, type,
                       /*takesCarry=*/false, /*leavesCarry=*/true);
  d.destinationAndSources(type, 2);
  if (type == Type::S32 && d.take("sat"))
    return d.handle(lanewise<[](int32_t a, int32_t b) {
      return saturate<int32_t>(int64_t(a) - b);
    },
                             int32_t, int32_t, int32_t>);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(
        lanewise<[](T a, T b) -> T { return Wrapping<T>(a) - Wrapping<T>(b); },
                 T, T, T>);
  });
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
      return d.handle(lanewise<[](T a, T b) -> T {
        return Wrapping<T>(a) * Wrapping<T>(b);
      },
                               T, T, T>);
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
      return d.handle(lanewise<[](T a, T b, T c) -> T {
        return Wrapping<T>(a) * Wrapping<T>(b) + Wrapping<T>(c);
      },
                               T, T, T, T>);
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

/// Division by zero gives all ones, as the hardware does.
template <typename T> static T divide(T a, T b) {
  if (b == 0)
    return ~T(0);
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return T(Wrapping<T>(0) - Wrapping<T>(a));
  return a / b;
}

template <typename T> static T remainder(T a, T b) {
  if (b == 0)
    return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return 0;
  return a % b;
}

static void decodeDiv(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Div, type);
  d.destinationAndSources(type, 2);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a, T b) { return divide(a, b); }, T, T, T>);
  });
}

static void decodeRem(Decoding &d) {
  Type type = d.expectType();
  d.destinationAndSources(type, 2);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a, T b) { return remainder(a, b); }, T, T, T>);
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
  d.destinationAndSources(type, 2);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a, T b) -> T {
      return most ? std::max(a, b) : std::min(a, b);
    },
                      T, T, T>);
  });
}

static void decodeAbs(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Abs, type);
  d.destinationAndSources(type, 1);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a) -> T {
      return a < 0 ? T(Wrapping<T>(0) - Wrapping<T>(a)) : a;
    },
                      T, T>);
  });
}

static void decodeNeg(Decoding &d) {
  Type type = d.expectType();
  if (isFloatType(type))
    return decodeFloat(d, FloatOperation::Neg, type);
  d.destinationAndSources(type, 1);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a) -> T { return Wrapping<T>(0) - Wrapping<T>(a); },
                      T, T>);
  });
}

static void decodeSad(Decoding &d) {
  Type type = d.expectType();
  d.destinationAndSources(type, 3);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a, T b, T c) -> T {
      Wrapping<T> difference = a < b ? Wrapping<T>(b) - Wrapping<T>(a)
                                     : Wrapping<T>(a) - Wrapping<T>(b);
      return Wrapping<T>(c) + difference;
    },
                      T, T, T, T>);
  });
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
      {"div", decodeDiv},
      {"rem", decodeRem},
      {"min", decodeExtreme<false>},
      {"max", decodeExtreme<true>},
      {"abs", decodeAbs},
      {"neg", decodeNeg},
      {"sad", decodeSad},
      {"dp4a", decodeDp4a},
  };
  return opcodes;
}
