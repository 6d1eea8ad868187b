//===- MicrobatchControlFlow.cpp - what loops make of rows and sums -------===//
//
// Operations that hand values over: loops, branches, per-device code, barriers.
// What they carry as one value has one state.
//
//===----------------------------------------------------------------------===//

#include "MicrobatchAnalysis.h"

#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ManualRegionInterface.h"

using namespace mlir;
using namespace tessera;

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
    origin = origin ? origin : states[value].origin;
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

bool MicrobatchAnalysis::analyseControlFlow(Operation *op) {
  bool anySplit = false, anyPending = false, anyUnknown = false;
  Value sum;
  Operation *origin = nullptr;
  forEachCapture(op, [&](Value value) {
    const BatchState &state = states[value];
    anySplit |= state.is(BatchState::Split);
    anyPending |= state.is(BatchState::Pending);
    anyUnknown |= state.is(BatchState::Unknown);
    if (state.is(BatchState::After))
      sum = value;
    if (state.is(BatchState::Invariant) && state.origin)
      origin = state.origin;
  });
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

bool MicrobatchAnalysis::analyseRegions(Operation *op) {
  DenseSet<Value> carried;
  for (const CarriedValue &value : carriedValues(op))
    carried.insert(value.targets.begin(), value.targets.end());
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
    if (!updateTargets(op, round == 0, changed) || !findBlocks(op))
      return false;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!analyseBlock(block))
          return false;
    bool ends = false;
    if (!updateTargets(op, /*isFirst=*/false, ends))
      return false;
    if (round > 0 && !ends && !changed)
      return findBlocks(op) && checkControls(op);
  }
  return needsWholeBatch(op, "what it carries is split in no lasting way");
}

/// Finds the blocks of rows in per-device code that is entered in `op`: all
/// rows that enter or leave must have the same.
bool MicrobatchAnalysis::findBlocks(Operation *op) {
  if (!isa<ManualRegionInterface>(op))
    return true;
  int64_t outside = blocksIn(op->getParentOp());
  std::optional<int64_t> inside;
  bool agree = true;
  forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
    BatchState state = states[target];
    if (!state.is(BatchState::Split))
      return;
    int64_t from = cast<RankedTensorType>(source.get().getType())
                       .getDimSize(state.split.dim);
    int64_t to =
        cast<RankedTensorType>(target.getType()).getDimSize(state.split.dim);
    int64_t parts = std::max(from, to) / std::min(from, to);
    agree &= parts == 1 || (state.split.outer == 1 && outside % parts == 0);
    agree &= !inside || *inside == outside / parts;
    inside = outside / parts;
  });
  if (!agree)
    return needsWholeBatch(op, "its devices do not each have whole pieces of "
                               "the microbatches");
  if (inside)
    manualBlocks[op] = *inside;
  return true;
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
      for (Operation &nested : block)
        if (after.contains(&nested))
          return needsSum(&nested, nested.getResults().empty()
                                       ? Value()
                                       : nested.getResult(0));
    }
  return true;
}
