//===- ShortFloat.cpp - the bits of floats of eight bits and fewer --------===//

#include "ShortTypes/ShortFloat.h"

#include "ShortTypes/ShortType.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {
/// How numbers lie in the bits of a format: sign, exponent, fraction.
struct Layout {
  explicit Layout(const llvm::fltSemantics &semantics);

  unsigned fractionBits;
  /// The exponent of the least normal number; its exponent bits are 1.
  int minExponent;
  /// The position of the sign, above all other bits.
  unsigned signBit;
  /// The bits of the largest number, of infinity, and of a positive NaN.
  uint64_t largest;
  std::optional<uint64_t> infinity, nan;

  int bias() const { return 1 - minExponent; }
  /// Negative zero is the one NaN.
  bool isNanNegativeZero() const { return nan && *nan == 1u << signBit; }
};
} // namespace

Layout::Layout(const llvm::fltSemantics &semantics)
    : fractionBits(APFloat::semanticsPrecision(semantics) - 1),
      minExponent(APFloat::semanticsMinExponent(semantics)),
      signBit(APFloat::semanticsSizeInBits(semantics) - 1),
      largest(APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue()) {
  if (APFloat::semanticsHasInf(semantics))
    infinity = APFloat::getInf(semantics).bitcastToAPInt().getZExtValue();
  if (APFloat::semanticsHasNaN(semantics))
    nan = APFloat::getQNaN(semantics).bitcastToAPInt().getZExtValue();
}

static bool isExponentOnly(FloatType format) {
  return !APFloat::semanticsHasZero(format.getFloatSemantics());
}

static Real bitcast(Real value, Type element) {
  return changeElements(value, element, "stablehlo.bitcast_convert");
}

static Real shiftLeft(Real value, uint64_t count) {
  return apply("shift_left", {value, integerLike(value, count)});
}

static Real shiftRight(Real value, uint64_t count) {
  return apply("shift_right_logical", {value, integerLike(value, count)});
}

static Real both(Real l, Real r) { return apply("and", {l, r}); }
static Real either(Real l, Real r) { return apply("or", {l, r}); }

static Type unsignedOf(Real like, unsigned width) {
  return IntegerType::get(like.value.getContext(), width,
                          IntegerType::Unsigned);
}

static Type single(Real like) {
  return Float32Type::get(like.value.getContext());
}

//===----------------------------------------------------------------------===//
// E8M0
//===----------------------------------------------------------------------===//

static constexpr uint64_t kScaleNan = 0xff;

/// The bits are the exponent of single precision, but for the least number,
/// which is subnormal there.
static Real decodeExponent(Real bits) {
  Real wide = changeElements(bits, unsignedOf(bits, 32));
  Real exponent = shiftLeft(wide, 23);
  exponent = select(wide == integerLike(wide, 0), integerLike(wide, 0x00400000),
                    exponent);
  exponent = select(wide == integerLike(wide, kScaleNan),
                    integerLike(wide, 0x7fc00000), exponent);
  return bitcast(exponent, single(bits));
}

/// Halves are rounded upwards; what is not positive is NaN.
static Real encodeExponent(Real value) {
  Layout from(value.semantics());
  Real bits = bitcast(value, unsignedOf(value, from.signBit + 1));
  auto number = [&](uint64_t constant) { return integerLike(bits, constant); };
  // The first bit of the fraction decides.
  uint64_t half = uint64_t(1) << (from.fractionBits - 1);
  Real code = shiftRight(bits + number(half), from.fractionBits) -
              number(from.bias() - 127);
  // 1.5 * 2^-127 is subnormal in single precision.
  APFloat least(APFloat::IEEEdouble(),
                APInt(64, uint64_t(1023 - 127) << 52 | uint64_t(1) << 51));
  bool losesInfo;
  least.convert(value.semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  code = select(bits < number(least.bitcastToAPInt().getZExtValue()), number(0),
                code);
  code = min(code, number(kScaleNan));
  Real zero = number(0), sign = number(uint64_t(1) << from.signBit);
  code = select(bits == zero || bits >= sign, number(kScaleNan), code);
  return changeElements(code, unsignedOf(value, 8));
}

//===----------------------------------------------------------------------===//
// The other formats
//===----------------------------------------------------------------------===//

Real tessera::importer::decodeFloat(Real bits, FloatType format) {
  if (isExponentOnly(format))
    return decodeExponent(bits);
  Layout from(format.getFloatSemantics()), to(APFloat::IEEEsingle());
  Real wide = changeElements(bits, unsignedOf(bits, 32));
  auto number = [&](uint64_t constant) { return integerLike(wide, constant); };
  Real magnitude = both(wide, number((1u << from.signBit) - 1));
  Real normal = shiftLeft(magnitude, to.fractionBits - from.fractionBits) +
                number(uint64_t(to.bias() - from.bias()) << to.fractionBits);
  // Below the normal numbers the bits count the least one.
  Real count = changeElements(magnitude, single(bits));
  Real subnormal =
      bitcast(count * std::ldexp(1.0, from.minExponent - from.fractionBits),
              unsignedOf(bits, 32));
  Real result =
      select(magnitude < number(1u << from.fractionBits), subnormal, normal);
  if (from.infinity)
    result = select(magnitude == number(*from.infinity), number(*to.infinity),
                    result);
  if (from.nan && !from.isNanNegativeZero())
    result = select(magnitude > number(from.infinity.value_or(from.largest)),
                    number(*to.nan), result);
  Real sign = shiftLeft(shiftRight(wide, from.signBit), to.signBit);
  if (from.signBit < 7) // Bits before the sign are nothing.
    sign = both(sign, number(1u << to.signBit));
  result = either(result, sign);
  if (from.isNanNegativeZero())
    result = select(wide == number(*from.nan), number(*to.nan), result);
  return bitcast(result, single(bits));
}

/// The bits of the `magnitude` of a number laid out as `from`, rounded to the
/// fraction of `to`, without regard to how large that gets.
static Real roundMagnitude(Real magnitude, Type element, const Layout &from,
                           const Layout &to) {
  auto number = [&](uint64_t constant) {
    return integerLike(magnitude, constant);
  };
  unsigned shift = from.fractionBits - to.fractionBits;
  Real isOdd = both(shiftRight(magnitude, shift), number(1));
  Real carried = magnitude + number((uint64_t(1) << (shift - 1)) - 1) + isOdd;
  Real normal = shiftRight(carried, shift) -
                number(uint64_t(from.bias() - to.bias()) << to.fractionBits);
  // Below the normal numbers the bits count the least one.
  Real scaled = bitcast(magnitude, element) *
                std::ldexp(1.0, to.fractionBits - to.minExponent);
  Real count = changeElements(apply("round_nearest_even", {scaled}),
                              magnitude.type().getElementType());
  uint64_t leastNormal = uint64_t(from.bias() + to.minExponent)
                         << from.fractionBits;
  return select(magnitude < number(leastNormal), count, normal);
}

Real tessera::importer::encodeFloat(Real value, FloatType format) {
  if (isExponentOnly(format))
    return encodeExponent(value);
  Layout from(value.semantics()), to(format.getFloatSemantics());
  Type integer = unsignedOf(value, from.signBit + 1);
  Real bits = bitcast(value, integer);
  auto number = [&](uint64_t constant) { return integerLike(bits, constant); };
  Real magnitude = both(bits, number((uint64_t(1) << from.signBit) - 1));
  Real code =
      roundMagnitude(magnitude, value.type().getElementType(), from, to);
  uint64_t tooLarge = to.infinity.value_or(to.nan.value_or(to.largest));
  code = select(code > number(to.largest), number(tooLarge), code);
  Real sign = shiftLeft(shiftRight(bits, from.signBit), to.signBit);
  if (to.isNanNegativeZero()) // There is no negative zero, and one NaN.
    sign = select(code == number(0), number(0), sign);
  uint64_t nan = to.nan.value_or(1u << to.signBit);
  code = select(magnitude > number(*from.infinity), number(nan), code);
  return changeElements(either(code, sign), unsignedOf(value, 8));
}
