//===- ElementDispatch.h - From an element type to a C++ type -------------===//

#ifndef TESSERA_SUPPORT_ELEMENTDISPATCH_H
#define TESSERA_SUPPORT_ELEMENTDISPATCH_H

#include "tessera/Support/ElementType.h"
#include "tessera/Support/HalfPrecision.h"

#include <cstdint>
#include <type_traits>

namespace tessera {

/// An i1: one byte, 0 or 1.
struct Boolean {
  uint8_t value;
};

/// A C++ type as a value, for generic lambdas.
template <typename T> struct TypeTag { using Type = T; };

/// Calls `body` with the `TypeTag` of the C++ type that stores `type`
/// (`Boolean`, `Float16` and `BFloat16` where C++ has none).
template <typename Body> auto dispatchElementType(ElementType type, Body body) {
  switch (type) {
  case ElementType::I1:
    return body(TypeTag<Boolean>());
  case ElementType::I8:
    return body(TypeTag<int8_t>());
  case ElementType::I16:
    return body(TypeTag<int16_t>());
  case ElementType::I32:
    return body(TypeTag<int32_t>());
  case ElementType::I64:
    return body(TypeTag<int64_t>());
  case ElementType::U8:
    return body(TypeTag<uint8_t>());
  case ElementType::U16:
    return body(TypeTag<uint16_t>());
  case ElementType::U32:
    return body(TypeTag<uint32_t>());
  case ElementType::U64:
    return body(TypeTag<uint64_t>());
  case ElementType::F16:
    return body(TypeTag<Float16>());
  case ElementType::BF16:
    return body(TypeTag<BFloat16>());
  case ElementType::F32:
    return body(TypeTag<float>());
  case ElementType::F64:
    break;
  }
  return body(TypeTag<double>());
}

/// One element as a double (64-bit integers may round).
template <typename T> double elementToDouble(T element) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(element);
  else if constexpr (std::is_same_v<T, Boolean>)
    return element.value != 0;
  else
    return element.toFloat();
}

/// The element nearest to `value` (truncated for integers, which must be able
/// to hold it).
template <typename T> T elementFromDouble(double value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else if constexpr (std::is_same_v<T, Boolean>)
    return Boolean{value != 0};
  else
    return T::fromFloat(static_cast<float>(value));
}

} // namespace tessera

#endif // TESSERA_SUPPORT_ELEMENTDISPATCH_H
