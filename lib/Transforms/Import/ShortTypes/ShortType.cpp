//===- ShortType.cpp - numbers of few bits, in bytes ----------------------===//

#include "ShortTypes/ShortType.h"

#include "ShortTypes/QuantizedType.h"
#include "ShortTypes/ShortFloat.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

bool tessera::importer::isShort(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && isa<OpaqueType>(tensor.getElementType()))
    return quantizedType(type).has_value();
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return false;
  unsigned width = tensor.getElementTypeBitWidth();
  return isa<FloatType>(tensor.getElementType()) ? width <= 8
                                                 : width == 2 || width == 4;
}

static bool isUnsigned(Type element) {
  return isa<FloatType>(element) || element.isUnsignedInteger();
}

Type tessera::importer::withStorage(Type type) {
  std::optional<QuantizedType> quantized = quantizedType(type);
  return quantized ? cast<RankedTensorType>(type).clone(quantized->storage)
                   : type;
}

IntegerType tessera::importer::storedElement(IntegerType storage) {
  return IntegerType::get(storage.getContext(),
                          llvm::alignTo(storage.getWidth(), 8),
                          storage.getSignedness());
}

RankedTensorType tessera::importer::storedType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (std::optional<QuantizedType> quantized = quantizedType(type))
    return tensor.clone(storedElement(quantized->storage));
  bool isWithoutSign = isUnsigned(tensor.getElementType());
  return tensor.clone(IntegerType::get(type.getContext(), 8,
                                       isWithoutSign ? IntegerType::Unsigned
                                                     : IntegerType::Signless));
}

RankedTensorType tessera::importer::computedType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (std::optional<QuantizedType> quantized = quantizedType(type))
    return tensor.clone(quantized->expressed);
  if (isa<FloatType>(tensor.getElementType()))
    return tensor.clone(Float32Type::get(type.getContext()));
  return storedType(type);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

unsigned tessera::importer::widthOf(Type type) {
  return getElementTypeOrSelf(withStorage(type)).getIntOrFloatBitWidth();
}

Real tessera::importer::integerLike(Real like, uint64_t value) {
  RankedTensorType type = like.type();
  APInt constant(type.getElementTypeBitWidth(), value, /*isSigned=*/false,
                 /*implicitTrunc=*/true);
  return {like.context,
          createConstant(like.context->builder, like.context->location,
                         DenseElementsAttr::get(type, constant))};
}

Real tessera::importer::changeElements(Real value, Type element,
                                       StringRef name) {
  if (value.type().getElementType() == element)
    return value;
  return {value.context,
          createForeign(value.context->builder, value.context->location, name,
                        value.value, value.type().clone(element))
              ->getResult(0)};
}

Real tessera::importer::bitsOf(Real stored, Type shortType) {
  uint64_t mask = (uint64_t(1) << widthOf(shortType)) - 1;
  return apply("and", {stored, integerLike(stored, mask)});
}

Real tessera::importer::extendSign(Real bits, Type shortType) {
  Real shift = integerLike(bits, 8 - widthOf(shortType));
  return apply("shift_right_arithmetic",
               {apply("shift_left", {bits, shift}), shift});
}

Real tessera::importer::fromBits(Real bits, Type shortType) {
  return isUnsigned(getElementTypeOrSelf(shortType))
             ? bitsOf(bits, shortType)
             : extendSign(bits, shortType);
}

/// The nearest integer of `shortType`, as of wider ones.
static Real clampToInteger(Real stored, Type shortType) {
  unsigned width = widthOf(shortType);
  bool isWithoutSign = isUnsigned(getElementTypeOrSelf(shortType));
  APInt low = isWithoutSign ? APInt::getMinValue(width)
                            : APInt::getSignedMinValue(width);
  APInt high = isWithoutSign ? APInt::getMaxValue(width)
                             : APInt::getSignedMaxValue(width);
  return min(max(stored, integerLike(stored, low.getSExtValue())),
             integerLike(stored, high.getZExtValue()));
}

//===----------------------------------------------------------------------===//
// All short types
//===----------------------------------------------------------------------===//

Real tessera::importer::widen(Real stored, Type shortType) {
  if (auto format = dyn_cast<FloatType>(getElementTypeOrSelf(shortType)))
    return decodeFloat(stored, format);
  if (std::optional<QuantizedType> quantized = quantizedType(shortType))
    return dequantize(stored, *quantized);
  return stored;
}

Real tessera::importer::narrow(Real value, Type shortType) {
  if (std::optional<QuantizedType> quantized = quantizedType(shortType))
    return quantize(value, *quantized);
  Type from = value.type().getElementType(),
       stored = storedType(value.type().clone(getElementTypeOrSelf(shortType)))
                    .getElementType();
  if (auto format = dyn_cast<FloatType>(getElementTypeOrSelf(shortType))) {
    OpBuilder &builder = value.context->builder;
    bool isExactInSingle = isa<FloatType>(from)
                               ? !from.isF64()
                               : from.getIntOrFloatBitWidth() < 32;
    return encodeFloat(changeElements(value, isExactInSingle
                                                 ? builder.getF32Type()
                                                 : builder.getF64Type()),
                       format);
  }
  Real converted = changeElements(value, stored);
  return isa<FloatType>(from) ? clampToInteger(converted, shortType)
                              : fromBits(converted, shortType);
}

DenseElementsAttr tessera::importer::storedConstant(DenseElementsAttr value) {
  if (!isShort(value.getType()))
    return value;
  RankedTensorType type = storedType(value.getType());
  SmallVector<APInt> bytes;
  bool isFloat = isa<FloatType>(value.getElementType());
  auto add = [&](const APInt &bits) {
    bytes.push_back(isUnsigned(value.getElementType()) ? bits.zext(8)
                                                       : bits.sext(8));
  };
  auto addAll = [&](auto numbers) {
    for (const auto &number : numbers)
      if constexpr (std::is_same_v<std::decay_t<decltype(number)>, APFloat>)
        add(number.bitcastToAPInt());
      else
        add(number);
  };
  if (value.isSplat() && isFloat)
    add(value.getSplatValue<APFloat>().bitcastToAPInt());
  else if (value.isSplat())
    add(value.getSplatValue<APInt>());
  else if (isFloat)
    addAll(value.getValues<APFloat>());
  else
    addAll(value.getValues<APInt>());
  return DenseElementsAttr::get(type, bytes);
}

DenseElementsAttr tessera::importer::computedConstant(DenseElementsAttr value) {
  if (!isa<FloatType>(value.getElementType()))
    return storedConstant(value);
  auto inSingle = [](APFloat number) {
    bool losesInfo;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number;
  };
  RankedTensorType type = computedType(value.getType());
  if (value.isSplat())
    return DenseElementsAttr::get(type,
                                  inSingle(value.getSplatValue<APFloat>()));
  return DenseElementsAttr::get(
      type, llvm::map_to_vector(value.getValues<APFloat>(), inSingle));
}
