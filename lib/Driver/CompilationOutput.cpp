//===- CompilationOutput.cpp - the files that a compilation writes
//---------===//

#include "Compilation.h"

#include "PtxFiles.h"
#include "Report.h"
#include "ReportPage.h"
#include "tessera/Support/FileStream.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;

void Compilation::printIR(raw_ostream &os) {
  module->print(os, OpPrintingFlags().enableDebugInfo());
  os << '\n';
}

LogicalResult Compilation::writeIR(StringRef path) {
  return writeFile(path, [&](raw_ostream &os) { printIR(os); });
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

/// Writes what `print` prints to the file at `path`.
LogicalResult
Compilation::writeFile(StringRef path,
                       llvm::function_ref<void(raw_ostream &)> print) {
  if (Fallible<void> done = printToFile(path.str(), print); !done)
    return error() << done.message();
  return success();
}

/// Refuses files that cannot be written before any work is done.
LogicalResult Compilation::checkOutputs() {
  for (StringRef path :
       {options.outputPath, options.reportPath, options.timingPath})
    if (!path.empty() && path != "-" && !options.emitPtx)
      if (Fallible<void> checked = checkWritable(path.str()); !checked)
        return error() << checked.message();
  return success();
}

LogicalResult Compilation::writeJSON(StringRef path,
                                     const llvm::json::Value &value) {
  return writeFile(
      path, [&](raw_ostream &os) { os << llvm::formatv("{0:2}\n", value); });
}

/// Writes what there is after the last phase, if that is not the program.
LogicalResult Compilation::writeIntermediate() {
  if (options.to == Phase::Package)
    return success();
  if (options.emitPtx && !options.outputPath.empty())
    return writePtxFiles(*module, options.outputPath);
  return writeOutput([&](raw_ostream &os) { printIR(os); });
}

/// Writes what is asked for to its file, or to where it is put instead.
LogicalResult
Compilation::writeOutput(llvm::function_ref<void(raw_ostream &)> print) {
  if (options.output) {
    llvm::raw_string_ostream os(*options.output);
    print(os);
    return success();
  }
  return options.outputPath.empty() ? success()
                                    : writeFile(options.outputPath, print);
}

/// Makes the program. The module stays as it is.
LogicalResult Compilation::package() {
  PackageOptions asked{options.inputPath, kVersion.str()};
  if (!options.linkedAs.empty()) {
    asked.prefix = options.linkedAs + ".";
    FailureOr<PackageObjects> made = buildObjects(*module, asked);
    if (succeeded(made))
      objects = std::move(*made);
    return made;
  }
  FailureOr<Package> made = buildPackage(*module, asked);
  if (failed(made))
    return failure();
  packaged = std::move(*made);
  return success();
}

/// Writes the program, if that is what there is after the last phase.
LogicalResult Compilation::writeProgram() {
  if (options.to != Phase::Package)
    return success();
  return writeOutput([&](raw_ostream &os) { os << packaged.program; });
}

LogicalResult Compilation::writeTimes() {
  if (!options.timing)
    return success();
  if (options.timingPath.empty()) {
    timer.print(messages());
    return success();
  }
  return writeJSON(options.timingPath, timer.toJSON());
}

LogicalResult Compilation::writeReport() {
  if (options.reportPath.empty())
    return success();
  llvm::json::Value parsed =
      llvm::cantFail(llvm::json::parse(packaged.manifest));
  Chart step = chartOfStep(*parsed.getAsObject());
  llvm::json::Object report =
      makeReport(*module, *parsed.getAsObject(), std::move(operations), timer,
                 predicted ? &*predicted : nullptr, remedies, step);
  if (rematerialized.operations > 0)
    report["rematerialized"] =
        llvm::json::Object{{"operations", rematerialized.operations},
                           {"collectives", rematerialized.collectives},
                           {"seconds", rematerialized.seconds}};
  if (bound)
    report["bound"] = std::move(*bound);
  if (rematerialized.copied > 0)
    report["offloaded"] =
        llvm::json::Object{{"values", rematerialized.copied},
                           {"bytes", rematerialized.copiedBytes},
                           {"seconds", rematerialized.copySeconds}};
  if (!StringRef(options.reportPath).ends_with(".html"))
    return writeJSON(options.reportPath, std::move(report));
  return writeFile(options.reportPath, [&](raw_ostream &os) {
    writeHTML(report, predicted ? &*predicted : nullptr, step, os);
  });
}
