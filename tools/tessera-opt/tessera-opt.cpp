//===- tessera-opt.cpp - every pass by itself -----------------------------===//

#include "tessera/Driver/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::registerDialects(registry);
  tessera::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Tessera's passes, one by one\n", registry));
}
