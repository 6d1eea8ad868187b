//===- Monoid.h - Named reductions ----------------------------------------===//

#ifndef TESSERA_INTERPRETER_MONOID_H
#define TESSERA_INTERPRETER_MONOID_H

#include "ElementAccess.h"

#include "tessera/Sharding/Algebra/ReductionKind.h"

#include <cmath>
#include <limits>

namespace tessera {

/// Whether elements of `type` can be combined by `kind`.
inline bool isDefined(ReductionKind kind, ElementType type) {
  return !isFloatingPoint(type) ||
         (kind != ReductionKind::And && kind != ReductionKind::Or &&
          kind != ReductionKind::Xor);
}

/// Combines two numbers; a NaN wins over everything, integers wrap around and
/// are signed.
template <typename C> C combine(ReductionKind kind, C a, C b) {
  if constexpr (std::is_floating_point_v<C>) {
    switch (kind) {
    case ReductionKind::Sum:
      return a + b;
    case ReductionKind::Product:
      return a * b;
    case ReductionKind::Min:
      return std::isnan(a) || a < b || (a == b && std::signbit(a)) ? a : b;
    case ReductionKind::Max:
      return std::isnan(a) || a > b || (a == b && !std::signbit(a)) ? a : b;
    default:
      llvm_unreachable("no bitwise reduction of floats");
    }
  } else {
    switch (kind) {
    case ReductionKind::Sum:
      return static_cast<uint64_t>(a) + static_cast<uint64_t>(b);
    case ReductionKind::Product:
      return static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
    case ReductionKind::Min:
      return std::min(a, b);
    case ReductionKind::Max:
      return std::max(a, b);
    case ReductionKind::And:
      return a & b;
    case ReductionKind::Or:
      return a | b;
    case ReductionKind::Xor:
      return a ^ b;
    }
    llvm_unreachable("unknown reduction");
  }
}

/// The neutral element of `kind` for elements stored as `T`.
template <typename T> T neutralElement(ReductionKind kind) {
  using C = ComputeType<T>;
  constexpr bool isFloat = std::is_floating_point_v<C>;
  constexpr bool isBoolean = std::is_same_v<T, Boolean>;
  using Limits = std::numeric_limits<
      std::conditional_t<isFloat, C, std::conditional_t<isBoolean, bool, T>>>;
  switch (kind) {
  case ReductionKind::Product:
    return store<T>(1);
  case ReductionKind::Min:
    return store<T>(isFloat ? Limits::infinity() : Limits::max());
  case ReductionKind::Max:
    return store<T>(isFloat ? -Limits::infinity() : Limits::lowest());
  case ReductionKind::And:
    return store<T>(-1);
  default:
    return store<T>(0);
  }
}

/// A tensor full of neutral elements.
HostTensor neutralTensor(ReductionKind kind, ElementType type,
                         const Shape &shape);

/// Combines `target` with `source`, element by element, into `target`.
void combineInto(ReductionKind kind, HostTensor &target,
                 const HostTensor &source);

} // namespace tessera

#endif // TESSERA_INTERPRETER_MONOID_H
