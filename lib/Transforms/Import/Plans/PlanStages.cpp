//===- PlanStages.cpp - where parameters say that stages end --------------===//
//
// The first operation that takes a parameter is one of the forward pass
// (ParameterUses.h), so that stages of parameters are ranges of the text. A
// stage ends somewhere between the last of its own and the first of the next
// one. There the values that cross are counted, and the mark stands where they
// have the fewest bytes: behind the sum of a residual stream, not in the middle
// of the norm that begins the next layer.
//
//===----------------------------------------------------------------------===//

#include "PlanStages.h"
#include "PlanActivations.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DebugLog.h"

#include <limits>
#include <map>

#define DEBUG_TYPE "tessera-apply-plan"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// The operations of the text that are the first to take a stage's parameters.
struct StageRange {
  int64_t first = std::numeric_limits<int64_t>::max(), last = -1;
  /// The last operation before any later parameter is taken, or before the
  /// backward pass begins.
  int64_t end = -1;
  PlanPlace place;
};

/// Finds the places of marks in one function.
class StageMarker {
public:
  StageMarker(func::FuncOp function, const ShardingPlan &plan,
              const PlanResolver &resolver)
      : body(function.getBody().front()), plan(plan), resolver(resolver) {
    for (Operation &op : body) {
      numbers[&op] = operations.size();
      operations.push_back(&op);
    }
  }

  LogicalResult findRanges(ArrayRef<PlannedTensor> tensors,
                           ArrayRef<ParameterUse> uses);
  LogicalResult check();
  void findEnds(ArrayRef<ParameterUse> uses);
  void mark();

private:
  Value narrowestCut(const StageRange &before, const StageRange &behind);
  int64_t lastUse(Value value, int64_t end) const;
  void follow(const StageRange &stage, int64_t last);

  Block &body;
  const ShardingPlan &plan;
  const PlanResolver &resolver;
  std::vector<Operation *> operations;
  DenseMap<Operation *, int64_t> numbers;
  std::map<int64_t, StageRange> ranges;
  /// Values that depend on what a stage computes.
  llvm::DenseSet<Value> computed;
};

} // namespace

LogicalResult StageMarker::findRanges(ArrayRef<PlannedTensor> tensors,
                                      ArrayRef<ParameterUse> uses) {
  for (const PlanStage &stage : plan.stages) {
    bool isFound = false;
    for (const PlannedTensor &tensor : tensors) {
      if (tensor.isResult() || !uses[tensor.number].consumer ||
          tensor.role != TensorRole::Weight ||
          !stage.match.matches(tensor.path))
        continue;
      isFound = true;
      Operation *consumer = uses[tensor.number].consumer;
      if (consumer->getBlock() != &body)
        return emitError(resolver.locationOf(stage.place))
               << "expected parameters that are taken outside of loops to tell "
                  "where a stage ends, got "
               << tensor.name;
      StageRange &range = ranges[stage.stage];
      range.first = std::min(range.first, numbers.at(consumer));
      range.last = std::max(range.last, numbers.at(consumer));
      range.place = stage.place;
    }
    if (!isFound)
      return emitError(resolver.locationOf(stage.place))
             << "no parameter that a product takes matches '"
             << stage.match.str() << "'";
  }
  return success();
}

LogicalResult StageMarker::check() {
  int64_t expected = 0, last = -1;
  for (auto &[number, range] : ranges) {
    if (number != expected++)
      return emitError(resolver.locationOf(range.place))
             << "expected stages numbered from 0 on, got stage " << number
             << " without stage " << expected - 1;
    if (range.first <= last)
      return emitError(resolver.locationOf(range.place))
             << "expected the parameters of stage " << number
             << " to be taken after all of stage " << number - 1;
    last = range.last;
  }
  return success();
}

/// Finds where the operations of stages end: at most where the next parameter
/// is taken.
void StageMarker::findEnds(ArrayRef<ParameterUse> uses) {
  int64_t forward = operations.size() - 1;
  for (auto [number, op] : llvm::enumerate(operations))
    if (isOfBackwardPass(op->getLoc()))
      forward = std::min<int64_t>(forward, number - 1);
  for (auto &[stage, range] : ranges) {
    range.end = std::max(range.last, forward);
    for (const ParameterUse &use : uses) {
      if (!use.consumer)
        continue;
      int64_t taken = numbers.at(body.findAncestorOpInBlock(*use.consumer));
      if (taken > range.last)
        range.end = std::min(range.end, taken - 1);
    }
  }
}

/// Notes what depends on the first operation of a stage, up to `last`: what is
/// computed of the batch alone, like a mask, may be anywhere.
void StageMarker::follow(const StageRange &stage, int64_t last) {
  computed.clear();
  for (int64_t i = stage.first; i <= last; ++i) {
    Operation *op = operations[i];
    if (i == stage.first || llvm::any_of(op->getOperands(), [&](Value value) {
          return computed.contains(value);
        }))
      computed.insert(op->result_begin(), op->result_end());
  }
}

static int64_t bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8)
              : 0;
}

/// The number of the last operation up to `end` that uses `value`; -1 for none.
int64_t StageMarker::lastUse(Value value, int64_t end) const {
  int64_t last = -1;
  for (Operation *user : value.getUsers())
    if (int64_t number = numbers.at(body.findAncestorOpInBlock(*user));
        number <= end)
      last = std::max(last, number);
  return last;
}

/// The last value of those that cross the cut that the fewest bytes cross,
/// between the ranges of two stages; of equal ones the last cut. Only uses up
/// to the end of the later stage count: those behind it may be of the backward
/// pass.
Value StageMarker::narrowestCut(const StageRange &before,
                                const StageRange &behind) {
  // Per cut, from the one behind `before.last` on, the bytes that begin or end
  // to cross there, and the last value that begins to.
  int64_t cuts = behind.first - before.last;
  std::vector<int64_t> change(cuts + 1, 0);
  SmallVector<std::pair<Value, int64_t>> crossing;
  for (int64_t i = before.first; i < behind.first; ++i)
    for (Value result : operations[i]->getResults()) {
      int64_t last = lastUse(result, behind.end);
      if (!computed.contains(result) || last <= std::max(i, before.last))
        continue;
      change[std::max(i, before.last) - before.last] += bytesOf(result);
      change[std::min(last, behind.first) - before.last] -= bytesOf(result);
      crossing.push_back({result, last});
    }
  int64_t bytes = 0, fewest = std::numeric_limits<int64_t>::max(), best = -1;
  for (int64_t cut = 0; cut < cuts; ++cut) {
    bytes += change[cut];
    if (bytes > 0 && bytes <= fewest) {
      fewest = bytes;
      best = before.last + cut;
    }
  }
  for (auto &[value, last] : llvm::reverse(crossing))
    if (numbers.at(value.getDefiningOp()) <= best && last > best)
      return value;
  return Value();
}

void StageMarker::mark() {
  const StageRange *before = nullptr;
  SmallVector<Value> marked;
  for (auto &[number, range] : ranges) {
    if (before) {
      follow(*before, range.first);
      marked.push_back(narrowestCut(*before, range));
    }
    before = &range;
  }
  for (auto [stage, value] : llvm::enumerate(marked)) {
    // Stages that have nothing to do with each other follow as they like.
    if (!value)
      continue;
    OpBuilder builder(body.getParentOp()->getContext());
    builder.setInsertionPointAfterValue(value);
    auto end = StageEndOp::create(builder, value.getLoc(), value);
    value.replaceUsesWithIf(end.getResult(), [&](OpOperand &use) {
      Operation *user = body.findAncestorOpInBlock(*use.getOwner());
      return user != end && !user->isBeforeInBlock(end);
    });
    LDBG() << "stage " << stage << " ends with " << value;
  }
}

LogicalResult tessera::importer::markStages(func::FuncOp function,
                                            const ShardingPlan &plan,
                                            const PlanResolver &resolver,
                                            ArrayRef<PlannedTensor> tensors,
                                            ArrayRef<ParameterUse> uses) {
  if (plan.stages.empty())
    return success();
  StageMarker marker(function, plan, resolver);
  if (failed(marker.findRanges(tensors, uses)) || failed(marker.check()))
    return failure();
  marker.findEnds(uses);
  marker.mark();
  return success();
}
