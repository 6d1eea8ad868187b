//===- FloatOperations.cpp - arith and math on floats ---------------------===//

#include "ElementAccess.h"
#include "OperationTable.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tessera;

namespace {

/// result = f(operand 0), in float or double.
template <auto f> LogicalResult unary(Invocation &in) {
  return dispatchFloat(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = store<T>(f(load(a[i])));
    return in.give(std::move(result));
  });
}

/// result = f(operand 0, operand 1), in float or double.
template <auto f> LogicalResult binary(Invocation &in) {
  return dispatchFloat(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<const T> b = in.operand(1).elements<T>();
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = store<T>(f(load(a[i]), load(b[i])));
    return in.give(std::move(result));
  });
}

/// result = f(operand 0, operand 1, operand 2), in float or double.
template <auto f> LogicalResult ternary(Invocation &in) {
  return dispatchFloat(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<const T> b = in.operand(1).elements<T>();
    std::span<const T> c = in.operand(2).elements<T>();
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = store<T>(f(load(a[i]), load(b[i]), load(c[i])));
    return in.give(std::move(result));
  });
}

/// An i1 for every element: whether f(operand 0).
template <auto f> LogicalResult classify(Invocation &in) {
  return dispatchFloat(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<uint8_t> r = result.elements<uint8_t>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = f(load(a[i]));
    return in.give(std::move(result));
  });
}

/// The predicates of arith.cmpf by the relations that they accept, in the order
/// of their enumeration.
enum : uint8_t { Equal = 1, Greater = 2, Less = 4, Unordered = 8 };
constexpr uint8_t acceptedRelations[] = {
    0,
    Equal,
    Greater,
    Greater | Equal,
    Less,
    Less | Equal,
    Less | Greater,
    Less | Greater | Equal,
    Unordered | Equal,
    Unordered | Greater,
    Unordered | Greater | Equal,
    Unordered | Less,
    Unordered | Less | Equal,
    Unordered | Less | Greater,
    Unordered,
    Unordered | Less | Greater | Equal,
};

LogicalResult compareFloats(Invocation &in) {
  auto predicate = cast<arith::CmpFOp>(in.op).getPredicate();
  uint8_t accepted = acceptedRelations[static_cast<size_t>(predicate)];
  return dispatchFloat(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> left = in.operand(0).elements<T>();
    std::span<const T> right = in.operand(1).elements<T>();
    std::span<uint8_t> r = result.elements<uint8_t>();
    for (size_t i = 0; i < r.size(); ++i) {
      auto a = load(left[i]), b = load(right[i]);
      uint8_t relation =
          (a == b ? Equal : 0) | (a > b ? Greater : 0) | (a < b ? Less : 0);
      r[i] = (accepted & (relation ? relation : Unordered)) != 0;
    }
    return in.give(std::move(result));
  });
}

/// math.fpowi: a float to an integer power.
LogicalResult powerOfInteger(Invocation &in) {
  return dispatchFloat(in.operand(0).type(), [&](auto tag) {
    return dispatchInteger(in.operand(1).type(), [&](auto exponentTag) {
      using T = typename decltype(tag)::Type;
      using E = typename decltype(exponentTag)::Type;
      HostTensor result = in.makeResult();
      std::span<const T> a = in.operand(0).elements<T>();
      std::span<const E> b = in.operand(1).elements<E>();
      std::span<T> r = result.elements<T>();
      for (size_t i = 0; i < r.size(); ++i)
        r[i] = store<T>(std::pow(static_cast<double>(load(a[i])),
                                 static_cast<double>(load(b[i]))));
      return in.give(std::move(result));
    });
  });
}

// maximumf and minimumf propagate NaNs and order -0 before +0; maxnumf and
// minnumf prefer numbers to NaNs.
constexpr auto maximum = [](auto a, auto b) {
  return std::isnan(a) || a > b || (a == b && !std::signbit(a)) ? a : b;
};
constexpr auto minimum = [](auto a, auto b) {
  return std::isnan(a) || a < b || (a == b && std::signbit(a)) ? a : b;
};

constexpr auto ieeeRound = [](auto a) {
  // Independent of the rounding mode: to nearest, ties to even.
  auto rounded = std::round(a);
  if (std::abs(a - std::trunc(a)) == 0.5)
    rounded = 2 * std::round(a / 2);
  return std::copysign(rounded, a);
};

} // namespace

static void addFloatArithmetic(OperationTable &table) {
  table.add("arith.addf", binary<[](auto a, auto b) { return a + b; }>);
  table.add("arith.subf", binary<[](auto a, auto b) { return a - b; }>);
  table.add("arith.mulf", binary<[](auto a, auto b) { return a * b; }>);
  table.add("arith.divf", binary<[](auto a, auto b) { return a / b; }>);
  table.add("arith.remf",
            binary<[](auto a, auto b) { return std::fmod(a, b); }>);
  table.add("arith.negf", unary<[](auto a) { return -a; }>);
  table.add("arith.maximumf", binary<maximum>);
  table.add("arith.minimumf", binary<minimum>);
  table.add("arith.maxnumf", binary<[](auto a, auto b) {
              return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
            }>);
  table.add("arith.minnumf", binary<[](auto a, auto b) {
              return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
            }>);
  table.add("arith.cmpf", compareFloats);
}

static void addRounding(OperationTable &table) {
  table.add("math.absf", unary<[](auto a) { return std::fabs(a); }>);
  table.add("math.floor", unary<[](auto a) { return std::floor(a); }>);
  table.add("math.ceil", unary<[](auto a) { return std::ceil(a); }>);
  table.add("math.trunc", unary<[](auto a) { return std::trunc(a); }>);
  table.add("math.round", unary<[](auto a) { return std::round(a); }>);
  table.add("math.roundeven", unary<ieeeRound>);
  table.add("math.copysign",
            binary<[](auto a, auto b) { return std::copysign(a, b); }>);
  table.add("math.isfinite", classify<[](auto a) { return std::isfinite(a); }>);
  table.add("math.isinf", classify<[](auto a) { return std::isinf(a); }>);
  table.add("math.isnan", classify<[](auto a) { return std::isnan(a); }>);
  table.add("math.isnormal", classify<[](auto a) { return std::isnormal(a); }>);
}

static void addExponentials(OperationTable &table) {
  table.add("math.exp", unary<[](auto a) { return std::exp(a); }>);
  table.add("math.exp2", unary<[](auto a) { return std::exp2(a); }>);
  table.add("math.expm1", unary<[](auto a) { return std::expm1(a); }>);
  table.add("math.log", unary<[](auto a) { return std::log(a); }>);
  table.add("math.log2", unary<[](auto a) { return std::log2(a); }>);
  table.add("math.log10", unary<[](auto a) { return std::log10(a); }>);
  table.add("math.log1p", unary<[](auto a) { return std::log1p(a); }>);
  table.add("math.sqrt", unary<[](auto a) { return std::sqrt(a); }>);
  table.add("math.rsqrt", unary<[](auto a) { return 1 / std::sqrt(a); }>);
  table.add("math.cbrt", unary<[](auto a) { return std::cbrt(a); }>);
  table.add("math.erf", unary<[](auto a) { return std::erf(a); }>);
  table.add("math.erfc", unary<[](auto a) { return std::erfc(a); }>);
  table.add("math.powf", binary<[](auto a, auto b) { return std::pow(a, b); }>);
  table.add("math.fpowi", powerOfInteger);
  table.add("math.fma",
            ternary<[](auto a, auto b, auto c) { return std::fma(a, b, c); }>);
  table.add("math.clampf", ternary<[](auto a, auto low, auto high) {
              return minimum(maximum(a, low), high);
            }>);
}

static void addTrigonometry(OperationTable &table) {
  table.add("math.sin", unary<[](auto a) { return std::sin(a); }>);
  table.add("math.cos", unary<[](auto a) { return std::cos(a); }>);
  table.add("math.tan", unary<[](auto a) { return std::tan(a); }>);
  table.add("math.asin", unary<[](auto a) { return std::asin(a); }>);
  table.add("math.acos", unary<[](auto a) { return std::acos(a); }>);
  table.add("math.atan", unary<[](auto a) { return std::atan(a); }>);
  table.add("math.sinh", unary<[](auto a) { return std::sinh(a); }>);
  table.add("math.cosh", unary<[](auto a) { return std::cosh(a); }>);
  table.add("math.tanh", unary<[](auto a) { return std::tanh(a); }>);
  table.add("math.asinh", unary<[](auto a) { return std::asinh(a); }>);
  table.add("math.acosh", unary<[](auto a) { return std::acosh(a); }>);
  table.add("math.atanh", unary<[](auto a) { return std::atanh(a); }>);
  table.add("math.atan2",
            binary<[](auto a, auto b) { return std::atan2(a, b); }>);
}

void tessera::addFloatOperations(OperationTable &table) {
  addFloatArithmetic(table);
  addRounding(table);
  addExponentials(table);
  addTrigonometry(table);
}
