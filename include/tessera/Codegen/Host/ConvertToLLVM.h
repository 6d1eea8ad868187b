//===- ConvertToLLVM.h - From loops and vectors to the LLVM dialect -*- C++
//===//
//-*-//
#ifndef TESSERA_CODEGEN_HOST_CONVERTTOLLVM_H
#define TESSERA_CODEGEN_HOST_CONVERTTOLLVM_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::codegen {

/// Converts `module` (func, scf, arith, math, vector, llvm) to the LLVM
/// dialect. Mathematical functions of f32 become polynomials on vectors, others
/// calls of the C library. Private functions become internal.
llvm::LogicalResult convertToLLVM(mlir::ModuleOp module);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_CONVERTTOLLVM_H
