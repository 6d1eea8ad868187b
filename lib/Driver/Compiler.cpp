//===- Compiler.cpp - from a model file to a program ----------------------===//

#include "tessera/Driver/Compiler.h"

#include "tessera/Driver/CheckPhases.h"
#include "tessera/Driver/Diagnostics.h"
#include "tessera/Driver/MeshOption.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Driver/Report.h"
#include "tessera/Driver/Timing.h"
#include "tessera/Package/Package.h"
#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace tessera;

namespace {

/// One run of the compiler: reads, goes through the phases, writes.
class Compilation {
public:
  Compilation(const CompileOptions &options)
      : options(options), context(makeRegistry()),
        diagnostics(context, options.inputPath) {}

  ExitStatus run();

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  LogicalResult read();
  LogicalResult runPhase(const PhaseInfo &info);
  LogicalResult dump(const PhaseInfo &info);
  LogicalResult writeIR(StringRef path);
  LogicalResult package();
  LogicalResult writeJSON(StringRef path, const llvm::json::Value &value);
  LogicalResult writeTimes();
  LogicalResult writeReport();
  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }

  const CompileOptions &options;
  MLIRContext context;
  DiagnosticPrinter diagnostics;
  OwningOpRef<ModuleOp> module;
  CompileTimer timer;
  /// For the report: the number of operations after each phase.
  llvm::json::Object operations;
};

} // namespace

/// Whether `phase` has been done before the input was written.
static bool isDone(const CompileOptions &options, Phase phase) {
  return options.from && phase <= *options.from;
}

LogicalResult Compilation::read() {
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  module = timer.timePhase(
      "read", [&] { return readModel(options.inputPath, context); });
  if (!module)
    return failure();
  if (options.mesh.empty() || !isDone(options, Phase::Import))
    return success();
  if (isDone(options, Phase::Partition))
    return error() << "--mesh comes too late: the shapes in this file are "
                      "those of one device already";
  return applyMeshOption(*module, options.mesh);
}

LogicalResult Compilation::runPhase(const PhaseInfo &info) {
  PassManager manager(&context);
  // One verification per phase: verifying after every pass would take longer
  // than the passes.
  manager.enableVerifier(false);
  manager.addInstrumentation(timer.makeInstrumentation());
  info.addPasses(manager, options);
  bool ok = timer.timePhase(info.name, [&] {
    return succeeded(manager.run(*module)) && succeeded(verify(*module));
  });
  if (!ok)
    return failure();
  if (info.phase == Phase::Import && !options.mesh.empty() &&
      failed(applyMeshOption(*module, options.mesh)))
    return failure();
  if (!options.reportPath.empty())
    operations[info.name] = countOperations(*module);
  return dump(info);
}

LogicalResult Compilation::writeIR(StringRef path) {
  std::string message;
  auto file = openOutputFile(path, &message);
  if (!file)
    return error() << message;
  module->print(file->os(), OpPrintingFlags().enableDebugInfo());
  file->os() << '\n';
  file->keep();
  return success();
}

LogicalResult Compilation::dump(const PhaseInfo &info) {
  if (options.dumpDirectory.empty())
    return success();
  if (std::error_code code =
          llvm::sys::fs::create_directories(options.dumpDirectory))
    return error() << "cannot create directory '" << options.dumpDirectory
                   << "': " << code.message();
  SmallString<128> path(options.dumpDirectory);
  llvm::sys::path::append(path,
                          Twine(int(info.phase)) + "-" + info.name + ".mlir");
  return writeIR(path);
}

LogicalResult Compilation::writeJSON(StringRef path,
                                     const llvm::json::Value &value) {
  std::string message;
  auto file = openOutputFile(path, &message);
  if (!file)
    return error() << message;
  file->os() << llvm::formatv("{0:2}\n", value);
  file->keep();
  return success();
}

/// Writes the program. The module stays as it is.
LogicalResult Compilation::package() {
  PackageOptions package{options.inputPath, kVersion.str()};
  return writePackage(*module, options.outputPath, package);
}

LogicalResult Compilation::writeTimes() {
  if (!options.timing)
    return success();
  if (options.timingPath.empty()) {
    timer.print(llvm::errs());
    return success();
  }
  return writeJSON(options.timingPath, timer.toJSON());
}

LogicalResult Compilation::writeReport() {
  if (options.reportPath.empty())
    return success();
  FailureOr<std::string> manifest =
      buildManifest(*module, {options.inputPath, kVersion.str()});
  if (failed(manifest))
    return failure();
  llvm::json::Value parsed = llvm::cantFail(llvm::json::parse(*manifest));
  return writeJSON(
      options.reportPath,
      makeReport(*parsed.getAsObject(), std::move(operations), timer));
}

ExitStatus Compilation::run() {
  if (failed(read()))
    return kWrongRequest;
  std::optional<PhaseChecker> checker;
  if (options.checkSeed)
    checker.emplace(*options.checkSeed);
  for (const PhaseInfo &info : getPhases()) {
    if (info.phase > options.to)
      break;
    if (isDone(options, info.phase))
      continue;
    if (info.phase == Phase::Package) {
      if (failed(timer.timePhase(info.name, [&] { return package(); })) ||
          failed(writeReport()))
        return kWrongRequest;
      continue;
    }
    if (failed(runPhase(info)))
      return kWrongRequest;
    if (checker && info.interpretable)
      if (ExitStatus status = checker->check(*module, info); status != kDone)
        return status;
  }
  if (options.to != Phase::Package && failed(writeIR(options.outputPath)))
    return kWrongRequest;
  return failed(writeTimes()) ? kWrongRequest : kDone;
}

ExitStatus tessera::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
