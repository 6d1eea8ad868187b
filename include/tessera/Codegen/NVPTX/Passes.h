//===- Passes.h - what of the phase codegen is for GPUs only --------------===//
#ifndef TESSERA_CODEGEN_NVPTX_PASSES_H
#define TESSERA_CODEGEN_NVPTX_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tessera::nvptx {

#define GEN_PASS_DECL
#include "tessera/Codegen/NVPTX/Passes.h.inc"

/// Appends the passes of the phase `codegen` that are for GPUs only.
void addGpuCodegenPasses(mlir::OpPassManager &manager,
                         const LowerToGpuOptions &options);
/// Registers them.
void registerGpuCodegenPasses();
/// Whether this build generates code for GPUs (TESSERA_GPU). Where it does not,
/// there are no such passes and no image can be emitted.
bool hasGpuCodegen();

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_PASSES_H
