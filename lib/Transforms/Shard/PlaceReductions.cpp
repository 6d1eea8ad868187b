//===- PlaceReductions.cpp - where pending sums are reduced ---------------===//
//
// A value that is unreduced over the axes A becomes whole by a reshard. If all
// that is done with the reshard's result is linear, the reshard may as well
// come later: sums of several such values are reduced once, and what a
// reduction or a slice makes smaller is cheaper to reduce afterwards.
//
// For one set of axes A, every value that is or could be unreduced over A has a
// variable: 1 if it stays unreduced, 0 if it is whole. An operation can have an
// unreduced result only if the operands it is linear in are unreduced (1 of the
// result implies 1 of these operands), and a value pays the cost of its
// reshard, once per target, if it is 1 and some use of that target is 0. These
// are the terms of a minimum cut: ones on the source's side, zeros on the
// sink's. So the placement is optimal for one A, in one network for the whole
// function. Where several placements cost the same, the earliest wins.
//
// A deferred sum drops A from the operation's own sharding: what was split over
// A is computed whole, from partial operands. Sets of axes are treated in the
// order in which they occur; deferring a sum over A through a sum over B makes
// one over both, whose turn comes later.
//
//===----------------------------------------------------------------------===//

#include "MinimumCut.h"
#include "ReshardCosts.h"
#include "RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/MapVector.h"

namespace tessera {
#define GEN_PASS_DEF_PLACEREDUCTIONS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

/// The sharding of a value whose sharding is recorded.
static const TensorSharding &shardingOf(Value value) {
  return getSharding(value).getValue();
}

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

/// The pending sums over one set of axes in one function.
class ReductionPlacement {
public:
  ReductionPlacement(func::FuncOp function, ArrayRef<AxisRef> axes,
                     ReshardCosts &costs, RuleCache &rules)
      : function(function), axes(axes), costs(costs), mesh(costs.getMesh()),
        rules(rules) {}

  void run() {
    findVariables();
    solve();
    apply();
  }

private:
  /// A value that is or could be unreduced over the axes.
  struct Variable {
    /// Whether the value is unreduced as it stands.
    bool isGiven = false;
    /// The value's sharding if it is unreduced.
    TensorSharding unreduced;
    /// What the operation is linear in, as operand numbers; not for given ones.
    ArrayRef<unsigned> linearIn;
    MinimumCut::Node node = MinimumCut::kSource;
  };
  /// One reshard of a value, and who uses what comes out.
  struct Target {
    TensorSharding sharding;
    SmallVector<OpOperand *> uses;
  };

  void findVariables();
  bool addGiven(Operation *op);
  void addDeferrable(Operation *op);
  bool mayDefer(Operation *op, ArrayRef<unsigned> linearIn) const;
  SmallVector<Target, 0> targetsOf(Value value) const;
  Value rootOf(Value operand) const;
  TensorSharding withoutAxes(TensorSharding sharding) const;
  void solve();
  int64_t cost(Value value, const TensorSharding &from,
               const TensorSharding &to) const;
  void apply();
  void defer(Value value, const Variable &variable);

  func::FuncOp function;
  ArrayRef<AxisRef> axes;
  ReshardCosts &costs;
  const Mesh &mesh;
  RuleCache &rules;
  llvm::MapVector<Value, Variable> variables;
  MinimumCut cut;
};

} // namespace

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Whether `sharding` is a pending sum over exactly `axes`.
static bool isSumOver(const TensorSharding &sharding, ArrayRef<AxisRef> axes) {
  return ArrayRef<AxisRef>(sharding.unreduced) == axes &&
         sharding.unreducedKind == ReductionKind::Sum;
}

/// `sharding` with no dimension split over the axes.
TensorSharding ReductionPlacement::withoutAxes(TensorSharding sharding) const {
  for (DimSharding &dim : sharding.dims)
    llvm::erase_if(dim.axes, [&](const AxisRef &axis) {
      return overlapsAny(axis, axes, mesh);
    });
  return sharding;
}

/// The value that `operand` is a resharding of, or `operand` itself.
Value ReductionPlacement::rootOf(Value operand) const {
  if (auto reshard = operand.getDefiningOp<ReshardOp>())
    if (variables.contains(reshard.getOperand()))
      return reshard.getOperand();
  return operand;
}

/// The shardings in which `value` is used, whether it is resharded or not.
SmallVector<ReductionPlacement::Target, 0>
ReductionPlacement::targetsOf(Value value) const {
  SmallVector<Target, 0> targets;
  Target direct{shardingOf(value), {}};
  for (OpOperand &use : value.getUses()) {
    auto reshard = dyn_cast<ReshardOp>(use.getOwner());
    if (!reshard) {
      direct.uses.push_back(&use);
      continue;
    }
    Target &target = targets.emplace_back();
    target.sharding = reshard.getSharding().getValue();
    for (OpOperand &reshardUse : reshard->getUses())
      target.uses.push_back(&reshardUse);
  }
  if (!direct.uses.empty())
    targets.push_back(std::move(direct));
  return targets;
}

/// Whether `op` could take the operands of one linear set unreduced, and all
/// others as they are.
bool ReductionPlacement::mayDefer(Operation *op,
                                  ArrayRef<unsigned> linearIn) const {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    const TensorSharding &need = shardingOf(operand.get());
    TensorSharding whole = withoutAxes(need);
    if (!llvm::is_contained(linearIn, operand.getOperandNumber())) {
      if (whole != need || !need.unreduced.empty())
        return false;
      continue;
    }
    auto root = variables.find(rootOf(operand.get()));
    // A reduction must not move into a loop.
    if (root == variables.end() ||
        Value(root->first).getParentBlock() != op->getBlock() ||
        !need.unreduced.empty() || !isSumOver(root->second.unreduced, axes) ||
        root->second.unreduced.dims != whole.dims)
      return false;
  }
  return true;
}

/// Makes the results of `op` that are unreduced over the axes variables.
bool ReductionPlacement::addGiven(Operation *op) {
  bool any = false;
  for (Value result : op->getResults()) {
    ShardingAttr sharding = getSharding(result);
    if (!sharding || !isSumOver(sharding.getValue(), axes))
      continue;
    Variable &variable = variables[result];
    variable.isGiven = any = true;
    variable.unreduced = sharding.getValue();
  }
  return any;
}

/// Makes the result of `op` a variable if it could be unreduced because the
/// operands that `op` is linear in could be.
void ReductionPlacement::addDeferrable(Operation *op) {
  if (op->getNumResults() != 1 || isa<ReshardOp>(op) ||
      llvm::none_of(op->getOperands(), [&](Value operand) {
        return variables.contains(rootOf(operand));
      }))
    return;
  const ShardingRule *rule = rules.lookup(op);
  if (!rule)
    return;
  const TensorSharding &sharding = shardingOf(op->getResult(0));
  bool isPartial = !sharding.unreduced.empty();
  if (isPartial && (sharding.unreducedKind != ReductionKind::Sum ||
                    llvm::any_of(axes, [&](const AxisRef &axis) {
                      return overlapsAny(axis, sharding.unreduced, mesh);
                    })))
    return;
  for (ArrayRef<unsigned> linearIn : rule->linear) {
    if (!mayDefer(op, linearIn))
      continue;
    TensorSharding unreduced = withoutAxes(sharding);
    llvm::append_range(unreduced.unreduced, axes);
    unreduced.unreduced = canonicalSet(unreduced.unreduced, mesh);
    Variable &variable = variables[op->getResult(0)];
    variable.unreduced = std::move(unreduced);
    variable.linearIn = linearIn;
    return;
  }
}

/// Finds the variables in the order of the text, so that an operation's
/// operands are known before its result.
void ReductionPlacement::findVariables() {
  walkProgram(function, [&](Operation *op) {
    if (!addGiven(op))
      addDeferrable(op);
  });
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

/// The cost of a reshard in picoseconds.
int64_t ReductionPlacement::cost(Value value, const TensorSharding &from,
                                 const TensorSharding &to) const {
  double seconds = costs.seconds(typeOf(value), from, to);
  return seconds < 1e6 ? llround(seconds * 1e12) : MinimumCut::kUncuttable;
}

void ReductionPlacement::solve() {
  for (auto &[value, variable] : variables)
    if (!variable.isGiven)
      variable.node = cut.addNode();
  for (auto &[value, variable] : variables) {
    if (!variable.isGiven)
      for (unsigned operand : variable.linearIn)
        cut.addEdge(
            variable.node,
            variables.find(rootOf(value.getDefiningOp()->getOperand(operand)))
                ->second.node,
            MinimumCut::kUncuttable);
    int64_t costWhole = 0;
    for (const Target &target : targetsOf(value)) {
      if (isSumOver(target.sharding, axes))
        continue;
      costWhole += cost(value, shardingOf(value), target.sharding);
      // On the source's side only if no use needs the resharded value.
      MinimumCut::Node allUses = cut.addNode();
      for (OpOperand *use : target.uses) {
        Operation *user = use->getOwner();
        auto entry = user->getNumResults() == 1
                         ? variables.find(user->getResult(0))
                         : variables.end();
        bool mayDefer =
            entry != variables.end() && !entry->second.isGiven &&
            llvm::is_contained(entry->second.linearIn, use->getOperandNumber());
        cut.addEdge(allUses, mayDefer ? entry->second.node : MinimumCut::kSink,
                    MinimumCut::kUncuttable);
      }
      cut.addEdge(variable.node, allUses,
                  cost(value, variable.unreduced, target.sharding));
    }
    if (!variable.isGiven)
      cut.addEdge(MinimumCut::kSource, variable.node, costWhole);
  }
  cut.solve();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Makes `value` unreduced; the operands in which it is linear already are.
void ReductionPlacement::defer(Value value, const Variable &variable) {
  Operation *op = value.getDefiningOp();
  for (unsigned operand : variable.linearIn)
    op->setOperand(operand, rootOf(op->getOperand(operand)));
  ShardingAttr whole = getSharding(value);
  setSharding(value, ShardingAttr::get(value.getContext(), whole.getMesh(),
                                       variable.unreduced));
  // Users that defer as well look through this reshard.
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (!isa<ReshardOp>(use.getOwner()))
      uses.push_back(&use);
  if (uses.empty())
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto reshard = ReshardOp::create(builder, value.getLoc(), value, whole);
  setSharding(reshard, whole);
  for (OpOperand *use : uses)
    use->set(reshard);
}

void ReductionPlacement::apply() {
  for (auto &[value, variable] : variables)
    if (!variable.isGiven && cut.isOnSourceSide(variable.node))
      defer(value, variable);
  function.getBody().walk([](ReshardOp reshard) {
    if (reshard->use_empty())
      reshard->erase();
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The first set of axes over which a sum is pending and that is not in `seen`.
static std::optional<AxisList> nextAxes(func::FuncOp function,
                                        ArrayRef<AxisList> seen) {
  std::optional<AxisList> found;
  walkProgram(function, [&](Operation *op) {
    for (Value result : op->getResults())
      if (ShardingAttr sharding = getSharding(result))
        if (const AxisList &axes = sharding.getValue().unreduced;
            !axes.empty() && isSumOver(sharding.getValue(), axes) &&
            !llvm::is_contained(seen, axes)) {
          found = axes;
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return found;
}

namespace {
struct PlaceReductions : tessera::impl::PlaceReductionsBase<PlaceReductions> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardCosts costs(*mesh);
    RuleCache rules;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (failed(verifyAllSharded(function, getAllShardings(function))))
        return signalPassFailure();
      SmallVector<AxisList> seen;
      while (std::optional<AxisList> axes = nextAxes(function, seen)) {
        seen.push_back(*axes);
        ReductionPlacement(function, *axes, costs, rules).run();
      }
    }
  }
};
} // namespace
