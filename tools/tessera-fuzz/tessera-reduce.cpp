//===- tessera-reduce.cpp - Small programs that a script finds interesting ===//

#include "Reducer.h"

#include "tessera/Support/File.h"
#include "tessera/Support/FileStream.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace tessera;
namespace cl = llvm::cl;

static cl::OptionCategory options("Options of tessera-reduce");
static cl::opt<std::string> model(cl::Positional, cl::Required,
                                  cl::cat(options), cl::value_desc("file"),
                                  cl::desc("the program, with a @main"));
static cl::opt<std::string>
    test("test", cl::Required, cl::cat(options), cl::value_desc("program"),
         cl::desc("is called with a file, and exits with 0 if that is still "
                  "interesting"));

/// Whether `test` exits with 0 for `program`.
static bool isInteresting(const std::string &program) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("reduce", "mlir", path))
    return false;
  llvm::FileRemover remover(path);
  if (!writeFile(path.str().str(), program))
    return false;
  return llvm::sys::ExecuteAndWait(test, {test, path}) == 0;
}

int main(int argc, char **argv) {
  watchStandardStreams("tessera-reduce");
  cl::HideUnrelatedOptions(options);
  cl::ParseCommandLineOptions(argc, argv, "Makes a program small\n");
  std::string program;
  {
    MLIRContext context(fuzz::compilerDialects());
    auto module = parseSourceFile<ModuleOp>(model, &context);
    if (!module)
      return 1;
    if (!module->lookupSymbol<func::FuncOp>("main")) {
      module->emitError("expected a function @main");
      return 1;
    }
    program = fuzz::printModule(*module);
  }
  if (!isInteresting(program)) {
    llvm::errs() << "error: " << test << " does not exit with 0 for " << model
                 << "\n";
    return 1;
  }
  llvm::outs() << fuzz::reduce(program, /*seconds=*/20, isInteresting) << "\n";
  return 0;
}
