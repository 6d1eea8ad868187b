//===- tessera-lsp-server.cpp - editor support ----------------------------===//

#include "tessera/Driver/Registration.h"
#include "tessera/Support/FileStream.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  tessera::watchStandardStreams("tessera-lsp-server");
  mlir::DialectRegistry registry;
  tessera::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
