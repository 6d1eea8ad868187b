//===- Unsupported.h - what models ask for that is not done ---------------===//
//
// One table says what is not supported, by what it is seen, and what a user can
// do instead. Diagnostics take their notes from it, and a test compares it with
// `docs/unsupported.md`, which has a section for each of its rows.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_UNSUPPORTED_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_UNSUPPORTED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace tessera::importer {

/// A kind of things that models may ask for and that are not done.
struct Unsupported {
  /// The section of `docs/unsupported.md`.
  llvm::StringLiteral anchor;
  /// What to do instead, as the beginning of a sentence.
  llvm::StringLiteral alternative;
  /// Glob patterns of the operations, of the targets of custom calls, and of
  /// the element types that are of the kind.
  llvm::ArrayRef<llvm::StringLiteral> operations, targets, elements;
  /// What a location's name has in addition, where the same target serves
  /// several kinds; any if empty.
  llvm::StringLiteral name = "";
};

/// All kinds; the first that fits is the one that counts, the last fits all
/// operations.
llvm::ArrayRef<Unsupported> unsupportedKinds();

/// The kind of `op`, which is not supported.
const Unsupported &unsupportedKind(mlir::Operation *op);
/// The kind of tensors of `type`, or of elements of that type; null for types
/// without a section.
const Unsupported *unsupportedKind(mlir::Type type);

/// Whether `location` is a place in a file.
bool isInFile(mlir::Location location);

/// Where `argument` is, for what is wrong with its type: where it is used
/// first, if it has no line of its own, as those of JAX have none.
mlir::Location locationOfArgument(mlir::BlockArgument argument);

/// As long as it lives, diagnostics about code of a function that is in no
/// file, as JAX's own functions are, say where it is called.
class LocationsOfCalls {
public:
  explicit LocationsOfCalls(mlir::func::FuncOp function);

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Adds a note to `diagnostic`, unless `kind` is null: what to do instead, and
/// where to read more.
void noteAlternative(mlir::InFlightDiagnostic &diagnostic,
                     const Unsupported *kind);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_UNSUPPORTED_H
