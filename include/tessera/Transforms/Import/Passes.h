//===- Passes.h - the phase `import` --------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PASSES_H
#define TESSERA_TRANSFORMS_IMPORT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tessera::importer {

#define GEN_PASS_DECL
#include "tessera/Transforms/Import/Passes.h.inc"

/// Adds the passes of the phase `import` to `passes`, which run on a module.
/// `shapes` are those of arguments whose sizes are open, as NAME=8x128.
void buildImportPhase(mlir::OpPassManager &passes,
                      llvm::ArrayRef<std::string> shapes = {});

/// Registers the passes of the phase, and the phase as
/// `tessera-import-phase`.
void registerImportPhase();

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PASSES_H
