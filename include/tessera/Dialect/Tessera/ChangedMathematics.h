//===- ChangedMathematics.h - what options make of a step -------*- C++ -*-===//
#ifndef TESSERA_DIALECT_TESSERA_CHANGEDMATHEMATICS_H
#define TESSERA_DIALECT_TESSERA_CHANGEDMATHEMATICS_H

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// On a module an array of strings: what the program computes otherwise than
/// the model does, as the user has asked for, a sentence each.
inline constexpr llvm::StringLiteral kMathematicsAttr = "tessera.mathematics";

/// On an argument of `@main` a unit: state that the compiler has added to a
/// step, and whose first value is zero where nobody gives another.
inline constexpr llvm::StringLiteral kInitiallyZeroAttr =
    "tessera.initially_zero";

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_CHANGEDMATHEMATICS_H
