//===- Elementwise.cpp - element-wise operations become arith and math ----===//
//
// A row names, for each kind of element, the function that builds the
// replacement. StableHLO says what happens where `arith` is undefined (shifts
// by the width or more; divisions by zero may give anything, but must not
// trap): there the replacement is several operations, unless a constant operand
// shows that it need not be.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Composed/SpecialFunctions.h"

#include "tessera/Transforms/Import/Conversions/Unsupported.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Builds the replacement of an operation from its operands, which have one
/// type; null after a diagnostic.
using Build = Value (*)(Conversion &c, ValueRange operands);

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

template <typename Op> static Value unary(Conversion &c, ValueRange operands) {
  return Op::create(c.builder, operands[0]);
}

template <typename Op> static Value binary(Conversion &c, ValueRange operands) {
  return Op::create(c.builder, operands[0], operands[1]);
}

static Value identity(Conversion &, ValueRange operands) { return operands[0]; }

static constexpr Build kNone = nullptr;

/// Converts an operation whose operands and result have one shape.
template <Build onFloat, Build onSigned, Build onUnsigned, Build onBool>
static LogicalResult convert(Operation *op, ValueRange operands, Conversion &c,
                             SmallVectorImpl<Value> &results) {
  Type type = op->getOperand(0).getType();
  for (Type other : op->getOperandTypes())
    if (other != type)
      return emitError(op->getLoc())
             << "expected operands of one type of '" << op->getName()
             << "', got " << type << " and " << other;
  Build build = nullptr;
  switch (elementKind(type)) {
  case ElementKind::Float:
    build = onFloat;
    break;
  case ElementKind::Signed:
    build = onSigned;
    break;
  case ElementKind::Unsigned:
    build = onUnsigned;
    break;
  case ElementKind::Bool:
    build = onBool;
    break;
  case ElementKind::Other:
    break;
  }
  if (!build)
    return emitError(op->getLoc())
           << "unsupported element type " << getElementTypeOrSelf(type)
           << " of '" << op->getName() << "'";
  results.push_back(build(c, operands));
  return success(results.back() != nullptr);
}

template <typename Op>
static constexpr ConvertFn floatUnary = convert<unary<Op>, kNone, kNone, kNone>;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static unsigned widthOf(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

static Value compareInt(Conversion &c, arith::CmpIPredicate predicate, Value a,
                        Value b) {
  return arith::CmpIOp::create(c.builder, predicate, a, b);
}

/// Whether `divisor` is a constant by which any number can be divided.
static bool isSafeDivisor(Conversion &c, Value divisor) {
  auto constant = dyn_cast_or_null<IntegerAttr>(constantElement(divisor));
  return constant && !constant.getValue().isZero() &&
         !constant.getValue().isAllOnes();
}

/// `divisor` with 1 where a division would trap: where it is zero, or where it
/// is -1 under the least integer.
static Value makeSafeDivisor(Conversion &c, Value dividend, Value divisor,
                             Value isZero, bool isSigned) {
  Type type = divisor.getType();
  unsigned width = widthOf(divisor);
  Value unsafe = isZero;
  if (isSigned) {
    Value least = c.splat(type, APInt::getSignedMinValue(width));
    Value minusOne = c.splat(type, APInt::getAllOnes(width));
    auto equal = arith::CmpIPredicate::eq;
    Value overflows =
        arith::AndIOp::create(c.builder, compareInt(c, equal, dividend, least),
                              compareInt(c, equal, divisor, minusOne));
    unsafe = arith::OrIOp::create(c.builder, isZero, overflows);
  }
  return select(c, unsafe, c.splat(type, APInt(width, 1)), divisor);
}

/// A quotient by zero is -1, a remainder the dividend, as XLA has it; the least
/// integer by -1 is itself, without remainder.
template <typename Op, bool isSigned, bool isRemainder>
static Value divide(Conversion &c, ValueRange operands) {
  Value dividend = operands[0], divisor = operands[1];
  if (std::is_same_v<Op, arith::RemUIOp>)
    if (Value position = positionAlongAxis(c, dividend, divisor))
      return position;
  if (isSafeDivisor(c, divisor))
    return Op::create(c.builder, dividend, divisor);
  Type type = divisor.getType();
  unsigned width = widthOf(divisor);
  Value isZero = compareInt(c, arith::CmpIPredicate::eq, divisor,
                            c.splat(type, APInt::getZero(width)));
  Value safe = makeSafeDivisor(c, dividend, divisor, isZero, isSigned);
  Value result = Op::create(c.builder, dividend, safe);
  Value byZero =
      isRemainder ? dividend : c.splat(type, APInt::getAllOnes(width));
  return select(c, isZero, byZero, result);
}

/// The exponent of `ipowi` is signed. The last bit of `w` in an exponent makes
/// no difference to odd bases, of which the power 2^(w - 2) is 1 modulo 2^w,
/// and powers of even ones are 0 then.
static Value powerUnsigned(Conversion &c, ValueRange operands) {
  Value base = operands[0], exponent = operands[1];
  RankedTensorType type = typeOf(base);
  unsigned width = type.getElementTypeBitWidth();
  Value zero = c.splat(type, APInt::getZero(width));
  Value mask = c.splat(type, APInt::getSignedMaxValue(width));
  Value power = math::IPowIOp::create(
      c.builder, base, arith::AndIOp::create(c.builder, exponent, mask));
  Value isLarge = compareInt(c, arith::CmpIPredicate::slt, exponent, zero);
  Value last =
      arith::AndIOp::create(c.builder, base, c.splat(type, APInt(width, 1)));
  Value isEven = compareInt(c, arith::CmpIPredicate::eq, last, zero);
  return select(c, arith::AndIOp::create(c.builder, isLarge, isEven), zero,
                power);
}

/// Whether every shift by `amount` is by less than the width.
static bool isSafeShift(Conversion &c, Value amount) {
  auto constant = dyn_cast_or_null<IntegerAttr>(constantElement(amount));
  return constant && constant.getValue().ult(widthOf(amount));
}

/// Shifts by the width or more give 0.
template <typename Op> static Value shift(Conversion &c, ValueRange operands) {
  Value amount = operands[1];
  Value shifted = Op::create(c.builder, operands[0], amount);
  if (isSafeShift(c, amount))
    return shifted;
  Type type = amount.getType();
  unsigned width = widthOf(amount);
  Value inside = compareInt(c, arith::CmpIPredicate::ult, amount,
                            c.splat(type, APInt(width, width)));
  return select(c, inside, shifted, c.splat(type, APInt::getZero(width)));
}

/// Shifts by the width or more give 0 or -1, as the sign says.
static Value shiftArithmetic(Conversion &c, ValueRange operands) {
  Value amount = operands[1];
  if (!isSafeShift(c, amount)) {
    unsigned width = widthOf(amount);
    amount = arith::MinUIOp::create(
        c.builder, amount, c.splat(amount.getType(), APInt(width, width - 1)));
  }
  return arith::ShRSIOp::create(c.builder, operands[0], amount);
}

static Value negateInt(Conversion &c, ValueRange operands) {
  Value zero =
      c.splat(operands[0].getType(), APInt::getZero(widthOf(operands[0])));
  return arith::SubIOp::create(c.builder, zero, operands[0]);
}

static Value bitwiseNot(Conversion &c, ValueRange operands) {
  Value ones =
      c.splat(operands[0].getType(), APInt::getAllOnes(widthOf(operands[0])));
  return arith::XOrIOp::create(c.builder, operands[0], ones);
}

static Value signSigned(Conversion &c, ValueRange operands) {
  Type type = operands[0].getType();
  unsigned width = widthOf(operands[0]);
  Value atMostOne = arith::MinSIOp::create(c.builder, operands[0],
                                           c.splat(type, APInt(width, 1)));
  return arith::MaxSIOp::create(c.builder, atMostOne,
                                c.splat(type, APInt::getAllOnes(width)));
}

static Value signUnsigned(Conversion &c, ValueRange operands) {
  return arith::MinUIOp::create(
      c.builder, operands[0],
      c.splat(operands[0].getType(), APInt(widthOf(operands[0]), 1)));
}

static Value squareInt(Conversion &c, ValueRange operands) {
  return arith::MulIOp::create(c.builder, operands[0], operands[0]);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// The number itself where it is zero or NaN.
static Value signFloat(Conversion &c, ValueRange operands) {
  Value x = operands[0];
  Value keep = arith::CmpFOp::create(c.builder, arith::CmpFPredicate::UEQ, x,
                                     c.splat(x.getType(), 0.0));
  Value one = math::CopySignOp::create(c.builder, c.splat(x.getType(), 1.0), x);
  return select(c, keep, x, one);
}

static Value logistic(Conversion &c, ValueRange operands) {
  Value one = c.splat(operands[0].getType(), 1.0);
  Value exp = math::ExpOp::create(
      c.builder, arith::NegFOp::create(c.builder, operands[0]));
  return arith::DivFOp::create(c.builder, one,
                               arith::AddFOp::create(c.builder, exp, one));
}

static Value squareFloat(Conversion &c, ValueRange operands) {
  return arith::MulFOp::create(c.builder, operands[0], operands[0]);
}

/// Whether |x| or x itself is less than (equal to, ...) infinity.
template <arith::CmpFPredicate predicate, bool ofMagnitude, bool isNegative>
static Value compareInfinity(Conversion &c, ValueRange operands) {
  Value x = operands[0];
  auto type = cast<FloatType>(getElementTypeOrSelf(x.getType()));
  Value infinity = c.splat(
      x.getType(), APFloat::getInf(type.getFloatSemantics(), isNegative));
  if (ofMagnitude)
    x = math::AbsFOp::create(c.builder, x);
  return arith::CmpFOp::create(c.builder, predicate, x, infinity);
}

//===----------------------------------------------------------------------===//
// Parts of complex numbers
//===----------------------------------------------------------------------===//

static Value zeros(Conversion &c, ValueRange operands) {
  return c.zeros(typeOf(operands[0]));
}

/// Complex numbers are left only before what is not done with them
/// (`tessera-split-complex`).
static LogicalResult refuseComplex(Operation *op, ValueRange, Conversion &,
                                   SmallVectorImpl<Value> &) {
  Type type = op->getResult(0).getType();
  Operation *user = op->use_empty() ? op : *op->user_begin();
  InFlightDiagnostic error = emitError(user->getLoc());
  error << "unsupported element type " << getElementTypeOrSelf(type) << " of '"
        << user->getName() << "'";
  noteAlternative(error, unsupportedKind(type));
  return error;
}

//===----------------------------------------------------------------------===//
// Operations with operands of several types
//===----------------------------------------------------------------------===//

/// The condition may be a scalar.
static LogicalResult convertSelect(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  if (op->getOperand(1).getType() != op->getOperand(2).getType() ||
      elementKind(op->getOperand(0).getType()) != ElementKind::Bool)
    return emitError(op->getLoc())
           << "expected a condition and two operands of one type of '"
           << op->getName() << "'";
  Value condition = c.broadcastScalar(operands[0], operands[1].getType());
  results.push_back(select(c, condition, operands[1], operands[2]));
  return success();
}

/// The bounds may be scalars.
static LogicalResult convertClamp(Operation *op, ValueRange operands,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  ImplicitLocOpBuilder &b = c.builder;
  Value low = c.broadcastScalar(operands[0], operands[1].getType());
  Value high = c.broadcastScalar(operands[2], operands[1].getType());
  Value x = operands[1];
  switch (elementKind(op->getOperand(1).getType())) {
  case ElementKind::Float:
    x = arith::MaximumFOp::create(b, low, x);
    results.push_back(arith::MinimumFOp::create(b, x, high));
    break;
  case ElementKind::Signed:
    x = arith::MaxSIOp::create(b, low, x);
    results.push_back(arith::MinSIOp::create(b, x, high));
    break;
  default:
    x = arith::MaxUIOp::create(b, low, x);
    results.push_back(arith::MinUIOp::create(b, x, high));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void tessera::importer::addElementwise(ConversionTable &table) {
  using namespace arith;
  // `result_accuracy` asks for at least what is done anyway.
  static constexpr StringLiteral kAccuracy[] = {"result_accuracy"};
  static const OpConversion rows[] = {
      // Two operands.
      {"stablehlo.add",
       convert<binary<AddFOp>, binary<AddIOp>, binary<AddIOp>, binary<OrIOp>>,
       2},
      {"stablehlo.subtract",
       convert<binary<SubFOp>, binary<SubIOp>, binary<SubIOp>, kNone>, 2},
      {"stablehlo.multiply",
       convert<binary<MulFOp>, binary<MulIOp>, binary<MulIOp>, binary<AndIOp>>,
       2},
      {"stablehlo.divide",
       convert<binary<DivFOp>, divide<DivSIOp, true, false>,
               divide<DivUIOp, false, false>, kNone>,
       2},
      {"stablehlo.remainder",
       convert<binary<RemFOp>, divide<RemSIOp, true, true>,
               divide<RemUIOp, false, true>, kNone>,
       2},
      {"stablehlo.maximum",
       convert<binary<MaximumFOp>, binary<MaxSIOp>, binary<MaxUIOp>,
               binary<OrIOp>>,
       2},
      {"stablehlo.minimum",
       convert<binary<MinimumFOp>, binary<MinSIOp>, binary<MinUIOp>,
               binary<AndIOp>>,
       2},
      {"stablehlo.power",
       convert<binary<math::PowFOp>, binary<math::IPowIOp>, powerUnsigned,
               kNone>,
       2},
      {"stablehlo.atan2", convert<binary<math::Atan2Op>, kNone, kNone, kNone>,
       2},
      {"stablehlo.and",
       convert<kNone, binary<AndIOp>, binary<AndIOp>, binary<AndIOp>>, 2},
      {"stablehlo.or",
       convert<kNone, binary<OrIOp>, binary<OrIOp>, binary<OrIOp>>, 2},
      {"stablehlo.xor",
       convert<kNone, binary<XOrIOp>, binary<XOrIOp>, binary<XOrIOp>>, 2},
      {"stablehlo.shift_left",
       convert<kNone, shift<ShLIOp>, shift<ShLIOp>, kNone>, 2},
      {"stablehlo.shift_right_logical",
       convert<kNone, shift<ShRUIOp>, shift<ShRUIOp>, kNone>, 2},
      {"stablehlo.shift_right_arithmetic",
       convert<kNone, shiftArithmetic, shiftArithmetic, kNone>, 2},
      // One operand, of several kinds.
      {"stablehlo.abs",
       convert<unary<math::AbsFOp>, unary<math::AbsIOp>, identity, kNone>, 1},
      {"stablehlo.negate", convert<unary<NegFOp>, negateInt, negateInt, kNone>,
       1},
      {"stablehlo.not", convert<kNone, bitwiseNot, bitwiseNot, bitwiseNot>, 1},
      {"stablehlo.sign", convert<signFloat, signSigned, signUnsigned, kNone>,
       1},
      {"stablehlo.popcnt",
       convert<kNone, unary<math::CtPopOp>, unary<math::CtPopOp>, identity>, 1},
      {"stablehlo.count_leading_zeros",
       convert<kNone, unary<math::CountLeadingZerosOp>,
               unary<math::CountLeadingZerosOp>, bitwiseNot>,
       1},
      {"chlo.square", convert<squareFloat, squareInt, squareInt, kNone>, 1},
      // One number.
      {"stablehlo.cbrt", floatUnary<math::CbrtOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.ceil", floatUnary<math::CeilOp>, 1},
      {"stablehlo.cosine", floatUnary<math::CosOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.exponential", floatUnary<math::ExpOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.exponential_minus_one", floatUnary<math::ExpM1Op>, 1, 1, 0,
       kAccuracy},
      {"stablehlo.floor", floatUnary<math::FloorOp>, 1},
      {"stablehlo.is_finite",
       convert<compareInfinity<CmpFPredicate::OLT, true, false>, kNone, kNone,
               kNone>,
       1},
      {"stablehlo.log", floatUnary<math::LogOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.log_plus_one", floatUnary<math::Log1pOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.logistic", convert<logistic, kNone, kNone, kNone>, 1, 1, 0,
       kAccuracy},
      {"stablehlo.round_nearest_afz", floatUnary<math::RoundOp>, 1},
      {"stablehlo.round_nearest_even", floatUnary<math::RoundEvenOp>, 1},
      {"stablehlo.rsqrt", floatUnary<math::RsqrtOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.sine", floatUnary<math::SinOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.sqrt", floatUnary<math::SqrtOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.tan", floatUnary<math::TanOp>, 1, 1, 0, kAccuracy},
      {"stablehlo.tanh", floatUnary<math::TanhOp>, 1, 1, 0, kAccuracy},
      {"chlo.acos", floatUnary<math::AcosOp>, 1},
      {"chlo.acosh", floatUnary<math::AcoshOp>, 1},
      {"chlo.asin", floatUnary<math::AsinOp>, 1},
      {"chlo.asinh", floatUnary<math::AsinhOp>, 1},
      {"chlo.atan", floatUnary<math::AtanOp>, 1},
      {"chlo.atanh", floatUnary<math::AtanhOp>, 1},
      {"chlo.cosh", floatUnary<math::CoshOp>, 1},
      {"chlo.erf", floatUnary<math::ErfOp>, 1},
      {"chlo.erf_inv", convert<erfInv, kNone, kNone, kNone>, 1},
      {"chlo.mulhi", convert<kNone, mulHighSigned, mulHighUnsigned, kNone>, 2},
      {"chlo.bessel_i1e", convert<besselI1e, kNone, kNone, kNone>, 1},
      {"chlo.polygamma", convert<polygamma, kNone, kNone, kNone>, 2},
      {"chlo.zeta", convert<zeta, kNone, kNone, kNone>, 2},
      {"chlo.next_after", convert<nextAfter, kNone, kNone, kNone>, 2},
      {"chlo.lgamma", convert<logGamma, kNone, kNone, kNone>, 1},
      {"chlo.digamma", convert<digamma, kNone, kNone, kNone>, 1},
      {"chlo.erfc", floatUnary<math::ErfcOp>, 1},
      {"chlo.is_inf",
       convert<compareInfinity<CmpFPredicate::OEQ, true, false>, kNone, kNone,
               kNone>,
       1},
      {"chlo.is_neg_inf",
       convert<compareInfinity<CmpFPredicate::OEQ, false, true>, kNone, kNone,
               kNone>,
       1},
      {"chlo.is_pos_inf",
       convert<compareInfinity<CmpFPredicate::OEQ, false, false>, kNone, kNone,
               kNone>,
       1},
      {"chlo.sinh", floatUnary<math::SinhOp>, 1},
      {"chlo.tan", floatUnary<math::TanOp>, 1},
      {"stablehlo.real", convert<identity, kNone, kNone, kNone>, 1},
      {"stablehlo.imag", convert<zeros, kNone, kNone, kNone>, 1},
      // Several types.
      {"stablehlo.complex", refuseComplex, 2},
      {"stablehlo.select", convertSelect, 3},
      {"stablehlo.clamp", convertClamp, 3},
  };
  addRows(table, rows);
}
