//===- ShortFloats.h - Conversions to and from f16 and bf16 ---------------===//
#ifndef TESSERA_CODEGEN_MATH_SHORTFLOATS_H
#define TESSERA_CODEGEN_MATH_SHORTFLOATS_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::codegen {

/// Makes every conversion of f64 or of integers to f16 or bf16 one of f32,
/// rounded as if at once, and every conversion of f16 or bf16 to integers one
/// of f32: what is left are extensions, and truncations of f32.
void convertShortFloatsBySingle(mlir::ModuleOp module);

/// Extensions of bf16 to f32, and truncations of f32 to bf16, as arithmetic on
/// integers, which every processor has: to the nearest, ties to even, NaN stays
/// NaN.
llvm::LogicalResult expandBFloat16(mlir::ModuleOp module);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_SHORTFLOATS_H
