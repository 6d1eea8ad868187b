//===- GpuPasses.cpp - the passes of the phase codegen for GPUs -----------===//
//
// Where there is no code generation for GPUs, Absent.cpp stands for this file.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/NVPTX/Passes.h"

namespace tessera::nvptx {
#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/NVPTX/Passes.h.inc"
} // namespace tessera::nvptx

void tessera::nvptx::addGpuCodegenPasses(mlir::OpPassManager &manager,
                                         const LowerToGpuOptions &options) {
  manager.addPass(createLowerToGpu(options));
  // Before the host program becomes calls: grids' functions stand in modules of
  // their own, which nothing behind this looks into.
  manager.addPass(createConvertToNvvm());
}

void tessera::nvptx::registerGpuCodegenPasses() {
  registerNvptxCodegenPasses();
}

bool tessera::nvptx::hasGpuCodegen() { return true; }
