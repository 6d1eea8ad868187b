//===- Transposition.h - Squares of vectors, transposed -------------------===//
#ifndef TESSERA_CODEGEN_CPU_TRANSPOSITION_H
#define TESSERA_CODEGEN_CPU_TRANSPOSITION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::cpu {

/// Returns the function of `module` that transposes a square of `lanes` vectors
/// of f32,
///
///   (from, to, stride) -> (),
///
/// `to[i * stride + j] = from[j * lanes + i]`. It reads all before it writes,
/// so that `to` may be `from`. All kernels of a module share it: the shuffles
/// of a square are more work for LLVM than the rest of most kernels.
mlir::func::FuncOp getTransposition(mlir::ModuleOp module, unsigned lanes);

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_TRANSPOSITION_H
