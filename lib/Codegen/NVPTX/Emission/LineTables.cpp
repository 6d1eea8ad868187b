//===- LineTables.cpp - Where in the model code comes from ----------------===//

#include "Emission/LineTables.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;

/// The first place in a file that `loc` mentions.
static FileLineColLoc findTextLocation(Location loc) {
  FileLineColLoc place;
  loc->walk([&](Location part) {
    place = dyn_cast<FileLineColLoc>(part);
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

static LLVM::DIFileAttr fileOf(FileLineColLoc place) {
  StringRef path = place.getFilename().getValue();
  return LLVM::DIFileAttr::get(place.getContext(),
                               llvm::sys::path::filename(path),
                               llvm::sys::path::parent_path(path));
}

static LLVM::DISubprogramAttr makeSubprogram(LLVM::LLVMFuncOp function,
                                             FileLineColLoc place) {
  MLIRContext *context = function.getContext();
  LLVM::DIFileAttr file = fileOf(place);
  auto unit = LLVM::DICompileUnitAttr::get(
      DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
      file, StringAttr::get(context, "tessera"), /*isOptimized=*/true,
      LLVM::DIEmissionKind::DebugDirectivesOnly);
  auto type = LLVM::DISubroutineTypeAttr::get(context, {});
  auto flags =
      LLVM::DISubprogramFlags::Optimized | LLVM::DISubprogramFlags::Definition;
  return LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)), unit, file,
      function.getSymNameAttr(), function.getSymNameAttr(), file,
      place.getLine(), place.getLine(), flags, type, {}, {});
}

void nvptx::addLineTables(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    FileLineColLoc start = findTextLocation(function.getLoc());
    if (!start || function.isExternal())
      continue;
    LLVM::DISubprogramAttr scope = makeSubprogram(function, start);
    function.walk([&](Operation *op) {
      FileLineColLoc place = findTextLocation(op->getLoc());
      if (!place)
        place = start;
      // What stands in another file needs a scope of its own.
      Location loc = place;
      if (place.getFilename() != start.getFilename())
        loc = FusedLoc::get(module.getContext(), {place},
                            LLVM::DILexicalBlockFileAttr::get(
                                scope, fileOf(place), /*discriminator=*/0));
      op->setLoc(loc);
    });
    function->setLoc(
        FusedLoc::get(module.getContext(), {Location(start)}, scope));
  }
}
