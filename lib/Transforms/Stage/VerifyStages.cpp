//===- VerifyStages.cpp - what the phase `stage` promises -----------------===//

#include "tessera/Dialect/Pipe/BoundaryRows.h"
#include "tessera/Dialect/Pipe/Step.h"
#include "tessera/Transforms/Stage/Passes.h"

#include "mlir/Transforms/RegionUtils.h"

#include "llvm/Support/DebugLog.h"

#include <map>

namespace tessera::stage {
#define GEN_PASS_DEF_VERIFYSTAGES
#include "tessera/Transforms/Stage/Passes.h.inc"
} // namespace tessera::stage

#define DEBUG_TYPE "tessera-verify-stages"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentOp;
using pipe::TransferOp;

namespace {

/// Checks one function that has been cut.
class StagesVerifier {
public:
  explicit StagesVerifier(func::FuncOp function) : function(function) {}

  LogicalResult verify();

private:
  LogicalResult findLoop();
  LogicalResult verifyAround();
  LogicalResult verifyBody();
  LogicalResult verifyKinds();
  LogicalResult verifyCarried();
  LogicalResult verifyReads(Operation *op, ValueRange reads, int64_t stage);
  LogicalResult verifyFragment(FragmentOp fragment);
  LogicalResult verifyTransfer(TransferOp transfer);
  std::optional<int64_t> stageOf(Value value);

  func::FuncOp function;
  scf::ForOp loop;
};

} // namespace

/// The stage that has `value`; nothing if all do: function arguments, the
/// microbatch's number, what the loop carries round and nothing computes.
std::optional<int64_t> StagesVerifier::stageOf(Value value) {
  for (llvm::SmallDenseSet<Value> seen; seen.insert(value).second;) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody() || argument.getArgNumber() == 0)
        return std::nullopt;
      value = loop.getTiedLoopYieldedValue(argument)->get();
      continue;
    }
    auto result = cast<OpResult>(value);
    if (auto fragment = dyn_cast<FragmentOp>(result.getOwner()))
      return fragment.getStage();
    if (auto transfer = dyn_cast<TransferOp>(result.getOwner()))
      return transfer.getTarget();
    if (result.getOwner() != loop)
      return std::nullopt;
    value = loop.getYieldedValues()[result.getResultNumber()];
  }
  return std::nullopt;
}

LogicalResult StagesVerifier::findLoop() {
  SmallVector<scf::ForOp> loops = pipe::Step::markedLoopsOf(function);
  if (loops.empty())
    return function.emitError("expected a loop over microbatches");
  if (loops.size() > 1)
    return loops[1].emitOpError("expected one loop over microbatches");
  loop = loops.front();
  return success();
}

LogicalResult StagesVerifier::verifyReads(Operation *op, ValueRange reads,
                                          int64_t stage) {
  for (Value read : reads)
    if (std::optional<int64_t> source = stageOf(read);
        source && *source != stage) {
      InFlightDiagnostic diagnostic =
          op->emitOpError("expected values of stage ")
          << stage << ", got one of stage " << *source;
      diagnostic.attachNote(read.getLoc()) << "made here";
      return diagnostic;
    }
  return success();
}

LogicalResult StagesVerifier::verifyFragment(FragmentOp fragment) {
  llvm::SetVector<Value> reads;
  getUsedValuesDefinedAbove(fragment.getBody(), reads);
  return verifyReads(fragment, reads.getArrayRef(), fragment.getStage());
}

LogicalResult StagesVerifier::verifyTransfer(TransferOp transfer) {
  if (transfer.getSource() == transfer.getTarget())
    return transfer.emitOpError("expected two stages, got stage ")
           << transfer.getTarget() << " twice";
  if (!stageOf(transfer.getOperand()))
    return transfer.emitOpError(
        "expected a value of one stage, got one that all stages have");
  return verifyReads(transfer, transfer.getOperand(), transfer.getSource());
}

/// What may stand around the loop.
LogicalResult StagesVerifier::verifyAround() {
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (auto fragment = dyn_cast<FragmentOp>(op)) {
      if (fragment.getKind() != pipe::FragmentKind::Once)
        return fragment.emitOpError("expected kind 'once' outside of the loop "
                                    "over microbatches, got '")
               << pipe::stringifyFragmentKind(fragment.getKind()) << "'";
      if (failed(verifyFragment(fragment)))
        return failure();
    } else if (auto transfer = dyn_cast<TransferOp>(op)) {
      if (failed(verifyTransfer(transfer)))
        return failure();
    } else if (&op != loop && !asArgumentRows(&op) && !asResultOfRows(&op) &&
               !llvm::all_of(op.getUsers(),
                             [&](Operation *user) { return user == loop; })) {
      return op.emitOpError("expected in a fragment");
    }
  }
  return success();
}

/// What may stand in the loop.
LogicalResult StagesVerifier::verifyBody() {
  DenseSet<Value> numbers = {loop.getInductionVar()};
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto fragment = dyn_cast<FragmentOp>(op)) {
      if (fragment.getKind() == pipe::FragmentKind::Once)
        return fragment.emitOpError(
            "expected a task of a microbatch in the loop, got kind 'once'");
      if (failed(verifyFragment(fragment)))
        return failure();
    } else if (auto transfer = dyn_cast<TransferOp>(op)) {
      if (failed(verifyTransfer(transfer)))
        return failure();
    } else if (op.getNumRegions() == 0 && op.getNumOperands() > 0 &&
               llvm::all_of(op.getOperands(), [&](Value operand) {
                 return numbers.contains(operand);
               })) {
      numbers.insert_range(op.getResults());
    } else {
      return op.emitOpError("expected in a fragment");
    }
  }
  return verifyKinds();
}

/// Per stage there is one task of a kind, or its parts in order; stages are
/// numbered without gaps.
LogicalResult StagesVerifier::verifyKinds() {
  std::map<std::pair<pipe::FragmentKind, int64_t>, uint64_t> seen;
  int64_t stages = 0;
  for (auto fragment : loop.getBody()->getOps<FragmentOp>()) {
    int64_t stage = fragment.getStage();
    uint64_t &parts = seen[{fragment.getKind(), stage}];
    if (fragment.getPart() < parts)
      return fragment.emitOpError("expected one fragment '")
             << pipe::stringifyFragmentKind(fragment.getKind()) << "' of stage "
             << stage << ", got another one";
    if (fragment.getPart() != parts++)
      return fragment.emitOpError("expected part ")
             << parts - 1 << " of stage " << stage << " next, got part "
             << fragment.getPart();
    stages = std::max(stages, stage + 1);
  }
  for (int64_t stage = 0; stage < stages; ++stage)
    if (!seen.count({pipe::FragmentKind::Forward, stage}))
      return loop.emitOpError("expected a fragment 'forward' of every stage, "
                              "got none of stage ")
             << stage;
  return success();
}

/// What is carried starts on the stage that yields it.
LogicalResult StagesVerifier::verifyCarried() {
  for (auto [init, yielded] :
       llvm::zip_equal(loop.getInits(), loop.getYieldedValues())) {
    std::optional<int64_t> stage = stageOf(yielded);
    if (!stage)
      return loop.emitOpError("expected carried values that fragments yield");
    if (failed(verifyReads(loop, init, *stage)))
      return failure();
  }
  return success();
}

LogicalResult StagesVerifier::verify() {
  return failure(failed(findLoop()) || failed(verifyAround()) ||
                 failed(verifyBody()) || failed(verifyCarried()));
}

namespace {
struct VerifyStages : tessera::stage::impl::VerifyStagesBase<VerifyStages> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      bool isCut =
          function.walk([](FragmentOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (isCut && failed(StagesVerifier(function).verify()))
        return signalPassFailure();
      LDBG() << "@" << function.getSymName()
             << (isCut ? ": stages in order" : ": no stages");
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
