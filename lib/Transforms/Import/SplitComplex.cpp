//===- SplitComplex.cpp - complex numbers become pairs of real ones
//--------===//
//
// `Complex/ComplexSplitter.h` explains how.
//
//===----------------------------------------------------------------------===//

#include "Complex/ComplexSplitter.h"

#include "tessera/Transforms/Import/Passes.h"
#include "tessera/Transforms/Import/ReadModel.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_SPLITCOMPLEX
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-split-complex"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Whether any value of `module` is complex.
static bool hasComplex(ModuleOp module) {
  auto found = module->walk([](Operation *op) {
    bool here = llvm::any_of(op->getResultTypes(), isComplex);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        here |= llvm::any_of(block.getArgumentTypes(), isComplex);
    return here ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

namespace {

struct SplitComplex
    : public tessera::importer::impl::SplitComplexBase<SplitComplex> {
  /// A module may have operations of one foreign dialect only.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerForeignDialects(registry);
  }

  void runOnOperation() override {
    if (!hasComplex(getOperation())) {
      LDBG() << "no value is complex";
      return;
    }
    ComplexSplitter(getOperation()).run();
  }
};

} // namespace
