//===- ReadModel.cpp - from a file to a module ----------------------------===//

#include "tessera/Transforms/Import/ReadModel.h"

#include "Bytecode/PortableModel.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// What a file that cannot be MLIR text is, seen from its first bytes; empty if
/// it may be text.
static StringRef describeWrongContents(StringRef contents) {
  if (contents.trim().empty())
    return "an empty file";
  if (contents.take_front(1024).contains('\0'))
    return "a binary file";
  return {};
}

void TextLocations::add(Location location, FileLineColLoc place) {
  auto [found, isNew] = places.try_emplace(location, place);
  if (!isNew)
    found->second = nullptr;
}

/// Verifies `module` with its operations at the places that `state` knows; then
/// they have their own locations again, which errors have as notes.
static LogicalResult verifyAtTextLocations(ModuleOp module,
                                           const AsmParserState &state,
                                           llvm::SourceMgr &sources,
                                           StringRef path,
                                           TextLocations &places) {
  SmallVector<std::pair<Operation *, Location>> own;
  DenseMap<Attribute, Location> ofTextLocations;
  for (const AsmParserState::OperationDefinition &definition :
       state.getOpDefs()) {
    auto [line, column] = sources.getLineAndColumn(definition.loc.Start);
    auto place = FileLineColLoc::get(module.getContext(), path, line, column);
    Location location = definition.op->getLoc();
    places.add(location, place);
    ofTextLocations.try_emplace(place, location);
    own.push_back({definition.op, location});
    definition.op->setLoc(place);
  }
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        auto found = ofTextLocations.find(diagnostic.getLocation());
        if (found != ofTextLocations.end() && !isa<UnknownLoc>(found->second) &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          diagnostic.attachNote(found->second) << "this is its place in the "
                                                  "model";
        return failure();
      });
  LogicalResult verified = verify(module);
  for (auto [op, location] : own)
    op->setLoc(location);
  return verified;
}

/// Parses a file that another run wrote.
static OwningOpRef<ModuleOp> parseWithTextLocations(llvm::SourceMgr &sources,
                                                    StringRef path,
                                                    MLIRContext &context,
                                                    TextLocations &places) {
  AsmParserState state;
  Block block;
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return {};
  OwningOpRef<ModuleOp> module =
      mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
          &block, &context, FileLineColLoc::get(&context, path, 1, 1));
  if (!module ||
      failed(verifyAtTextLocations(*module, state, sources, path, places)))
    return {};
  return module;
}

/// Reads the model whose text is `file`, which `path` names.
static OwningOpRef<ModuleOp>
readModelBuffer(std::unique_ptr<llvm::MemoryBuffer> file, StringRef path,
                MLIRContext &context, TextLocations *places) {
  Location start = FileLineColLoc::get(&context, path, 1, 1);
  StringRef contents = file->getBuffer();
  DialectRegistry registry;
  registerForeignDialects(registry);
  registry.insert<func::FuncDialect>();
  context.appendDialectRegistry(registry);
  // Operations of yet other dialects are for the import phase to refuse.
  context.allowUnregisteredDialects();
  if (isPortableModel(contents))
    return readPortableModel(contents, path, context);
  if (StringRef wrong = describeWrongContents(contents); !wrong.empty()) {
    InFlightDiagnostic error = emitError(start)
                               << "expected MLIR text, got " << wrong;
    if (!contents.trim().empty())
      error.attachNote() << "other files of StableHLO become text with: python "
                            "-m tessera normalize "
                         << path;
    return {};
  }
  // The parser goes on after some errors; what follows the first is noise.
  bool hasError = false;
  ScopedDiagnosticHandler first(&context, [&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success(isError && std::exchange(hasError, true));
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  if (places)
    return parseWithTextLocations(sources, path, context, *places);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  // A module that the file does not write is its first line's.
  if (module)
    if (auto place = dyn_cast<FileLineColLoc>(module->getLoc());
        place && place.getLine() == 0)
      module.get()->setLoc(start);
  return module;
}

OwningOpRef<ModuleOp> tessera::importer::readModel(StringRef path,
                                                   MLIRContext &context,
                                                   TextLocations *places) {
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &reason);
  if (!file) {
    emitError(FileLineColLoc::get(&context, path, 1, 1))
        << "expected a readable file: " << reason;
    return {};
  }
  return readModelBuffer(std::move(file), path, context, places);
}

OwningOpRef<ModuleOp> tessera::importer::readModelText(StringRef text,
                                                       StringRef path,
                                                       MLIRContext &context,
                                                       TextLocations *places) {
  // As LLVM calls it where it reads that itself.
  StringRef name = path == "-" ? "<stdin>" : path;
  return readModelBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), path,
                         context, places);
}
