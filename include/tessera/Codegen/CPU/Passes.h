//===- Passes.h - the phase codegen for x86 -------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_PASSES_H
#define TESSERA_CODEGEN_CPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tessera {

#define GEN_PASS_DECL
#include "tessera/Codegen/CPU/Passes.h.inc"

/// Appends the passes of the phase `codegen` for processor `cpu`.
void buildCpuCodegenPhase(mlir::OpPassManager &manager, llvm::StringRef cpu);
/// Registers the passes of the phase, those of the host program included.
void registerCpuCodegenPhase();

} // namespace tessera

#endif // TESSERA_CODEGEN_CPU_PASSES_H
