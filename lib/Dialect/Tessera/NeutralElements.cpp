//===- NeutralElements.cpp - what changes nothing in a reduction ----------===//

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;

TypedAttr tessera::neutralElement(Type type, ReductionKind kind) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (kind) {
    case ReductionKind::Product:
      return FloatAttr::get(type, 1.0);
    case ReductionKind::Min:
      return FloatAttr::get(type, APFloat::getInf(semantics));
    case ReductionKind::Max:
      return FloatAttr::get(type, APFloat::getInf(semantics, true));
    default:
      return FloatAttr::get(type, APFloat::getZero(semantics));
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReductionKind::Product:
    return IntegerAttr::get(type, APInt(width, 1));
  case ReductionKind::Min:
    return IntegerAttr::get(type, APInt::getSignedMaxValue(width));
  case ReductionKind::Max:
    return IntegerAttr::get(type, APInt::getSignedMinValue(width));
  case ReductionKind::And:
    return IntegerAttr::get(type, APInt::getAllOnes(width));
  default:
    return IntegerAttr::get(type, APInt::getZero(width));
  }
}

bool tessera::isNeutral(Value value, ReductionKind kind) {
  if (value.getDefiningOp<ub::PoisonOp>())
    return true;
  while (isa_and_nonnull<BroadcastOp, ReshardOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto elements = dyn_cast<SplatElementsAttr>(constant))
    constant = elements.getSplatValue<Attribute>();
  TypedAttr neutral =
      neutralElement(getElementTypeOrSelf(value.getType()), kind);
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().compare(cast<FloatAttr>(neutral).getValue()) ==
           APFloat::cmpEqual;
  return constant == neutral;
}
