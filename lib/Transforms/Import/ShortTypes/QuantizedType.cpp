//===- QuantizedType.cpp - integers that stand for real numbers -----------===//

#include "ShortTypes/QuantizedType.h"

#include "ShortTypes/ShortType.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// The text of the type
//===----------------------------------------------------------------------===//

/// `i8`, `u8`, `i8<-127:127>`
static bool parseStorage(StringRef text, MLIRContext *context,
                         QuantizedType &type) {
  bool isUnsigned = text.consume_front("u");
  unsigned width = 0;
  if ((!isUnsigned && !text.consume_front("i")) ||
      text.consumeInteger(10, width) ||
      !llvm::is_contained({2, 4, 8, 16, 32}, width))
    return false;
  type.storage = IntegerType::get(context, width,
                                  isUnsigned ? IntegerType::Unsigned
                                             : IntegerType::Signless);
  type.low = isUnsigned ? 0 : -(int64_t(1) << (width - 1));
  type.high = (int64_t(1) << (isUnsigned ? width : width - 1)) - 1;
  if (text.empty())
    return true;
  return text.consume_front("<") && !text.consumeInteger(10, type.low) &&
         text.consume_front(":") && !text.consumeInteger(10, type.high) &&
         text == ">" && type.low <= type.high;
}

static bool parseExpressed(StringRef text, MLIRContext *context,
                           QuantizedType &type) {
  if (text == "f16")
    type.expressed = Float16Type::get(context);
  else if (text == "bf16")
    type.expressed = BFloat16Type::get(context);
  else if (text == "f32")
    type.expressed = Float32Type::get(context);
  else if (text == "f64")
    type.expressed = Float64Type::get(context);
  return bool(type.expressed);
}

/// `0.5`, `0.5:-3`
static bool parseParameters(StringRef text, QuantizedType &type) {
  auto [scaleText, zeroText] = text.trim().split(':');
  double scale;
  int64_t zero = 0;
  if (scaleText.getAsDouble(scale) || !(scale > 0) || !std::isfinite(scale) ||
      (!zeroText.empty() && zeroText.getAsInteger(10, zero)))
    return false;
  type.scales.push_back(scale);
  type.zeroPoints.push_back(zero);
  return true;
}

/// `uniform<i8:f32, 0.5:-3>`, `uniform<i8:f32:1, {0.5:-3, 0.25}>`
static bool parseUniform(StringRef text, MLIRContext *context,
                         QuantizedType &type) {
  if (!text.consume_front("uniform<") || !text.consume_back(">"))
    return false;
  auto [head, parameters] = text.split(", ");
  // The range of a storage type has a colon, too.
  size_t end = head.find('>');
  end = head.find(':', end == StringRef::npos ? 0 : end);
  if (end == StringRef::npos ||
      !parseStorage(head.take_front(end), context, type))
    return false;
  auto [expressed, dim] = head.drop_front(end + 1).split(':');
  if (!parseExpressed(expressed, context, type))
    return false;
  if (dim.empty())
    return parseParameters(parameters, type);
  int64_t number;
  if (dim.getAsInteger(10, number) || number < 0 ||
      !parameters.consume_front("{") || !parameters.consume_back("}"))
    return false;
  type.dim = number;
  return llvm::all_of(llvm::split(parameters, ','), [&](StringRef part) {
    return parseParameters(part, type);
  });
}

std::optional<QuantizedType> tessera::importer::quantizedType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element =
      tensor ? dyn_cast<OpaqueType>(tensor.getElementType()) : OpaqueType();
  QuantizedType parsed;
  if (!element || element.getDialectNamespace() != "quant" ||
      !tensor.hasStaticShape() ||
      !parseUniform(element.getTypeData(), type.getContext(), parsed))
    return std::nullopt;
  bool isInRange = llvm::all_of(parsed.zeroPoints, [&](int64_t zero) {
    return zero >= parsed.low && zero <= parsed.high;
  });
  bool fits = !parsed.dim ||
              (*parsed.dim < tensor.getRank() &&
               tensor.getDimSize(*parsed.dim) == int64_t(parsed.scales.size()));
  return fits && isInRange ? std::optional<QuantizedType>(parsed)
                           : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// `values`, one or as many as dimension `dim` of `like` has elements, repeated
/// along its others.
template <typename Number>
static Real parametersLike(Real like, ArrayRef<Number> values,
                           std::optional<int64_t> dim) {
  RankedTensorType type = like.type();
  Type element = type.getElementType();
  SmallVector<Attribute> attributes;
  for (Number value : values)
    attributes.push_back(
        isa<FloatType>(element)
            ? Attribute(FloatAttr::get(element, double(value)))
            : IntegerAttr::get(element,
                               APInt(element.getIntOrFloatBitWidth(),
                                     int64_t(value), /*isSigned=*/true)));
  OpBuilder &builder = like.context->builder;
  Location location = like.context->location;
  if (!dim)
    return {like.context,
            createConstant(builder, location,
                           DenseElementsAttr::get(type, attributes.front()))};
  auto row = RankedTensorType::get({int64_t(values.size())}, element);
  Value constant = createConstant(builder, location,
                                  DenseElementsAttr::get(row, attributes));
  return {like.context,
          createForeign(
              builder, location, "stablehlo.broadcast_in_dim", constant, type,
              builder.getNamedAttr("broadcast_dimensions",
                                   builder.getDenseI64ArrayAttr({*dim})))
              ->getResult(0)};
}

/// The type that numbers of `type` are computed in, and then rounded: single
/// precision for shorter ones.
static FloatType wideType(const QuantizedType &type) {
  return type.expressed.isF64() ? type.expressed
                                : Float32Type::get(type.expressed.getContext());
}

Real tessera::importer::dequantize(Real stored, const QuantizedType &type) {
  Real value = changeElements(stored, wideType(type));
  value = (value - parametersLike<int64_t>(value, type.zeroPoints, type.dim)) *
          parametersLike<double>(value, type.scales, type.dim);
  return changeElements(value, type.expressed);
}

/// The number of `format` that is next to `bound` and not beyond it.
static APFloat boundIn(const llvm::fltSemantics &format, int64_t bound) {
  APFloat number(format);
  number.convertFromAPInt(APInt(64, bound, /*isSigned=*/true),
                          /*IsSigned=*/true, APFloat::rmTowardZero);
  return number;
}

Real tessera::importer::quantize(Real value, const QuantizedType &type) {
  bool isDouble = value.type().getElementType().isF64();
  if (!isDouble)
    value = changeElements(value, wideType(type));
  Real numbers =
      apply("round_nearest_even",
            {value / parametersLike<double>(value, type.scales, type.dim)}) +
      parametersLike<int64_t>(value, type.zeroPoints, type.dim);
  const llvm::fltSemantics &format = value.semantics();
  Real inside = min(max(numbers, numbers.number(boundIn(format, type.low))),
                    numbers.number(boundIn(format, type.high)));
  return changeElements(inside, storedElement(type.storage));
}

Real tessera::importer::centered(Real stored, const QuantizedType &type,
                                 Type element) {
  Real wide = changeElements(stored, element);
  if (llvm::all_of(type.zeroPoints, [](int64_t zero) { return zero == 0; }))
    return wide;
  return wide - parametersLike<int64_t>(wide, type.zeroPoints, type.dim);
}

Real tessera::importer::scaleSums(Real sums, const QuantizedType &lhs,
                                  const QuantizedType &rhs,
                                  std::optional<int64_t> dim) {
  SmallVector<double> scales(rhs.scales);
  for (double &scale : scales)
    scale *= lhs.scales.front();
  // Sums of 64 bits may have more digits than single precision.
  bool isWide = sums.type().getElementTypeBitWidth() > 32;
  Real value =
      changeElements(sums, isWide ? Float64Type::get(lhs.expressed.getContext())
                                  : wideType(lhs));
  return value * parametersLike<double>(value, scales, dim);
}
