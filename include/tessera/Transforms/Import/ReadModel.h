//===- ReadModel.h - model files ------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_READMODEL_H
#define TESSERA_TRANSFORMS_IMPORT_READMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::importer {

/// Makes the names of StableHLO's and Shardy's dialects known to `registry`, so
/// that their operations in generic form can be read. They stay unregistered
/// operations, and their attributes opaque texts.
void registerForeignDialects(mlir::DialectRegistry &registry);

/// Where the operations of a file stand in it, where their own locations are
/// those of a model that the file was made from.
class TextLocations {
public:
  /// Notes that an operation with `location` begins at `place`.
  void add(mlir::Location location, mlir::FileLineColLoc place);

  /// The place of the operation with `location`; null if there is none, or if
  /// there are several.
  mlir::FileLineColLoc find(mlir::Location location) const {
    return places.lookup(location);
  }

private:
  llvm::DenseMap<mlir::Attribute, mlir::FileLineColLoc> places;
};

/// Reads the model file at `path`: StableHLO in MLIR's generic form, or
/// Tessera, which is seen from its content; the import phase makes one of the
/// other. Returns null after one error when the file cannot be read, is not
/// MLIR text, does not parse or is not valid; where `python -m tessera
/// normalize` can help, a note says so. With `places`, of a file that another
/// run wrote, errors are at places of this file, with those of the model as
/// notes, and `places` knows them from then on.
mlir::OwningOpRef<mlir::ModuleOp> readModel(llvm::StringRef path,
                                            mlir::MLIRContext &context,
                                            TextLocations *places = nullptr);

/// As `readModel`, of a text that is in memory; `path` names it.
mlir::OwningOpRef<mlir::ModuleOp>
readModelText(llvm::StringRef text, llvm::StringRef path,
              mlir::MLIRContext &context, TextLocations *places = nullptr);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_READMODEL_H
