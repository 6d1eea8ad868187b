//===- ExpandMath.h - Mathematical functions on a GPU ---------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_EMISSION_EXPANDMATH_H
#define TESSERA_CODEGEN_NVPTX_EMISSION_EXPANDMATH_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::nvptx {

/// Replaces the functions of `math` that are no instructions of a GPU. Fails
/// with a diagnostic at a function that has no code.
llvm::LogicalResult expandMath(mlir::ModuleOp module);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_EMISSION_EXPANDMATH_H
