//===- Checkpoints.cpp - what the backward pass repeats -------------------===//

#include "Cut/Checkpoints.h"

#include "Cut/StageFlow.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

Checkpoints::Checkpoints(StepProgram &program) : program(program) {
  takeBarriers();
  findTwins();
}

Value Checkpoints::originalOf(Value value) const {
  auto known = originals.find(value);
  return known == originals.end() ? value : known->second;
}

ArrayRef<Operation *> Checkpoints::repeatsOf(Operation *op) const {
  auto known = repeatsByTwin.find(op);
  return known == repeatsByTwin.end() ? ArrayRef<Operation *>()
                                      : ArrayRef<Operation *>(known->second);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Checkpoints::takeBarriers() {
  SmallVector<Operation *> found;
  for (Operation *op : program.getOperations())
    if (isa<BarrierOp>(op) && program.is(op, Placement::Backward))
      found.push_back(op);
  for (Operation *barrier : llvm::reverse(found))
    takeBarrier(barrier);
  program.eraseUnused(Placement::Backward);
}

/// Adds `use`, which was behind a barrier and no longer is, to `uses`; of a
/// reshape that only undoes what stood before the barrier, its uses instead:
/// the forward pass has no such pair.
static void addUse(OpOperand *use, SmallVectorImpl<OpOperand *> &uses) {
  auto undo = dyn_cast<ReshapeOp>(use->getOwner());
  auto done = use->get().getDefiningOp<ReshapeOp>();
  if (!undo || !done || undo.getType() != done.getOperand().getType() ||
      getSharding(undo.getResult()) != getSharding(done.getOperand())) {
    uses.push_back(use);
    return;
  }
  for (OpOperand &next : llvm::make_early_inc_range(undo->getUses())) {
    next.set(done.getOperand());
    uses.push_back(&next);
  }
}

/// Lets users of `barrier` read its operands. It stays if something else than
/// the backward pass uses it, or if it changes a sharding.
void Checkpoints::takeBarrier(Operation *barrier) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : barrier->getUses()) {
    Operation *user = program.outermost(use.getOwner());
    if (isa_and_present<BarrierOp>(user) && user->use_empty())
      continue;
    if (!user || !program.is(user, Placement::Backward))
      return;
    uses.push_back(&use);
  }
  for (auto [operand, result] :
       llvm::zip_equal(barrier->getOperands(), barrier->getResults()))
    if (getSharding(operand) != getSharding(result))
      return;
  barrier->replaceAllUsesWith(barrier->getOperands());
  SmallVector<OpOperand *> behind;
  for (OpOperand *use : uses)
    addUse(use, behind);
  for (OpOperand *use : behind)
    program.updateReads(program.outermost(use->getOwner()));
  barriers.push_back(std::move(behind));
}

/// Lets `uses`, all of which were behind one barrier, be so again, per stage.
void Checkpoints::putBack(ArrayRef<OpOperand *> uses, StageLabels &assignment) {
  llvm::MapVector<int64_t, SmallVector<OpOperand *>> byStage;
  for (OpOperand *use : uses)
    byStage[assignment.stageOf.at(program.outermost(use->getOwner()))]
        .push_back(use);
  for (auto &[stage, stageUses] : byStage) {
    llvm::SetVector<Value> values;
    Operation *first = nullptr;
    for (OpOperand *use : stageUses) {
      values.insert(use->get());
      Operation *user = program.outermost(use->getOwner());
      if (!first || user->isBeforeInBlock(first))
        first = user;
    }
    OpBuilder builder(first);
    ArrayRef<Value> operands = values.getArrayRef();
    auto barrier = BarrierOp::create(builder, first->getLoc(),
                                     TypeRange(ValueRange(operands)), operands);
    IRMapping results;
    for (auto [value, result] :
         llvm::zip_equal(operands, barrier->getResults())) {
      setSharding(result, getSharding(value));
      results.map(value, result);
    }
    for (OpOperand *use : stageUses) {
      use->set(results.lookup(use->get()));
      program.updateReads(program.outermost(use->getOwner()));
    }
    program.add(barrier, Placement::Backward);
    assignment.stageOf[barrier] = stage;
  }
}

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

Checkpoints::Key Checkpoints::keyOf(Operation *op) const {
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(TesseraDialect::kShardingAttr);
  Key key = {op->getName().getAsOpaquePointer(),
             attributes.getDictionary(op->getContext()).getAsOpaquePointer()};
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  for (Value operand : op->getOperands()) {
    Value representative = representatives.lookup(operand);
    key.push_back(
        (representative ? representative : operand).getAsOpaquePointer());
  }
  return key;
}

/// Finds the operations of the backward pass that repeat one of the forward
/// pass behind a barrier: equal in operation, attributes and operands, where
/// operands are compared by what they repeat. Records for each the operation it
/// repeats, and for each value its representative. Expects operations in
/// program order.
void Checkpoints::findTwins() {
  if (barriers.empty())
    return;
  std::map<Key, Operation *> known;
  auto representativeOf = [&](Value value) {
    Value representative = representatives.lookup(value);
    return representative ? representative : value;
  };
  for (Operation *op : program.getOperations()) {
    Placement placement = program.placementOf(op);
    bool isRepeat = placement == Placement::Backward;
    if (op->getNumRegions() != 0 ||
        !(isRepeat || placement == Placement::Forward ||
          placement == Placement::Copied || placement == Placement::Prepared))
      continue;
    Operation *twin = op;
    if (isRepeat) {
      auto found = known.find(keyOf(op));
      twin = found == known.end() ? nullptr : found->second;
    } else {
      twin = known.try_emplace(keyOf(op), op).first->second;
    }
    if (twin && twin != op)
      for (auto [mine, other] :
           llvm::zip_equal(op->getResults(), twin->getResults()))
        representatives[mine] = representativeOf(other);
    if (auto reshard = dyn_cast<ReshardOp>(op))
      representatives[reshard.getResult()] =
          representativeOf(reshard.getOperand());
    if (!twin || !isRepeat)
      continue;
    for (auto [mine, other] :
         llvm::zip_equal(op->getResults(), twin->getResults()))
      originals[mine] = other;
    if (!program.is(twin, Placement::Forward))
      continue;
    twins[op] = twin;
    repeats.push_back(op);
    repeatsByTwin[twin].push_back(op);
  }
}

//===----------------------------------------------------------------------===//
// After the cut
//===----------------------------------------------------------------------===//

/// `value` of the forward pass with the sharding of `like`, for `stage`.
Value Checkpoints::resharded(Value value, Value like, int64_t stage,
                             StageLabels &assignment) {
  if (getSharding(value) == getSharding(like))
    return value;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto reshard =
      ReshardOp::create(builder, like.getLoc(), value, getSharding(like));
  setSharding(reshard, getSharding(like));
  program.add(reshard, Placement::Backward);
  assignment.stageOf[reshard] = stage;
  return reshard;
}

/// Replaces what would go from repeated operations to later stages, against the
/// direction of the backward pass.
void Checkpoints::useForwardPass(StageLabels &assignment) {
  for (Operation *op : repeats) {
    DenseMap<std::pair<Value, int64_t>, Value> made;
    for (Value result : op->getResults())
      for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
        Operation *user = program.outermost(use.getOwner());
        auto stage = assignment.stageOf.find(user);
        if (!user || stage == assignment.stageOf.end() ||
            stage->second <= assignment.stageOf.at(op))
          continue;
        int64_t later = stage->second;
        Value &replacement = made[{result, later}];
        if (!replacement)
          replacement =
              resharded(originalOf(result), result, later, assignment);
        use.set(replacement);
        program.updateReads(user);
      }
  }
}

void Checkpoints::restore(StageLabels &assignment) {
  useForwardPass(assignment);
  for (ArrayRef<OpOperand *> uses : llvm::reverse(barriers))
    putBack(uses, assignment);
}
