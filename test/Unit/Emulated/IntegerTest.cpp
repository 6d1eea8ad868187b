//===- IntegerTest.cpp - Integer instructions against C++ -----------------===//

#include "TestKernel.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <random>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// Random words of all magnitudes, preceded by those where things go wrong.
std::vector<uint64_t> interestingWords(unsigned bits, unsigned seed) {
  std::vector<uint64_t> words = {0,
                                 1,
                                 2,
                                 ~uint64_t(0),
                                 uint64_t(1) << (bits - 1),
                                 (uint64_t(1) << (bits - 1)) - 1,
                                 bits,
                                 bits - 1};
  std::mt19937_64 random(seed);
  while (words.size() < 256)
    words.push_back(random() >> random() % 64);
  std::shuffle(words.begin(), words.end(), random);
  for (uint64_t &word : words)
    word &= bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  return words;
}

/// Checks `instruction` on words of type T in every source.
template <typename T, typename R, typename... S>
void check(const std::string &instruction, const std::string &result,
           const std::vector<std::string> &types, R (*expected)(S...)) {
  std::vector<std::vector<uint64_t>> sources;
  for (unsigned i = 0; i < types.size(); ++i)
    sources.push_back(interestingWords(8 * sizeof(T), i + 1));
  std::vector<uint64_t> got =
      executeInstruction(instruction, result, types, sources);
  for (size_t lane = 0; lane < got.size(); ++lane)
    [&]<size_t... i>(std::index_sequence<i...>) {
      R want = expected(static_cast<S>(sources[i][lane])...);
      ASSERT_EQ(static_cast<R>(got[lane]), want)
          << instruction << " of"
          << ((" " + std::to_string(sources[i][lane])) + ...);
    }
  (std::index_sequence_for<S...>());
}

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;

/// Two integers of 16 bits by `op`.
template <typename T, auto op> u32 packed(u32 a, u32 b) {
  u16 low = op(static_cast<T>(a), static_cast<T>(b));
  u16 high = op(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
  return u32(high) << 16 | low;
}

TEST(PtxInteger, ComputesInHalvesOfRegisters) {
  constexpr auto sum = [](auto a, auto b) { return a + b; };
  constexpr auto least = [](auto a, auto b) { return std::min(a, b); };
  constexpr auto most = [](auto a, auto b) { return std::max(a, b); };
  auto test = [](const char *instruction, u32 (*expected)(u32, u32)) {
    check<u32>(instruction, "u32", {"u32", "u32"}, expected);
  };
  test("add.u16x2", packed<u16, sum>);
  test("add.s16x2", packed<s16, sum>);
  test("min.u16x2", packed<u16, least>);
  test("min.s16x2", packed<s16, least>);
  test("max.u16x2", packed<u16, most>);
  test("max.s16x2", packed<s16, most>);
}

TEST(PtxInteger, CarriesFromOneRegisterToTheNext) {
  // Three words of sums and differences; carries are those of each lane.
  std::vector<u64> x = interestingWords(64, 1), y = interestingWords(64, 2);
  for (bool adds : {true, false}) {
    std::string op = adds ? "add" : "sub";
    TestKernel kernel(3, R"(
      mad.wide.u32 %d1, %tid1, 8, %a0; mad.wide.u32 %d2, %tid1, 8, %a1;
      mad.wide.u32 %d3, %tid1, 12, %a2;
      ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4];
      ld.global.u32 %r3, [%d2]; ld.global.u32 %r4, [%d2+4];)" +
                             op + ".cc.u32 %r5, %r1, %r3;" + op +
                             "c.cc.u32 %r6, %r2, %r4;" + op +
                             R"(c.u32 %r7, 0, 0;
      st.global.u32 [%d3], %r5; st.global.u32 [%d3+4], %r6;
      st.global.u32 [%d3+8], %r7;)");
    kernel.set(0, x);
    kernel.set(1, y);
    kernel.set(2, std::vector<u32>(3 * x.size()));
    ASSERT_EQ(kernel.run(x.size() / 32), "");
    std::vector<u32> got = kernel.get<u32>(2);
    for (size_t i = 0; i < x.size(); ++i) {
      u64 result = adds ? x[i] + y[i] : x[i] - y[i];
      u32 rest = adds ? result < x[i] : -u32(x[i] < y[i]);
      EXPECT_EQ(got[3 * i], u32(result)) << op << x[i] << " " << y[i];
      EXPECT_EQ(got[3 * i + 1], u32(result >> 32)) << op << x[i] << " " << y[i];
      EXPECT_EQ(got[3 * i + 2], rest) << op << x[i] << " " << y[i];
    }
  }
}

TEST(PtxInteger, AddsAndSubtractsWithWrapping) {
  check<u16>(
      "add.u16", "u16", {"u16", "u16"},
      +[](u16 a, u16 b) -> u16 { return a + b; });
  check<u32>(
      "add.s32", "u32", {"u32", "u32"}, +[](u32 a, u32 b) { return a + b; });
  check<u64>(
      "add.s64", "u64", {"u64", "u64"}, +[](u64 a, u64 b) { return a + b; });
  check<u32>(
      "sub.u32", "u32", {"u32", "u32"}, +[](u32 a, u32 b) { return a - b; });
  check<u64>(
      "sub.s64", "u64", {"u64", "u64"}, +[](u64 a, u64 b) { return a - b; });
  check<u32>(
      "neg.s32", "u32", {"u32"}, +[](u32 a) { return 0 - a; });
  check<u64>(
      "abs.s64", "u64", {"u64"},
      +[](s64 a) { return a < 0 ? u64(0) - u64(a) : u64(a); });
  check<u32>(
      "add.sat.s32", "s32", {"s32", "s32"}, +[](s32 a, s32 b) {
        return s32(std::clamp<s64>(s64(a) + b, INT32_MIN, INT32_MAX));
      });
}

TEST(PtxInteger, MultipliesLowHighAndWide) {
  check<u16>(
      "mul.lo.s16", "u16", {"u16", "u16"},
      +[](u16 a, u16 b) -> u16 { return u32(a) * b; });
  check<u32>(
      "mul.lo.s32", "u32", {"u32", "u32"}, +[](u32 a, u32 b) { return a * b; });
  check<u32>(
      "mul.hi.u32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return u32(u64(a) * b >> 32); });
  check<u32>(
      "mul.hi.s32", "u32", {"u32", "u32"},
      +[](s32 a, s32 b) { return u32(s64(a) * b >> 32); });
  check<u64>(
      "mul.hi.u64", "u64", {"u64", "u64"},
      +[](u64 a, u64 b) { return u64((unsigned __int128)a * b >> 64); });
  check<u32>(
      "mul.wide.s32", "u64", {"u32", "u32"},
      +[](s32 a, s32 b) { return s64(a) * b; });
  check<u32>(
      "mul.wide.u32", "u64", {"u32", "u32"},
      +[](u32 a, u32 b) { return u64(a) * b; });
  check<u16>(
      "mul.wide.u16", "u32", {"u16", "u16"},
      +[](u16 a, u16 b) { return u32(a) * b; });
  check<u32>(
      "mad.lo.s32", "u32", {"u32", "u32", "u32"},
      +[](u32 a, u32 b, u32 c) { return a * b + c; });
  check<u32>(
      "mad.wide.u32", "u64", {"u32", "u32", "u64"},
      +[](u32 a, u32 b, u64 c) { return u64(a) * b + c; });
  check<u32>(
      "mad.hi.s32", "u32", {"u32", "u32", "u32"},
      +[](s32 a, s32 b, u32 c) { return u32(s64(a) * b >> 32) + c; });
}

TEST(PtxInteger, DividesWithoutFaults) {
  check<u32>(
      "div.s32", "s32", {"s32", "s32"}, +[](s32 a, s32 b) {
        return b == 0 ? -1 : b == -1 ? s32(0u - u32(a)) : a / b;
      });
  check<u32>(
      "div.u32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return b ? a / b : ~0u; });
  check<u64>(
      "rem.s64", "s64", {"s64", "s64"}, +[](s64 a, s64 b) {
        return b == 0 ? a : b == -1 ? 0 : a % b;
      });
  check<u32>(
      "rem.u32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return b ? a % b : a; });
}

TEST(PtxInteger, ComparesBySign) {
  check<u32>(
      "min.s32", "s32", {"s32", "s32"},
      +[](s32 a, s32 b) { return std::min(a, b); });
  check<u32>(
      "max.u32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return std::max(a, b); });
  check<u64>(
      "max.s64", "s64", {"s64", "s64"},
      +[](s64 a, s64 b) { return std::max(a, b); });
  check<u32>(
      "sad.s32", "u32", {"s32", "s32", "u32"}, +[](s32 a, s32 b, u32 c) {
        return c + (a < b ? u32(b) - u32(a) : u32(a) - u32(b));
      });
  check<u32>(
      "slct.b32.s32", "u32", {"u32", "u32", "s32"},
      +[](u32 a, u32 b, s32 c) { return c >= 0 ? a : b; });
  check<u32>(
      "set.lt.u32.s32", "u32", {"s32", "s32"},
      +[](s32 a, s32 b) { return a < b ? ~0u : 0u; });
  check<u32>(
      "set.hi.u32.u32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return a > b ? ~0u : 0u; });
}

TEST(PtxInteger, ShiftsEverythingOutFromTheWidthOn) {
  check<u32>(
      "shl.b32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return b > 31 ? 0 : a << b; });
  check<u32>(
      "shr.u32", "u32", {"u32", "u32"},
      +[](u32 a, u32 b) { return b > 31 ? 0 : a >> b; });
  check<u32>(
      "shr.s32", "s32", {"s32", "u32"},
      +[](s32 a, u32 b) { return a >> std::min(b, 31u); });
  check<u16>(
      "shl.b16", "u16", {"u16", "u32"},
      +[](u16 a, u32 b) -> u16 { return b > 15 ? 0 : a << b; });
  check<u64>(
      "shr.s64", "s64", {"s64", "u32"},
      +[](s64 a, u32 b) { return a >> std::min(b, 63u); });
  check<u32>(
      "shf.l.wrap.b32", "u32", {"u32", "u32", "u32"}, +[](u32 a, u32 b, u32 c) {
        return c & 31 ? b << (c & 31) | a >> (32 - (c & 31)) : b;
      });
  check<u32>(
      "shf.r.clamp.b32", "u32", {"u32", "u32", "u32"},
      +[](u32 a, u32 b, u32 c) {
        return c >= 32 ? b : c ? a >> c | b << (32 - c) : a;
      });
}

/// Bit by bit, as the specification of `bfe` puts it.
template <typename T> T extractField(T a, u32 position, u32 length) {
  unsigned msb = 8 * sizeof(T) - 1, pos = position & 255, len = length & 255;
  auto bit = [&](unsigned i) { return std::make_unsigned_t<T>(a) >> i & 1; };
  bool sign =
      std::is_unsigned_v<T> || len == 0 ? 0 : bit(std::min(pos + len - 1, msb));
  std::make_unsigned_t<T> d = 0;
  for (unsigned i = 0; i <= msb; ++i)
    d |=
        std::make_unsigned_t<T>(i < len && pos + i <= msb ? bit(pos + i) : sign)
        << i;
  return d;
}
template <typename T> T insertField(T a, T b, u32 position, u32 length) {
  unsigned msb = 8 * sizeof(T) - 1, pos = position & 255, len = length & 255;
  T f = b;
  for (unsigned i = 0; i < len && pos + i <= msb; ++i)
    f = (f & ~(T(1) << (pos + i))) | ((a >> i & 1) << (pos + i));
  return f;
}

TEST(PtxInteger, ExtractsAndInsertsFields) {
  check<u32>("bfe.u32", "u32", {"u32", "u32", "u32"}, &extractField<u32>);
  check<u32>("bfe.s32", "s32", {"s32", "u32", "u32"}, &extractField<s32>);
  check<u64>("bfe.s64", "s64", {"s64", "u32", "u32"}, &extractField<s64>);
  check<u32>("bfi.b32", "u32", {"u32", "u32", "u32", "u32"}, &insertField<u32>);
  check<u64>("bfi.b64", "u64", {"u64", "u64", "u32", "u32"}, &insertField<u64>);
}

TEST(PtxInteger, CountsAndFindsBits) {
  check<u32>(
      "popc.b32", "u32", {"u32"}, +[](u32 a) { return u32(std::popcount(a)); });
  check<u64>(
      "popc.b64", "u32", {"u64"}, +[](u64 a) { return u32(std::popcount(a)); });
  check<u32>(
      "clz.b32", "u32", {"u32"},
      +[](u32 a) { return u32(std::countl_zero(a)); });
  check<u32>(
      "bfind.u32", "u32", {"u32"},
      +[](u32 a) { return a ? 31 - u32(std::countl_zero(a)) : ~0u; });
  check<u32>(
      "bfind.s32", "u32", {"s32"}, +[](s32 a) {
        u32 b = a < 0 ? ~a : a;
        return b ? 31 - u32(std::countl_zero(b)) : ~0u;
      });
  check<u32>(
      "brev.b32", "u32", {"u32"}, +[](u32 a) {
        u32 r = 0;
        for (int i = 0; i < 32; ++i)
          r |= (a >> i & 1) << (31 - i);
        return r;
      });
}

TEST(PtxInteger, PermutesBytes) {
  check<u32>(
      "prmt.b32", "u32", {"u32", "u32", "u32"}, +[](u32 a, u32 b, u32 c) {
        u32 r = 0;
        for (int i = 0; i < 4; ++i) {
          u32 selector = c >> 4 * i & 15;
          u32 byte = u32((u64(b) << 32 | a) >> 8 * (selector & 7)) & 255;
          r |= (selector & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
        }
        return r;
      });
}

TEST(PtxInteger, ComputesBitwise) {
  check<u32>(
      "and.b32", "u32", {"u32", "u32"}, +[](u32 a, u32 b) { return a & b; });
  check<u64>(
      "or.b64", "u64", {"u64", "u64"}, +[](u64 a, u64 b) { return a | b; });
  check<u16>(
      "xor.b16", "u16", {"u16", "u16"},
      +[](u16 a, u16 b) -> u16 { return a ^ b; });
  check<u32>(
      "not.b32", "u32", {"u32"}, +[](u32 a) { return ~a; });
  check<u32>(
      "cnot.b32", "u32", {"u32"}, +[](u32 a) -> u32 { return !a; });
  check<u32>(
      "dp4a.u32.s32", "u32", {"u32", "u32", "u32"}, +[](u32 a, u32 b, u32 c) {
        for (int i = 0; i < 32; i += 8)
          c += s32(uint8_t(a >> i)) * s32(int8_t(b >> i));
        return c;
      });
}

TEST(PtxInteger, LooksUpThreeBits) {
  TestKernel kernel(4, R"(
    mul.wide.u32 %d0, %tid1, 4;
    add.u64 %d1, %a1, %d0; ld.global.b32 %r1, [%d1];
    add.u64 %d1, %a2, %d0; ld.global.b32 %r2, [%d1];
    add.u64 %d1, %a3, %d0; ld.global.b32 %r3, [%d1];
    lop3.b32 %r4, %r1, %r2, %r3, 0xCA;
    add.u64 %d1, %a0, %d0; st.global.b32 [%d1], %r4;)");
  std::mt19937 random(1);
  std::vector<u32> a(32), b(32), c(32);
  for (int i = 0; i < 32; ++i)
    a[i] = random(), b[i] = random(), c[i] = random();
  kernel.set(0, std::vector<u32>(32));
  kernel.set(1, a), kernel.set(2, b), kernel.set(3, c);
  ASSERT_EQ(kernel.run(), "");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(kernel.get<u32>(0)[i], (a[i] & b[i]) | (~a[i] & c[i]));
}

TEST(PtxInteger, ConvertsWithExtensionAndSaturation) {
  check<u64>(
      "cvt.s32.s64", "u32", {"u64"}, +[](u64 a) { return u32(a); });
  check<u32>(
      "cvt.s64.s32", "s64", {"s32"}, +[](s32 a) { return s64(a); });
  check<u32>(
      "cvt.u64.u32", "u64", {"u32"}, +[](u32 a) { return u64(a); });
  check<u32>(
      "cvt.s32.s8", "s32", {"u32"}, +[](u32 a) { return s32(int8_t(a)); });
  check<u32>(
      "cvt.u16.u32", "u16", {"u32"}, +[](u32 a) { return u16(a); });
  check<u32>(
      "cvt.sat.u8.s32", "u16", {"s32"},
      +[](s32 a) { return u16(std::clamp(a, 0, 255)); });
  check<u32>(
      "cvt.sat.s16.s32", "s16", {"s32"},
      +[](s32 a) { return s16(std::clamp(a, -32768, 32767)); });
  check<u64>(
      "cvt.rn.f32.u64", "u32", {"u64"},
      +[](u64 a) { return std::bit_cast<u32>(float(a)); });
  check<u32>(
      "cvt.rn.f32.s32", "u32", {"s32"},
      +[](s32 a) { return std::bit_cast<u32>(float(a)); });
  check<u32>(
      "cvt.rn.f64.u32", "u64", {"u32"},
      +[](u32 a) { return std::bit_cast<u64>(double(a)); });
}

} // namespace
