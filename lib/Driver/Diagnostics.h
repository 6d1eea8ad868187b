//===- Diagnostics.h - how tools report errors ----------------------------===//
#ifndef TESSERA_DRIVER_DIAGNOSTICS_H
#define TESSERA_DRIVER_DIAGNOSTICS_H

#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace tessera {

/// Prints diagnostics of `context` on a stream, as `file:line:column: error:
/// text` with notes for second places, while it lives. Only the first error is
/// printed: what follows from it would hide it.
class DiagnosticPrinter {
public:
  /// `inputPath` is named where a diagnostic has no place in a file. `os` must
  /// outlive this.
  DiagnosticPrinter(mlir::MLIRContext &context, std::string inputPath,
                    llvm::raw_ostream &os);

  /// From now on, errors about operations that `places` knows are at these
  /// places, with those of the model as notes. `places` must outlive this.
  void setTextLocations(const importer::TextLocations &places) {
    textLocations = &places;
  }

private:
  void print(mlir::Diagnostic &diagnostic);
  void printLine(mlir::Location location, llvm::StringRef severity,
                 const std::string &text);

  std::string inputPath;
  llvm::raw_ostream &os;
  bool hasError = false;
  const importer::TextLocations *textLocations = nullptr;
  mlir::ScopedDiagnosticHandler handler;
};

/// Turns the remarks of passes into diagnostics from now on: the first fact
/// with the name of the remark, the others as notes.
void printRemarks(mlir::MLIRContext &context);

/// The innermost place in a file that `location` knows of, if possible not one
/// in JAX's own files; null if there is none. Of a call chain it is the
/// callee's.
mlir::FileLineColLoc findFileLocation(mlir::Location location);

} // namespace tessera

#endif // TESSERA_DRIVER_DIAGNOSTICS_H
