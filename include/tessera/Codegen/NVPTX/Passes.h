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

/// What the phase `codegen` for GPUs is asked for.
struct GpuCodegenOptions {
  /// 80, 90; empty for both.
  llvm::ArrayRef<int> architectures;
  /// The processor of the host.
  llvm::StringRef cpu = "native";
  /// Whether products of f32 may be computed in tf32.
  bool tf32 = false;
  /// A file of tuning records, asked before those that ship; empty for none.
  llvm::StringRef tuning = "";
};

/// Appends the passes of the phase `codegen` for GPUs.
void buildGpuCodegenPhase(mlir::OpPassManager &manager,
                          const GpuCodegenOptions &options);

} // namespace tessera

#endif // TESSERA_CODEGEN_NVPTX_PASSES_H
