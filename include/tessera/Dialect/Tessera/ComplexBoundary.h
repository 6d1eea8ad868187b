//===- ComplexBoundary.h - complex numbers outside of a program -*- C++ -*-===//
#ifndef TESSERA_DIALECT_TESSERA_COMPLEXBOUNDARY_H
#define TESSERA_DIALECT_TESSERA_COMPLEXBOUNDARY_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// On an argument or result of `@main` a unit: the last dimension, of size 2
/// and not split, is the real and imaginary parts of what are complex numbers
/// for the outside world.
inline constexpr llvm::StringLiteral kComplexAttr = "tessera.complex";

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_COMPLEXBOUNDARY_H
