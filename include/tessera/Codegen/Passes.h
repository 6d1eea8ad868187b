//===- Passes.h - the phase codegen: loops, tiles, the host program -------===//
#ifndef TESSERA_CODEGEN_PASSES_H
#define TESSERA_CODEGEN_PASSES_H

#include "mlir/Pass/PassManager.h"

namespace tessera::codegen {

/// What the phase `codegen` is asked for.
struct CodegenOptions {
  /// The GPUs to generate code for, 80 and 90; empty for none, which makes a
  /// program for CPUs.
  llvm::ArrayRef<int> architectures;
  /// The processor of the host program, and of kernels without GPU.
  llvm::StringRef cpu = "native";
  /// With GPUs: whether matmuls of f32 may be computed in tf32.
  bool tf32 = false;
  /// With GPUs: a file of tuning records, asked before those that ship; empty
  /// for none.
  llvm::StringRef tuning = "";
  /// Whether to check the memory plan first, because somebody may have edited
  /// it.
  bool verifyMemoryPlan = false;
};

/// Appends the phase `codegen` to a module's passes. Requires what `schedule`
/// leaves; ensures code in the LLVM dialect, which `tessera-verify-code`
/// checks.
void buildCodegenPhase(mlir::OpPassManager &manager,
                       const CodegenOptions &options);

/// Registers the passes and the pipeline `tessera-codegen-phase`.
void registerCodegenPhase();

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_PASSES_H
