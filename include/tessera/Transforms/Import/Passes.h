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

/// What the phase `import` is asked for.
struct ImportPhaseOptions {
  /// Shapes of arguments whose sizes are open, as NAME=8x128.
  llvm::ArrayRef<std::string> shapes;
  /// The file of a plan; empty for none.
  std::string plan;
  /// Mesh sizes that hold in place of the plan's (`data=2,model=4`).
  std::string mesh;
};

/// Adds the passes of the phase `import` to `passes`, which run on a module.
void buildImportPhase(mlir::OpPassManager &passes,
                      const ImportPhaseOptions &options = {});

/// Registers the passes of the phase, and the phase as
/// `tessera-import-phase`.
void registerImportPhase();

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PASSES_H
