//===- PortableModel.cpp - binary model files -----------------------------===//

#include "Bytecode/PortableModel.h"

#include "Bytecode/Operations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

namespace {
/// Shortens call stacks to the user's innermost frame, as locations.py does for
/// text.
class FrameFinder {
public:
  explicit FrameFinder(MLIRContext *context)
      : unknown(UnknownLoc::get(context)) {
    llvm::sys::fs::current_path(folder);
  }

  LocationAttr shorten(LocationAttr location) {
    LocationAttr &known = shortened[location];
    if (!known)
      known = compute(location);
    return known;
  }

private:
  LocationAttr compute(LocationAttr location);
  /// The innermost frame of the user's inside `location`, or null.
  FileLineColLoc frame(LocationAttr location);
  FileLineColLoc findFrame(LocationAttr location);
  StringRef relative(StringRef path) const;

  SmallString<128> folder;
  LocationAttr unknown;
  DenseMap<Attribute, LocationAttr> shortened;
  /// Call stacks have much in common.
  DenseMap<Attribute, FileLineColLoc> frames;
};
} // namespace

/// `path` from the current folder on, or only its last part: what it says on
/// other machines.
StringRef FrameFinder::relative(StringRef path) const {
  if (!llvm::sys::path::is_absolute(path))
    return path;
  StringRef below = path;
  if (below.consume_front(folder) && below.consume_front("/"))
    return below;
  return llvm::sys::path::filename(path);
}

/// Whether a frame at `path` is one of JAX's, or of no file.
static bool isInternalFrame(StringRef path) {
  return path.starts_with("<") || path.contains("/site-packages/jax/") ||
         path.contains("/site-packages/jaxlib/") || path.contains("/jax/_src/");
}

FileLineColLoc FrameFinder::frame(LocationAttr location) {
  auto known = frames.find(location);
  if (known != frames.end())
    return known->second;
  FileLineColLoc found = findFrame(location);
  frames[location] = found;
  return found;
}

FileLineColLoc FrameFinder::findFrame(LocationAttr location) {
  if (auto place = dyn_cast<FileLineColLoc>(location))
    return isInternalFrame(place.getFilename())
               ? FileLineColLoc()
               : FileLineColLoc::get(location.getContext(),
                                     relative(place.getFilename()),
                                     place.getLine(), place.getColumn());
  if (auto name = dyn_cast<NameLoc>(location))
    return frame(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    FileLineColLoc callee = frame(call.getCallee());
    return callee ? callee : frame(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (FileLineColLoc found = frame(part))
        return found;
  return {};
}

LocationAttr FrameFinder::compute(LocationAttr location) {
  FileLineColLoc found = frame(location);
  if (auto name = dyn_cast<NameLoc>(location))
    return NameLoc::get(name.getName(), found ? found : unknown);
  if (found)
    return found;
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return compute(call.getCallee());
  return unknown;
}

/// Gives operations and arguments short locations.
static void shortenLocations(ModuleOp module) {
  FrameFinder frames(module.getContext());
  module->walk([&](Operation *op) {
    op->setLoc(Location(frames.shorten(op->getLoc())));
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(Location(frames.shorten(argument.getLoc())));
  });
}

//===----------------------------------------------------------------------===//
// Donations
//===----------------------------------------------------------------------===//

/// Gives each donated argument of `main` the result that takes its memory,
/// where JAX leaves that open: in order, each result takes the first one of its
/// type that is free, as JAX does on one device.
static void resolveDonations(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return;
  constexpr StringLiteral kDonor = "jax.buffer_donor",
                          kAlias = "tf.aliasing_output";
  DenseSet<int64_t> taken;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto alias = main.getArgAttrOfType<IntegerAttr>(i, kAlias))
      taken.insert(alias.getInt());
  for (auto [result, type] : llvm::enumerate(main.getResultTypes())) {
    if (taken.contains(result))
      continue;
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (main.getArgumentTypes()[i] == type && main.getArgAttr(i, kDonor)) {
        main.removeArgAttr(i, kDonor);
        main.setArgAttr(i, kAlias,
                        Builder(module.getContext()).getI32IntegerAttr(result));
        break;
      }
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

bool tessera::importer::isPortableModel(StringRef contents) {
  return isBytecode(contents) || !findExportedModule(contents).empty();
}

/// Reads and checks the module in `contents`, or says in `status` why not.
static OwningOpRef<ModuleOp> readModule(StringRef contents, Location place,
                                        BytecodeFile &file,
                                        ReadStatus &status) {
  MLIRContext *context = place.getContext();
  // What is wrong, `status` says; of an invalid program, the first message.
  ScopedDiagnosticHandler quiet(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      status.fail(diagnostic.str());
    return success();
  });
  file = readBytecodeFile(contents, status);
  if (!status.ok())
    return {};
  EntryReader entries(file, context, status);
  OwningOpRef<ModuleOp> module = readOperations(file, entries, place);
  if (!module || failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp>
tessera::importer::readPortableModel(StringRef contents, StringRef path,
                                     MLIRContext &context) {
  Location place = FileLineColLoc::get(&context, path, 1, 1);
  // The parser of text loads them when it meets them.
  for (StringRef dialect : {"func", "stablehlo", "sdy"})
    context.getOrLoadDialect(dialect);
  if (!isBytecode(contents))
    contents = findExportedModule(contents);
  ReadStatus status;
  BytecodeFile file;
  OwningOpRef<ModuleOp> module = readModule(contents, place, file, status);
  if (!module) {
    InFlightDiagnostic error = emitError(place)
                               << "expected StableHLO's portable bytecode: "
                               << status.message();
    if (file.producer.starts_with("StableHLO_v"))
      error.attachNote() << "the file is of version "
                         << file.producer.drop_front(11) << " of StableHLO";
    else
      error.attachNote() << "other bytecode of StableHLO becomes text with: "
                            "python -m tessera normalize "
                         << path;
    return {};
  }
  shortenLocations(*module);
  resolveDonations(*module);
  return module;
}
