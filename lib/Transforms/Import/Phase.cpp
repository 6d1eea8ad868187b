//===- Phase.cpp - the passes of the phase `import` -----------------------===//

#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tessera::importer {
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

using namespace mlir;

void tessera::importer::buildImportPhase(OpPassManager &passes,
                                         const ImportPhaseOptions &options) {
  // Before types that no tensor has are met.
  passes.addPass(createFlattenTuples());
  // All others know static shapes only.
  passes.addPass(createSpecializeShapes(
      {.shapes = llvm::SmallVector<std::string>(options.shapes)}));
  // Complex tensors become pairs while every operation is foreign, so that what
  // follows knows of real ones only.
  passes.addPass(createSplitComplex());
  // For the same reason; a part of a complex number is never short.
  passes.addPass(createLegalizeShortTypes());
  // What comes from JAX becomes Tessera; a hand-written file is that already.
  passes.addPass(createConvertStablehlo());
  // JAX calls a private function for every `jit` inside of the model; later
  // phases see one function.
  passes.addPass(createInlineCalls());
  // Before anything looks whether a value is read.
  passes.addPass(createThreadEffects());
  // Arguments of the functions are now known: constants pass through
  // broadcasts.
  passes.addPass(createFoldTrivialOps());
  // Indices that count are seen through broadcasts; what made them is no longer
  // used, and goes with what CSE finds.
  passes.addPass(createPairBatches());
  // After folding, when equal constants look equal.
  passes.addPass(createCSEPass());
  // When the program is in its final form: what operations do with a weight
  // says which of its dimensions a style of the plan is about.
  passes.addPass(createApplyPlan({.plan = options.plan, .mesh = options.mesh}));
  passes.addPass(createVerifyImport());
}

void tessera::importer::registerImportPhase() {
  registerImportPasses();
  PassPipelineRegistration<>(
      "tessera-import-phase", "one set of operations, in one function",
      [](OpPassManager &passes) { buildImportPhase(passes); });
}
