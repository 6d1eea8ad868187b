//===- MicrobatchControlFlow.cpp - what loops make of rows and sums -------===//
//
// Operations that hand values over: loops, branches, per-device code, barriers.
// What they carry as one value has one state.
//
//===----------------------------------------------------------------------===//

#include "Microbatches/MicrobatchAnalysis.h"

#include "tessera/Interfaces/DataFlow.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// Results are operands; or there are none, as of a wish for shardings.
bool MicrobatchAnalysis::analyseHandover(Operation *op) {
  bool anyAfter = false;
  Value split;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    BatchState state = states[operand];
    if (op->getNumResults() > 0)
      states[op->getResult(number)] = state;
    anyAfter |= state.is(BatchState::After);
    if (state.is(BatchState::Split))
      split = operand;
    if (state.is(BatchState::Split) || state.is(BatchState::Pending))
      inside.insert(op);
  }
  if (!anyAfter)
    return true;
  if (split)
    return needsSum(op, *llvm::find_if(op->getOperands(), [&](Value operand) {
                      return states[operand].is(BatchState::After);
                    }));
  makeAfter(op);
  return true;
}

/// Calls `visit` for every value from outside of `op` that it takes.
static void forEachCapture(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        visit(operand);
  });
}

/// Lets `op`, and all inside of it, wait for all microbatches.
void MicrobatchAnalysis::makeAfter(Operation *op) {
  Operation *origin = nullptr;
  forEachCapture(op, [&](Value value) {
    Operation *other = states[value].origin;
    if (!origin || waiting.contains(other))
      origin = other;
  });
  op->walk([&](Operation *nested) {
    inside.erase(nested);
    after.erase(nested);
    factors.erase(nested);
  });
  BatchState state = BatchState::ofKind(BatchState::After);
  state.origin = origin;
  set(op, state);
}

/// The states of what `op`, a loop or branch, gives: from those of all that it
/// reads. False after a reason has been noted why it cannot be computed by
/// microbatches.
bool MicrobatchAnalysis::analyseControlFlow(Operation *op) {
  bool anySplit = false, anyPending = false, anyUnknown = false;
  Value sum;
  Operation *origin = nullptr;
  forEachCapture(op, [&](Value value) {
    const BatchState &state = states[value];
    anySplit |= state.is(BatchState::Split);
    anyPending |= state.is(BatchState::Pending);
    anyUnknown |= state.is(BatchState::Unknown);
    if (state.is(BatchState::After) && (!sum || waiting.contains(state.origin)))
      sum = value;
    if (state.is(BatchState::Invariant) && state.origin)
      origin = state.origin;
  });
  if (sum && waiting.contains(states[sum].origin))
    return cannotWait(states[sum].origin);
  if (sum && anySplit)
    return needsSum(op, sum);
  if (sum) {
    makeAfter(op);
    return true;
  }
  if (!anySplit && !anyPending && !anyUnknown) {
    if (origin)
      return needsWholeBatch(op, "it computes from all rows", origin);
    return set(op, BatchState::invariant());
  }
  if (analyseRegions(op)) {
    inside.insert(op);
    return true;
  }
  if (anySplit || again)
    return false;
  problem = {};
  makeAfter(op);
  return true;
}

bool MicrobatchAnalysis::join(BatchState &state, const BatchState &other,
                              Operation *op) {
  if (other.is(BatchState::Unknown) || state.sameAs(other) ||
      (other.is(BatchState::Invariant) && !state.is(BatchState::Unknown)))
    return true;
  if (state.is(BatchState::Unknown) || state.is(BatchState::Invariant)) {
    state = other;
    return true;
  }
  return needsWholeBatch(op, "it carries a value that is not split in one way",
                         other.origin ? other.origin : state.origin);
}

/// How often dimension `dim` of a value outside of per-device code has it
/// inside, where `type` is handed over as `target`.
static int64_t partsAcrossEdge(Type type, Value target, int64_t dim) {
  int64_t from = cast<RankedTensorType>(type).getDimSize(dim),
          to = cast<RankedTensorType>(target.getType()).getDimSize(dim);
  return std::max(from, to) / std::max<int64_t>(std::min(from, to), 1);
}

/// Makes of the state of a value of `type` what it is as `target`: in
/// per-device code, what stands before the microbatches belongs to several
/// devices. Fails where these have no whole pieces.
bool MicrobatchAnalysis::crossEdge(BatchState &state, Type type, Value target) {
  if (!state.is(BatchState::Split))
    return true;
  int64_t parts = partsAcrossEdge(type, target, state.split.dim);
  if (!isa<BlockArgument>(target)) {
    state.split.before *= parts;
    return true;
  }
  bool isWhole = state.split.before % parts == 0;
  state.split.before /= parts;
  return isWhole;
}

BatchState MicrobatchAnalysis::stateBeforeEdge(Value target, Type type) const {
  BatchState state = lookup(target);
  if (!state.is(BatchState::Split))
    return state;
  int64_t parts = partsAcrossEdge(type, target, state.split.dim);
  if (isa<BlockArgument>(target))
    state.split.before *= parts;
  else
    state.split.before /= parts;
  return state;
}

/// Sets the states of what `op` carries from those of what is handed over. In
/// the first round a value that so far is invariant may still become anything.
bool MicrobatchAnalysis::updateTargets(Operation *op, bool isFirst,
                                       bool &changed) {
  for (const CarriedValue &carried : carriedValues(op)) {
    BatchState state;
    bool allKnown = true;
    for (OpOperand *source : carried.sources) {
      BatchState from = states[source->get()];
      allKnown &= !from.is(BatchState::Unknown);
      if (!crossEdge(from, source->get().getType(), carried.targets.front()))
        return needsWholeBatch(op, "its devices do not each have whole pieces "
                                   "of the microbatches");
      if (!join(state, from, op))
        return false;
    }
    if (isFirst && !allKnown && state.is(BatchState::Invariant))
      state = {};
    for (Value target : carried.targets) {
      BatchState &old = states[target];
      changed |= !old.sameAs(state);
      old = state;
    }
  }
  return true;
}

/// The states inside of `op`, to a fixed point: what is carried starts unknown,
/// and its state may change twice per value.
bool MicrobatchAnalysis::analyseRegions(Operation *op) {
  DenseSet<Value> carried;
  for (const CarriedValue &value : carriedValues(op))
    carried.insert(value.targets.begin(), value.targets.end());
  // NOLINTNEXTLINE(custom-iteration-order): each by itself.
  for (Value value : carried)
    states[value] = {};
  op->walk([&](Operation *nested) {
    for (Value result : nested->getResults())
      states[result] = {};
  });
  // What counts the iterations.
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      if (!carried.contains(argument))
        states[argument] = BatchState::invariant();
  size_t rounds = 3 + 2 * carried.size();
  for (size_t round = 0; round < rounds; ++round) {
    bool changed = false;
    if (!updateTargets(op, round == 0, changed))
      return false;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!analyseBlock(block))
          return false;
    bool ends = false;
    if (!updateTargets(op, /*isFirst=*/false, ends))
      return false;
    if (round > 0 && !ends && !changed)
      return checkControls(op);
  }
  return needsWholeBatch(op, "what it carries is split in no lasting way");
}

/// Checks that what decides on control flow, and what runs inside, needs no sum
/// over all microbatches.
bool MicrobatchAnalysis::checkControls(Operation *op) {
  DenseSet<OpOperand *> handedOver;
  forEachDataFlowEdge(
      op, [&](OpOperand &source, Value) { handedOver.insert(&source); });
  auto check = [&](Operation *owner) {
    for (OpOperand &operand : owner->getOpOperands()) {
      const BatchState &state = states[operand.get()];
      if (!handedOver.contains(&operand) && !state.is(BatchState::Invariant))
        return needsWholeBatch(op, "rows decide on what it does", state.origin);
    }
    return true;
  };
  if (!check(op))
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (!check(block.getTerminator()))
        return false;
      if (beforehand.contains(op))
        return true;
      for (Operation &nested : block)
        if (after.contains(&nested))
          return needsSum(&nested, nested.getResults().empty()
                                       ? Value()
                                       : nested.getResult(0));
    }
  return true;
}
