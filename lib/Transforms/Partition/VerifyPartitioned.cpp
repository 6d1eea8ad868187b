//===- VerifyPartitioned.cpp - what the phase `partition` promises --------===//

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Spmd/CheckMessages.h"
#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::partition {
#define GEN_PASS_DEF_VERIFYPARTITIONED
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera::partition

#define DEBUG_TYPE "tessera-verify-partitioned"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

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

/// Checks the types of arguments and results.
static LogicalResult verifyBoundaries(func::FuncOp function, const Mesh &mesh) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(verifyBoundary(function, type, function.getArgAttrDict(i), mesh,
                              "argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(verifyBoundary(function, type, function.getResultAttrDict(i),
                              mesh, "result " + Twine(i))))
      return failure();
  return success();
}

static LogicalResult verifyBody(func::FuncOp function) {
  WalkResult walk = function.getBody().walk(
      [](Operation *op) { return WalkResult(verifyOperation(op)); });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Pipeline ranks
//===----------------------------------------------------------------------===//

/// Checks that `call` gives away only what nobody needs any more.
static LogicalResult verifyDonations(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  auto caller = call->getParentOfType<func::FuncOp>();
  for (auto [i, operand] : llvm::enumerate(call.getOperands())) {
    if (!getDonatedResult(callee, i))
      continue;
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && !getDonatedResult(caller, argument.getArgNumber()))
      return call.emitOpError()
             << "expected to give away operand " << i << ", got argument "
             << argument.getArgNumber() << ", which was not given away to @"
             << caller.getSymName();
    for (OpOperand &use : operand.getUses()) {
      Operation *user = use.getOwner();
      if (user == call ? use.getOperandNumber() == i
                       : user->isBeforeInBlock(call))
        continue;
      InFlightDiagnostic diagnostic = call.emitOpError()
                                      << "gives away operand " << i
                                      << ", which is needed afterwards";
      diagnostic.attachNote(user->getLoc()) << "it is needed here";
      return diagnostic;
    }
  }
  return success();
}

/// Checks one operation of a rank's program.
static LogicalResult verifyRankOperation(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return verifyDonations(call);
  if (isa<spmd::SendOp, spmd::RecvOp, func::ReturnOp>(op) || isPure(op))
    return success();
  return op->emitOpError() << "expected only calls, messages and operations "
                              "without effects in the program of a pipeline "
                              "rank";
}

/// Checks the programs and, in what they call, that nothing is left of stages.
static LogicalResult verifyRankPrograms(ModuleOp module,
                                        ArrayRef<RankProgram> programs) {
  for (const RankProgram &program : programs)
    for (Operation &op : func::FuncOp(program.function).getOps())
      if (failed(verifyRankOperation(&op)))
        return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isProgram = function->hasAttr(pipe::PipeDialect::kRankAttr);
    WalkResult walk = function.walk([&](Operation *op) -> WalkResult {
      if (isa<pipe::FragmentOp, pipe::TransferOp>(op))
        return op->emitOpError() << "is left over after the phase 'partition'";
      if (!isProgram && isa<spmd::SendOp, spmd::RecvOp, func::CallOp>(op))
        return op->emitOpError()
               << "expected in the program of a pipeline rank only";
      return success();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return spmd::checkMessages(programs);
}

namespace {
struct VerifyPartitioned
    : tessera::partition::impl::VerifyPartitionedBase<VerifyPartitioned> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    FailureOr<SmallVector<RankProgram>> programs =
        getRankPrograms(getOperation());
    if (failed(programs) || failed(verifyHaveBodies(*programs)))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // A task's function has no boundary to the outside.
      bool isTask = !programs->empty() && function.isPrivate() &&
                    function.getSymName() != "main";
      if ((!isTask &&
           failed(verifyBoundaries(function, (*mesh).getMesh().getMesh()))) ||
          failed(verifyBody(function)))
        return signalPassFailure();
    }
    if (!programs->empty() &&
        failed(verifyRankPrograms(getOperation(), *programs)))
      return signalPassFailure();
    LDBG() << "only local types are left, in the programs of "
           << std::max<size_t>(programs->size(), 1) << " ranks";
    markAllAnalysesPreserved();
  }
};
} // namespace
