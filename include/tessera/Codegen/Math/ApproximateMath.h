//===- ApproximateMath.h - Functions of f32 as arithmetic -----------------===//
#ifndef TESSERA_CODEGEN_MATH_APPROXIMATEMATH_H
#define TESSERA_CODEGEN_MATH_APPROXIMATEMATH_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::codegen {

/// 1 / sqrt(x) by two instructions.
void expandReciprocalRoots(mlir::ModuleOp module);

/// Replaces functions of f32 by polynomials; square roots, rounding and fused
/// multiply-adds are instructions already. Those that only libraries have are
/// left.
llvm::LogicalResult approximateMath(mlir::ModuleOp module);

/// Replaces remainders of divisions of floats by arithmetic, for machines
/// without a mathematical library.
void expandRemainders(mlir::ModuleOp module);

/// Replaces powers of integers by products; what overflows wraps around.
void expandIntegerPowers(mlir::ModuleOp module);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_APPROXIMATEMATH_H
