//===- Operations.h - the operations of a bytecode file -------------------===//

#ifndef TESSERA_TRANSFORMS_IMPORT_BYTECODE_OPERATIONS_H
#define TESSERA_TRANSFORMS_IMPORT_BYTECODE_OPERATIONS_H

#include "Bytecode/Entries.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::importer {

/// The module in `file`, with StableHLO's operations for VHLO's; null after a
/// failure in `entries`. It is not verified.
mlir::OwningOpRef<mlir::ModuleOp> readOperations(const BytecodeFile &file,
                                                 EntryReader &entries,
                                                 mlir::Location place);

/// Names of the properties of an operation that the writer knew, as it writes
/// them: in alphabetical order, with a `?` behind those that may be missing.
/// Nothing for an operation of another dialect, or of a newer version.
std::optional<llvm::SmallVector<llvm::StringRef>>
findPropertyNames(const BytecodeFile::OperationName &name);

/// What an operation of StableHLO's is made of.
struct StablehloParts {
  /// `stablehlo.add`, `func.call`
  std::string name;
  mlir::NamedAttrList properties;
};

/// What VHLO's operation `name` (`add_v1`) with `properties`, inside of an
/// operation that `isInFunction`, is in StableHLO: attributes in the groups in
/// which StableHLO has them, without those that say what is so anyway.
StablehloParts convertFromVhlo(llvm::StringRef name,
                               const mlir::NamedAttrList &properties,
                               bool isInFunction, EntryReader &entries);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_BYTECODE_OPERATIONS_H
