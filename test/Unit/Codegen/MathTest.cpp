//===- MathTest.cpp - Functions of kernels against the C library ----------===//

#include "CompiledProgram.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace tessera::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Function {
  const char *name;
  double (*expected)(double);
  /// Where it is tested.
  double from, to;
  /// Largest relative error in f64, and in f32; below 1 the error of values
  /// counts as if they were 1 times `floor`.
  double error = 1e-14, error32 = 2e-6, floor = 0;
  /// Values at the ends.
  std::vector<double> special = {};
};

const Function functions[] = {
    {"exp",
     std::exp,
     -80,
     80,
     1e-14,
     2e-6,
     0,
     {0, -kInfinity, kInfinity, 1000, -1000}},
    {"expm1", std::expm1, -5, 5, 1e-14, 1e-5, 0, {0, -0.0, -kInfinity, 1e-10}},
    {"log", std::log, 1e-30, 1e3, 1e-14, 1e-5, 1, {0, 1, kInfinity}},
    {"log1p", std::log1p, -0.9, 100, 1e-14, 1e-5, 0.1, {0, 1e-10, -1}},
    {"tanh", std::tanh, -6, 6, 1e-14, 1e-5, 0.1, {0, 100, -kInfinity}},
    {"sinh", std::sinh, -20, 20, 1e-14, 1e-5, 0, {0, 1e-8}},
    {"cosh", std::cosh, -20, 20, 1e-14, 1e-5, 0, {0}},
    {"asinh", std::asinh, -50, 50, 1e-14, 1e-5, 0, {0, 1e20}},
    {"acosh", std::acosh, 1, 50, 1e-13, 1e-5, 0, {1, 1e20, 0.5, -1e30}},
    {"atanh", std::atanh, -0.99, 0.99, 1e-13, 1e-5, 0, {0, 1, -1}},
    {"sin", std::sin, -100, 100, 1e-15, 4e-7, 0, {0, -0.0, kInfinity}},
    {"cos", std::cos, -100, 100, 1e-15, 4e-7, 0, {0, -kInfinity}},
    {"tan", std::tan, -1.5, 1.5, 1e-15, 6e-7, 0, {0, -0.0, kInfinity}},
    {"asin", std::asin, -1, 1, 1e-14, 1e-5, 0.1, {0, 1, -1, 2}},
    {"acos", std::acos, -1, 1, 1e-14, 1e-5, 1, {0, 1, -1, 2}},
    {"atan",
     std::atan,
     -30,
     30,
     1e-15,
     4e-7,
     0,
     {0, -0.0, kInfinity, -kInfinity}},
    {"cbrt",
     std::cbrt,
     -1e6,
     1e6,
     1e-14,
     1e-5,
     0,
     {0, -0.0, kInfinity, -kInfinity}},
    {"erf", std::erf, -4, 4, 1e-14, 1e-5, 0.1, {0, -0.0, kInfinity}},
    {"erfc", std::erfc, -4, 4, 1e-11, 1e-4, 0.1, {0, kInfinity}},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-3, 1e3, 1e-14,
     1e-6},
    {"sqrt", std::sqrt, 0, 1e3, 1e-15, 1e-6},
    {"round", std::round, -10, 10, 0, 0, 0, {0.5, -2.5}},
    {"roundeven", std::nearbyint, -10, 10, 0, 0, 0, {0.5, -2.5}},
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

template <typename T>
void compare(const std::string &name, const std::vector<T> &got,
             const std::vector<T> &arguments,
             const std::vector<double> &expected, double error, double floor) {
  ASSERT_EQ(got.size(), expected.size()) << name;
  for (size_t i = 0; i < got.size(); ++i) {
    double right = T(expected[i]);
    if (std::isnan(right)) {
      EXPECT_TRUE(std::isnan(got[i])) << name << " of " << arguments[i];
      continue;
    }
    // Subnormal numbers may be flushed to zero.
    if (right != 0 && std::abs(right) < std::numeric_limits<T>::min()) {
      EXPECT_LE(std::abs(got[i]), std::numeric_limits<T>::min())
          << name << " of " << arguments[i];
      continue;
    }
    if (std::isinf(right) || right == 0) {
      EXPECT_EQ(got[i], right) << name << " of " << arguments[i];
      EXPECT_EQ(std::signbit(got[i]), std::signbit(right))
          << name << " of " << arguments[i];
      continue;
    }
    double scale = std::max(std::abs(expected[i]), floor);
    EXPECT_LE(std::abs(got[i] - expected[i]), error * scale)
        << name << " of " << arguments[i] << ": expected " << expected[i]
        << ", got " << got[i];
  }
}

/// A processor that all of ours are, and a GPU.
const char *const targets[] = {"x86-64-v3", "sm_80"};

class MathTest : public testing::TestWithParam<Function> {};

template <typename T> void check(const Function &function, double error) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> values(function.from, function.to);
  std::vector<T> arguments(function.special.begin(), function.special.end());
  while (arguments.size() < 256)
    arguments.push_back(values(random));
  std::vector<double> expected;
  for (T x : arguments)
    expected.push_back(function.expected(x));
  for (const char *target : targets)
    compare(std::string(function.name) + " for " + target,
            evaluate<T>(target, std::string("math.") + function.name + " %0",
                        arguments, arguments),
            arguments, expected, error, function.floor);
}

TEST_P(MathTest, IsAccurateInDouble) {
  check<double>(GetParam(), GetParam().error);
}

TEST_P(MathTest, IsAccurateInSingle) {
  check<float>(GetParam(), GetParam().error32);
}

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

template <typename T> void checkAngles(double error) {
  struct {
    const char *name;
    double (*function)(double);
  } functions[] = {{"sin", std::sin}, {"cos", std::cos}, {"tan", std::tan}};
  std::vector<T> arguments = angles<T>();
  for (auto [name, function] : functions) {
    std::vector<double> expected;
    for (T x : arguments)
      expected.push_back(function(x));
    for (const char *target : targets)
      compare(std::string(name) + " for " + target,
              evaluate<T>(target, std::string("math.") + name + " %0",
                          arguments, arguments),
              arguments, expected, error, 0);
  }
}

TEST(Angles, AreReducedExactlyInSingle) { checkAngles<float>(6e-7); }
TEST(Angles, AreReducedExactlyInDouble) { checkAngles<double>(2e-15); }

/// A function of two numbers, for all pairs of which one is one of these.
template <typename T>
void checkPairs(const std::string &operation,
                double (*function)(double, double), double error) {
  const std::vector<double> numbers = {
      0,    -0.0,      1,          -1,
      2,    -2,        3,          0.5,
      -0.5, 2.5,       -7.25,      100,
      1e5,  1e10,      -1e30,      1e-30,
      3e38, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 5);
  std::vector<T> x, y;
  for (double a : numbers)
    for (double b : numbers)
      x.push_back(a), y.push_back(b);
  for (int i = 0; i < 200; ++i)
    x.push_back(std::exp(normal(random))), y.push_back(normal(random));
  std::vector<double> expected;
  for (size_t i = 0; i < x.size(); ++i)
    expected.push_back(function(x[i], y[i]));
  for (const char *target : targets)
    compare(operation + " for " + target,
            evaluate<T>(target, operation + " %0, %1", x, y), x, expected,
            error, 0);
}

TEST(MathOfTwo, Power) {
  checkPairs<float>("math.powf", std::pow, 2e-6);
  checkPairs<double>("math.powf", std::pow, 1e-14);
}

TEST(MathOfTwo, Angle) {
  checkPairs<float>("math.atan2", std::atan2, 5e-7);
  checkPairs<double>("math.atan2", std::atan2, 1e-15);
}

TEST(MathOfTwo, Remainder) {
  checkPairs<float>("arith.remf", std::fmod, 0);
  checkPairs<double>("arith.remf", std::fmod, 0);
}

} // namespace
