//===- VerifyPartitioned.cpp - what the phase `partition` promises --------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {
#define GEN_PASS_DEF_VERIFYPARTITIONED
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

/// Checks that `type` is one device's part of what `attributes` say.
static LogicalResult verifyBoundary(func::FuncOp function, Type type,
                                    DictionaryAttr attributes, const Mesh &mesh,
                                    const Twine &what) {
  if (!isa<RankedTensorType>(type))
    return success();
  auto global =
      attributes ? attributes.getAs<TypeAttr>(TesseraDialect::kGlobalTypeAttr)
                 : TypeAttr();
  auto sharding =
      attributes ? attributes.getAs<ShardingAttr>(TesseraDialect::kShardingAttr)
                 : ShardingAttr();
  if (!global || !sharding)
    return function.emitError()
           << "expected a global type and a sharding for " << what;
  auto whole = cast<RankedTensorType>(global.getValue());
  Type expected =
      whole.clone(sharding.getValue().localShape(whole.getShape(), mesh));
  if (type != expected)
    return function.emitError() << "expected type " << expected << " for "
                                << what << ", got " << type;
  return success();
}

static LogicalResult verifyOperation(Operation *op) {
  if (isa<ConstrainOp, ReshardOp, ShardingGroupOp, PropagationBarrierOp,
          ManualComputationOp>(op))
    return op->emitOpError() << "is left over after the phase 'partition'";
  if (op->hasAttr(TesseraDialect::kShardingAttr))
    return op->emitOpError()
           << "expected no sharding after the phase 'partition'";
  return success();
}

static LogicalResult verifyFunction(func::FuncOp function, const Mesh &mesh) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(verifyBoundary(function, type, function.getArgAttrDict(i), mesh,
                              "argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(verifyBoundary(function, type, function.getResultAttrDict(i),
                              mesh, "result " + Twine(i))))
      return failure();
  WalkResult walk = function.getBody().walk(
      [](Operation *op) { return WalkResult(verifyOperation(op)); });
  return failure(walk.wasInterrupted());
}

namespace {
struct VerifyPartitioned
    : tessera::impl::VerifyPartitionedBase<VerifyPartitioned> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(verifyFunction(function, (*mesh).getMesh().getMesh())))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
