//===- InsertReshards.cpp - where producer and consumer disagree ----------===//
//
// Three steps. First every operation chooses its own sharding, looking at the
// shardings that propagation gave to its operands and results; this says for
// every value how it is produced and for every use how it is needed.
// Operations are visited backwards, because a constant expression is made the
// way its only use needs it. Then `constrain` and `reshard` have done their
// work, which was to guide these choices, and go. Last, every value is
// resharded once for each sharding that some use needs and none provides.
//
//===----------------------------------------------------------------------===//

#include "ConstantExpressions.h"
#include "OperationSharding.h"
#include "RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/MapVector.h"

namespace tessera {
#define GEN_PASS_DEF_INSERTRESHARDS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {

/// Decides and inserts the reshards of one function.
class FunctionResharding {
public:
  FunctionResharding(func::FuncOp function, MeshOp mesh, ReshardCosts &costs)
      : function(function), meshName(FlatSymbolRefAttr::get(mesh)),
        costs(costs), mesh(costs.getMesh()), constants(function),
        guides(getAllShardings(function)) {}

  LogicalResult run() {
    if (failed(verifyAllSharded(function, guides)))
      return failure();
    decideControlFlow();
    decideOperations();
    removeAnnotations();
    insertReshards();
    return success();
  }

private:
  void decideControlFlow();
  void decideOperations();
  void decideOperation(Operation *op);
  ShardingAttr agreedSharding(Operation *op, const ShardingRule &rule) const;
  void removeAnnotations();
  void insertReshards();
  void reshardFor(Value value, ArrayRef<OpOperand *> uses);

  ShardingAttr attribute(const TensorSharding &sharding) {
    return ShardingAttr::get(function.getContext(), meshName, sharding);
  }
  ShardingAttr replicated(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return attribute(TensorSharding::getReplicated(type.getRank()));
  }
  bool isAnnotation(Operation *op) const {
    return isa<ConstrainOp, ReshardOp>(op);
  }
  double seconds(Value value, ShardingAttr from, ShardingAttr to) {
    return costs.seconds(cast<RankedTensorType>(value.getType()),
                         from.getValue(), to.getValue());
  }

  func::FuncOp function;
  FlatSymbolRefAttr meshName;
  ReshardCosts &costs;
  const Mesh &mesh;
  ConstantExpressions constants;
  RuleCache rules;
  /// What propagation decided, per value: how it should preferably be.
  DenseMap<Value, ShardingAttr> guides;
  /// How each value is produced, where it is not as its guide says.
  DenseMap<Value, ShardingAttr> produced;
  /// How each use needs its value; replicated where nothing is said.
  DenseMap<OpOperand *, ShardingAttr> needed;
};

} // namespace

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

/// Control flow and the function's return hand values over in the shardings
/// that propagation gave to what takes them.
void FunctionResharding::decideControlFlow() {
  function.getBody().walk([&](Operation *op) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      forEachDataFlowEdge(branch, [&](OpOperand &source, Value target) {
        if (ShardingAttr sharding = guides.lookup(target))
          needed.try_emplace(&source, sharding);
      });
    if (!isa<func::ReturnOp>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (auto sharding = function.getResultAttrOfType<ShardingAttr>(
              operand.getOperandNumber(), TesseraDialect::kShardingAttr))
        needed.try_emplace(&operand, sharding);
  });
}

void FunctionResharding::decideOperations() {
  SmallVector<Operation *> operations;
  walkProgram(function, [&](Operation *op) { operations.push_back(op); });
  for (Operation *op : llvm::reverse(operations))
    if (!isAnnotation(op))
      decideOperation(op);
}

/// The sharding of all operands and results of an element-wise operation, if
/// they have the same. Spares most operations the choice.
ShardingAttr
FunctionResharding::agreedSharding(Operation *op,
                                   const ShardingRule &rule) const {
  if (!isElementwise(rule) || op->getNumResults() == 0)
    return {};
  ShardingAttr sharding = guides.lookup(op->getResult(0));
  auto differs = [&](Value value) { return guides.lookup(value) != sharding; };
  if (llvm::any_of(op->getOperands(), differs) ||
      llvm::any_of(op->getResults(), differs))
    return {};
  return sharding;
}

void FunctionResharding::decideOperation(Operation *op) {
  // A constant is best made as its use needs it.
  if (constants.contains(op))
    for (Value result : op->getResults())
      if (result.hasOneUse())
        if (ShardingAttr need = needed.lookup(&*result.use_begin()))
          guides[result] = need;

  const ShardingRule *rule = rules.lookup(op);
  if (!rule) {
    if (!isa<RegionBranchOpInterface>(op))
      for (Value result : op->getResults())
        if (isa<RankedTensorType>(result.getType()))
          produced[result] = replicated(result);
    return;
  }
  if (ShardingAttr sharding = agreedSharding(op, *rule)) {
    for (OpOperand &operand : op->getOpOperands())
      needed[&operand] = sharding;
    for (Value result : op->getResults())
      produced[result] = sharding;
    return;
  }
  SmallVector<TensorSharding> wanted;
  auto addWanted = [&](Value value) {
    ShardingAttr guide = guides.lookup(value);
    wanted.push_back(guide ? guide.getValue()
                           : TensorSharding::getReplicated(0));
  };
  llvm::for_each(op->getOperands(), addWanted);
  llvm::for_each(op->getResults(), addWanted);
  OperationShardingProblem problem{op, *rule, wanted,
                                   BitVector(op->getNumOperands())};
  for (OpOperand &operand : op->getOpOperands())
    if (constants.contains(operand.get()) && operand.get().hasOneUse())
      problem.freeOperands.set(operand.getOperandNumber());

  OperationSharding sharding = chooseOperationSharding(problem, costs);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      needed[&operand] =
          attribute(sharding.operands[operand.getOperandNumber()]);
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      produced[result] = attribute(sharding.results[result.getResultNumber()]);
}

//===----------------------------------------------------------------------===//
// Inserting
//===----------------------------------------------------------------------===//

void FunctionResharding::removeAnnotations() {
  function.getBody().walk([&](Operation *op) {
    if (!isAnnotation(op))
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

void FunctionResharding::insertReshards() {
  llvm::MapVector<Value, SmallVector<OpOperand *>> uses;
  auto addValue = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      uses.insert({value, {}});
  };
  llvm::for_each(function.getArguments(), addValue);
  walkProgram(function, [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto entry = uses.find(operand.get()); entry != uses.end())
        entry->second.push_back(&operand);
    llvm::for_each(op->getResults(), addValue);
    if (isa<RegionBranchOpInterface>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), addValue);
  });
  for (auto &[value, operands] : uses) {
    if (ShardingAttr sharding = produced.lookup(value))
      setSharding(value, sharding);
    reshardFor(value, operands);
  }
}

/// Gives each of `uses` the sharding it needs. The versions of `value` grow
/// like a minimum spanning tree: always the next cheapest one, from whichever
/// version there is.
void FunctionResharding::reshardFor(Value value, ArrayRef<OpOperand *> uses) {
  ShardingAttr source = produced.lookup(value);
  if (!source)
    source = guides.lookup(value);
  llvm::MapVector<ShardingAttr, SmallVector<OpOperand *>> missing;
  for (OpOperand *use : uses) {
    ShardingAttr need = needed.lookup(use);
    if (!need)
      need = replicated(value);
    if (need != source)
      missing[need].push_back(use);
  }
  SmallVector<std::pair<ShardingAttr, Value>> versions = {{source, value}};
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(value);
  while (!missing.empty()) {
    double bestSeconds = std::numeric_limits<double>::infinity();
    auto target = missing.begin();
    Value from = value;
    for (auto entry = missing.begin(); entry != missing.end(); ++entry)
      for (auto [sharding, version] : versions)
        if (double time = seconds(value, sharding, entry->first);
            time < bestSeconds) {
          bestSeconds = time;
          target = entry;
          from = version;
        }
    ShardingAttr sharding = target->first;
    // A pending reduction is the producer's affair, any other move the user's.
    Location loc = source.getValue().unreduced.empty()
                       ? target->second.front()->getOwner()->getLoc()
                       : value.getLoc();
    auto reshard = ReshardOp::create(builder, loc, from, sharding);
    setSharding(reshard, sharding);
    for (OpOperand *use : target->second)
      use->set(reshard);
    versions.push_back({sharding, reshard});
    missing.erase(target);
  }
}

namespace {
struct InsertReshards : tessera::impl::InsertReshardsBase<InsertReshards> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardCosts costs((*mesh).getMesh().getMesh());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(FunctionResharding(function, *mesh, costs).run()))
        return signalPassFailure();
  }
};
} // namespace
