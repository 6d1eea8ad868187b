//===- PortableModel.h - binary model files -------------------------------===//

#ifndef TESSERA_TRANSFORMS_IMPORT_BYTECODE_PORTABLEMODEL_H
#define TESSERA_TRANSFORMS_IMPORT_BYTECODE_PORTABLEMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::importer {

/// The bytecode in a file that jax.export wrote, which is a flatbuffer; empty
/// if `contents` are something else. Types, shardings and trees of arguments,
/// which stand in such a file, too, the module says itself; gradients, which
/// may follow, are other modules.
llvm::StringRef findExportedModule(llvm::StringRef contents);

/// Whether `contents` are a binary model: StableHLO's portable bytecode (VHLO
/// 0.9 to 1.20, with operations of Shardy's), or what jax.export wrote.
bool isPortableModel(llvm::StringRef contents);

/// Reads the binary model `contents`, which `path` names, to the module that
/// its text in generic form gives. Operations are at the innermost line of the
/// user's that their locations know, and donated arguments have the result that
/// takes their memory, as in text that `tessera.export` writes. Returns null
/// after one error at `path` where something is not as it should be.
mlir::OwningOpRef<mlir::ModuleOp> readPortableModel(llvm::StringRef contents,
                                                    llvm::StringRef path,
                                                    mlir::MLIRContext &context);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_BYTECODE_PORTABLEMODEL_H
