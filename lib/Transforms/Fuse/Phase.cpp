//===- Phase.cpp - the order of the passes of the phase fuse --------------===//

#include "tessera/Transforms/Fuse/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tessera::fuse {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

using namespace mlir;

void tessera::fuse::buildFusePhase(OpPassManager &manager,
                                   const FusePhaseOptions &options) {
  // Before anything is moved, and where equal operations are one: what a mask
  // or a gradient reads is recognised by being the same value.
  if (options.attentionKernels) {
    manager.addNestedPass<func::FuncOp>(createCSEPass());
    manager.addNestedPass<func::FuncOp>(createFormAttention());
    // Once all tasks have their attention.
    manager.addPass(createShareAttention());
  }
  OpPassManager &function = manager.nest<func::FuncOp>();
  // What no kernel holds is operations like any others from here on.
  function.addPass(
      createDecomposeAttention({.keepSupported = options.attentionKernels}));
  // Before the following, as it makes transposes and reshapes that the
  // following passes see through.
  function.addPass(createFlattenCollectives());
  // Transposes of dimensions of size 1 are reshapes, so that fewer are left to
  // fold; folding makes equal transposes of different users one matmul
  // operand, and simplification has to drop what is left over.
  function.addPass(createSimplifyShapes());
  function.addPass(createFoldTransposes());
  function.addPass(createAlignReductions());
  // Kernels are formed on what is needed once: equal operations must be one
  // before they are spread over kernels.
  function.addPass(createCSEPass());
  function.addPass(createFormKernels());
  // Only now it is known which values lie in memory between kernels.
  function.addPass(createRecomputeValues());
  function.addPass(createVerifyKernels());
}

void tessera::fuse::registerFusePhase() {
  registerFusePasses();
  PassPipelineRegistration<>(
      "tessera-fuse-phase", "which operations form one kernel",
      [](OpPassManager &manager) { buildFusePhase(manager); });
}
