//===- ShortTypeBoundary.h - short types outside of a program ---*- C++ -*-===//
#ifndef TESSERA_DIALECT_TESSERA_SHORTTYPEBOUNDARY_H
#define TESSERA_DIALECT_TESSERA_SHORTTYPEBOUNDARY_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// On an argument or result of `@main` a string, the name of a type of fewer
/// bits than any that the program computes with (`f8E4M3FN`, `ui4`): each
/// byte holds an element of it, in the lowest bits; integers are extended.
inline constexpr llvm::StringLiteral kShortTypeAttr = "tessera.short_type";

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_SHORTTYPEBOUNDARY_H
