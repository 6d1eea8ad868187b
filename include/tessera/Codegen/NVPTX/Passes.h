//===- Passes.h - the phase codegen for GPUs ------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_PASSES_H
#define TESSERA_CODEGEN_NVPTX_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tessera {

#define GEN_PASS_DECL
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
/// Registers the passes of the phase that are for GPUs only.
void registerGpuCodegenPhase();
/// Whether this build generates code for GPUs (TESSERA_GPU). Where it does not,
/// the phase is empty and no image can be emitted.
bool hasGpuCodegen();

} // namespace tessera

#endif // TESSERA_CODEGEN_NVPTX_PASSES_H
