//===- Phase.cpp - the passes of the phase `codegen` for GPUs -------------===//

#include "tessera/Codegen/Host/Passes.h"
#include "tessera/Codegen/NVPTX/Passes.h"

namespace tessera {
#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/NVPTX/Passes.h.inc"
} // namespace tessera

using namespace mlir;

void tessera::buildGpuCodegenPhase(OpPassManager &manager,
                                   const GpuCodegenOptions &asked) {
  LowerToGpuOptions options;
  options.architectures.assign(asked.architectures.begin(),
                               asked.architectures.end());
  options.cpu = asked.cpu.str();
  options.tf32 = asked.tf32;
  options.tuning = asked.tuning.str();
  manager.addPass(createLowerToGpu(options));
  manager.addPass(createConvertToNvvm());
  // As for x86: the last chance to cut within blocks.
  manager.addPass(createSplitProgram());
  manager.addPass(createConvertRtToLLVM());
}

void tessera::registerGpuCodegenPhase() { registerNvptxCodegenPasses(); }

bool tessera::hasGpuCodegen() { return true; }
