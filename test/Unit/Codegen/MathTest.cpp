//===- MathTest.cpp - Functions on a GPU against the C library ------------===//

#include "CompiledProgram.h"
#include "gtest/gtest.h"
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
    {"expm1", std::expm1, -5, 5, 1e-14, 1e-5, 0, {0, -kInfinity, 1e-10}},
    {"log", std::log, 1e-30, 1e3, 1e-14, 1e-5, 1, {0, 1, kInfinity}},
    {"log1p", std::log1p, -0.9, 100, 1e-14, 1e-5, 0.1, {0, 1e-10, -1}},
    {"tanh", std::tanh, -6, 6, 1e-14, 1e-5, 0.1, {0, 100, -kInfinity}},
    {"sinh", std::sinh, -20, 20, 1e-14, 1e-5, 0, {0, 1e-8}},
    {"cosh", std::cosh, -20, 20, 1e-14, 1e-5, 0, {0}},
    {"asinh", std::asinh, -50, 50, 1e-14, 1e-5, 0, {0, 1e20}},
    {"acosh", std::acosh, 1, 50, 1e-13, 1e-5, 0, {1, 1e20}},
    {"atanh", std::atanh, -0.99, 0.99, 1e-13, 1e-5, 0, {0, 1, -1}},
    {"sin", std::sin, -100, 100, 1e-14, 1e-4, 1, {0, kInfinity}},
    {"cos", std::cos, -100, 100, 1e-14, 1e-4, 1, {0}},
    {"tan", std::tan, -1.5, 1.5, 1e-13, 1e-5, 0, {0}},
    {"asin", std::asin, -1, 1, 1e-14, 1e-5, 0.1, {0, 1, -1, 2}},
    {"acos", std::acos, -1, 1, 1e-14, 1e-5, 1, {0, 1, -1, 2}},
    {"atan", std::atan, -30, 30, 1e-14, 1e-5, 0, {0, kInfinity, -kInfinity}},
    {"cbrt", std::cbrt, -1e6, 1e6, 1e-14, 1e-5, 0, {0}},
    {"erf", std::erf, -4, 4, 1e-14, 1e-5, 0.1, {0, kInfinity}},
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

/// Applies `body`, from %0 and %1 to %r, to the arguments on a GPU.
template <typename T>
std::vector<T> evaluate(const std::string &body, std::vector<T> x,
                        std::vector<T> y) {
  std::string type = "tensor<" + std::to_string(x.size()) +
                     (sizeof(T) == 8 ? "xf64>" : "xf32>");
  std::string code = "%r = math." + body + " : " + type;
  auto program = CompiledProgram::compile(
      programOf(type + ";" + type, type, code + "\nspmd.yield %r : " + type),
      "sm_80");
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
    if (std::isinf(right) || right == 0) {
      EXPECT_EQ(got[i], right) << name << " of " << arguments[i];
      continue;
    }
    double scale = std::max(std::abs(expected[i]), floor);
    EXPECT_LE(std::abs(got[i] - expected[i]), error * scale)
        << name << " of " << arguments[i] << ": expected " << expected[i]
        << ", got " << got[i];
  }
}

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
  compare(function.name,
          evaluate<T>(std::string(function.name) + " %0", arguments, arguments),
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

TEST(MathOfTwo, Power) {
  std::vector<double> x = {0.9, 2, 10, -2, -2, 0, 0, 5, -1, 0.5, 1, 3},
                      y = {100, -3, 2.5, 3, 0.5, 2, 0, 0, 7, 20, 1e300, 300};
  std::vector<double> expected;
  for (size_t i = 0; i < x.size(); ++i)
    expected.push_back(std::pow(x[i], y[i]));
  compare("powf", evaluate<double>("powf %0, %1", x, y), x, expected, 1e-13, 0);
}

TEST(MathOfTwo, Angle) {
  std::vector<double> y = {0, 0, 1, -1, 2, -2, kInfinity, -0.0, 0, -3},
                      x = {0, -1, 0, 0, -3, -3, kInfinity, 0.0, 1, 4};
  std::vector<double> expected;
  for (size_t i = 0; i < x.size(); ++i)
    expected.push_back(std::atan2(y[i], x[i]));
  compare("atan2", evaluate<double>("atan2 %0, %1", y, x), y, expected, 1e-14,
          0);
}

} // namespace
