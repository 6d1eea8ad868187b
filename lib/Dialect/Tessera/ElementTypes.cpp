//===- ElementTypes.cpp - element types inside and outside of the IR ------===//

#include "tessera/Dialect/Tessera/ElementTypes.h"

using namespace mlir;
using namespace tessera;

std::optional<ElementType> tessera::getStoredType(Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isInteger(1))
    return ElementType::I1;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(64))
    return ElementType::I64;
  return std::nullopt;
}

ElementType tessera::toUnsigned(ElementType type) {
  switch (type) {
  case ElementType::I8:
    return ElementType::U8;
  case ElementType::I16:
    return ElementType::U16;
  case ElementType::I32:
    return ElementType::U32;
  case ElementType::I64:
    return ElementType::U64;
  default:
    return type;
  }
}
