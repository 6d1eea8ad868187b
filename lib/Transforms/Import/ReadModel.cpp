//===- ReadModel.cpp - from a file to a module ----------------------------===//

#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// What a file that cannot be MLIR text is, seen from its first bytes; empty if
/// it may be text.
static StringRef describeWrongContents(StringRef contents) {
  if (contents.trim().empty())
    return "an empty file";
  if (contents.starts_with("ML\xefR"))
    return "MLIR bytecode";
  if (contents.take_front(1024).contains('\0'))
    return "a binary file";
  return {};
}

OwningOpRef<ModuleOp> tessera::readModel(StringRef path, MLIRContext &context) {
  Location start = FileLineColLoc::get(&context, path, 1, 1);
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &reason);
  if (!file) {
    emitError(start) << "expected a readable file: " << reason;
    return {};
  }
  StringRef contents = file->getBuffer();
  if (StringRef wrong = describeWrongContents(contents); !wrong.empty()) {
    InFlightDiagnostic error = emitError(start)
                               << "expected MLIR text, got " << wrong;
    if (!contents.trim().empty())
      error.attachNote() << "StableHLO's bytecode and what jax.export writes "
                            "become text with: python -m tessera normalize "
                         << path;
    return {};
  }
  DialectRegistry registry;
  registerForeignDialects(registry);
  context.appendDialectRegistry(registry);
  // Operations of yet other dialects are for the import phase to refuse.
  context.allowUnregisteredDialects();
  // The parser goes on after some errors; what follows the first is noise.
  bool hasError = false;
  ScopedDiagnosticHandler first(&context, [&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success(isError && std::exchange(hasError, true));
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}
