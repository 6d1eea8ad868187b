//===- LegalizeShortTypes.cpp - short types as bytes ----------------------===//
//
// Runs while every operation is StableHLO's still, as the splitting of complex
// numbers does; ShortTypes/ShortTypeLegalizer.h says how.
//
//===----------------------------------------------------------------------===//

#include "ForeignModule.h"
#include "ShortTypes/ShortTypeLegalizer.h"

#include "tessera/Transforms/Import/Passes.h"
#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_LEGALIZESHORTTYPES
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-legalize-short-types"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

struct LegalizeShortTypes
    : public tessera::importer::impl::LegalizeShortTypesBase<
          LegalizeShortTypes> {
  /// A module may have operations of one foreign dialect only.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerForeignDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!isForeign(module)) {
      LDBG() << "the model is Tessera already";
      return;
    }
    if (failed(legalizeShortTypes(module)))
      return signalPassFailure();
    LDBG() << "stored what is of short types in bytes, in "
           << llvm::range_size(module.getOps<func::FuncOp>()) << " functions";
  }
};

} // namespace
