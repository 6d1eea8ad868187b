//===- InsertReshards.cpp - where producer and consumer disagree ----------===//
//
// Elsewhere: redistribution, layout conversion.
//
// Three steps. First it is chosen how every operation is split, in view of the
// whole function (see `ShardingChoice`); this says for every value how it is
// produced and for every use how it is needed. Constant expressions follow
// their only use, backwards. Then `constrain` and its like have done their
// work, which was to guide these choices, and go. Last, every value is
// resharded once for each sharding that some use needs and none provides.
//
//===----------------------------------------------------------------------===//

#include "Choice/ShardingChoice.h"
#include "Support/ConstantExpressions.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Transforms/Shard/Passes.h"
#include "tessera/Transforms/Shard/SharedReshardCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_INSERTRESHARDS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-insert-reshards"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// Decides and inserts the reshards of one function.
class FunctionResharding {
public:
  FunctionResharding(func::FuncOp function, MeshOp mesh, ReshardCosts &costs)
      : function(function), meshName(FlatSymbolRefAttr::get(mesh)),
        costs(costs), constants(function), guides(getAllShardings(function)) {}

  LogicalResult run() {
    if (failed(verifyAllSharded(function, guides)))
      return failure();
    decide();
    writeBoundary();
    removeAnnotations();
    insertReshards();
    return success();
  }

private:
  void decide();
  ArrayRef<ShardingAttr> shardingsOfConstant(Operation *op,
                                             ArrayRef<ShardingAttr> needs);
  void decideConstant(Operation *op);
  void writeBoundary();
  void removeAnnotations();
  void emitRemarkOn(ConstrainOp constraint);
  void insertReshards();
  /// The uses of a value by the sharding they need and the value has not.
  using MissingVersions =
      llvm::MapVector<ShardingAttr, SmallVector<OpOperand *>>;
  bool isMadeFromNothing(Value value) const;
  void makeAgain(OpBuilder &builder, Value value, MissingVersions &missing);
  void reshardFor(Value value, ArrayRef<OpOperand *> uses);

  ShardingAttr attribute(const TensorSharding &sharding) {
    return ShardingAttr::get(function.getContext(), meshName, sharding);
  }
  ShardingAttr replicated(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return attribute(TensorSharding::getReplicated(type.getRank()));
  }
  bool isAnnotation(Operation *op) const {
    return isa<ConstrainOp, ReshardOp, ShardingGroupOp, PropagationBarrierOp>(
        op);
  }
  double seconds(Value value, ShardingAttr from, ShardingAttr to) {
    return costs.seconds(cast<RankedTensorType>(value.getType()), from, to);
  }

  func::FuncOp function;
  FlatSymbolRefAttr meshName;
  ReshardCosts &costs;
  ConstantExpressions constants;
  RuleCache rules;
  /// What propagation decided, per value: how it should preferably be.
  DenseMap<Value, ShardingAttr> guides;
  /// How each value is produced.
  DenseMap<Value, ShardingAttr> produced;
  /// How each use needs its value; replicated where nothing is said.
  DenseMap<OpOperand *, ShardingAttr> needed;
  /// How constants are made, by rule and needs.
  DenseMap<ArrayRef<const void *>, ArrayRef<ShardingAttr>> knownConstants;
  llvm::BumpPtrAllocator storage;
};

} // namespace

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

void FunctionResharding::decide() {
  ShardingChoice choice(function, meshName, costs, rules, constants, guides);
  choice.run();
  SmallVector<Operation *> freeConstants;
  auto makes = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      produced[value] = choice.produced(value);
  };
  llvm::for_each(function.getArguments(), makes);
  walkProgram(function, [&](Operation *op) {
    if (choice.isFreeConstant(op)) {
      freeConstants.push_back(op);
      return;
    }
    for (OpOperand &operand : op->getOpOperands())
      if (ShardingAttr sharding = choice.needed(operand))
        needed[&operand] = sharding;
    llvm::for_each(op->getResults(), makes);
    if (isa<RegionBranchOpInterface>(op))
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), makes);
  });
  for (Operation *op : llvm::reverse(freeConstants))
    decideConstant(op);
}

/// How a constant is made whose results are needed as `needs` says (null where
/// nobody asks): its operands, then its results.
ArrayRef<ShardingAttr>
FunctionResharding::shardingsOfConstant(Operation *op,
                                        ArrayRef<ShardingAttr> needs) {
  const ShardingRule *rule = rules.lookup(op);
  SmallVector<const void *> key = {rule};
  for (ShardingAttr need : needs)
    key.push_back(need.getAsOpaquePointer());
  auto known = knownConstants.find(key);
  if (known != knownConstants.end())
    return known->second;
  SmallVector<ArrayRef<int64_t>> shapes = getShapes(op->getOperandTypes());
  llvm::append_range(shapes, getShapes(op->getResultTypes()));
  SmallVector<TensorSharding> whole(needs.size());
  SmallVector<const TensorSharding *> wanted(needs.size(), nullptr);
  for (auto [number, need] : llvm::enumerate(needs))
    if (need) {
      whole[number] = need.getValue();
      whole[number].unreduced.clear();
      wanted[number] = &whole[number];
    }
  SmallVector<ShardingAttr> shardings;
  for (const TensorSharding &tensor :
       shardingForResults(*rule, shapes, costs.getMesh(), wanted).tensors)
    shardings.push_back(attribute(tensor));
  return knownConstants[ArrayRef(key).copy(storage)] =
             ArrayRef(shardings).copy(storage);
}

/// Makes a constant as its only use needs it.
void FunctionResharding::decideConstant(Operation *op) {
  SmallVector<ShardingAttr> needs;
  for (OpResult result : op->getResults())
    needs.push_back(needed.lookup(&*result.use_begin()));
  ArrayRef<ShardingAttr> shardings = shardingsOfConstant(op, needs);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      needed[&operand] = shardings[operand.getOperandNumber()];
  for (OpResult result : op->getResults())
    produced[result] =
        shardings[op->getNumOperands() + result.getResultNumber()];
}

/// Writes the shardings of arguments and results all at once, for one change
/// costs as much as all.
void FunctionResharding::writeBoundary() {
  MLIRContext *context = function.getContext();
  StringAttr name = StringAttr::get(context, TesseraDialect::kShardingAttr);
  auto with = [&](DictionaryAttr old, ShardingAttr sharding) {
    NamedAttrList attributes(old);
    if (sharding)
      attributes.set(name, sharding);
    return attributes.getDictionary(context);
  };
  SmallVector<DictionaryAttr> arguments, results;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(with(function.getArgAttrDict(argument.getArgNumber()),
                             produced.lookup(argument)));
  Operation *end = function.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    results.push_back(
        with(function.getResultAttrDict(operand.getOperandNumber()),
             needed.lookup(&operand)));
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(results);
}

//===----------------------------------------------------------------------===//
// Inserting
//===----------------------------------------------------------------------===//

/// Whether dimensions are split as a constraint says: closed ones as they
/// stand, open ones further or not. A sum may still be pending.
static bool satisfies(const TensorSharding &sharding,
                      const TensorSharding &constraint) {
  return llvm::all_of(llvm::zip(sharding.dims, constraint.dims), [](auto pair) {
    auto &[actual, said] = pair;
    return said.open
               ? ArrayRef<AxisRef>(actual.axes).take_front(said.axes.size()) ==
                     ArrayRef<AxisRef>(said.axes)
               : actual.axes == said.axes;
  });
}

/// Tells those who listen (`--remarks`) of a constraint that holds neither
/// where its value is made nor where it is used: all agree on something else,
/// which the value is moved to directly.
void FunctionResharding::emitRemarkOn(ConstrainOp constraint) {
  const TensorSharding &said = constraint.getSharding().getValue();
  Value root = constraint.getOperand();
  while (Operation *op = root.getDefiningOp()) {
    if (!isAnnotation(op))
      break;
    root = op->getOperand(0);
  }
  ShardingAttr made = produced.lookup(root);
  if (!made || satisfies(made.getValue(), said))
    return;
  llvm::SetVector<ShardingAttr> used;
  SmallVector<Value> versions = {constraint.getResult()};
  while (!versions.empty())
    for (OpOperand &use : versions.pop_back_val().getUses()) {
      if (isAnnotation(use.getOwner()))
        llvm::append_range(versions, use.getOwner()->getResults());
      else if (ShardingAttr need = needed.lookup(&use))
        used.insert(need);
    }
  if (llvm::any_of(used, [&](ShardingAttr need) {
        return satisfies(need.getValue(), said);
      }))
    return;
  auto remark = remark::missed(
      constraint.getLoc(),
      remark::RemarkOpts::name("constraint").category("tessera-shard"));
  std::string text = describeSharding(constraint.getSharding()) +
                     " holds nowhere: the value is made as " +
                     describeSharding(made);
  for (ShardingAttr need : used)
    text += ", used as " + describeSharding(need);
  remark << text;
}

void FunctionResharding::removeAnnotations() {
  if (function.getContext()->getRemarkEngine())
    function.getBody().walk(
        [&](ConstrainOp constraint) { emitRemarkOn(constraint); });
  function.getBody().walk([&](Operation *op) {
    if (!isAnnotation(op))
      return;
    if (op->getNumResults() == 1)
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
    // Arguments have theirs from the function or from what they are handed.
    if (isa<OpResult>(value))
      setSharding(value, produced.lookup(value));
    reshardFor(value, operands);
  }
}

/// Whether `value` is a constant or a count, which any device can make in any
/// sharding.
bool FunctionResharding::isMadeFromNothing(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && op->getNumOperands() == 0 && op->getNumResults() == 1 &&
         constants.contains(op);
}

/// Makes `value` once more for every sharding that is `missing` and that it can
/// be made in.
void FunctionResharding::makeAgain(OpBuilder &builder, Value value,
                                   MissingVersions &missing) {
  Operation *op = value.getDefiningOp();
  missing.remove_if([&](auto &target) {
    if (shardingsOfConstant(op, target.first).front() != target.first)
      return false;
    LDBG() << describeOperation(op) << ": made once more as "
           << describeSharding(target.first);
    Value copy = builder.clone(*op)->getResult(0);
    setSharding(copy, target.first);
    for (OpOperand *use : target.second)
      use->set(copy);
    return true;
  });
}

/// Gives each of `uses` the sharding it needs. The versions of `value` grow
/// like a minimum spanning tree: always the next cheapest one, from whichever
/// version there is.
void FunctionResharding::reshardFor(Value value, ArrayRef<OpOperand *> uses) {
  ShardingAttr source = produced.lookup(value);
  MissingVersions missing;
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
  if (isMadeFromNothing(value))
    makeAgain(builder, value, missing);
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
    LDBG() << describeMaker(value) << ": resharded from "
           << describeSharding(getSharding(from)) << " to "
           << describeSharding(sharding) << " for " << target->second.size()
           << " uses, the first "
           << describeOperation(target->second.front()->getOwner()) << ", in "
           << bestSeconds << " s";
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
struct InsertReshards
    : tessera::shard::impl::InsertReshardsBase<InsertReshards> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardCosts &costs = getAnalysis<SharedReshardCosts>().on(*mesh);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(FunctionResharding(function, *mesh, costs).run()))
        return signalPassFailure();
  }
};
} // namespace
