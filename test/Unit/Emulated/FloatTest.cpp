//===- FloatTest.cpp - Floating-point instructions against C++ ------------===//

#include "TestKernel.h"
#include "tessera/Support/HalfPrecision.h"

#include <bit>
#include <cmath>
#include <random>

using namespace tessera;
using namespace tessera::emulated;

namespace {

using u32 = uint32_t;
using s32 = int32_t;
using u64 = uint64_t;
using s64 = int64_t;

template <typename T> T fromWord(u64 word) {
  if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(static_cast<uint16_t>(word));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(word));
  else
    return std::bit_cast<T>(word);
}
template <typename T> double toDouble(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return value;
  else
    return value.toFloat();
}

/// Words whose bits are numbers of T of all kinds.
template <typename T> std::vector<u64> numbers(unsigned seed, size_t count) {
  constexpr unsigned bits = 8 * sizeof(T);
  std::mt19937_64 random(seed);
  std::vector<u64> words = {0, u64(1) << (bits - 1), 1, 2};
  for (double value : {1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3e9, -3e9, 127.5, 1e-6,
                       65504.0, 70000.0})
    if constexpr (std::is_floating_point_v<T>)
      words.push_back(sizeof(T) == 4 ? std::bit_cast<u32>(float(value))
                                     : std::bit_cast<u64>(value));
    else if constexpr (!std::is_integral_v<T>)
      words.push_back(T::fromFloat(value).bits);
  while (words.size() < count) {
    u64 word = random();
    // Half of them of similar magnitude, so that sums cancel.
    if constexpr (std::is_same_v<T, float>)
      if (random() & 1)
        word = std::bit_cast<u32>(float(s64(word) * 0x1p-61));
    words.push_back(word);
  }
  // Not-a-numbers and infinities.
  if constexpr (std::is_same_v<T, float>)
    words[20] = 0x7f800000, words[21] = 0xff800000, words[22] = 0x7fc00001;
  std::shuffle(words.begin(), words.end(), random);
  for (u64 &word : words)
    word &= bits == 64 ? ~u64(0) : (u64(1) << bits) - 1;
  return words;
}

/// Checks `instruction` bit by bit, all NaNs being equal.
template <typename R, typename... S>
void check(const std::string &instruction, const std::string &result,
           const std::vector<std::string> &types, R (*expected)(S...),
           size_t count = 512, double tolerance = 0) {
  unsigned seed = 0;
  std::vector<std::vector<u64>> sources = {numbers<S>(++seed, count)...};
  std::vector<u64> got =
      executeInstruction(instruction, result, types, sources);
  for (size_t lane = 0; lane < got.size(); ++lane)
    [&]<size_t... i>(std::index_sequence<i...>) {
      R want = expected(fromWord<S>(sources[i][lane])...);
      R have = fromWord<R>(got[lane]);
      double w = toDouble(want), h = toDouble(have);
      bool same = std::memcmp(&want, &have, sizeof want) == 0 ||
                  (w != w && h != h) ||
                  std::abs(w - h) <= tolerance * std::abs(w);
      ASSERT_TRUE(same) << instruction << " of"
                        << ((" " + std::to_string(toDouble(
                                       fromWord<S>(sources[i][lane])))) +
                            ...)
                        << ": expected " << w << ", got " << h;
    }
  (std::index_sequence_for<S...>());
}

TEST(PtxFloat, ComputesInSinglePrecision) {
  std::vector<std::string> two = {"f32", "f32"};
  check(
      "add.rn.f32", "f32", two, +[](float a, float b) { return a + b; });
  check(
      "sub.f32", "f32", two, +[](float a, float b) { return a - b; });
  check(
      "mul.rn.f32", "f32", two, +[](float a, float b) { return a * b; });
  check(
      "div.rn.f32", "f32", two, +[](float a, float b) { return a / b; });
  check(
      "fma.rn.f32", "f32", {"f32", "f32", "f32"},
      +[](float a, float b, float c) { return std::fma(a, b, c); });
  check(
      "sqrt.rn.f32", "f32", {"f32"}, +[](float a) { return std::sqrt(a); });
  check(
      "neg.f32", "f32", {"f32"}, +[](float a) { return -a; });
  check(
      "abs.f32", "f32", {"f32"}, +[](float a) { return std::abs(a); });
  check(
      "copysign.f32", "f32", two,
      +[](float a, float b) { return std::copysign(b, a); });
}

TEST(PtxFloat, ComputesInDoublePrecision) {
  std::vector<std::string> two = {"f64", "f64"};
  check(
      "add.f64", "f64", two, +[](double a, double b) { return a + b; });
  check(
      "mul.rn.f64", "f64", two, +[](double a, double b) { return a * b; });
  check(
      "div.rn.f64", "f64", two, +[](double a, double b) { return a / b; });
  check(
      "fma.rn.f64", "f64", {"f64", "f64", "f64"},
      +[](double a, double b, double c) { return std::fma(a, b, c); });
}

/// A float below or above the exact double `exact`.
float down(double exact) {
  float near = static_cast<float>(exact);
  return near > exact ? std::nextafter(near, -INFINITY) : near;
}
float up(double exact) {
  float near = static_cast<float>(exact);
  return near < exact ? std::nextafter(near, INFINITY) : near;
}

TEST(PtxFloat, RoundsInEveryDirection) {
  // Products of two floats are exact in double.
  std::vector<std::string> two = {"f32", "f32"};
  check(
      "mul.rm.f32", "f32", two,
      +[](float a, float b) { return down(double(a) * b); });
  check(
      "mul.rp.f32", "f32", two,
      +[](float a, float b) { return up(double(a) * b); });
  check(
      "mul.rz.f32", "f32", two, +[](float a, float b) {
        double exact = double(a) * b;
        return exact < 0 ? up(exact) : down(exact);
      });
  check(
      "cvt.rm.f32.f64", "f32", {"f64"}, +[](double a) { return down(a); });
  check(
      "cvt.rp.f32.f64", "f32", {"f64"}, +[](double a) { return up(a); });
}

TEST(PtxFloat, FlushesAndSaturates) {
  auto flush = +[](float a, float b) {
    auto f = [](float x) {
      return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
    };
    return f(f(a) * f(b));
  };
  check("mul.ftz.f32", "f32", {"f32", "f32"}, flush);
  check(
      "add.sat.f32", "f32", {"f32", "f32"}, +[](float a, float b) {
        float sum = a + b;
        return sum > 0 ? std::min(sum, 1.0f) : 0.0f;
      });
}

TEST(PtxFloat, OrdersZerosAndIgnoresNans) {
  std::vector<std::string> two = {"f32", "f32"};
  check(
      "min.f32", "f32", two, +[](float a, float b) {
        return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
      });
  check(
      "max.f32", "f32", two, +[](float a, float b) {
        return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
      });
  check(
      "max.NaN.f32", "f32", two, +[](float a, float b) {
        return a != a || b != b ? NAN
               : a == b         ? (std::signbit(a) ? b : a)
                                : std::fmax(a, b);
      });
}

TEST(PtxFloat, ApproximatesFunctions) {
  check(
      "ex2.approx.f32", "f32", {"f32"},
      +[](float a) { return float(std::exp2(double(a))); }, 512, 1e-6);
  check(
      "lg2.approx.f32", "f32", {"f32"},
      +[](float a) { return float(std::log2(double(a))); }, 512, 1e-6);
  check(
      "rsqrt.approx.f32", "f32", {"f32"},
      +[](float a) { return float(1 / std::sqrt(double(a))); }, 512, 1e-6);
  check(
      "rcp.approx.f32", "f32", {"f32"}, +[](float a) { return 1 / a; }, 512,
      1e-6);
  check(
      "tanh.approx.f32", "f32", {"f32"},
      +[](float a) { return float(std::tanh(double(a))); }, 512, 6e-4);
}

/// The half nearest to `value`, by trying all of them.
template <typename T> T nearestHalf(long double value) {
  if (value != value)
    return T::fromFloat(NAN);
  T best{0};
  long double error = INFINITY;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    T candidate{static_cast<uint16_t>(bits)};
    float wide = candidate.toFloat();
    if (!std::isfinite(wide))
      continue;
    long double distance = std::abs(wide - value);
    if (distance < error || (distance == error && !(bits & 1)))
      best = candidate, error = distance;
  }
  if (best.toFloat() == 0)
    best.bits = std::signbit(value) ? 0x8000 : 0;
  return best;
}

TEST(PtxFloat, RoundsFusedHalvesOnce) {
  // Long doubles hold products of halves of similar magnitude plus a third
  // exactly.
  std::mt19937 random(1);
  std::vector<std::vector<u64>> sources(3);
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 3; ++j)
      sources[j].push_back((random() & 0x83ff) | (10 + random() % 10) << 10);
  // A product halfway between two halves, nudged by a tiny addend.
  sources[0][0] = 0x3c01, sources[1][0] = 0x3c20, sources[2][0] = 0x0001;
  sources[0][1] = 0x3c01, sources[1][1] = 0x3e00, sources[2][1] = 0x8001;
  std::vector<u64> got =
      executeInstruction("fma.rn.f16", "f16", {"f16", "f16", "f16"}, sources);
  for (int i = 0; i < 96; ++i) {
    auto value = [&](int j) {
      return (long double)Float16{static_cast<uint16_t>(sources[j][i])}
          .toFloat();
    };
    EXPECT_EQ(got[i] & 0xffff,
              nearestHalf<Float16>(value(0) * value(1) + value(2)).bits)
        << i;
  }
}

TEST(PtxFloat, ConvertsHalves) {
  check(
      "cvt.rn.bf16.f32", "b16", {"f32"},
      +[](float a) { return BFloat16::fromFloat(a); });
  check(
      "cvt.rn.f16.f32", "b16", {"f32"},
      +[](float a) { return Float16::fromFloat(a); });
  check(
      "cvt.f32.f16", "f32", {"b16"}, +[](Float16 a) { return a.toFloat(); });
  check(
      "cvt.f32.bf16", "f32", {"b16"}, +[](BFloat16 a) { return a.toFloat(); });
  check(
      "cvt.rz.bf16.f32", "b16", {"f32"}, +[](float a) {
        return BFloat16{static_cast<uint16_t>(std::bit_cast<u32>(a) >> 16)};
      });
  check(
      "cvt.rn.bf16x2.f32", "b32", {"f32", "f32"}, +[](float a, float b) {
        u32 high = a == a ? BFloat16::fromFloat(a).bits : 0x7fff;
        u32 low = b == b ? BFloat16::fromFloat(b).bits : 0x7fff;
        return high << 16 | low;
      });
  check(
      "cvt.rna.tf32.f32", "b32", {"f32"}, +[](float a) {
        u32 bits = std::bit_cast<u32>(a);
        return std::isfinite(a) ? (bits + 0x1000) & ~0x1fffu : bits;
      });
  check(
      "add.rn.bf16x2", "b32", {"b32", "b32"}, +[](u32 a, u32 b) {
        auto sum = [](u32 x, u32 y) -> u32 {
          return BFloat16::fromFloat(BFloat16{uint16_t(x)}.toFloat() +
                                     BFloat16{uint16_t(y)}.toFloat())
              .bits;
        };
        return sum(a >> 16, b >> 16) << 16 | sum(a, b);
      });
}

template <typename D> D clampTo(double value) {
  if (value != value)
    return 0;
  if (value >= double(std::numeric_limits<D>::max()))
    return std::numeric_limits<D>::max();
  if (value <= double(std::numeric_limits<D>::min()))
    return std::numeric_limits<D>::min();
  return D(value);
}

TEST(PtxFloat, SaturatesConversionsToIntegers) {
  check(
      "cvt.rzi.s32.f32", "s32", {"f32"},
      +[](float a) { return clampTo<s32>(std::trunc(a)); });
  check(
      "cvt.rni.s32.f32", "s32", {"f32"},
      +[](float a) { return clampTo<s32>(std::nearbyint(a)); });
  check(
      "cvt.rmi.s64.f64", "s64", {"f64"}, +[](double a) {
        return a != a ? std::numeric_limits<s64>::min()
                      : clampTo<s64>(std::floor(a));
      });
  check(
      "cvt.rpi.u32.f32", "u32", {"f32"},
      +[](float a) { return clampTo<u32>(std::ceil(a)); });
  check(
      "cvt.rzi.u16.f32", "u16", {"f32"},
      +[](float a) { return clampTo<uint16_t>(std::trunc(a)); });
  check(
      "cvt.rni.f32.f32", "f32", {"f32"},
      +[](float a) { return std::nearbyint(a); });
}

TEST(PtxFloat, ComparesUnorderedNumbers) {
  auto compare = [](const std::string &relation, bool (*holds)(float, float)) {
    TestKernel kernel(2,
                      "mul.wide.u32 %d0, %tid1, 8; add.u64 %d1, %a1, %d0;"
                      "ld.global.v2.f32 {%f1, %f2}, [%d1];"
                      "setp." +
                          relation +
                          ".f32 %p1|%p2, %f1, %f2;"
                          "selp.b32 %r1, 1, 0, %p1;"
                          "selp.b32 %r2, 2, 0, %p2;"
                          "or.b32 %r1, %r1, %r2;"
                          "mul.wide.u32 %d0, %tid1, 4; add.u64 %d1, %a0, %d0;"
                          "st.global.b32 [%d1], %r1;");
    std::vector<float> values;
    for (float a : {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, NAN})
      for (float b : {0.0f, 1.0f, 2.0f, NAN, -INFINITY})
        values.insert(values.end(), {a, b});
    values.resize(64, 1.0f);
    kernel.set(1, values);
    kernel.set(0, std::vector<u32>(32));
    ASSERT_EQ(kernel.run(), "");
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(kernel.get<u32>(0)[i],
                holds(values[2 * i], values[2 * i + 1]) ? 1u : 2u)
          << relation << " of " << values[2 * i] << ", " << values[2 * i + 1];
  };
  compare("eq", [](float a, float b) { return a == b; });
  compare("ne", [](float a, float b) { return a < b || a > b; });
  compare("le", [](float a, float b) { return a <= b; });
  compare("neu", [](float a, float b) { return a != b; });
  compare("ltu", [](float a, float b) { return !(a >= b); });
  compare("geu", [](float a, float b) { return !(a < b); });
  compare("num", [](float a, float b) { return a == a && b == b; });
  compare("nan", [](float a, float b) { return a != a || b != b; });
}

} // namespace
