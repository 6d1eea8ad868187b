//===- EntryPoints.cpp - one program of several models --------------------===//
//
// Each entry point is a compilation of its own, with the options of the command
// line. They go through the phases together as far as `shard`, because what is
// chosen for a tensor in one of them holds for all (SharedTensors.h); then each
// by itself. At the end their objects are linked, each with names of its own.
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"

#include "Compilation.h"
#include "SharedTensors.h"
#include "tessera/Support/FileStream.h"
#include "tessera/Support/NearestName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <deque>

using namespace mlir;
using namespace tessera;

/// The functions of `module`, whether they are of `func` or still foreign.
static SmallVector<Operation *> functionsOf(ModuleOp module) {
  SmallVector<Operation *> functions;
  for (Operation &op : *module.getBody())
    if (op.getName().getStringRef() == "func.func")
      functions.push_back(&op);
  return functions;
}

std::vector<std::string> tessera::findEntryFunctions(ModuleOp module) {
  std::vector<std::string> names;
  for (Operation *function : functionsOf(module)) {
    StringAttr name = SymbolTable::getSymbolName(function);
    if (name == "main")
      return {};
    if (SymbolTable::getSymbolVisibility(function) ==
            SymbolTable::Visibility::Public &&
        SymbolTable::symbolKnownUseEmpty(name, module))
      names.push_back(name.str());
  }
  return names.size() < 2 ? std::vector<std::string>() : names;
}

void tessera::selectEntryFunction(ModuleOp module, StringRef selected) {
  std::vector<std::string> names = findEntryFunctions(module);
  for (Operation *function : functionsOf(module)) {
    StringRef name = SymbolTable::getSymbolName(function).getValue();
    if (name == selected)
      SymbolTable::setSymbolName(function, "main");
    else if (llvm::is_contained(names, name))
      function->erase();
  }
}

namespace {

/// The compilations of all entry points.
class EntryPointsCompilation {
public:
  explicit EntryPointsCompilation(const CompileOptions &options)
      : options(options) {}

  ExitStatus run();

private:
  /// One of them. Its compilation refers to its options.
  struct EntryPoint {
    std::string name;
    CompileOptions options;
    std::unique_ptr<Compilation> compilation;
  };

  ExitStatus fail(const Twine &message) const {
    messages() << options.inputPath << ": error: " << message << '\n';
    return kWrongRequest;
  }
  raw_ostream &messages() const {
    return options.messages ? *options.messages : llvm::errs();
  }
  ExitStatus add(StringRef path, StringRef function = "");
  ExitStatus checkNames() const;
  ExitStatus checkFlags() const;
  void restrict(EntryPoint &entryPoint) const;
  ExitStatus runPhases(EntryPoint &entryPoint, Phase first, Phase last);
  ExitStatus shard();
  ExitStatus finish(EntryPoint &entryPoint);
  ExitStatus link();
  std::string listNames() const;

  const CompileOptions &options;
  std::deque<EntryPoint> entryPoints;
};

} // namespace

/// `prefill, decode`
std::string EntryPointsCompilation::listNames() const {
  return llvm::join(llvm::map_range(entryPoints,
                                    [](const EntryPoint &entryPoint) {
                                      return entryPoint.name;
                                    }),
                    ", ");
}

/// Of a program with several entry points each by itself writes nothing but
/// what there is one of for each; where one is asked for, the others only go
/// along as far as that one needs them.
void EntryPointsCompilation::restrict(EntryPoint &entryPoint) const {
  CompileOptions &own = entryPoint.options;
  own.outputPath.clear();
  own.output = nullptr;
  if (options.entryPoint.empty()) {
    if (!own.dumpDirectory.empty())
      own.dumpDirectory += "/" + entryPoint.name;
    return;
  }
  own.dumpDirectory.clear();
  own.reportPath.clear();
  own.explain = own.timing = own.emitPtx = false;
  own.checkSeed.reset();
  own.to = Phase::Package;
}

/// Reads the model at `path`, as the entry point that its one function or
/// `function` of it is, or as each of those that it has.
ExitStatus EntryPointsCompilation::add(StringRef path, StringRef function) {
  EntryPoint &added = entryPoints.emplace_back();
  added.name =
      function.empty() ? llvm::sys::path::stem(path).str() : function.str();
  added.options = options;
  added.options.inputPath = path.str();
  added.options.function = function.str();
  added.options.linkedAs = added.name;
  if (path != options.inputPath)
    added.options.inputText.reset();
  if (options.entryPoint == added.name)
    added.options.linkedAs.clear();
  else
    restrict(added);
  added.compilation = std::make_unique<Compilation>(added.options);
  if (ExitStatus status = added.compilation->begin())
    return status;
  std::vector<std::string> functions = added.compilation->entryFunctions();
  if (functions.empty())
    return kDone;
  entryPoints.pop_back();
  for (const std::string &name : functions)
    if (ExitStatus status = add(path, name))
      return status;
  return kDone;
}

/// Names are those of files and functions, and stand in command lines.
ExitStatus EntryPointsCompilation::checkNames() const {
  std::vector<std::string> names;
  for (const EntryPoint &entryPoint : entryPoints) {
    const std::string &name = entryPoint.name;
    if (llvm::is_contained(names, name))
      return fail("two entry points have the name '" + name +
                  "', that of their files or functions");
    if (name.empty() || !llvm::all_of(name, [](char c) {
          return llvm::isAlnum(c) || llvm::is_contained("_-.", c);
        }))
      return fail("expected letters, digits, '_', '-' and '.' in the name of "
                  "an entry point, got '" +
                  name + "'");
    names.push_back(name);
  }
  if (!options.entryPoint.empty() &&
      !llvm::is_contained(names, options.entryPoint))
    return fail("no entry point '" + options.entryPoint + "', there are " +
                listNames() + didYouMean(options.entryPoint, names));
  return kDone;
}

/// Refuses flags whose answer is about one entry point.
ExitStatus EntryPointsCompilation::checkFlags() const {
  auto refuse = [&](StringRef flag) {
    return fail(flag + " is about one entry point, and there are " +
                listNames() + ": say which with --entry=NAME");
  };
  if (options.stages > 1)
    return fail("expected --stages=1 for a program with several entry points, "
                "got " +
                Twine(options.stages));
  if (!options.entryPoint.empty())
    return kDone;
  if (options.to != Phase::Package && !options.emitPtx)
    return refuse("--compile-to");
  if (options.emitPtx || !options.gpuArchitectures.empty())
    return refuse("--target=cuda");
  if (!options.reportPath.empty())
    return refuse("--report");
  if (options.explain)
    return refuse("--explain");
  if (options.timing && !options.timingPath.empty())
    return refuse("--timing=FILE");
  return kDone;
}

/// Runs phases on one of them; says on which, if phases say something.
ExitStatus EntryPointsCompilation::runPhases(EntryPoint &entryPoint,
                                             Phase first, Phase last) {
  if (entryPoint.options.checkSeed)
    messages() << "entry point '" << entryPoint.name << "'\n";
  return entryPoint.compilation->runPhases(first, last);
}

/// Runs the phases on all entry points as far as `shard`.
ExitStatus EntryPointsCompilation::shard() {
  std::vector<EntryPointModule> modules;
  for (EntryPoint &entryPoint : entryPoints) {
    if (ExitStatus status = runPhases(entryPoint, Phase::Import, Phase::Import))
      return status;
    ModuleOp module = entryPoint.compilation->program();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return fail("expected a function @main in entry point '" +
                  entryPoint.name + "'");
    modules.push_back({entryPoint.name, module, main});
  }
  FailureOr<SharedTensors> shared = SharedTensors::find(modules);
  if (failed(shared) || failed(shared->mergeAnnotations()))
    return kWrongRequest;
  for (auto [i, entryPoint] : llvm::enumerate(entryPoints)) {
    if (ExitStatus status = runPhases(entryPoint, Phase::Shard, Phase::Shard))
      return status;
    if (failed(shared->handOn(i)))
      return kWrongRequest;
  }
  return kDone;
}

/// Runs the other phases on one of them.
ExitStatus EntryPointsCompilation::finish(EntryPoint &entryPoint) {
  if (ExitStatus status = runPhases(entryPoint, Phase::Stage, Phase::Codegen))
    return status;
  if (entryPoint.options.timing)
    messages() << "entry point '" << entryPoint.name << "'\n";
  return entryPoint.compilation->finish();
}

/// Writes the program of all entry points.
ExitStatus EntryPointsCompilation::link() {
  std::vector<NamedObjects> parts;
  parts.reserve(entryPoints.size());
  for (EntryPoint &entryPoint : entryPoints)
    parts.push_back({entryPoint.name, entryPoint.compilation->takeObjects()});
  FailureOr<Package> package = linkEntryPoints(
      parts, entryPoints.front().compilation->program(), kVersion);
  if (failed(package))
    return kWrongRequest;
  if (options.output) {
    *options.output = std::move(package->program);
    return kDone;
  }
  if (options.outputPath.empty())
    return kDone;
  Fallible<void> done = printToFile(
      options.outputPath, [&](raw_ostream &os) { os << package->program; });
  return done ? kDone : fail(done.message());
}

ExitStatus EntryPointsCompilation::run() {
  if (!options.outputPath.empty() && options.outputPath != "-")
    if (Fallible<void> checked = checkWritable(options.outputPath); !checked)
      return fail(checked.message());
  std::vector<std::string> paths = {options.inputPath};
  llvm::append_range(paths, options.furtherPaths);
  for (const std::string &path : paths)
    if (ExitStatus status = add(path))
      return status;
  for (auto check : {&EntryPointsCompilation::checkNames,
                     &EntryPointsCompilation::checkFlags})
    if (ExitStatus status = (this->*check)())
      return status;
  if (ExitStatus status = shard())
    return status;
  for (EntryPoint &entryPoint : entryPoints)
    if (options.entryPoint.empty() || options.entryPoint == entryPoint.name)
      if (ExitStatus status = finish(entryPoint))
        return status;
  return options.entryPoint.empty() ? link() : kDone;
}

ExitStatus tessera::compileEntryPoints(const CompileOptions &options) {
  return EntryPointsCompilation(options).run();
}
