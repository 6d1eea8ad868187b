//===- Passes.h - the phase codegen for x86 -------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_PASSES_H
#define TESSERA_CODEGEN_CPU_PASSES_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "tessera/Codegen/Host/Passes.h"
#include "tessera/Dialect/Rt/Rt.h"

namespace tessera {

#define GEN_PASS_DECL
#include "tessera/Codegen/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/CPU/Passes.h.inc"

/// Appends the passes of the phase `codegen` for processor `cpu`.
void buildCpuCodegenPhase(mlir::OpPassManager &manager, llvm::StringRef cpu);

} // namespace tessera

#endif // TESSERA_CODEGEN_CPU_PASSES_H
