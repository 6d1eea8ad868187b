//===- PtxBits.cpp - Instructions on bits ---------------------------------===//

#include "instructions/PtxLanes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

using namespace tessera;
using namespace tessera::emulated;

/// Logic on bits or predicates: `op` works on whole words either way.
template <auto op, unsigned sources> static void decodeLogic(Decoding &d) {
  Type type = d.expectType();
  decodeIntegers<op, sources>(d, type);
  if (type != Type::Pred)
    return;
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    LaneMask result;
    if constexpr (sources == 1)
      result = op(warp.predicate(in[1]));
    else
      result = op(warp.predicate(in[1]), warp.predicate(in[2]));
    warp.setPredicate(in[0], result, mask);
    return Outcome::Continue;
  });
}

/// Amounts from the width on shift everything out.
template <bool left> static void decodeShift(Decoding &d) {
  Type type = d.expectType();
  d.output(typeBytes(type));
  d.input(type);
  d.input(Type::U32);
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    constexpr uint32_t width = 8 * sizeof(T);
    d.handle(lanewise<[](T a, uint32_t amount) -> T {
      if constexpr (left)
        return amount >= width ? T(0) : T(uint64_t(a) << amount);
      else if constexpr (std::is_signed_v<T>)
        return a >> std::min(amount, width - 1);
      else
        return amount >= width ? T(0) : T(a >> amount);
    },
                      T, T, uint32_t>);
  });
}

/// `shf.{l,r}.{wrap,clamp}.b32 d, low, high, amount`: a funnel.
static void decodeFunnel(Decoding &d) {
  int left = d.takeOneOf({"l", "r"}), clamp = d.takeOneOf({"wrap", "clamp"});
  d.expect("b32");
  d.destinationAndSources(Type::B32, 3);
  auto funnel = []<bool l, bool c>() -> Handler {
    return lanewise<[](uint32_t low, uint32_t high, uint32_t amount) {
      uint32_t n = c ? std::min(amount, 32u) : amount & 31;
      uint64_t both = uint64_t(high) << 32 | low;
      return uint32_t(l ? both << n >> 32 : both >> n);
    },
                    uint32_t, uint32_t, uint32_t, uint32_t>;
  };
  if (left < 0 || clamp < 0)
    return d.fail("expected '.l' or '.r', and '.wrap' or '.clamp'");
  d.handle(left == 0 ? (clamp ? funnel.operator()<true, true>()
                              : funnel.operator()<true, false>())
                     : (clamp ? funnel.operator()<false, true>()
                              : funnel.operator()<false, false>()));
}

static void decodeBfe(Decoding &d) {
  Type type = d.expectType();
  d.output(typeBytes(type));
  d.input(type);
  d.input(Type::U32);
  d.input(Type::U32);
  if (typeBytes(type) < 4)
    return d.fail("expected 32 or 64 bits");
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a, uint32_t position, uint32_t length) -> T {
      constexpr uint32_t width = 8 * sizeof(T);
      using U = std::make_unsigned_t<T>;
      uint32_t at = position & 255, count = length & 255;
      if (count == 0)
        return 0;
      // Past the end: the sign, or zeros.
      uint32_t last = std::min(at + count - 1, width - 1);
      bool sign = std::is_signed_v<T> && (U(a) >> last & 1);
      U field = at >= width ? 0 : U(a) >> at;
      U kept = count >= width ? ~U(0) : (U(1) << count) - 1;
      U present = at >= width ? 0 : at + count >= width ? ~U(0) >> at : kept;
      return (field & kept) | (sign ? ~(present & kept) : U(0));
    },
                      T, T, uint32_t, uint32_t>);
  });
}

static void decodeBfi(Decoding &d) {
  Type type = d.expectType();
  d.output(typeBytes(type));
  d.input(type);
  d.input(type);
  d.input(Type::U32);
  d.input(Type::U32);
  if (typeBytes(type) < 4)
    return d.fail("expected 32 or 64 bits");
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    d.handle(lanewise<[](T a, T b, uint32_t position, uint32_t length) -> T {
      constexpr uint32_t width = 8 * sizeof(T);
      using U = std::make_unsigned_t<T>;
      uint32_t at = position & 255, count = length & 255;
      if (at >= width || count == 0)
        return b;
      U field = (count >= width ? ~U(0) : (U(1) << count) - 1) << at;
      return (U(b) & ~field) | (U(a) << at & field);
    },
                      T, T, T, uint32_t, uint32_t>);
  });
}

/// Bits counted or found: a 32-bit result of a 32- or 64-bit source.
template <auto op> static void decodeCount(Decoding &d) {
  Type type = d.expectType();
  d.output(4);
  d.input(type);
  if (typeBytes(type) < 4)
    return d.fail("expected 32 or 64 bits");
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    using U = std::make_unsigned_t<T>;
    d.handle(lanewise<[](U a) -> uint32_t { return op(a); }, uint32_t, U>);
  });
}

static void decodeBfind(Decoding &d) {
  bool shift = d.take("shiftamt");
  Type type = d.expectType();
  d.output(4);
  d.input(type);
  if (typeBytes(type) < 4)
    return d.fail("expected 32 or 64 bits");
  dispatchArithmetic(type, [&]<typename T>(TypeTag<T>) {
    using U = std::make_unsigned_t<T>;
    auto find = []<bool shiftAmount>() -> Handler {
      return lanewise<[](T a) -> uint32_t {
        U bits = a < 0 ? ~U(a) : U(a);
        if (bits == 0)
          return ~0u;
        uint32_t zeros = std::countl_zero(bits);
        return shiftAmount ? zeros : 8 * sizeof(T) - 1 - zeros;
      },
                      uint32_t, T>;
    };
    d.handle(shift ? find.template operator()<true>()
                   : find.template operator()<false>());
  });
}

/// Any function of three bits, by its truth table.
static void decodeLop3(Decoding &d) {
  d.expect("b32");
  d.destinationAndSources(Type::B32, 3);
  d.instruction.data[0] = d.immediate();
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    uint32_t *result = warp.lanes<uint32_t>(in[0]);
    const uint32_t *a = warp.lanes<uint32_t>(in[1]);
    const uint32_t *b = warp.lanes<uint32_t>(in[2]);
    const uint32_t *c = warp.lanes<uint32_t>(in[3]);
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      uint32_t value = 0;
      for (unsigned row = 0; row < 8; ++row)
        if (in.data[0] >> row & 1)
          value |= (row & 4 ? a[lane] : ~a[lane]) &
                   (row & 2 ? b[lane] : ~b[lane]) &
                   (row & 1 ? c[lane] : ~c[lane]);
      result[lane] = mask >> lane & 1 ? value : result[lane];
    }
    return Outcome::Continue;
  });
}

/// One byte of eight, or its sign repeated.
static uint32_t selectByte(uint64_t bytes, uint32_t selector) {
  uint32_t value = bytes >> 8 * (selector & 7) & 0xff;
  return selector & 8 ? (value & 0x80 ? 0xff : 0) : value;
}

/// Decodes `prmt`: bytes of two registers in the order of a selector, or in one
/// of six modes by its low two bits.
static void decodePrmt(Decoding &d) {
  d.expect("b32");
  int mode = d.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  d.destinationAndSources(Type::B32, 3);
  if (mode < 0)
    return d.handle(lanewise<[](uint32_t a, uint32_t b, uint32_t selector) {
      uint64_t bytes = uint64_t(b) << 32 | a;
      uint32_t result = 0;
      for (unsigned i = 0; i < 4; ++i)
        result |= selectByte(bytes, selector >> 4 * i) << 8 * i;
      return result;
    },
                             uint32_t, uint32_t, uint32_t, uint32_t>);
  // The byte that each mode selects for result byte i, by the low two bits.
  static constexpr uint16_t selectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  d.instruction.data[0] = mode;
  d.handle([](Warp &warp, const Instruction &in, LaneMask mask) {
    uint32_t *result = warp.lanes<uint32_t>(in[0]);
    for (LaneMask rest = mask; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      uint64_t bytes = uint64_t(warp.lanes<uint32_t>(in[2])[lane]) << 32 |
                       warp.lanes<uint32_t>(in[1])[lane];
      uint32_t low = warp.lanes<uint32_t>(in[3])[lane] & 3, value = 0;
      uint16_t selector = selectors[in.data[0]][low];
      for (unsigned i = 0; i < 4; ++i)
        value |= selectByte(bytes, selector >> 4 * i & 7) << 8 * i;
      result[lane] = value;
    }
    return Outcome::Continue;
  });
}

/// The opcodes of logic, shifts, counts of bits, bit fields and bytes, by name:
/// where every lane computes the same of its operands, the row holds what that
/// is, for each width; otherwise the function that decodes it.
std::span<const Opcode> emulated::bitOpcodes() {
  static constexpr auto conjunction = [](auto a, auto b) { return a & b; };
  static constexpr auto disjunction = [](auto a, auto b) { return a | b; };
  static constexpr auto exclusion = [](auto a, auto b) { return a ^ b; };
  static constexpr auto negation = [](auto a) { return ~a; };
  static constexpr auto isZero = [](auto a) { return a == 0; };
  static constexpr auto reverse = [](auto a) {
    using U = std::make_unsigned_t<decltype(a)>;
    U result = 0;
    for (unsigned i = 0; i < 8 * sizeof(U); ++i)
      result |= (U(a) >> i & 1) << (8 * sizeof(U) - 1 - i);
    return result;
  };
  static constexpr auto ones = [](auto a) { return std::popcount(a); };
  static constexpr auto zeros = [](auto a) { return std::countl_zero(a); };
  static constexpr Opcode opcodes[] = {
      {"and", decodeLogic<conjunction, 2>},
      {"or", decodeLogic<disjunction, 2>},
      {"xor", decodeLogic<exclusion, 2>},
      {"not", decodeLogic<negation, 1>},
      {"cnot", decodeArithmetic<isZero, 1>},
      {"shl", decodeShift<true>},
      {"shr", decodeShift<false>},
      {"shf", decodeFunnel},
      {"bfe", decodeBfe},
      {"bfi", decodeBfi},
      {"popc", decodeCount<ones>},
      {"clz", decodeCount<zeros>},
      {"bfind", decodeBfind},
      {"brev", decodeArithmetic<reverse, 1>},
      {"lop3", decodeLop3},
      {"prmt", decodePrmt},
  };
  return opcodes;
}
