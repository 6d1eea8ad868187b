//===- ImportPhase.cpp - the passes of the phase `import`
//--------------------===//

#include "tessera/Transforms/Import/Passes.h"
#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tessera::registerImportDialects(DialectRegistry &registry) {
  registerForeignDialects(registry);
  func::registerInlinerExtension(registry);
}

void tessera::buildImportPhase(OpPassManager &passes) {
  // What comes from JAX becomes Tessera; a hand-written file is that already.
  passes.addPass(createConvertStablehlo());
  // JAX calls a private function for every `jit` inside of the model; later
  // phases see one function. The inliner's own simplification (a full
  // canonicalisation per function) is left out: the next passes do what is
  // needed.
  passes.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  passes.addPass(createSymbolDCEPass());
  // Arguments of the functions are now known: constants pass through
  // broadcasts.
  passes.addPass(createFoldTrivialOps());
  // After folding, when equal constants look equal.
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyImport());
}

void tessera::registerImportPhase() {
  registerImportPasses();
  PassPipelineRegistration<>("tessera-import", "the phase `import`",
                             buildImportPhase);
}
