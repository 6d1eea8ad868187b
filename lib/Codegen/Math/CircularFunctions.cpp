//===- CircularFunctions.cpp - Sine, cosine and tangent -------------------===//
//
// An argument x is reduced to n pi / 2 + r. Small ones are reduced by fused
// multiply-adds with pi / 2 in three parts (Cody and Waite), of which the first
// is exact. Large ones by Payne and Hanek (Radian reduction for trigonometric
// functions, 1983): x = m 2^e with an integer m, and of 2 / pi only those bits
// matter that multiplied by m 2^e give no multiples of 4. These begin at a
// position that e says; with b bits in a word, three words are enough: no
// number is closer to a multiple of pi / 2 than 2^-30 (f32) or 2^-62 (f64), and
// 2 b - 2 bits are left behind the quadrant. Words at lane-dependent positions
// are selected by the bits of the position, so that there are no tables in
// memory.
//
// The long way is behind a branch that is taken if some lane needs it.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Math/CircularFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>
#include <numbers>

using namespace mlir;
using namespace tessera::codegen;

static constexpr double kPi = std::numbers::pi;

/// The bits of 2 / pi behind the binary point.
static constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab};

/// `width` bits of 2 / pi from bit `begin` on; zeros in front of it.
static uint64_t bitsOfTwoOverPi(int64_t begin, unsigned width) {
  uint64_t word = 0;
  for (unsigned i = 0; i < width; ++i) {
    int64_t position = begin + i;
    uint64_t bit = position < 0
                       ? 0
                       : kTwoOverPi[position / 64] >> (63 - position % 64) & 1;
    word = word << 1 | bit;
  }
  return word;
}

/// log2 of the least argument that is reduced exactly: n pi / 2 has fewer bits
/// than the three parts.
static int64_t largeExponent(const RealBuilder &b) {
  return b.width() == 64 ? 20 : 16;
}

CircularFunctions::Reduced CircularFunctions::reduceByParts(Value magnitude) {
  static constexpr double parts64[] = {
      0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  static constexpr double parts32[] = {0x1.921fb6p0, -0x1.777a5cp-25,
                                       -0x1.ee59dap-50};
  Value n = round(mul(magnitude, 2 / kPi));
  Value rest = magnitude;
  for (double part : width() == 64 ? parts64 : parts32)
    rest = fma(n, -part, rest);
  return {rest, toInteger(n)};
}

/// The remainder of a large `magnitude` by pi / 2, nearest to zero, and the
/// quadrant, as Payne and Hanek (1983): multiplies the integer significand by
/// the window of the bits of 2 / pi that counts for its exponent. Defined from
/// the exponent `largeExponent` on.
CircularFunctions::Reduced CircularFunctions::reduceExactly(Value magnitude) {
  const unsigned b = width(), fraction = fractionBits();
  const int64_t large = largeExponent(*this);
  Value word = bits(magnitude);
  Value m = bitOr(bitAnd(word, integer((uint64_t(1) << fraction) - 1)),
                  integer(uint64_t(1) << fraction));
  // The first bit of 2 / pi that counts, from `first` on.
  const int64_t first = large - fraction - 2;
  Value begin =
      subInteger(shiftRight(word, integer(fraction)), integer(bias() + large));
  const unsigned choices = b == 64 ? 16 : 4;
  Value shift = bitAnd(begin, integer(b - 1));
  Value index = shiftRight(begin, integer(llvm::Log2_32(b)));
  SmallVector<Value> indexBits;
  for (unsigned bit = 1; bit < choices; bit *= 2)
    indexBits.push_back(isNonzero(bitAnd(index, integer(bit))));
  auto wordBehind = [&](unsigned behind) {
    SmallVector<Value> words;
    for (unsigned i = 0; i < choices; ++i)
      words.push_back(
          integer(bitsOfTwoOverPi(first + int64_t(b) * (i + behind), b)));
    for (Value bit : indexBits) {
      for (size_t i = 0; i < words.size() / 2; ++i)
        words[i] = select(bit, words[2 * i + 1], words[2 * i]);
      words.truncate(words.size() / 2);
    }
    return words[0];
  };
  Value window[3], current = wordBehind(0);
  Value unshift = subInteger(integer(b - 1), shift);
  for (unsigned i = 0; i < 3; ++i) {
    Value next = wordBehind(i + 1);
    window[i] = bitOr(shiftLeft(current, shift),
                      shiftRight(shiftRight(next, integer(1)), unshift));
    current = next;
  }
  // Two words of m times the window, without what is above and below.
  auto last = arith::MulUIExtendedOp::create(*this, m, window[2]);
  auto middle = arith::MulUIExtendedOp::create(*this, m, window[1]);
  Value low = addInteger(middle.getLow(), last.getHigh());
  Value carries = arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, low,
                                        last.getHigh());
  Value high =
      addInteger(arith::MulIOp::create(*this, m, window[0]), middle.getHigh());
  high =
      addInteger(high, arith::ExtUIOp::create(*this, high.getType(), carries));
  // The quadrant is in the first two bits, rounded to the nearest.
  Value quadrant = shiftRight(addInteger(high, integer(uint64_t(1) << (b - 3))),
                              integer(b - 2));
  Value rest = subInteger(high, shiftLeft(quadrant, integer(b - 2)));
  // An integer of so many bits is rounded; what that loses is put back.
  Value whole = fromInteger(rest);
  Value lost = fromInteger(subInteger(rest, toInteger(whole)));
  Value scaled =
      add(whole, fma(fromUnsigned(low), std::ldexp(1, -int(b)), lost));
  double quarter = b == 64 ? kPi / 2 : double(float(kPi / 2));
  double quarterLow = b == 64 ? 0x1.1a62633145c07p-54 : kPi / 2 - quarter;
  Value angle = fma(scaled, std::ldexp(quarter, 2 - int(b)),
                    mul(scaled, std::ldexp(quarterLow, 2 - int(b))));
  return {angle, quadrant};
}

CircularFunctions::Reduced CircularFunctions::reduce(Value magnitude) {
  Value isSmall = less(magnitude, std::ldexp(1, int(largeExponent(*this))));
  // NaN is large.
  Value isLarge = arith::XOrIOp::create(
      *this, isSmall,
      arith::ConstantOp::create(*this,
                                isa<VectorType>(isSmall.getType())
                                    ? TypedAttr(SplatElementsAttr::get(
                                          cast<VectorType>(isSmall.getType()),
                                          Attribute(getBoolAttr(true))))
                                    : TypedAttr(getBoolAttr(true))));
  Reduced parts = reduceByParts(select(isSmall, magnitude, number(0)));
  auto branch = scf::IfOp::create(
      *this, TypeRange{parts.rest.getType(), parts.quadrant.getType()},
      anyLane(isLarge), /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(branch.thenBlock());
    Reduced exact = reduceExactly(magnitude);
    scf::YieldOp::create(
        *this, ValueRange{select(isLarge, exact.rest, parts.rest),
                          select(isLarge, exact.quadrant, parts.quadrant)});
    setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(*this, ValueRange{parts.rest, parts.quadrant});
  }
  return {branch.getResult(0), branch.getResult(1)};
}

std::pair<Value, Value> CircularFunctions::evaluateSeries(Value rest) {
  unsigned terms = width() == 64 ? 9 : 5;
  Value square = mul(rest, rest);
  Value odd = mul(mul(rest, square),
                  polynomial(square, inverseFactorials(3, 2, terms, -1)));
  Value even = polynomial(square, inverseFactorials(2, 2, terms, -1));
  return {sub(rest, odd), fma(negate(square), even, number(1))};
}

Value CircularFunctions::finish(Value value, Value quadrant, unsigned bit,
                                Value magnitude, Value x) {
  Value top = integer(uint64_t(1) << (width() - 1));
  Value sign = bitAnd(shiftLeft(quadrant, integer(width() - 1 - bit)), top);
  if (x)
    sign = bitXor(sign, bitAnd(bits(x), top));
  Value result = fromBits(bitXor(bits(value), sign));
  Value isFinite = less(magnitude, std::numeric_limits<double>::infinity());
  return select(isFinite, result,
                number(std::numeric_limits<double>::quiet_NaN()));
}

Value CircularFunctions::sine(Value x) {
  Value magnitude = abs(x);
  Reduced reduced = reduce(magnitude);
  auto [odd, even] = evaluateSeries(reduced.rest);
  Value isOdd = isNonzero(bitAnd(reduced.quadrant, integer(1)));
  return finish(select(isOdd, even, odd), reduced.quadrant, 1, magnitude, x);
}

Value CircularFunctions::cosine(Value x) {
  Value magnitude = abs(x);
  Reduced reduced = reduce(magnitude);
  auto [odd, even] = evaluateSeries(reduced.rest);
  Value next = addInteger(reduced.quadrant, integer(1));
  Value isOdd = isNonzero(bitAnd(next, integer(1)));
  return finish(select(isOdd, even, odd), next, 1, magnitude, Value());
}

Value CircularFunctions::tangent(Value x) {
  Value magnitude = abs(x);
  Reduced reduced = reduce(magnitude);
  auto [odd, even] = evaluateSeries(reduced.rest);
  Value isOdd = isNonzero(bitAnd(reduced.quadrant, integer(1)));
  Value ratio = div(select(isOdd, even, odd), select(isOdd, odd, even));
  return finish(ratio, reduced.quadrant, 0, magnitude, x);
}

/// From angles of 0, 45 or 90 degrees to the nearest by the difference of
/// tangents, (x - c) / (1 + c x), at most tan(pi / 8), of which the power
/// series is good.
Value CircularFunctions::arctangent(Value x) {
  constexpr double eighth = 0.41421356237309503;
  unsigned terms = width() == 64 ? 21 : 9;
  Value a = abs(x);
  Value isSteep = less(number(1 / eighth), a), isFlat = less(a, eighth);
  Value up = select(isSteep, -1, select(isFlat, a, add(a, -1)));
  Value right = select(isSteep, a, select(isFlat, 1, add(a, 1)));
  Value start = select(isSteep, kPi / 2, select(isFlat, 0, number(kPi / 4)));
  Value t = div(up, right), square = mul(t, t);
  SmallVector<double> series = inverseOddNumbers(terms + 1, -1);
  Value rest =
      mul(mul(t, square), polynomial(square, ArrayRef(series).drop_front()));
  return withSign(add(start, add(t, rest)), x);
}

Value CircularFunctions::angle(Value y, Value x) {
  Value up = abs(y), right = abs(x);
  // Equal sides are 45 degrees, also if both are infinite; 0 / 0 is 0.
  Value ratio = select(equal(up, right), 1, div(up, right));
  ratio = select(equal(up, number(0)), 0, ratio);
  Value slope = arctangent(ratio);
  Value isLeft = less(withSign(number(1), x), 0);
  slope = select(isLeft, sub(number(kPi), slope), slope);
  Value anyNan = arith::CmpFOp::create(*this, arith::CmpFPredicate::UNO, x, y);
  return select(anyNan, add(x, y), withSign(slope, y));
}
