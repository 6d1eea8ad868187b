//===- PrintModel.cpp - the model as text ---------------------------------===//

#include "PrintModel.h"

#include "Diagnostics.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Support/FileStream.h"

using namespace mlir;
using namespace tessera;

ExitStatus tessera::printModel(const CompileOptions &options) {
  DialectRegistry registry;
  registerDialects(registry);
  // Dialects are loaded when they occur: small models are printed at once.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  DiagnosticPrinter diagnostics(context, options.inputPath,
                                options.messages ? *options.messages
                                                 : llvm::errs());
  OwningOpRef<ModuleOp> module =
      options.inputText ? importer::readModelText(*options.inputText,
                                                  options.inputPath, context)
                        : importer::readModel(options.inputPath, context);
  if (!module)
    return kWrongRequest;
  auto print = [&](raw_ostream &os) {
    module->print(os, OpPrintingFlags().enableDebugInfo().printGenericOpForm());
    os << '\n';
  };
  if (options.output) {
    llvm::raw_string_ostream os(*options.output);
    print(os);
    return kDone;
  }
  Fallible<void> written = printToFile(options.outputPath, print);
  if (!written)
    emitError(UnknownLoc::get(&context)) << written.message();
  return written ? kDone : kWrongRequest;
}
