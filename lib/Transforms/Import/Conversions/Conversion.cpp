//===- Conversion.cpp - types, constants and attributes -------------------===//

#include "Conversions/Conversion.h"

#include "tessera/Transforms/Import/Conversions/Unsupported.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

void tessera::importer::addRows(ConversionTable &table,
                                ArrayRef<OpConversion> rows) {
  for (const OpConversion &row : rows)
    table[row.name] = &row;
}

ElementKind tessera::importer::elementKind(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element))
    return ElementKind::Float;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return ElementKind::Other;
  if (integer.getWidth() == 1)
    return ElementKind::Bool;
  return integer.isUnsigned() ? ElementKind::Unsigned : ElementKind::Signed;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << '\'' << type << '\'';
  return text;
}

RankedTensorType Conversion::convertType(Type type, Location place) {
  if (RankedTensorType known = types.lookup(type))
    return known;
  auto refuse = [&](const Twine &what) -> RankedTensorType {
    InFlightDiagnostic error = emitError(place) << what;
    noteAlternative(error, unsupportedKind(type));
    return nullptr;
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return refuse("unsupported type " + quoted(type) +
                  ", expected a ranked tensor");
  if (!tensor.hasStaticShape())
    return refuse("expected a static shape, got " + quoted(type));
  if (tensor.getEncoding())
    return refuse("unsupported encoding of " + quoted(type));
  Type element = tensor.getElementType();
  if (!isa<FloatType, IntegerType>(element))
    return refuse("unsupported element type " + quoted(element));
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return types[type] = RankedTensorType::get(tensor.getShape(), element);
}

FailureOr<SmallVector<Type>> Conversion::convertTypes(TypeRange types,
                                                      Location place) {
  SmallVector<Type> converted;
  for (Type type : types) {
    converted.push_back(convertType(type, place));
    if (!converted.back())
      return failure();
  }
  return converted;
}

LogicalResult Conversion::convertArguments(Block &source, Block &target) {
  for (BlockArgument argument : source.getArguments()) {
    Type type = convertType(argument.getType(), argument.getLoc());
    if (!type)
      return failure();
    map(argument, target.addArgument(type, argument.getLoc()));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Conversion::splat(Type type, const APInt &value) {
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(cast<ShapedType>(type), value));
}

Value Conversion::splat(Type type, const APFloat &value) {
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(cast<ShapedType>(type), value));
}

Value Conversion::splat(Type type, double value) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  APFloat converted(value);
  bool lossy;
  converted.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &lossy);
  return splat(type, converted);
}

Value Conversion::zeros(RankedTensorType type) {
  if (isa<FloatType>(type.getElementType()))
    return splat(type, 0.0);
  return splat(type, APInt::getZero(type.getElementTypeBitWidth()));
}

Value Conversion::broadcastScalar(Value value, Type type) {
  if (cast<RankedTensorType>(value.getType()).getRank() != 0 ||
      cast<RankedTensorType>(type).getRank() == 0)
    return value;
  auto result = RankedTensorType::get(cast<RankedTensorType>(type).getShape(),
                                      getElementTypeOrSelf(value.getType()));
  return BroadcastOp::create(builder, result, value, ArrayRef<int64_t>());
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static InFlightDiagnostic wrongAttribute(Operation *op, StringRef name,
                                         StringRef expected) {
  InFlightDiagnostic error = emitError(op->getLoc());
  error << "expected " << expected << " as attribute '" << name << "' of '"
        << op->getName() << "'";
  if (Attribute attribute = op->getAttr(name))
    error << ", got " << attribute;
  return error;
}

FailureOr<SmallVector<int64_t>> Conversion::integers(Operation *op,
                                                     StringRef name) {
  Attribute attribute = op->getAttr(name);
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute))
    if (elements.getElementType().isInteger(64))
      return SmallVector<int64_t>(elements.getValues<int64_t>());
  return wrongAttribute(op, name, "integers"), failure();
}

FailureOr<SmallVector<int64_t>> Conversion::integersOr(Operation *op,
                                                       StringRef name,
                                                       int64_t defaultValue,
                                                       size_t count) {
  if (!op->getAttr(name))
    return SmallVector<int64_t>(count, defaultValue);
  FailureOr<SmallVector<int64_t>> values = integers(op, name);
  if (succeeded(values) && values->size() != count)
    return wrongAttribute(op, name, std::to_string(count) + " integers"),
           failure();
  return values;
}

FailureOr<int64_t> Conversion::integer(Operation *op, StringRef name) {
  if (auto value = op->getAttrOfType<IntegerAttr>(name))
    if (value.getType().isSignlessInteger(64))
      return value.getInt();
  return wrongAttribute(op, name, "an integer of 64 bits"), failure();
}

bool Conversion::flag(Operation *op, StringRef name) {
  Attribute attribute = op->getAttr(name);
  auto value = dyn_cast_or_null<BoolAttr>(attribute);
  return value ? value.getValue() : isa_and_nonnull<UnitAttr>(attribute);
}

FailureOr<StringRef> Conversion::text(Operation *op, StringRef name) {
  if (auto opaque = op->getAttrOfType<OpaqueAttr>(name))
    return opaque.getAttrData();
  StringRef dialect = op->getName().getDialectNamespace();
  return wrongAttribute(op, name, ("an attribute of " + dialect).str()),
         failure();
}
