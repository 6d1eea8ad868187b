//===- PlaceReductions.cpp - where pending reductions are resolved --------===//
//
// Elsewhere: partial sums, DTensor's Partial.
//
// A value that is unreduced over the axes A becomes whole by a reshard. If all
// that is done with the reshard's result carries reductions over (sums through
// what is linear, maxima through what moves data or chooses the larger), the
// reshard may as well come later: sums of several such values are reduced once,
// what a reduction or a slice makes smaller is cheaper to reduce afterwards,
// and what a loop adds up is reduced once behind the loop.
//
// For one set of axes A, every value that is or could be unreduced over A has a
// variable: 1 if it stays unreduced, 0 if it is whole. What control flow hands
// on as one (a loop's initial value, region argument, yielded value and result)
// has one variable. A result can be 1 only if the operands it depends on are 1,
// and a value pays the cost of its reshard, once per target and as often as its
// loops run, if it is 1 and some use of that target is 0. Where the reshard
// also moves it, a use that is 1 pays for moving what is unreduced. These are
// the terms of a minimum cut: ones on the source's side, zeros on the sink's.
// So the placement is optimal for one A, in one network for the whole function.
// Where several placements cost the same, the earliest wins.
//
// What enters control flow or a sum may be whole (a branch that passes its
// operand on, a residual): it becomes unreduced by a mask, which costs no
// communication, only the time to write it. A neutral constant is unreduced as
// it is.
//
// A deferred sum drops A from the operation's own sharding: what was split over
// A is computed whole, from partial operands. Sets of axes are treated in the
// order in which they occur; deferring a sum over A through a sum over B makes
// one over both, whose turn comes behind all that there were.
//
//===----------------------------------------------------------------------===//

#include "PlaceReductions.h"

#include "Support/ConstantExpressions.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/TripCount.h"
#include "tessera/Support/MinimumCut.h"
#include "tessera/Transforms/Shard/Passes.h"
#include "tessera/Transforms/Shard/SharedReshardCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_PLACEREDUCTIONS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-place-reductions"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// The pending reductions over one set of axes in one function.
class ReductionPlacement {
public:
  ReductionPlacement(PendingProgram &program, const PendingAxes &pending,
                     ReshardCosts &costs, RuleCache &rules)
      : program(program), costs(costs),
        reductions(program, pending, costs.getMesh(), rules) {}

  void run() {
    solve();
    apply();
  }
  /// The sets over which reductions have been deferred.
  ArrayRef<PendingAxes> getMade() const { return made; }

private:
  using Variable = PendingReductions::Variable;
  /// One reshard of a value, and who uses what comes out.
  struct Target {
    ShardingAttr sharding;
    SmallVector<OpOperand *> uses;
  };

  SmallVector<Target, 0> targetsOf(Value value, ShardingAttr current) const;
  MinimumCut::Node nodeOf(const Variable *variable) const {
    return nodes[variable - reductions.getVariables().begin()];
  }
  void solve();
  void addSources(const Variable &variable);
  int64_t addUses(const Variable &variable, Value value);
  std::optional<ShardingAttr> movedSharding(const Variable &variable,
                                            ShardingAttr target) const;
  int64_t cost(Value value, ShardingAttr from, ShardingAttr to) const;
  void apply();
  void makeUnreduced(const Variable &variable);
  void takeUnreduced(const Variable &variable);
  void takeOthersWhole(const Variable &variable);
  Value neutralConstant(OpBuilder &builder, Value value,
                        ShardingAttr unreduced);
  Value unreducedVersion(OpBuilder &builder, OpOperand &source,
                         ShardingAttr unreduced);
  Value movedVersion(Value source);
  void removeUselessReshards();

  PendingProgram &program;
  ReshardCosts &costs;
  PendingReductions reductions;
  /// One per variable.
  SmallVector<MinimumCut::Node, 0> nodes;
  MinimumCut cut;
  SmallVector<PendingAxes> made;
  /// What has been moved while it is unreduced: once per value and target.
  DenseMap<std::pair<Value, ShardingAttr>, Value> moved;
};

} // namespace

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

/// The shardings in which `value` is used, whether it is resharded or not.
SmallVector<ReductionPlacement::Target, 0>
ReductionPlacement::targetsOf(Value value, ShardingAttr current) const {
  SmallVector<Target, 0> targets;
  Target direct{current, {}};
  for (OpOperand &use : value.getUses()) {
    auto reshard = dyn_cast<ReshardOp>(use.getOwner());
    if (!reshard) {
      direct.uses.push_back(&use);
      continue;
    }
    Target &target = targets.emplace_back();
    target.sharding = reshard.getSharding();
    for (OpOperand &reshardUse : reshard->getUses())
      target.uses.push_back(&reshardUse);
  }
  if (!direct.uses.empty())
    targets.push_back(std::move(direct));
  return targets;
}

/// The cost of resharding `value` behind its definition, in picoseconds.
int64_t ReductionPlacement::cost(Value value, ShardingAttr from,
                                 ShardingAttr to) const {
  double seconds = costs.seconds(typeOf(value), from, to) *
                   tripCount(value.getParentBlock()->getParentOp());
  return seconds < 1e6 ? llround(seconds * 1e12) : MinimumCut::kUncuttable;
}

/// What it costs, in picoseconds, to replace the elements of `source` by the
/// neutral one on most devices: little, but more than nothing.
static int64_t maskCost(OpOperand *source) {
  double bytes = double(typeOf(source->get()).getNumElements()) *
                 typeOf(source->get()).getElementTypeBitWidth() / 8;
  return llround(std::min(bytes * tripCount(source->getOwner()->getParentOp()),
                          1e18)) +
         1;
}

/// A 1 of the variable implies a 1 of its sources; those that are no variables
/// have to be made unreduced.
void ReductionPlacement::addSources(const Variable &variable) {
  for (OpOperand *source : variable.sources) {
    if (const Variable *from = reductions.sourceOf(source->get()))
      cut.addEdge(nodeOf(&variable), nodeOf(from), MinimumCut::kUncuttable);
    else if (!isNeutral(source->get(), reductions.getKind()))
      cut.addEdge(nodeOf(&variable), MinimumCut::kSink, maskCost(source));
  }
}

/// The sharding in which operations take what `target` says while it is
/// unreduced, if `variable` has to be moved for that: a move of the parts that
/// the reduction leaves to do.
std::optional<ShardingAttr>
ReductionPlacement::movedSharding(const Variable &variable,
                                  ShardingAttr target) const {
  if (reductions.isInPlace(variable, target.getValue()))
    return std::nullopt;
  return reductions.unreducedOf(target);
}

/// Adds what `value` pays if it is unreduced: for a target of which some use is
/// whole, its reshard, and for one of which some use is not, moving it there.
/// Returns what it pays if it is whole itself.
int64_t ReductionPlacement::addUses(const Variable &variable, Value value) {
  int64_t costWhole = 0;
  for (const Target &target : targetsOf(value, variable.current)) {
    if (reductions.isPending(target.sharding.getValue()))
      continue;
    costWhole =
        std::min(costWhole + cost(value, variable.current, target.sharding),
                 MinimumCut::kUncuttable);
    // On the source's side only if no use needs the resharded value.
    MinimumCut::Node allUses = cut.addNode();
    SmallVector<const Variable *> deferring;
    for (OpOperand *use : target.uses) {
      const Variable *consumer = reductions.consumerOf(use);
      if (!consumer || !reductions.sourceOf(use->get())) {
        cut.addEdge(allUses, MinimumCut::kSink, MinimumCut::kUncuttable);
        continue;
      }
      cut.addEdge(allUses, nodeOf(consumer), MinimumCut::kUncuttable);
      deferring.push_back(consumer);
    }
    cut.addEdge(nodeOf(&variable), allUses,
                cost(value, variable.unreduced, target.sharding));
    std::optional<ShardingAttr> moved =
        movedSharding(variable, target.sharding);
    if (deferring.empty() || !moved)
      continue;
    // On the source's side as soon as some use takes the moved value.
    MinimumCut::Node anyUse = cut.addNode();
    for (const Variable *consumer : deferring)
      cut.addEdge(nodeOf(consumer), anyUse, MinimumCut::kUncuttable);
    cut.addEdge(anyUse, MinimumCut::kSink,
                cost(value, variable.unreduced, *moved));
  }
  return costWhole;
}

void ReductionPlacement::solve() {
  for (const Variable &variable : reductions.getVariables())
    nodes.push_back(variable.isGiven ? MinimumCut::kSource : cut.addNode());
  for (const Variable &variable : reductions.getVariables()) {
    addSources(variable);
    for (Value value : variable.values) {
      int64_t costWhole = addUses(variable, value);
      if (!variable.isGiven)
        cut.addEdge(MinimumCut::kSource, nodeOf(&variable), costWhole);
    }
  }
  cut.solve();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Records the values as unreduced and reshards them for all their uses.
void ReductionPlacement::makeUnreduced(const Variable &variable) {
  LDBG() << describeMaker(variable.values.front()) << ": stays a pending sum, "
         << describeSharding(variable.unreduced) << " instead of "
         << describeSharding(variable.current);
  for (Value value : variable.values) {
    // An argument of a region has the sharding of what it takes.
    if (isa<OpResult>(value))
      setSharding(value, variable.unreduced);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!isa<ReshardOp>(use.getOwner()))
        uses.push_back(&use);
    if (uses.empty())
      continue;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    auto reshard =
        ReshardOp::create(builder, value.getLoc(), value, variable.current);
    setSharding(reshard, variable.current);
    for (OpOperand *use : uses)
      use->set(reshard);
  }
}

/// A constant of neutral elements in place of `value`, which is one as well,
/// but may be expressed or split in another way.
Value ReductionPlacement::neutralConstant(OpBuilder &builder, Value value,
                                          ShardingAttr unreduced) {
  RankedTensorType type = typeOf(value);
  Value constant = arith::ConstantOp::create(
      builder, value.getLoc(),
      DenseElementsAttr::get(
          type, neutralElement(type.getElementType(), reductions.getKind())));
  setSharding(constant, unreduced);
  return constant;
}

/// Makes `source`, which is whole, unreduced.
Value ReductionPlacement::unreducedVersion(OpBuilder &builder,
                                           OpOperand &source,
                                           ShardingAttr unreduced) {
  Operation *op = source.getOwner();
  builder.setInsertionPoint(op);
  if (isNeutral(source.get(), reductions.getKind()))
    return neutralConstant(builder, source.get(), unreduced);
  auto reshard =
      ReshardOp::create(builder, op->getLoc(), source.get(), unreduced);
  setSharding(reshard, unreduced);
  return reshard;
}

/// What `source`, which is unreduced or a resharding of what is, is while it is
/// unreduced.
Value ReductionPlacement::movedVersion(Value source) {
  Value root = reductions.rootOf(source);
  if (root == source)
    return root;
  std::optional<ShardingAttr> sharding =
      movedSharding(*reductions.sourceOf(source), getSharding(source));
  if (!sharding)
    return root;
  Value &version = moved[{root, *sharding}];
  if (!version) {
    OpBuilder builder(root.getContext());
    builder.setInsertionPointAfterValue(root);
    auto reshard = ReshardOp::create(builder, source.getLoc(), root, *sharding);
    setSharding(reshard, *sharding);
    version = reshard;
  }
  return version;
}

/// Takes the sources unreduced, now that those which are have been recorded.
void ReductionPlacement::takeUnreduced(const Variable &variable) {
  OpBuilder builder(program.getFunction().getContext());
  for (OpOperand *source : variable.sources) {
    if (reductions.sourceOf(source->get())) {
      source->set(movedVersion(source->get()));
      continue;
    }
    // It may have another shape than what is made of it.
    source->set(unreducedVersion(
        builder, *source, *reductions.unreducedOf(getSharding(source->get()))));
  }
}

/// What an operation takes beside the sources is split no more over the axes: a
/// constant expression, which is made again like that.
void ReductionPlacement::takeOthersWhole(const Variable &variable) {
  Operation *op = variable.values.front().getDefiningOp();
  if (!op || hasDataFlow(op))
    return;
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    ShardingAttr sharding = getSharding(operand.get());
    if (!sharding || llvm::is_contained(variable.sources, &operand) ||
        reductions.withoutAxes(sharding) == sharding)
      continue;
    IRMapping copies;
    for (Operation *part : smallExpression(operand.get())) {
      Operation *copy = builder.clone(*part, copies);
      for (Value result : copy->getResults())
        setSharding(result, reductions.withoutAxes(getSharding(result)));
    }
    operand.set(copies.lookup(operand.get()));
  }
}

/// Removes reshards that nobody uses, that change nothing, or that make
/// something unreduced which is so in any case.
void ReductionPlacement::removeUselessReshards() {
  bool anyRemoved = false;
  for (ReshardOp reshard : program.getReshards()) {
    Value operand = reshard.getOperand();
    if (getSharding(operand) == reshard.getSharding()) {
      reshard->replaceAllUsesWith(ValueRange(operand));
    } else if (reductions.isPending(reshard.getSharding().getValue()) &&
               isNeutral(operand, reductions.getKind())) {
      OpBuilder builder(reshard);
      reshard->replaceAllUsesWith(
          ValueRange(neutralConstant(builder, operand, reshard.getSharding())));
    }
    if (reshard->use_empty()) {
      reshard->erase();
      anyRemoved = true;
    }
  }
  if (anyRemoved)
    program.update();
}

void ReductionPlacement::apply() {
  SmallVector<const Variable *> deferred;
  for (const Variable &variable : reductions.getVariables())
    if (!variable.isGiven && cut.isOnSourceSide(nodeOf(&variable)))
      deferred.push_back(&variable);
  for (const Variable *variable : deferred) {
    makeUnreduced(*variable);
    if (PendingAxes axes = pendingAxes(variable->unreduced.getValue());
        !llvm::is_contained(made, axes))
      made.push_back(std::move(axes));
  }
  for (const Variable *variable : deferred) {
    takeUnreduced(*variable);
    takeOthersWhole(*variable);
  }
  if (!deferred.empty())
    program.update();
  removeUselessReshards();
}

void tessera::shard::placeReductions(PendingProgram &program,
                                     ReshardCosts &costs, RuleCache &rules,
                                     SmallVector<PendingAxes> sets) {
  for (size_t i = 0; i < sets.size(); ++i) {
    PendingAxes pending = sets[i];
    ReductionPlacement placement(program, pending, costs, rules);
    placement.run();
    for (const PendingAxes &made : placement.getMade())
      if (!llvm::is_contained(sets, made))
        sets.push_back(made);
  }
}

LogicalResult tessera::shard::requireShardings(func::FuncOp function) {
  bool isPlain = function.getBody().hasOneBlock();
  for (Operation &op : function.getBody().front())
    isPlain &= (op.getNumRegions() == 0 || !isa<RegionBranchOpInterface>(op)) &&
               llvm::all_of(op.getResults(), [](Value result) {
                 return !isa<RankedTensorType>(result.getType()) ||
                        getSharding(result);
               });
  for (BlockArgument argument : function.getArguments())
    isPlain &=
        !isa<RankedTensorType>(argument.getType()) || getSharding(argument);
  return isPlain ? success()
                 : verifyAllSharded(function, getAllShardings(function));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PlaceReductions
    : tessera::shard::impl::PlaceReductionsBase<PlaceReductions> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardCosts &costs = getAnalysis<SharedReshardCosts>().on(*mesh);
    RuleCache rules;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (failed(requireShardings(function)))
        return signalPassFailure();
      PendingProgram program(function);
      placeReductions(program, costs, rules, program.allPendingAxes());
    }
  }
};
} // namespace
