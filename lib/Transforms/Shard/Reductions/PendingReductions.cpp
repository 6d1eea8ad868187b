//===- PendingReductions.cpp - what could be reduced later ----------------===//

#include "Reductions/PendingReductions.h"

#include "Support/ConstantExpressions.h"

#include "tessera/Interfaces/ManualRegionInterface.h"
#include "tessera/Sharding/Rules/FactorShardings.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The first tensor in `op` with a sharding that is `wanted`: of the arguments
/// of its regions, then, in the order of the text, of the results of operations
/// and the arguments of theirs. Null if there is none.
static Value findTensor(Operation *op,
                        function_ref<bool(const TensorSharding &)> wanted) {
  Value found;
  auto search = [&](ValueRange values) {
    for (Value value : values)
      if (isa<RankedTensorType>(value.getType()))
        if (ShardingAttr sharding = getSharding(value);
            sharding && wanted(sharding.getValue())) {
          found = value;
          return true;
        }
    return false;
  };
  auto searchRegions = [&](Operation *op) {
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      return search(region.getArguments());
    });
  };
  if (searchRegions(op))
    return found;
  walkProgram(op, [&](Operation *inner) {
    bool isFound =
        search(inner->getResults()) ||
        (inner->getNumRegions() && isa<RegionBranchOpInterface>(inner) &&
         searchRegions(inner));
    return isFound ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static bool isUnreduced(Value value) {
  ShardingAttr sharding = getSharding(value);
  return sharding && !sharding.getValue().unreduced.empty();
}

void PendingProgram::update() {
  entries.clear();
  reshards.clear();
  walkProgram(function, [&](Operation *op) {
    bool mayBegin =
        hasDataFlow(op) || llvm::any_of(op->getResults(), isUnreduced);
    entries.push_back({op, mayBegin});
    if (auto reshard = dyn_cast<ReshardOp>(op))
      reshards.push_back(reshard);
  });
}

SmallVector<PendingAxes> PendingProgram::allPendingAxes() const {
  SmallVector<PendingAxes> sets;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isUnreduced(value))
        if (PendingAxes axes = pendingAxes(getSharding(value).getValue());
            !llvm::is_contained(sets, axes))
          sets.push_back(std::move(axes));
  };
  func::FuncOp body = function;
  add(body.getArguments());
  for (const Entry &entry : entries) {
    if (!entry.mayBegin)
      continue;
    add(entry.op->getResults());
    for (Region &region : entry.op->getRegions())
      add(region.getArguments());
  }
  return sets;
}

PendingReductions::PendingReductions(const PendingProgram &program,
                                     const PendingAxes &pending,
                                     const Mesh &mesh, RuleCache &rules)
    : pending(pending), mesh(mesh), rules(rules) {
  func::FuncOp function = program.getFunction();
  for (BlockArgument argument : function.getArguments())
    addGiven(argument);
  for (auto [op, mayBegin] : program.getEntries()) {
    if (!mayBegin) {
      addDeferrable(op);
      continue;
    }
    if (hasDataFlow(op)) {
      addCarried(op);
      continue;
    }
    bool anyGiven = false;
    for (Value result : op->getResults())
      anyGiven |= addGiven(result);
    if (!anyGiven)
      addDeferrable(op);
  }
}

void PendingReductions::add(Variable variable) {
  unsigned number = variables.size();
  for (Value value : variable.values) {
    variableOf[value] = number;
    for (Operation *user : value.getUsers()) {
      takers.insert(user);
      if (isa<ReshardOp>(user))
        takers.insert(user->user_begin(), user->user_end());
    }
  }
  for (OpOperand *source : variable.sources)
    consumers[source] = number;
  variables.push_back(std::move(variable));
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

ShardingAttr PendingReductions::withoutAxes(ShardingAttr sharding) const {
  return ShardingAttr::get(sharding.getContext(), sharding.getMesh(),
                           without(sharding.getValue(), pending.axes, mesh));
}

/// What a value with the sharding `current` would have if it were unreduced
/// over the axes in addition; nothing where it cannot be.
std::optional<ShardingAttr>
PendingReductions::unreducedOf(ShardingAttr current) const {
  const TensorSharding &sharding = current.getValue();
  if (!sharding.unreduced.empty() &&
      (sharding.unreducedKind != pending.kind ||
       llvm::any_of(pending.axes, [&](const AxisRef &axis) {
         return !fitsBeside(axis, sharding.unreduced, mesh);
       })))
    return std::nullopt;
  TensorSharding unreduced = without(sharding, pending.axes, mesh);
  llvm::append_range(unreduced.unreduced, pending.axes);
  unreduced.unreduced = canonicalSet(unreduced.unreduced, mesh);
  unreduced.unreducedKind = pending.kind;
  return ShardingAttr::get(current.getContext(), current.getMesh(), unreduced);
}

Value PendingReductions::rootOf(Value operand) const {
  if (auto reshard = operand.getDefiningOp<ReshardOp>())
    if (variableOf.contains(reshard.getOperand()))
      return reshard.getOperand();
  return operand;
}

const PendingReductions::Variable *
PendingReductions::sourceOf(Value operand) const {
  Value root = rootOf(operand);
  const Variable *variable = find(root);
  if (!variable || !isPending(variable->unreduced.getValue()))
    return nullptr;
  ShardingAttr sharding = getSharding(operand);
  if (root == operand || isInPlace(*variable, sharding.getValue()))
    return variable;
  std::optional<ShardingAttr> moved = unreducedOf(sharding);
  return moved && isPending(moved->getValue()) ? variable : nullptr;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Makes `value` a variable if it is unreduced over the axes.
bool PendingReductions::addGiven(Value value) {
  ShardingAttr sharding = getSharding(value);
  if (!sharding || !isPending(sharding.getValue()))
    return false;
  add({{value}, /*isGiven=*/true, sharding, sharding, {}});
  return true;
}

/// Whether sums over the axes may stay pending where `op` hands them over. What
/// enters or leaves a manual region is reduced over manual axes as the user
/// says.
bool PendingReductions::mayCarry(Operation *op) const {
  auto region = dyn_cast<ManualRegionInterface>(op);
  return !region || llvm::none_of(pending.axes, [&](const AxisRef &axis) {
    return !fitsBeside(axis, region.getManualAxes(), mesh);
  });
}

/// Whether everything that fills `carried` arrives there as `current`.
static bool arrivesAs(const CarriedValue &carried, ShardingAttr current) {
  return llvm::all_of(carried.sources, [&](OpOperand *source) {
    ShardingAttr sharding = getSharding(source->get());
    return sharding &&
           shardingBehindEdge(carried.targets.front(), sharding.getValue()) ==
               current.getValue();
  });
}

/// Makes variables of what control flow carries, if something inside is given
/// or something unreduced may enter.
void PendingReductions::addCarried(Operation *op) {
  std::optional<bool> known;
  auto givenInside = [&] {
    if (!known)
      known = bool(findTensor(op, [&](const TensorSharding &sharding) {
        return isPending(sharding);
      }));
    return *known;
  };
  for (CarriedValue &carried : carriedValues(op)) {
    ShardingAttr current = getSharding(carried.targets.front());
    if (!current || !arrivesAs(carried, current))
      continue;
    if (isPending(current.getValue())) {
      add({std::move(carried.targets), /*isGiven=*/true, current, current, {}});
      continue;
    }
    bool mayEnter =
        givenInside() || llvm::any_of(carried.sources, [&](OpOperand *source) {
          return variableOf.contains(rootOf(source->get()));
        });
    if (!mayEnter || !mayCarry(op) || !current.getValue().unreduced.empty())
      continue;
    if (std::optional<ShardingAttr> unreduced = unreducedOf(current))
      add({std::move(carried.targets), /*isGiven=*/false, current, *unreduced,
           std::move(carried.sources)});
  }
}

/// Whether `value` is a constant expression that can be made again without the
/// axes, and stays as it is.
bool PendingReductions::mayMakeAgain(Value value) const {
  SmallVector<Operation *, 4> expression = smallExpression(value);
  return !expression.empty() && llvm::all_of(expression, [&](Operation *op) {
    return agreesWithoutAxes(op, *rules.lookup(op)) &&
           llvm::none_of(op->getResults(), [&](Value result) {
             return variableOf.contains(result);
           });
  });
}

/// Whether `op` could take the operands numbered `carried` unreduced, and all
/// others as they are, or for nothing without the pending axes; with
/// `allowMasks` also if some of the former have to be made so.
bool PendingReductions::mayDefer(Operation *op, ArrayRef<unsigned> carried,
                                 bool allowMasks) const {
  bool any = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    TensorSharding need = getSharding(operand.get()).getValue();
    TensorSharding whole = without(need, pending.axes, mesh);
    if (!llvm::is_contained(carried, operand.getOperandNumber())) {
      if (!need.unreduced.empty() ||
          (whole != need && !mayMakeAgain(operand.get())))
        return false;
      continue;
    }
    const Variable *source = sourceOf(operand.get());
    bool isFree =
        source ? !source->isMasked : isNeutral(operand.get(), pending.kind);
    if (!need.unreduced.empty() || (!isFree && !allowMasks))
      return false;
    any |= source != nullptr;
  }
  return any;
}

/// Whether the operands and the result of `op` agree on the axes of every
/// factor without the pending axes too. Where a dimension has several factors
/// and loses the axes of the major one, those of the others would move up to
/// it.
bool PendingReductions::agreesWithoutAxes(Operation *op,
                                          const ShardingRule &rule) const {
  SmallVector<TensorSharding> tensors;
  bool losesAxes = false;
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      ShardingAttr sharding = getSharding(value);
      TensorSharding current =
          sharding ? sharding.getValue() : TensorSharding::getReplicated(0);
      tensors.push_back(without(current, pending.axes, mesh));
      losesAxes |= tensors.back() != current;
    }
  if (!losesAxes)
    return true;
  SmallVector<ArrayRef<int64_t>> shapes = getShapes(op->getOperandTypes());
  llvm::append_range(shapes, getShapes(op->getResultTypes()));
  FactorShardings view(rule, shapes, mesh, tensors);
  return findConflicts(rule, view, mesh).empty();
}

/// Makes the result of `op` a variable if it could be unreduced because
/// operands could be.
void PendingReductions::addDeferrable(Operation *op) {
  if (!takers.contains(op) || op->getNumResults() != 1 || isa<ReshardOp>(op))
    return;
  const ShardingRule *rule = rules.lookup(op);
  ShardingAttr current = getSharding(op->getResult(0));
  if (!rule || !current)
    return;
  std::optional<ShardingAttr> unreduced = unreducedOf(current);
  if (!unreduced || !agreesWithoutAxes(op, *rule))
    return;
  for (bool allowMasks : {false, true})
    for (ArrayRef<unsigned> carried : rule->carried(pending.kind)) {
      if (!mayDefer(op, carried, allowMasks))
        continue;
      Variable variable{
          {op->getResult(0)}, /*isGiven=*/false, current, *unreduced, {}};
      for (unsigned operand : carried)
        variable.sources.push_back(&op->getOpOperand(operand));
      variable.isMasked = allowMasks;
      return add(std::move(variable));
    }
}
