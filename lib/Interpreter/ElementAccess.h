//===- ElementAccess.h - Typed loops over elements ------------------------===//
//
// Storage types and the types computed in: f16 and bf16 are computed in float
// and rounded after every operation; integers are computed in 64 bits and
// truncated. Inside the interpreter integers are always stored as signed ones,
// as the IR's are signless.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_ELEMENTACCESS_H
#define TESSERA_INTERPRETER_ELEMENTACCESS_H

#include "tessera/Support/ElementDispatch.h"
#include "tessera/Support/HostTensor.h"

#include "llvm/Support/ErrorHandling.h"

namespace tessera {

/// The type that elements stored as `T` are computed in.
template <typename T>
using ComputeType = std::conditional_t<
    std::is_same_v<T, double>, double,
    std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, Float16> ||
                           std::is_same_v<T, BFloat16>,
                       float, int64_t>>;

/// A stored element as a number; integers are sign-extended, an i1 is 0 or 1.
template <typename T> ComputeType<T> load(T element) {
  if constexpr (std::is_same_v<T, Boolean>)
    return element.value != 0;
  else if constexpr (std::is_arithmetic_v<T>)
    return element;
  else
    return element.toFloat();
}

/// The element for a number: floats rounded, integers (i1 too) truncated.
template <typename T> T store(ComputeType<T> value) {
  if constexpr (std::is_same_v<T, Boolean>)
    return Boolean{static_cast<uint8_t>(value & 1)};
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return T::fromFloat(value);
}

/// Calls `body` with the `TypeTag` of the storage of a float type.
template <typename Body> auto dispatchFloat(ElementType type, Body body) {
  switch (type) {
  case ElementType::F16:
    return body(TypeTag<Float16>());
  case ElementType::BF16:
    return body(TypeTag<BFloat16>());
  case ElementType::F32:
    return body(TypeTag<float>());
  case ElementType::F64:
    return body(TypeTag<double>());
  default:
    llvm_unreachable("not a float type");
  }
}

/// Calls `body` with the `TypeTag` of the storage of a signless integer type.
template <typename Body> auto dispatchInteger(ElementType type, Body body) {
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
  default:
    llvm_unreachable("not a signless integer type");
  }
}

/// Calls `body` with the `TypeTag` of any type that the interpreter stores.
template <typename Body> auto dispatchStorage(ElementType type, Body body) {
  return isFloatingPoint(type) ? dispatchFloat(type, body)
                               : dispatchInteger(type, body);
}

/// The bits of a stored integer type.
inline unsigned bitWidth(ElementType type) {
  return type == ElementType::I1 ? 1 : 8 * elementSize(type);
}

} // namespace tessera

#endif // TESSERA_INTERPRETER_ELEMENTACCESS_H
