//===- Passes.h - the phase codegen for GPUs ------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_PASSES_H
#define TESSERA_CODEGEN_NVPTX_PASSES_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "tessera/Codegen/Host/Passes.h"
#include "tessera/Dialect/Rt/Rt.h"

namespace tessera {

#define GEN_PASS_DECL
#include "tessera/Codegen/NVPTX/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/NVPTX/Passes.h.inc"

/// Appends the passes of the phase `codegen` for GPUs of `architectures` (80,
/// 90) and a host with processor `cpu`.
void buildGpuCodegenPhase(mlir::OpPassManager &manager,
                          llvm::ArrayRef<int> architectures,
                          llvm::StringRef cpu);

} // namespace tessera

#endif // TESSERA_CODEGEN_NVPTX_PASSES_H
