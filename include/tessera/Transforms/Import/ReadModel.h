//===- ReadModel.h - model files ------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_READMODEL_H
#define TESSERA_TRANSFORMS_IMPORT_READMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera {

/// Makes the names of StableHLO's and Shardy's dialects known to `registry`, so
/// that their operations in generic form can be read. They stay unregistered
/// operations, and their attributes opaque texts.
void registerForeignDialects(mlir::DialectRegistry &registry);

/// Reads the model file at `path`: StableHLO in MLIR's generic form, or
/// Tessera, which is seen from its content; the import phase makes one of the
/// other. Returns null after one error when the file cannot be read, is not
/// MLIR text, does not parse or is not valid; where `python -m tessera
/// normalize` can help, a note says so.
mlir::OwningOpRef<mlir::ModuleOp> readModel(llvm::StringRef path,
                                            mlir::MLIRContext &context);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_IMPORT_READMODEL_H
