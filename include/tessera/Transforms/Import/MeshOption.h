//===- MeshOption.h - the mesh given on the command line ------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_MESHOPTION_H
#define TESSERA_TRANSFORMS_IMPORT_MESHOPTION_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::importer {

/// Gives the mesh of `module` the sizes of `text` (`data=2,model=4`); an axis
/// that `text` does not name has size 1. A module without a mesh gets one of
/// these axes, called @mesh. Reports a malformed text, an axis that the
/// module's mesh does not have, and code written by hand for other sizes. What
/// other annotations the new sizes contradict, verifying `module` tells.
mlir::LogicalResult applyMeshOption(mlir::ModuleOp module,
                                    llvm::StringRef text);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_MESHOPTION_H
