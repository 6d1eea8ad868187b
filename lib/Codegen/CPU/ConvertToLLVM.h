//===- ConvertToLLVM.h - From loops and vectors to the LLVM dialect -*- C++ ===//
//-*-//
#ifndef TESSERA_LIB_CODEGEN_CPU_CONVERTTOLLVM_H
#define TESSERA_LIB_CODEGEN_CPU_CONVERTTOLLVM_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::cpu {

/// Converts `module` (func, scf, arith, math, vector, llvm) to the LLVM
/// dialect. Mathematical functions of f32 become polynomials on vectors, others
/// calls of the C library. Private functions become internal.
llvm::LogicalResult convertToLLVM(mlir::ModuleOp module);

} // namespace tessera::cpu

#endif // TESSERA_LIB_CODEGEN_CPU_CONVERTTOLLVM_H
