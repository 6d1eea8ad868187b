//===- VerifySharded.cpp - what the phase `shard` promises ----------------===//

#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Sharding/Rules/FactorShardings.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_VERIFYSHARDED
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-verify-sharded"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// Checks one function.
class ShardedVerifier {
public:
  ShardedVerifier(func::FuncOp function, const Mesh &mesh)
      : function(function), mesh(mesh), shardings(getAllShardings(function)) {}

  LogicalResult verify();

private:
  LogicalResult verifyOperation(Operation *op);
  bool isNew(Operation *op, const ShardingRule &rule);
  LogicalResult verifyUnreduced(Operation *op, const ShardingRule &rule,
                                ArrayRef<TensorSharding> tensors,
                                ArrayRef<AxisList> factorAxes);
  LogicalResult verifyDataFlow(Operation *op);
  LogicalResult verifyBlocks(Operation *op, Value source, Value target);
  LogicalResult verifyReturn(func::ReturnOp op);
  /// The sharding of `value`; that of a scalar where it has none.
  TensorSharding shardingOf(Value value) const {
    ShardingAttr sharding = shardings.lookup(value);
    return sharding ? sharding.getValue() : TensorSharding::getReplicated(0);
  }

  func::FuncOp function;
  const Mesh &mesh;
  DenseMap<Value, ShardingAttr> shardings;
  RuleCache rules;
  /// The rules and shardings of operations that have been checked: layers of
  /// one kind are checked once.
  DenseSet<ArrayRef<const void *>> seen;
  llvm::BumpPtrAllocator keys;
};

} // namespace

static StringRef stringify(FactorConflict::Kind kind) {
  switch (kind) {
  case FactorConflict::WithinFactor:
    return "give one factor different axes";
  case FactorConflict::AcrossFactors:
    return "split two factors over one axis";
  case FactorConflict::NotReplicated:
    return "split a factor that must be whole";
  case FactorConflict::Overflow:
    return "split a dimension over axes that fit none of its factors";
  }
  llvm_unreachable("unknown conflict");
}

/// Whether no operation of the same rule with the same shardings has been seen.
bool ShardedVerifier::isNew(Operation *op, const ShardingRule &rule) {
  SmallVector<const void *, 8> key = {&rule};
  for (Value operand : op->getOperands())
    key.push_back(shardings.lookup(operand).getAsOpaquePointer());
  for (Value result : op->getResults())
    key.push_back(shardings.lookup(result).getAsOpaquePointer());
  if (seen.contains(key))
    return false;
  seen.insert(ArrayRef<const void *>(key).copy(keys));
  return true;
}

LogicalResult ShardedVerifier::verifyOperation(Operation *op) {
  const ShardingRule *rule = rules.lookup(op);
  if (!rule || isa<ReshardOp>(op) || !isNew(op, *rule))
    return success();
  SmallVector<TensorSharding> tensors;
  for (Value operand : op->getOperands())
    tensors.push_back(shardingOf(operand));
  for (Value result : op->getResults())
    tensors.push_back(shardingOf(result));
  SmallVector<ArrayRef<int64_t>> shapes = getShapes(op->getOperandTypes());
  llvm::append_range(shapes, getShapes(op->getResultTypes()));
  FactorShardings view(*rule, shapes, mesh, tensors);
  auto conflicts = findConflicts(*rule, view, mesh);
  if (!conflicts.empty())
    return op->emitOpError()
           << "expected operands and results to agree on the axes of every "
              "factor, got tensors "
           << conflicts[0].tensorA << " and " << conflicts[0].tensorB
           << " (operands first) that " << stringify(conflicts[0].kind);
  return verifyUnreduced(op, *rule, tensors, commonFactorAxes(*rule, view));
}

/// A result is unreduced over the axes of reduction factors, and over those of
/// operands whose pending reductions the operation carries over.
LogicalResult ShardedVerifier::verifyUnreduced(Operation *op,
                                               const ShardingRule &rule,
                                               ArrayRef<TensorSharding> tensors,
                                               ArrayRef<AxisList> factorAxes) {
  size_t numOperands = rule.operands.size();
  AxisList pending;
  ReductionKind kind = ReductionKind::Sum;
  for (const TensorSharding &operand : tensors.take_front(numOperands))
    if (!operand.unreduced.empty()) {
      pending = operand.unreduced;
      kind = operand.unreducedKind;
    }
  bool isCarried = !pending.empty();
  auto isUnreduced = [&](unsigned i) { return !tensors[i].unreduced.empty(); };
  if (isCarried && !rule.carries(kind, isUnreduced))
    return op->emitOpError()
           << "expected operands without pending reduction, got a pending "
           << stringify(kind) << " that it does not carry over";
  for (const TensorSharding &operand : tensors.take_front(numOperands))
    if (!operand.unreduced.empty() &&
        (operand.unreduced != pending || operand.unreducedKind != kind))
      return op->emitOpError()
             << "expected operands that are unreduced over the same axes";
  for (auto [factor, axes] : llvm::zip_equal(rule.factors, factorAxes)) {
    if (factor.kind != FactorKind::Reduction || axes.empty())
      continue;
    assert((pending.empty() || factor.reduction == kind) &&
           "an operation carries over what it reduces");
    kind = factor.reduction;
    llvm::append_range(pending, axes);
  }
  pending = canonicalSet(pending, mesh);
  for (auto [number, result] :
       llvm::enumerate(tensors.drop_front(numOperands))) {
    bool isAsPending = result.unreduced == pending &&
                       (pending.empty() || result.unreducedKind == kind);
    // The neutral element is unreduced in any way.
    if (!isAsPending && !isNeutral(op->getResult(number), result.unreducedKind))
      return op->emitOpError() << "expected results that are unreduced over "
                                  "the axes of reduction "
                                  "factors and of unreduced operands";
  }
  return success();
}

LogicalResult ShardedVerifier::verifyDataFlow(Operation *op) {
  LogicalResult status = success();
  forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
    if (failed(status) || !isa<RankedTensorType>(target.getType()))
      return;
    std::optional<TensorSharding> arrives =
        shardingBehindEdge(target, shardingOf(source.get()));
    if (!arrives || *arrives != shardingOf(target))
      status = source.getOwner()->emitOpError()
               << "expected operand " << source.getOperandNumber()
               << " in the sharding of what takes it";
    else
      status = verifyBlocks(op, source.get(), target);
  });
  return status;
}

/// Where a dimension is split by hand, blocks along the free axes are blocks of
/// each part inside, but of the whole outside: the same only if they are equal.
LogicalResult ShardedVerifier::verifyBlocks(Operation *op, Value source,
                                            Value target) {
  Value inside = isa<BlockArgument>(target) ? target : source;
  Value outside = inside == target ? source : target;
  auto part = cast<RankedTensorType>(inside.getType());
  auto whole = cast<RankedTensorType>(outside.getType());
  for (auto [dim, size] : llvm::enumerate(part.getShape())) {
    int64_t shards = shardingOf(inside).numShards(dim, mesh);
    if (size != whole.getDimSize(dim) && size % shards != 0)
      return op->emitOpError()
             << "not supported yet: expected dimension " << dim
             << ", which is split by hand, to divide into " << shards
             << " equal parts inside, got size " << size;
  }
  return success();
}

LogicalResult ShardedVerifier::verifyReturn(func::ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands())
    if (shardings.lookup(operand.get()) !=
        function.getResultAttrOfType<ShardingAttr>(
            operand.getOperandNumber(), TesseraDialect::kShardingAttr))
      return op.emitOpError()
             << "expected operand " << operand.getOperandNumber()
             << " in the sharding of the function's result";
  return success();
}

LogicalResult ShardedVerifier::verify() {
  if (failed(verifyAllSharded(function, shardings)))
    return failure();
  WalkResult walk = walkProgram(function, [&](Operation *op) {
    if (isa<ConstrainOp, ShardingGroupOp, PropagationBarrierOp>(op)) {
      op->emitOpError() << "is left over after the phase 'shard'";
      return WalkResult::interrupt();
    }
    if (failed(verifyOperation(op)))
      return WalkResult::interrupt();
    if (hasDataFlow(op))
      return WalkResult(verifyDataFlow(op));
    if (auto returnOp = dyn_cast<func::ReturnOp>(op))
      return WalkResult(verifyReturn(returnOp));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct VerifySharded : tessera::shard::impl::VerifyShardedBase<VerifySharded> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(
              ShardedVerifier(function, (*mesh).getMesh().getMesh()).verify()))
        return signalPassFailure();
    LDBG() << "all values have shardings on @" << mesh->getSymName();
    markAllAnalysesPreserved();
  }
};
} // namespace
