//===- tessera-opt.cpp - every pass by itself -----------------------------===//

#include "tessera/Driver/PassFlags.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Support/FileStream.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace tessera;

static int reject(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tessera-opt") << message << "\n";
  return 1;
}

/// MLIR's driver, with output files that appear whole or not at all.
int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  watchStandardStreams("tessera-opt");
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  static llvm::cl::OptionCategory debugging("Debugging");
  registerDebugFlags(debugging);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Tessera's passes, one by one\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig passes = config;
  config.setPassPipelineSetupFn([passes](PassManager &manager) {
    if (llvm::DebugFlag) {
      // Messages of one pass must not come between those of another.
      manager.getContext()->disableMultithreading();
      manager.addInstrumentation(makePassLog());
    }
    return passes.setupPassPipeline(manager);
  });
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, "-", registry));
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &problem);
  if (!source)
    return reject(problem);
  Fallible<OutputFile> file = OutputFile::create(output);
  if (!file)
    return reject(file.message());
  bool ok;
  {
    FileStream stream(*file);
    ok = succeeded(MlirOptMain(stream, std::move(source), registry, config));
  }
  if (!ok)
    return 1;
  Fallible<void> done = file->commit();
  return done ? 0 : reject(done.message());
}
