//===- MathTest.cpp - Functions of kernels against the C library ----------===//

#include "CompiledProgram.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>

using namespace tessera::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Units in the last place that a function may be wrong by: what StableHLO's
/// own tests ask of f32 and f64.
constexpr double kMostUlps = 3;

using Real = long double;

struct Function {
  const char *name;
  Real (*expected)(Real);
  /// Where half of the arguments are drawn; the others are of all magnitudes.
  double from, to;
  double mostUlps = kMostUlps;
};

const Function functions[] = {
    {"exp", std::exp, -90, 90},
    {"expm1", std::expm1, -5, 5},
    {"log", std::log, 0, 3},
    {"log1p", std::log1p, -1, 3},
    {"tanh", std::tanh, -6, 6},
    {"sinh", std::sinh, -20, 20},
    {"cosh", std::cosh, -20, 20},
    {"asinh", std::asinh, -5, 5},
    {"acosh", std::acosh, 1, 5},
    {"atanh", std::atanh, -1, 1},
    {"sin", std::sin, -100, 100},
    {"cos", std::cos, -100, 100},
    {"tan", std::tan, -1.6, 1.6},
    {"asin", std::asin, -1, 1},
    {"acos", std::acos, -1, 1},
    {"atan", std::atan, -30, 30},
    {"cbrt", std::cbrt, -8, 8},
    {"erf", std::erf, -4, 4},
    {"erfc", std::erfc, -4, 11},
    {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }, 0, 4},
    {"sqrt", std::sqrt, 0, 4},
    {"round", std::round, -10, 10, 0},
    {"roundeven", std::nearbyint, -10, 10, 0},
    {"floor", std::floor, -10, 10, 0},
    {"ceil", std::ceil, -10, 10, 0},
    {"trunc", std::trunc, -10, 10, 0},
};

void PrintTo(const Function &function, std::ostream *os) {
  *os << function.name;
}

/// Applies `operation` to %0 and %1, the arguments, on `target`.
template <typename T>
std::vector<T> evaluate(const std::string &target, const std::string &operation,
                        std::vector<T> x, std::vector<T> y) {
  std::string type = "tensor<" + std::to_string(x.size()) +
                     (sizeof(T) == 8 ? "xf64>" : "xf32>");
  std::string code = "%r = " + operation + " : " + type;
  auto program = CompiledProgram::compile(
      programOf(type + ";" + type, type, code + "\nspmd.yield %r : " + type),
      target);
  std::vector<T> results(x.size());
  if (!program || program->run({x.data(), y.data()}, {results.data()}))
    return {};
  return results;
}

/// The distance of neighbouring numbers around `x`, which is finite.
template <typename T> Real ulpOf(T x) {
  using Limits = std::numeric_limits<T>;
  int exponent = std::max(std::ilogb(std::max(std::abs(x), Limits::min())),
                          Limits::min_exponent - 1);
  return std::scalbn(Real(1), exponent - (Limits::digits - 1));
}

/// By how many units in the last place `got` differs from `exact`; infinite
/// where one is NaN, or the signs of zeros differ. Results that are subnormal
/// may be anything as small.
template <typename T> double ulpsBetween(T got, Real exact) {
  using Limits = std::numeric_limits<T>;
  T right = T(exact);
  if (std::isnan(right) || std::isnan(got))
    return std::isnan(right) && std::isnan(got) ? 0 : kInfinity;
  if (exact == 0)
    return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : kInfinity;
  if (std::abs(right) < Limits::min())
    return std::abs(got) <= Limits::min() ? 0 : kInfinity;
  if (right == got)
    return std::isinf(right) ? 0 : double(std::abs(got - exact) / ulpOf(right));
  if (std::isinf(exact) || std::isinf(got - right) || std::isinf(got))
    return kInfinity;
  return double(std::abs(got - exact) / ulpOf(right));
}

/// The argument as a processor sees it that takes subnormal numbers for zeros.
template <typename T> T flush(T x) {
  return std::abs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x)
                                                     : x;
}

/// Expects values of `function` of `x` and `y` (which `function` may ignore)
/// that are right to `most` units in the last place; prints the largest error.
template <typename T>
void compare(const std::string &name, const std::vector<T> &got,
             const std::vector<T> &x, const std::vector<T> &y,
             const std::function<Real(Real, Real)> &function, double most) {
  ASSERT_EQ(got.size(), x.size()) << name;
  double largest = 0;
  size_t place = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    double ulps =
        std::min(ulpsBetween(got[i], function(x[i], y[i])),
                 ulpsBetween(got[i], function(flush(x[i]), flush(y[i]))));
    EXPECT_LE(ulps, most) << name << " of " << x[i] << " and " << y[i]
                          << ": expected " << function(x[i], y[i]) << ", got "
                          << got[i];
    if (ulps > largest) {
      largest = ulps;
      place = i;
    }
  }
  std::printf("%s: %.2f units in the last place at (%.17g, %.17g)\n",
              name.c_str(), largest, double(x[place]), double(y[place]));
}

/// A processor that all of ours are, and a GPU.
const char *const targets[] = {"x86-64-v3", "sm_80"};

class MathTest : public testing::TestWithParam<Function> {};

/// Zeros, ends, and what lies beside them.
template <typename T> std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> list = {T(kNan)};
  for (T magnitude :
       {T(0), Limits::denorm_min(), Limits::min(), Limits::min() / 2,
        Limits::epsilon(), T(0.5), T(1), std::nextafter(T(1), T(0)),
        std::nextafter(T(1), T(2)), T(1.5), T(2), T(2.5), T(88.5), T(709.5),
        T(1e10), Limits::max() / 2, Limits::max(), Limits::infinity()})
    list.insert(list.end(), {magnitude, -magnitude});
  return list;
}

/// A number of any magnitude but the subnormal ones.
template <typename T, typename Random> T anyNumber(Random &random) {
  using Limits = std::numeric_limits<T>;
  std::uniform_real_distribution<double> fraction(1, 2);
  std::uniform_int_distribution<int> exponent(Limits::min_exponent - 1,
                                              Limits::max_exponent - 1);
  T magnitude = std::scalbn(T(fraction(random)), exponent(random));
  return random() % 2 ? magnitude : -magnitude;
}

/// An emulated GPU takes its time.
size_t argumentsFor(const std::string &target) {
  return target.starts_with("sm") ? 512 : 1 << 16;
}

template <typename T> void check(const Function &function) {
  for (std::string target : targets) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> values(function.from, function.to);
    std::vector<T> arguments = edges<T>();
    while (arguments.size() < argumentsFor(target)) {
      arguments.push_back(values(random));
      arguments.push_back(anyNumber<T>(random));
    }
    compare<T>(
        std::string(function.name) + (sizeof(T) == 8 ? " f64 " : " f32 ") +
            target,
        evaluate<T>(target, std::string("math.") + function.name + " %0",
                    arguments, arguments),
        arguments, arguments,
        [&](Real x, Real) { return function.expected(x); }, function.mostUlps);
  }
}

TEST_P(MathTest, IsAccurateInDouble) { check<double>(GetParam()); }

TEST_P(MathTest, IsAccurateInSingle) { check<float>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Functions, MathTest, testing::ValuesIn(functions),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

/// Numbers of all magnitudes, and the closest to multiples of pi / 2 that there
/// are (Muller: Elementary functions, table 10.1).
template <typename T> std::vector<T> angles();
template <> std::vector<float> angles() {
  std::vector<float> list = {16367173.0f * 0x1p72f, 65535.99f, 65536.0f,
                             105615.0f, 0x1.fffffep127f};
  for (uint32_t bits = 0x00800000; bits < 0x7f800000; bits += 0x3fffd)
    list.push_back(std::bit_cast<float>(bits));
  return list;
}
template <> std::vector<double> angles() {
  std::vector<double> list = {6381956970095103.0 * 0x1p797, 1048575.9, 1048576,
                              0x1.fffffffffffffp1023};
  for (uint64_t bits = 0x0010000000000000; bits < 0x7ff0000000000000;
       bits += 0x000ffffffffff00d)
    list.push_back(std::bit_cast<double>(bits));
  return list;
}

template <typename T> void checkAngles() {
  struct {
    const char *name;
    Real (*function)(Real);
  } functions[] = {{"sin", std::sin}, {"cos", std::cos}, {"tan", std::tan}};
  std::vector<T> arguments = angles<T>();
  for (auto [name, function] : functions)
    for (const char *target : targets)
      compare<T>(
          std::string(name) + " of large angles for " + target,
          evaluate<T>(target, std::string("math.") + name + " %0", arguments,
                      arguments),
          arguments, arguments,
          [function = function](Real x, Real) { return function(x); },
          kMostUlps);
}

TEST(Angles, AreReducedExactlyInSingle) { checkAngles<float>(); }
TEST(Angles, AreReducedExactlyInDouble) { checkAngles<double>(); }

/// A function of two numbers, for all pairs of edges, and others of which one
/// is close to 1 and the other of any size.
template <typename T>
void checkPairs(const std::string &operation, Real (*function)(Real, Real),
                double most) {
  std::vector<double> numbers = {3, -7.25, 100, 1e5, -1e30, 1e-30, -3};
  for (T edge : edges<T>())
    numbers.push_back(edge);
  for (std::string target : targets) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal(0, 5);
    std::vector<T> x, y;
    // GPUs take subnormal numbers for zeros in arithmetic, not in tests of
    // bits.
    bool onGpu = target.starts_with("sm");
    auto add = [&](T first, T second) {
      if (!onGpu || (flush(first) == first && flush(second) == second) ||
          std::isnan(first) || std::isnan(second))
        x.push_back(first), y.push_back(second);
    };
    for (double a : numbers)
      for (double b : numbers)
        add(a, b);
    for (size_t i = 0; i < argumentsFor(target) / 4; ++i) {
      add(std::exp(normal(random)), normal(random));
      add(1 + normal(random) / 1000, normal(random) * 1000);
    }
    compare<T>(operation + (sizeof(T) == 8 ? " f64 " : " f32 ") + target,
               evaluate<T>(target, operation + " %0, %1", x, y), x, y, function,
               most);
  }
}

TEST(MathOfTwo, Power) {
  checkPairs<float>("math.powf", std::pow, kMostUlps);
  checkPairs<double>("math.powf", std::pow, kMostUlps);
}

TEST(MathOfTwo, Angle) {
  checkPairs<float>("math.atan2", std::atan2, kMostUlps);
  checkPairs<double>("math.atan2", std::atan2, kMostUlps);
}

TEST(MathOfTwo, Remainder) {
  checkPairs<float>("arith.remf", std::fmod, 0);
  checkPairs<double>("arith.remf", std::fmod, 0);
}

} // namespace
