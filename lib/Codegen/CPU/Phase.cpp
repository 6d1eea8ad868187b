//===- Phase.cpp - the passes of the phase `codegen` for x86 --------------===//

#include "tessera/Codegen/CPU/Passes.h"
#include "tessera/Codegen/Host/Passes.h"

namespace tessera {
#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/CPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/Host/Passes.h.inc"
} // namespace tessera

using namespace mlir;

void tessera::buildCpuCodegenPhase(OpPassManager &manager,
                                   llvm::StringRef cpu) {
  LowerToRtOptions options;
  options.cpu = cpu.str();
  manager.addPass(createLowerToRt(options));
  // Early returns after every call make one block of each call, so this is the
  // last chance to cut in a block.
  manager.addPass(createSplitProgram());
  manager.addPass(createConvertRtToLLVM());
}

void tessera::registerCpuCodegenPhase() {
  registerHostCodegenPasses();
  registerCpuCodegenPasses();
}
