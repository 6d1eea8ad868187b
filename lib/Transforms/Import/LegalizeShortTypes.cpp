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
    // A file of Tessera's own operations has none of these types.
    if (isForeign(getOperation()) && failed(legalizeShortTypes(getOperation())))
      signalPassFailure();
  }
};

} // namespace
