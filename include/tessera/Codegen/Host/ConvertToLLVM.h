//===- ConvertToLLVM.h - From loops and vectors to the LLVM dialect -------===//
#ifndef TESSERA_CODEGEN_HOST_CONVERTTOLLVM_H
#define TESSERA_CODEGEN_HOST_CONVERTTOLLVM_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::codegen {

/// Converts `module` (func, scf, arith, math, vector, llvm) to the LLVM
/// dialect. Mathematical functions of f32 become polynomials on vectors, others
/// calls of the C library. Private functions become internal.
llvm::LogicalResult convertToLLVM(mlir::ModuleOp module);

// Its part for other targets.

/// Patterns for control flow, arithmetic, vectors and those functions of `math`
/// that are instructions or intrinsics of LLVM.
void populateConversionsToLLVM(mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_CONVERTTOLLVM_H
