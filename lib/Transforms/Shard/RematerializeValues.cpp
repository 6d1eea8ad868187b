//===- RematerializeValues.cpp - made again rather than moved -------------===//
//
// What is moved to another sharding need not be the value itself: a mask that
// is made of lengths, a table of cosines made of positions, a matrix made of a
// row and a column, what is converted to a wider type can be made again, in the
// sharding that is needed, of what it was made of, in whatever sharding that
// asks for. A *version* is a value in one sharding. Which versions are made
// again and which are moved costs least in all for the whole function at once
// (see `Rematerialization`): a version that several others are made of is moved
// once. Moving costs what the planner says, making the work on one device.
//
//===----------------------------------------------------------------------===//

#include "PlaceReductions.h"

#include "Choice/OperationSharding.h"
#include "Provenance/ProvenancePlaces.h"
#include "Support/ConstantExpressions.h"
#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/TripCount.h"
#include "tessera/Support/Rematerialization.h"
#include "tessera/Transforms/Shard/Passes.h"
#include "tessera/Transforms/Shard/SharedReshardCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_REMATERIALIZEVALUES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-rematerialize-values"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// A tensor, no reshard's result, in one sharding.
using Version = std::pair<Value, ShardingAttr>;

/// Makes values of one function again where that costs less than moving them.
class FunctionRematerialization {
public:
  FunctionRematerialization(func::FuncOp function, MeshOp mesh,
                            ReshardCosts &costs)
      : function(function), meshName(FlatSymbolRefAttr::get(mesh)),
        costs(costs), shardings(getAllShardings(function)) {}

  void run();

private:
  /// How an operation makes a version.
  struct Making {
    /// The operands, one each; of no sharding what is no tensor.
    SmallVector<Version> sources;
    double seconds = 0;
  };

  bool isThere(const Version &version) const {
    return !version.second || shardings.lookup(version.first) == version.second;
  }
  double secondsToMove(const Version &version);
  std::optional<Making> makingOf(const Version &version);
  Rematerialization::Item itemOf(const Version &version);
  void choose();
  bool isMade(const Version &version) const {
    auto item = items.find(version);
    return item != items.end() && choice.isMade(item->second);
  }
  Value get(const Version &version);
  Value make(const Version &version);
  Value move(const Version &version);
  void eraseUnused();

  func::FuncOp function;
  FlatSymbolRefAttr meshName;
  ReshardCosts &costs;
  RuleCache rules;
  /// As they were before anything was made again.
  DenseMap<Value, ShardingAttr> shardings;
  /// The reshards that there were, by what they give.
  llvm::MapVector<Version, SmallVector<ReshardOp, 1>> reshards;
  Rematerialization choice;
  DenseMap<Version, Rematerialization::Item> items;
  /// How versions would be made that may be.
  llvm::MapVector<Version, Making> makings;
  SmallVector<Version> pending;
  /// Versions that others are made of, or that have been made.
  DenseMap<Version, Value> known;
};

} // namespace

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// What it takes to move the value of `version`, by the reshard that does so
/// and those that do nothing but prepare for it, or from where it is made.
double FunctionRematerialization::secondsToMove(const Version &version) {
  auto [value, sharding] = version;
  auto type = cast<RankedTensorType>(value.getType());
  double seconds = 0;
  ShardingAttr from = shardings.lookup(value);
  if (auto found = reshards.find(version); found != reshards.end()) {
    Value operand = found->second.front().getOperand();
    from = shardings.lookup(operand);
    if (operand != value && operand.hasOneUse())
      seconds = secondsToMove({value, from});
  }
  return seconds + tripCount(value.getParentBlock()->getParentOp()) *
                       costs.seconds(type, from, sharding);
}

/// How `version` can be made of others without communication and with little
/// work; nothing if it cannot.
std::optional<FunctionRematerialization::Making>
FunctionRematerialization::makingOf(const Version &version) {
  auto [value, sharding] = version;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || !isRepeatable(op) ||
      !sharding.getValue().unreduced.empty())
    return std::nullopt;
  const ShardingRule *rule = rules.lookup(op);
  if (!rule || llvm::any_of(rule->factors, [](const Factor &factor) {
        return factor.kind != FactorKind::PassThrough;
      }))
    return std::nullopt;
  SmallVector<ArrayRef<int64_t>> shapes = getShapes(op->getOperandTypes());
  llvm::append_range(shapes, getShapes(op->getResultTypes()));
  OperationSharding split = shardingForResults(*rule, shapes, costs.getMesh(),
                                               {&sharding.getValue()});
  if (split.tensors.back() != sharding.getValue())
    return std::nullopt;
  Making making;
  making.seconds = split.seconds * tripCount(op->getParentOp());
  for (auto [operand, tensor] : llvm::zip(op->getOperands(), split.tensors)) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    making.sources.push_back(
        {rootOf(operand),
         isTensor ? ShardingAttr::get(op->getContext(), meshName, tensor)
                  : ShardingAttr()});
  }
  return making;
}

Rematerialization::Item
FunctionRematerialization::itemOf(const Version &version) {
  auto [entry, isNew] = items.try_emplace(version, 0);
  if (isNew) {
    entry->second = choice.add(MinimumCut::capacity(secondsToMove(version)));
    pending.push_back(version);
  }
  return entry->second;
}

/// Chooses what is made again of all that is resharded, but for what is only
/// resharded once more.
void FunctionRematerialization::choose() {
  for (auto &[version, found] : reshards)
    if (llvm::any_of(found, [](ReshardOp reshard) {
          return llvm::any_of(reshard->getUsers(), [](Operation *user) {
            return !isa<ReshardOp>(user);
          });
        }))
      choice.need(itemOf(version));
  while (!pending.empty()) {
    Version version = pending.pop_back_val();
    std::optional<Making> making = makingOf(version);
    if (!making)
      continue;
    SmallVector<Rematerialization::Item> sources;
    for (const Version &source : making->sources)
      if (!isThere(source))
        sources.push_back(itemOf(source));
    choice.mayMake(items.at(version), sources,
                   MinimumCut::capacity(making->seconds));
    makings[version] = std::move(*making);
  }
  choice.solve();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value FunctionRematerialization::get(const Version &version) {
  if (isThere(version))
    return version.first;
  if (Value value = known.lookup(version))
    return value;
  Value value = isMade(version) ? make(version) : move(version);
  return known[version] = value;
}

/// Makes `version` behind the value that it is a version of.
Value FunctionRematerialization::make(const Version &version) {
  Operation *op = version.first.getDefiningOp();
  LDBG() << describeOperation(op) << ": made again as "
         << describeSharding(version.second) << " in "
         << makings.find(version)->second.seconds << " s, moving it takes "
         << secondsToMove(version) << " s";
  SmallVector<Value> operands =
      llvm::map_to_vector(makings.find(version)->second.sources,
                          [&](const Version &source) { return get(source); });
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  setSharding(copy->getResult(0), version.second);
  return copy->getResult(0);
}

/// Reshards behind the value that `version` is one of, unless a reshard there
/// does so.
Value FunctionRematerialization::move(const Version &version) {
  auto [value, sharding] = version;
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(value);
  Value from = value;
  Location loc = value.getLoc();
  if (auto found = reshards.find(version); found != reshards.end()) {
    ReshardOp reshard = found->second.front();
    loc = reshard.getLoc();
    if (reshard.getOperand() != value)
      from = get({value, shardings.lookup(reshard.getOperand())});
    builder.setInsertionPointAfterValue(from);
  }
  auto moved = ReshardOp::create(builder, loc, from, sharding);
  setSharding(moved, sharding);
  return moved;
}

/// Erases what nobody uses any more since values are made again.
void FunctionRematerialization::eraseUnused() {
  SmallVector<Operation *> inOrder;
  walkProgram(function, [&](Operation *op) { inOrder.push_back(op); });
  for (Operation *op : llvm::reverse(inOrder))
    if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
}

void FunctionRematerialization::run() {
  walkProgram(function, [&](Operation *op) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      reshards[{rootOf(reshard), reshard.getSharding()}].push_back(reshard);
  });
  choose();
  bool hasChanged = false;
  for (auto &[version, found] : reshards) {
    if (!isMade(version))
      continue;
    hasChanged = true;
    for (ReshardOp reshard : found)
      reshard.replaceAllUsesWith(get(version));
  }
  if (hasChanged)
    eraseUnused();
}

namespace {
struct RematerializeValues
    : tessera::shard::impl::RematerializeValuesBase<RematerializeValues> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardCosts &costs = getAnalysis<SharedReshardCosts>().on(*mesh);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal()) {
        if (failed(requireShardings(function)))
          return signalPassFailure();
        FunctionRematerialization(function, *mesh, costs).run();
      }
  }
};
} // namespace
