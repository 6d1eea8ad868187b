//===- SpecializeShapes.cpp - static shapes for open ones -----------------===//
//
// Runs while every operation is StableHLO's still; Shapes/ShapeSpecializer.h
// says how.
//
//===----------------------------------------------------------------------===//

#include "ForeignModule.h"
#include "Shapes/ShapeSpecializer.h"

#include "tessera/Transforms/Import/Passes.h"
#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_SPECIALIZESHAPES
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-specialize-shapes"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

struct SpecializeShapes
    : public tessera::importer::impl::SpecializeShapesBase<SpecializeShapes> {
  using SpecializeShapesBase::SpecializeShapesBase;

  /// A module may have operations of one foreign dialect only.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerForeignDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!isForeign(module)) {
      LDBG() << "the model is Tessera already";
      if (shapes.empty())
        return;
      emitError(module.getLoc())
          << "--shape: expected a model of StableHLO, got one whose sizes are "
             "known";
      return signalPassFailure();
    }
    if (failed(specializeShapes(module, llvm::to_vector(shapes))))
      return signalPassFailure();
    LDBG() << "made all shapes static, by " << shapes.size() << " given ones";
  }
};

} // namespace
