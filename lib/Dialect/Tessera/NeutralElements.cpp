//===- NeutralElements.cpp - what changes nothing in a reduction ----------===//

#include "tessera/Dialect/Tessera/ConstantElement.h"
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

/// Whether `op` has the elements of its first operand, in another shape or on
/// other devices.
static bool repeatsElements(Operation *op) {
  return isa_and_nonnull<BroadcastOp, ReshapeOp, TransposeOp, ConstrainOp,
                         ReshardOp, PropagationBarrierOp>(op);
}

Attribute tessera::constantElement(Value value) {
  while (repeatsElements(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  if (!elements)
    return constant;
  return elements.isSplat() ? elements.getSplatValue<Attribute>() : Attribute();
}

bool tessera::isNeutral(Value value, ReductionKind kind) {
  Attribute constant = constantElement(value);
  if (!constant || isa<ub::PoisonAttr>(constant))
    return constant != nullptr;
  TypedAttr neutral =
      neutralElement(getElementTypeOrSelf(value.getType()), kind);
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().compare(cast<FloatAttr>(neutral).getValue()) ==
           APFloat::cmpEqual;
  return constant == neutral;
}
