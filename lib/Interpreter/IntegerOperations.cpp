//===- IntegerOperations.cpp - arith and math on integers -----------------===//
//
// Every operation is computed on 64 bits and truncated. How operands are
// extended to 64 bits is part of the operation: with their sign, or with zeros.
// The undefined cases of `arith` (division by zero, its overflow) are errors.
// An overlarge shift is poison, which is harmless where `select` drops it: it
// gives 0, or the sign.
//
//===----------------------------------------------------------------------===//

#include "ElementAccess.h"
#include "OperationTable.h"

#include <bit>

using namespace mlir;
using namespace tessera;

namespace {

/// The 64 bits of a stored integer, extended with its sign (an i1 of 1 is -1)
/// when `W` is signed.
template <typename W, typename T> W extend(T element) {
  if constexpr (std::is_same_v<T, Boolean>)
    return std::is_signed_v<W> ? -static_cast<int64_t>(element.value)
                               : element.value;
  else if constexpr (std::is_signed_v<W>)
    return element;
  else
    return static_cast<std::make_unsigned_t<T>>(element);
}

/// The stored integer with the low bits of `value`.
template <typename T, typename W> T truncate(W value) {
  if constexpr (std::is_same_v<T, Boolean>)
    return Boolean{static_cast<uint8_t>(value & 1)};
  else
    return static_cast<T>(value);
}

/// result = f(operand 0, bit width).
template <typename W, auto f> LogicalResult unary(Invocation &in) {
  return dispatchInteger(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<T> r = result.elements<T>();
    unsigned width = bitWidth(in.operand(0).type());
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = truncate<T>(f(extend<W>(a[i]), width));
    return in.give(std::move(result));
  });
}

/// result = f(operand 0, operand 1).
template <typename W, auto f> LogicalResult binary(Invocation &in) {
  return dispatchInteger(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<const T> b = in.operand(1).elements<T>();
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = truncate<T>(f(extend<W>(a[i]), extend<W>(b[i])));
    return in.give(std::move(result));
  });
}

/// result = f(operand 0, operand 1), an error where operand 1 is 0 or the
/// quotient overflows.
template <typename W, auto f> LogicalResult division(Invocation &in) {
  return dispatchInteger(in.operand(0).type(), [&](auto tag) -> LogicalResult {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<const T> b = in.operand(1).elements<T>();
    std::span<T> r = result.elements<T>();
    int64_t lowest = -1LL << (bitWidth(in.operand(0).type()) - 1);
    for (size_t i = 0; i < r.size(); ++i) {
      W numerator = extend<W>(a[i]), denominator = extend<W>(b[i]);
      if (denominator == 0)
        return in.fail("divides by zero at element " + Twine(i));
      if (std::is_signed_v<W> && static_cast<int64_t>(denominator) == -1 &&
          static_cast<int64_t>(numerator) == lowest)
        return in.fail("overflows: divides " + Twine(lowest) +
                       " by -1 at element " + Twine(i));
      r[i] = truncate<T>(f(numerator, denominator));
    }
    return in.give(std::move(result));
  });
}

/// result = f(operand 0, operand 1, bit width) for shifts.
template <typename W, auto f> LogicalResult shift(Invocation &in) {
  return dispatchInteger(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<const T> b = in.operand(1).elements<T>();
    std::span<T> r = result.elements<T>();
    uint64_t width = bitWidth(in.operand(0).type());
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = truncate<T>(f(extend<W>(a[i]), extend<uint64_t>(b[i]), width));
    return in.give(std::move(result));
  });
}

template <typename W>
bool compareValues(arith::CmpIPredicate predicate, W a, W b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  llvm_unreachable("unknown predicate");
}

template <typename W> LogicalResult compareAs(Invocation &in) {
  auto predicate = cast<arith::CmpIOp>(in.op).getPredicate();
  return dispatchInteger(in.operand(0).type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    HostTensor result = in.makeResult();
    std::span<const T> a = in.operand(0).elements<T>();
    std::span<const T> b = in.operand(1).elements<T>();
    std::span<uint8_t> r = result.elements<uint8_t>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = compareValues<W>(predicate, extend<W>(a[i]), extend<W>(b[i]));
    return in.give(std::move(result));
  });
}

LogicalResult compareIntegers(Invocation &in) {
  switch (cast<arith::CmpIOp>(in.op).getPredicate()) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return compareAs<uint64_t>(in);
  default:
    return compareAs<int64_t>(in);
  }
}

using S = int64_t;
using U = uint64_t;

/// The quotient rounded down; operands as in `/`.
constexpr auto floorDivide = [](S a, S b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
};
constexpr auto ceilDivide = [](S a, S b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
};

/// math.ipowi: negative powers of all but 1 and -1 round to 0.
constexpr auto power = [](S base, S exponent) -> S {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  U result = 1, factor = base;
  for (; exponent > 0; exponent /= 2, factor *= factor)
    if (exponent % 2)
      result *= factor;
  return result;
};

} // namespace

static void addIntegerArithmetic(OperationTable &table) {
  table.add("arith.addi", binary<U, [](U a, U b) { return a + b; }>);
  table.add("arith.subi", binary<U, [](U a, U b) { return a - b; }>);
  table.add("arith.muli", binary<U, [](U a, U b) { return a * b; }>);
  table.add("arith.divsi", division<S, [](S a, S b) { return a / b; }>);
  table.add("arith.divui", division<U, [](U a, U b) { return a / b; }>);
  table.add("arith.remsi", division<S, [](S a, S b) { return a % b; }>);
  table.add("arith.remui", division<U, [](U a, U b) { return a % b; }>);
  table.add("arith.floordivsi", division<S, floorDivide>);
  table.add("arith.ceildivsi", division<S, ceilDivide>);
  table.add("arith.ceildivui",
            division<U, [](U a, U b) { return a / b + (a % b != 0); }>);
  table.add("arith.maxsi", binary<S, [](S a, S b) { return a > b ? a : b; }>);
  table.add("arith.minsi", binary<S, [](S a, S b) { return a < b ? a : b; }>);
  table.add("arith.maxui", binary<U, [](U a, U b) { return a > b ? a : b; }>);
  table.add("arith.minui", binary<U, [](U a, U b) { return a < b ? a : b; }>);
  table.add("arith.cmpi", compareIntegers);
  table.add("math.absi",
            unary<S, [](S a, unsigned) { return a < 0 ? U(0) - U(a) : U(a); }>);
  table.add("math.ipowi", binary<S, power>);
}

static void addBitOperations(OperationTable &table) {
  table.add("arith.andi", binary<U, [](U a, U b) { return a & b; }>);
  table.add("arith.ori", binary<U, [](U a, U b) { return a | b; }>);
  table.add("arith.xori", binary<U, [](U a, U b) { return a ^ b; }>);
  table.add("arith.shli",
            shift<U, [](U a, U b, U width) { return b < width ? a << b : 0; }>);
  table.add("arith.shrui",
            shift<U, [](U a, U b, U width) { return b < width ? a >> b : 0; }>);
  table.add(
      "arith.shrsi",
      shift<S, [](S a, U b, U width) { return a >> std::min(b, width - 1); }>);
  table.add("math.ctpop",
            unary<U, [](U a, unsigned) { return U(std::popcount(a)); }>);
  table.add("math.ctlz", unary<U, [](U a, unsigned width) {
              return U(std::countl_zero(a)) - (64 - width);
            }>);
  table.add("math.cttz", unary<U, [](U a, unsigned width) {
              return std::min(U(std::countr_zero(a)), U(width));
            }>);
}

void tessera::addIntegerOperations(OperationTable &table) {
  addIntegerArithmetic(table);
  addBitOperations(table);
}
