//===- CutStages.cpp - fragments of stages --------------------------------===//

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Transforms/Stage/Passes.h"

namespace tessera {
#define GEN_PASS_DEF_CUTSTAGES
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {
struct CutStages : tessera::impl::CutStagesBase<CutStages> {
  using CutStagesBase::CutStagesBase;

  void runOnOperation() override {
    if (stages == 1)
      return;
    getOperation().emitError("not supported yet: more than one stage");
    signalPassFailure();
  }
};
} // namespace
