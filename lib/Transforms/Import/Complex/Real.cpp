//===- Real.cpp - formulas of real numbers in StableHLO
//--------------------===//

#include "Complex/Real.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Operation *tessera::importer::createForeign(
    OpBuilder &builder, Location place, StringRef name, ValueRange operands,
    TypeRange types, ArrayRef<NamedAttribute> properties) {
  OperationState state(place, name, operands, types);
  if (!properties.empty())
    state.propertiesAttr = builder.getDictionaryAttr(properties);
  return builder.create(state);
}

Value tessera::importer::createConstant(OpBuilder &builder, Location place,
                                        DenseElementsAttr value) {
  return createForeign(builder, place, "stablehlo.constant", {},
                       value.getType(), builder.getNamedAttr("value", value))
      ->getResult(0);
}

static Value create(FormulaContext &context, StringRef name,
                    ValueRange operands, Type type,
                    ArrayRef<NamedAttribute> properties = {}) {
  return createForeign(context.builder, context.location, name, operands, type,
                       properties)
      ->getResult(0);
}

Real Real::number(const APFloat &constant) const {
  return {context, createConstant(context->builder, context->location,
                                  DenseElementsAttr::get(type(), constant))};
}

Real Real::number(double constant) const {
  APFloat rounded(constant);
  bool losesInfo;
  rounded.convert(semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number(rounded);
}

Real tessera::importer::apply(StringRef name, ArrayRef<Real> operands) {
  SmallVector<Value> values;
  for (Real operand : operands)
    values.push_back(operand.value);
  return {operands[0].context,
          create(*operands[0].context, ("stablehlo." + name).str(), values,
                 values.front().getType())};
}

Truth tessera::importer::compare(StringRef direction, Real l, Real r) {
  OpBuilder &builder = l.context->builder;
  auto attribute = OpaqueAttr::get(builder.getStringAttr("stablehlo"),
                                   ("comparison_direction " + direction).str(),
                                   builder.getNoneType());
  return {l.context,
          create(*l.context, "stablehlo.compare", {l.value, r.value},
                 l.type().clone(builder.getI1Type()),
                 builder.getNamedAttr("comparison_direction", attribute))};
}

Real tessera::importer::select(Truth condition, Real l, Real r) {
  return {l.context,
          create(*l.context, "stablehlo.select",
                 {condition.value, l.value, r.value}, l.value.getType())};
}

static Truth combine(StringRef name, Truth l, Truth r) {
  return {l.context,
          create(*l.context, name, {l.value, r.value}, l.value.getType())};
}

Truth tessera::importer::operator&&(Truth l, Truth r) {
  return combine("stablehlo.and", l, r);
}

Truth tessera::importer::operator||(Truth l, Truth r) {
  return combine("stablehlo.or", l, r);
}

Truth tessera::importer::operator!(Truth t) {
  return {t.context,
          create(*t.context, "stablehlo.not", t.value, t.value.getType())};
}
