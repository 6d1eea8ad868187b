//===- Converts.cpp - comparisons and changes of the element type ---------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace {
/// The predicates of one direction.
struct Direction {
  StringLiteral name;
  arith::CmpFPredicate onFloat;
  arith::CmpIPredicate onSigned, onUnsigned;
};
} // namespace

/// Every comparison with NaN is false, but "not equal" is true.
static constexpr Direction kDirections[] = {
    {"EQ", arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq,
     arith::CmpIPredicate::eq},
    {"NE", arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne,
     arith::CmpIPredicate::ne},
    {"LT", arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
     arith::CmpIPredicate::ult},
    {"LE", arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle,
     arith::CmpIPredicate::ule},
    {"GT", arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt,
     arith::CmpIPredicate::ugt},
    {"GE", arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge,
     arith::CmpIPredicate::uge}};

/// The bits of floating-point numbers as integers whose signed order is the
/// total order of IEEE 754: below zero a larger magnitude is less.
static Value totalOrderKey(Conversion &c, Value x) {
  ImplicitLocOpBuilder &b = c.builder;
  auto type = cast<RankedTensorType>(x.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type integers = type.clone(b.getIntegerType(width));
  Value bits = arith::BitcastOp::create(b, integers, x);
  Value sign = arith::ShRSIOp::create(
      b, bits, c.splat(integers, APInt(width, width - 1)));
  Value magnitude = arith::AndIOp::create(
      b, sign, c.splat(integers, APInt::getSignedMaxValue(width)));
  return arith::XOrIOp::create(b, bits, magnitude);
}

Value tessera::importer::isTotallyGreater(Conversion &c, Value a, Value b,
                                          ElementKind kind) {
  if (kind == ElementKind::Float) {
    a = totalOrderKey(c, a);
    b = totalOrderKey(c, b);
  }
  bool isSigned = kind == ElementKind::Float || kind == ElementKind::Signed;
  return arith::CmpIOp::create(
      c.builder,
      isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt, a, b);
}

/// The comparison that `op`, a `stablehlo.compare`, makes, of `lhs` and `rhs`;
/// null after a diagnostic.
static Value compareAs(Operation *op, Value lhs, Value rhs, Conversion &c) {
  Type type = op->getOperand(0).getType();
  FailureOr<StringRef> name = c.parsed<StringRef, StringRef>(
      op, "comparison_direction", parseEnumeration, "comparison_direction");
  if (failed(name))
    return nullptr;
  const Direction *direction = llvm::find_if(
      kDirections, [&](const Direction &d) { return d.name == *name; });
  if (direction == std::end(kDirections))
    return emitError(op->getLoc())
               << "expected a comparison direction (EQ, NE, "
                  "LT, LE, GT, GE), got '"
               << *name << "'",
           nullptr;
  ElementKind kind = elementKind(type);
  bool total = false;
  if (op->getAttr("compare_type")) {
    FailureOr<StringRef> order = c.parsed<StringRef, StringRef>(
        op, "compare_type", parseEnumeration, "comparison_type");
    if (failed(order))
      return nullptr;
    total = *order == "TOTALORDER" && kind == ElementKind::Float;
  }
  if (total) {
    lhs = totalOrderKey(c, lhs);
    rhs = totalOrderKey(c, rhs);
    kind = ElementKind::Signed;
  }
  if (kind == ElementKind::Float)
    return arith::CmpFOp::create(c.builder, direction->onFloat, lhs, rhs);
  return arith::CmpIOp::create(
      c.builder,
      kind == ElementKind::Signed ? direction->onSigned : direction->onUnsigned,
      lhs, rhs);
}

static LogicalResult convertCompare(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  Type type = op->getOperand(0).getType();
  if (type != op->getOperand(1).getType())
    return emitError(op->getLoc())
           << "expected operands of one type of '" << op->getName() << "', got "
           << type << " and " << op->getOperand(1).getType();
  results.push_back(compareAs(op, operands[0], operands[1], c));
  return success(results.back() != nullptr);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value tessera::importer::convertFloat(Conversion &c, Value x,
                                      RankedTensorType to) {
  ImplicitLocOpBuilder &b = c.builder;
  auto from = cast<RankedTensorType>(x.getType());
  if (from == to)
    return x;
  if (from.getElementTypeBitWidth() < to.getElementTypeBitWidth())
    return arith::ExtFOp::create(b, to, x);
  // Between two formats of one width (bf16 and f16) through a wider one.
  if (from.getElementTypeBitWidth() == to.getElementTypeBitWidth())
    x = arith::ExtFOp::create(b, to.clone(b.getF32Type()), x);
  return arith::TruncFOp::create(b, to, x);
}

static Value convertInt(Conversion &c, Value x, RankedTensorType to,
                        ElementKind kind) {
  auto from = cast<RankedTensorType>(x.getType());
  if (from == to)
    return x;
  if (from.getElementTypeBitWidth() > to.getElementTypeBitWidth())
    return arith::TruncIOp::create(c.builder, to, x);
  if (kind == ElementKind::Signed)
    return arith::ExtSIOp::create(c.builder, to, x);
  return arith::ExtUIOp::create(c.builder, to, x);
}

/// Rounds toward zero. What does not fit becomes the nearest integer that does,
/// NaN becomes 0, as XLA has it; `arith` would leave both undefined.
static Value floatToInt(Conversion &c, Value x, RankedTensorType to,
                        bool isUnsigned) {
  ImplicitLocOpBuilder &b = c.builder;
  unsigned width = to.getElementTypeBitWidth();
  auto limit = [&](APInt value) { return c.splat(to, value); };
  auto choose = [&](arith::CmpFPredicate predicate, double bound, APInt value,
                    Value otherwise) -> Value {
    Value holds =
        arith::CmpFOp::create(b, predicate, x, c.splat(x.getType(), bound));
    return arith::SelectOp::create(b, holds, limit(value), otherwise);
  };
  double end = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Value result;
  if (isUnsigned) {
    result = arith::FPToUIOp::create(b, to, x);
    result = choose(arith::CmpFPredicate::OGE, end, APInt::getMaxValue(width),
                    result);
    return choose(arith::CmpFPredicate::ULE, 0.0, APInt::getZero(width),
                  result);
  }
  result = arith::FPToSIOp::create(b, to, x);
  result = choose(arith::CmpFPredicate::OGE, end,
                  APInt::getSignedMaxValue(width), result);
  result = choose(arith::CmpFPredicate::OLT, -end,
                  APInt::getSignedMinValue(width), result);
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, isNaN, limit(APInt::getZero(width)),
                                 result);
}

static Value isNotZero(Conversion &c, Value x, ElementKind kind) {
  if (kind == ElementKind::Float)
    return arith::CmpFOp::create(c.builder, arith::CmpFPredicate::UNE, x,
                                 c.splat(x.getType(), 0.0));
  unsigned width = cast<RankedTensorType>(x.getType()).getElementTypeBitWidth();
  return arith::CmpIOp::create(c.builder, arith::CmpIPredicate::ne, x,
                               c.splat(x.getType(), APInt::getZero(width)));
}

static LogicalResult convertConvert(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  Value x = operands[0];
  RankedTensorType to = c.convertType(op->getResult(0).getType(), op->getLoc());
  if (!to)
    return failure();
  if (to.getShape() != cast<RankedTensorType>(x.getType()).getShape())
    return emitError(op->getLoc())
           << "expected the shape of " << op->getOperand(0).getType()
           << " in the result, got " << op->getResult(0).getType();
  ElementKind fromKind = elementKind(op->getOperand(0).getType());
  ElementKind toKind = elementKind(op->getResult(0).getType());
  bool fromFloat = fromKind == ElementKind::Float;
  if (toKind == ElementKind::Bool)
    results.push_back(
        fromKind == ElementKind::Bool ? x : isNotZero(c, x, fromKind));
  else if (fromFloat && toKind == ElementKind::Float)
    results.push_back(convertFloat(c, x, to));
  else if (fromFloat)
    results.push_back(floatToInt(c, x, to, toKind == ElementKind::Unsigned));
  else if (toKind != ElementKind::Float)
    results.push_back(convertInt(c, x, to, fromKind));
  else if (fromKind == ElementKind::Signed)
    results.push_back(arith::SIToFPOp::create(c.builder, to, x));
  else
    results.push_back(arith::UIToFPOp::create(c.builder, to, x));
  return success();
}

/// `value`, of integers, as one integer of type `element` for every row of its
/// last dimension, the first of a row in the lowest bits.
static Value joinBits(Value value, IntegerType element, Conversion &c) {
  ImplicitLocOpBuilder &b = c.builder;
  auto from = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> starts(from.getRank()), limits(from.getShape()),
      strides(from.getRank(), 1);
  auto to = RankedTensorType::get(from.getShape().drop_back(), element);
  Value joined;
  for (int64_t i = 0; i < from.getShape().back(); ++i) {
    starts.back() = i;
    limits.back() = i + 1;
    SmallVector<int64_t> column(from.getShape());
    column.back() = 1;
    Value part =
        SliceOp::create(b, from.clone(column), value, starts, limits, strides);
    part = ReshapeOp::create(b, from.clone(to.getShape()), part);
    part = arith::ExtUIOp::create(b, to, part);
    APInt shift(element.getWidth(), i * from.getElementTypeBitWidth());
    if (i > 0)
      part = arith::ShLIOp::create(b, part, c.splat(to, shift));
    joined = joined ? arith::OrIOp::create(b, joined, part) : part;
  }
  return joined;
}

/// The inverse: every integer as a row of `count` integers of type `element`.
static Value splitBits(Value value, int64_t count, IntegerType element,
                       Conversion &c) {
  ImplicitLocOpBuilder &b = c.builder;
  auto from = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(from.getShape());
  shape.push_back(1);
  SmallVector<Value> columns;
  for (int64_t i = 0; i < count; ++i) {
    APInt shift(from.getElementTypeBitWidth(), i * element.getWidth());
    Value part = value;
    if (i > 0)
      part = arith::ShRUIOp::create(b, part, c.splat(from, shift));
    part = arith::TruncIOp::create(b, from.clone(element), part);
    columns.push_back(
        ReshapeOp::create(b, RankedTensorType::get(shape, element), part));
  }
  shape.back() = count;
  return ConcatenateOp::create(b, RankedTensorType::get(shape, element),
                               columns, shape.size() - 1);
}

/// Where the width changes, one wide element is a row of narrow ones.
static LogicalResult convertBitcast(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  RankedTensorType to = c.convertType(op->getResult(0).getType(), op->getLoc());
  auto from = cast<RankedTensorType>(operands[0].getType());
  if (!to)
    return failure();
  ImplicitLocOpBuilder &b = c.builder;
  int64_t fromBits = from.getElementTypeBitWidth(),
          toBits = to.getElementTypeBitWidth();
  SmallVector<int64_t> narrow(fromBits > toBits ? from.getShape()
                                                : to.getShape());
  if (fromBits != toBits)
    narrow.push_back(std::max(fromBits, toBits) / std::min(fromBits, toBits));
  auto expected = fromBits < toBits ? from : to;
  if (expected.getShape() != ArrayRef(narrow))
    return emitError(op->getLoc()) << "unsupported shapes of '" << op->getName()
                                   << "', from " << from << " to " << to;
  auto bitcast = [&](Value value, Type element) -> Value {
    auto type = cast<RankedTensorType>(value.getType()).clone(element);
    return value.getType() == type ? value
                                   : arith::BitcastOp::create(b, type, value);
  };
  IntegerType fromInteger = b.getIntegerType(fromBits),
              toInteger = b.getIntegerType(toBits);
  Value value = operands[0];
  if (fromBits != toBits) {
    value = bitcast(value, fromInteger);
    value = fromBits < toBits ? joinBits(value, toInteger, c)
                              : splitBits(value, narrow.back(), toInteger, c);
  }
  results.push_back(bitcast(value, to.getElementType()));
  return success();
}

/// The bits of `bits`, integers that are numbers with `from` bits of fraction,
/// rounded to `to` of them: to the nearest, ties to even.
static Value roundFraction(Conversion &c, Value bits, unsigned from,
                           unsigned to) {
  if (to >= from)
    return bits;
  ImplicitLocOpBuilder &b = c.builder;
  Type type = bits.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  unsigned dropped = from - to;
  auto number = [&](APInt value) { return c.splat(type, value); };
  Value isOdd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, number(APInt(width, dropped))),
      number(APInt(width, 1)));
  Value half = number(APInt::getLowBitsSet(width, dropped - 1));
  Value carried =
      arith::AddIOp::create(b, arith::AddIOp::create(b, bits, half), isOdd);
  return arith::AndIOp::create(
      b, carried, number(APInt::getHighBitsSet(width, width - dropped)));
}

/// Rounds to a format with `exponentBits` and `fractionBits`: what has too
/// large an exponent there becomes infinity, what has too small a one zero.
static Value reducePrecision(Conversion &c, Value x, unsigned exponentBits,
                             unsigned fractionBits) {
  ImplicitLocOpBuilder &b = c.builder;
  auto type = cast<RankedTensorType>(x.getType());
  auto format = cast<FloatType>(type.getElementType());
  unsigned width = format.getWidth(),
           fraction = format.getFPMantissaWidth() - 1;
  int bias = (1 << (width - fraction - 2)) - 1;
  Type integers = type.clone(b.getIntegerType(width));
  auto number = [&](APInt value) { return c.splat(integers, value); };
  auto choose = [&](arith::CmpIPredicate predicate, Value left, APInt right,
                    APInt value, Value otherwise) -> Value {
    Value holds = arith::CmpIOp::create(b, predicate, left, number(right));
    return arith::SelectOp::create(b, holds, number(value), otherwise);
  };
  Value bits = arith::BitcastOp::create(b, integers, x);
  Value sign =
      arith::AndIOp::create(b, bits, number(APInt::getSignMask(width)));
  Value magnitude =
      arith::AndIOp::create(b, bits, number(APInt::getSignedMaxValue(width)));
  magnitude = roundFraction(c, magnitude, fraction, fractionBits);
  if (exponentBits < width - fraction - 1) {
    int reducedBias = (1 << (exponentBits - 1)) - 1;
    auto startOf = [&](int exponent) {
      return APInt(width, exponent).shl(fraction);
    };
    APInt infinity = startOf(2 * bias + 1);
    magnitude = choose(arith::CmpIPredicate::uge, magnitude,
                       startOf(bias + reducedBias + 1), infinity, magnitude);
    magnitude = choose(arith::CmpIPredicate::ult, magnitude,
                       startOf(bias - reducedBias + 1), APInt::getZero(width),
                       magnitude);
  }
  Value rounded = arith::BitcastOp::create(
      b, type, arith::OrIOp::create(b, magnitude, sign));
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, isNaN, x, rounded);
}

/// Rounds to a format with fewer bits and back.
static LogicalResult convertReducePrecision(Operation *op, ValueRange operands,
                                            Conversion &c,
                                            SmallVectorImpl<Value> &results) {
  auto exponent = op->getAttrOfType<IntegerAttr>("exponent_bits");
  auto mantissa = op->getAttrOfType<IntegerAttr>("mantissa_bits");
  auto type = cast<RankedTensorType>(operands[0].getType());
  auto format = dyn_cast<FloatType>(type.getElementType());
  if (!exponent || !mantissa || !format || exponent.getInt() < 1 ||
      mantissa.getInt() < 0)
    return emitError(op->getLoc())
           << "unsupported format of 'stablehlo.reduce_precision', expected "
              "numbers, at least 1 bit of exponent, and no less than 0 of "
              "mantissa";
  unsigned fraction = format.getFPMantissaWidth() - 1;
  bool keepsExponent = exponent.getInt() >= format.getWidth() - fraction - 1;
  if (keepsExponent && mantissa.getInt() >= fraction)
    results.push_back(operands[0]);
  else if (keepsExponent && format.isF32() && mantissa.getInt() == 7)
    results.push_back(convertFloat(
        c, convertFloat(c, operands[0], type.clone(c.builder.getBF16Type())),
        type));
  else
    results.push_back(reducePrecision(
        c, operands[0], std::min<int64_t>(exponent.getInt(), 32),
        std::min<int64_t>(mantissa.getInt(), 64)));
  return success();
}

void tessera::importer::addConverts(ConversionTable &table) {
  static constexpr StringLiteral kCompare[] = {"comparison_direction",
                                               "compare_type"};
  static constexpr StringLiteral kPrecision[] = {"exponent_bits",
                                                 "mantissa_bits"};
  static const OpConversion rows[] = {
      {"stablehlo.compare", convertCompare, 2, 1, 0, kCompare},
      {"stablehlo.convert", convertConvert, 1},
      {"stablehlo.bitcast_convert", convertBitcast, 1},
      {"stablehlo.reduce_precision", convertReducePrecision, 1, 1, 0,
       kPrecision},
  };
  addRows(table, rows);
}
