//===- StagePlacement.cpp - the stages of a kernel ------------------------===//

#include "StagePlacement.h"

#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/ElementEmitter.h"
#include "tessera/Interfaces/CostInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

bool codegen::isAnchor(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<ReduceOp, DotGeneralOp>(op) || isStructured(op));
}

void codegen::addOutput(Stage &stage, Value value) {
  if (llvm::any_of(stage.outputs, [&](const StageOutput &output) {
        return output.value == value;
      }))
    return;
  stage.outputs.push_back(
      {value, stage.kind != Stage::Kind::Dot,
       getIdentityAccess(shapeOf(value), value.getContext())});
}

LogicalResult StagePlacement::run() {
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(place(&op)))
      return failure();
  for (auto [number, value] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    placeResult(value, number);
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool StagePlacement::isLeaf(Value value) const {
  return isa<BlockArgument>(value) || stageOf.contains(value);
}

/// Accesses of `value` to arguments and anchors.
SmallVector<Access> StagePlacement::accessesOf(Value value) {
  return collectAccesses(
      value, getIdentityAccess(shapeOf(value), context),
      [&](Value v) { return isa<BlockArgument>(v) || isAnchor(v); });
}

/// The last stage that `accesses` need, -1 for none.
int StagePlacement::lastStage(ArrayRef<Access> accesses) const {
  int last = -1;
  for (const Access &access : accesses)
    if (auto it = stageOf.find(access.leaf); it != stageOf.end())
      last = std::max(last, int(it->second));
  return last;
}

/// Whether `accesses` reach values of stage `number` at the indices of the
/// current row only.
bool StagePlacement::isAligned(ArrayRef<Access> accesses, int number,
                               AffineMap row) const {
  return llvm::all_of(accesses, [&](const Access &access) {
    auto it = stageOf.find(access.leaf);
    return it == stageOf.end() || int(it->second) != number ||
           access.map == row;
  });
}

/// The identity from the space of `stage` to its kept dimensions.
AffineMap StagePlacement::rowMap(const Stage &stage) const {
  SmallVector<AffineExpr> results;
  for (int64_t d : stage.keptDims())
    results.push_back(stage.shape[d] == 1 ? getAffineConstantExpr(0, context)
                                          : getAffineDimExpr(d, context));
  return AffineMap::get(stage.shape.size(), 0, results, context);
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

LogicalResult StagePlacement::place(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    placeReduce(reduce);
    return success();
  }
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    placeDot(dot);
    return success();
  }
  if (isStructured(op)) {
    placeSingle(op);
    return success();
  }
  if (isa<arith::ConstantOp>(op) || isElementwise(op) || getAccessMap(op) ||
      getElementRule(op))
    return success();
  return op->emitError("unsupported operation: '")
         << op->getName() << "' has no code for the CPU";
}

/// Puts a reduction into the last loop nest of the same kind, shape and reduced
/// dimensions behind all that it reads, or into a new one at the end. It may
/// join the nest that makes its operand only where each step reads what that
/// step has made.
void StagePlacement::placeReduce(ReduceOp reduce) {
  ArrayRef<int64_t> shape = shapeOf(reduce.getOperand());
  SmallVector<int64_t> dims(reduce.getDims());
  llvm::sort(dims);
  int64_t last = shape.size();
  while (last > 0 && shape[last - 1] == 1)
    --last;
  bool rows = last == 0 || llvm::is_contained(dims, last - 1);
  SmallVector<Access> accesses = accessesOf(reduce.getOperand());
  int needed = lastStage(accesses);
  for (int number = plan.stages.size() - 1; number >= std::max(needed, 0);
       --number) {
    Stage &stage = plan.stages[number];
    bool same =
        stage.kind == (rows ? Stage::Kind::Rows : Stage::Kind::Columns) &&
        ArrayRef(stage.shape) == shape && stage.reducedDims == dims;
    if (!same || (number == needed &&
                  (!rows || !isAligned(accesses, number, rowMap(stage)))))
      continue;
    stage.reductions.push_back(reduce);
    stageOf[reduce.getResult()] = number;
    return;
  }
  Stage stage;
  stage.kind = rows ? Stage::Kind::Rows : Stage::Kind::Columns;
  stage.shape.assign(shape.begin(), shape.end());
  stage.reducedDims = dims;
  stage.reductions.push_back(reduce);
  stageOf[reduce.getResult()] = plan.stages.size();
  plan.stages.push_back(stage);
}

/// A product reads each operand several times while packing it: what is not
/// cheap is computed before.
bool StagePlacement::isCheapToRepeat(Value value) {
  unsigned operations = 0;
  llvm::DenseSet<Value> visited;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    if (isLeaf(current) || !visited.insert(current).second)
      continue;
    Operation *op = current.getDefiningOp();
    OperationCost cost = getOperationCost(op);
    bool computes = cost.kind == WorkKind::Elementwise;
    operations += computes;
    bool moves =
        computes || isa<arith::ConstantOp>(op) || getAccessMap(op).has_value();
    if (!moves || cost.isExpensive() || operations > 3)
      return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

void StagePlacement::placeDot(DotGeneralOp dot) {
  for (Value operand : dot->getOperands()) {
    if (isCheapToRepeat(operand))
      continue;
    while (!isLeaf(operand) && getAccessMap(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    materialize(operand);
  }
  Stage stage;
  stage.kind = Stage::Kind::Dot;
  stage.op = dot;
  llvm::append_range(stage.shape, shapeOf(dot.getResult()));
  stageOf[dot.getResult()] = plan.stages.size();
  plan.stages.push_back(stage);
}

void StagePlacement::placeSingle(Operation *op) {
  Stage stage;
  stage.kind = Stage::Kind::Single;
  stage.op = op;
  for (Value result : op->getResults()) {
    llvm::append_range(stage.shape, shapeOf(result));
    stageOf[result] = plan.stages.size();
    stage.outputs.push_back({result, false, {}});
  }
  plan.stages.push_back(stage);
}

//===----------------------------------------------------------------------===//
// Values that are stored
//===----------------------------------------------------------------------===//

/// Has a stage compute and store `value`, unless one does already.
void StagePlacement::materialize(Value value) {
  if (isa<BlockArgument>(value))
    return;
  auto known = stageOf.find(value);
  if (known == stageOf.end())
    stageOf[value] = placeElementwise(value);
  else
    addOutput(plan.stages[known->second], value);
}

/// If an element of `value` can be computed where stage `number` has just
/// computed what it needs: adds it to the outputs there.
bool StagePlacement::joinStage(Value value, ArrayRef<Access> accesses,
                               int number, bool needed) {
  Stage &stage = plan.stages[number];
  ArrayRef<int64_t> shape = shapeOf(value);
  AffineMap identity = getIdentityAccess(shape, context);
  bool whole = shape == ArrayRef(stage.shape);
  switch (stage.kind) {
  case Stage::Kind::Rows:
    if (whole && (needed ? isAligned(accesses, number, rowMap(stage))
                         : sharesReads(accesses, stage))) {
      stage.outputs.push_back({value, false, identity});
      return true;
    }
    [[fallthrough]];
  case Stage::Kind::Columns:
    return needed && !stage.reductions.empty() &&
           joinKept(value, accesses, number);
  case Stage::Kind::Dot:
    return needed && joinDot(value, accesses, number);
  case Stage::Kind::Single:
    return false;
  }
  return false;
}

/// Whether it pays to compute what has `accesses` along with `stage`, none of
/// whose results it needs: an element-wise stage must read some tensor of its
/// size that they read, too.
bool StagePlacement::sharesReads(ArrayRef<Access> accesses,
                                 const Stage &stage) {
  if (!stage.reductions.empty())
    return true;
  llvm::DenseSet<Value> read;
  for (const StageOutput &output : stage.outputs)
    for (const Access &access : accessesOf(output.value))
      read.insert(access.leaf);
  return llvm::any_of(accesses, [&](const Access &access) {
    return elementsOf(shapeOf(access.leaf)) == elementsOf(stage.shape) &&
           read.contains(access.leaf);
  });
}

/// One element per row. Dimensions of size 1 are free to come and go.
bool StagePlacement::joinKept(Value value, ArrayRef<Access> accesses,
                              int number) {
  Stage &stage = plan.stages[number];
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<AffineExpr> results;
  size_t next = 0;
  auto skipOnes = [&] {
    while (next < shape.size() && shape[next] == 1)
      ++next;
  };
  for (int64_t size : stage.keptShape()) {
    if (size == 1) {
      results.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    skipOnes();
    if (next == shape.size() || shape[next] != size)
      return false;
    results.push_back(getAffineDimExpr(next++, context));
  }
  skipOnes();
  auto place = AffineMap::get(shape.size(), 0, results, context);
  if (next != shape.size() || !isAligned(accesses, number, place))
    return false;
  stage.outputs.push_back({value, true, place});
  return true;
}

/// The epilogue of a product visits its elements once, so that all accesses
/// must agree on one place.
bool StagePlacement::joinDot(Value value, ArrayRef<Access> accesses,
                             int number) {
  Stage &stage = plan.stages[number];
  AffineMap place;
  for (const Access &access : accesses) {
    auto it = stageOf.find(access.leaf);
    if (it == stageOf.end() || int(it->second) != number)
      continue;
    if (!access.map || (place && place != access.map))
      return false;
    place = access.map;
  }
  ArrayRef<int64_t> shape = shapeOf(value);
  if (!place || shape.size() != stage.shape.size() ||
      elementsOf(shape) != elementsOf(stage.shape))
    return false;
  // Every dimension larger than 1 must be used exactly once.
  llvm::SmallBitVector used(shape.size());
  for (auto [i, result] : llvm::enumerate(place.getResults())) {
    if (stage.shape[i] == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || used[dim.getPosition()] ||
        shape[dim.getPosition()] != stage.shape[i])
      return false;
    used.set(dim.getPosition());
  }
  stage.outputs.push_back({value, false, place});
  return true;
}

/// Finds or makes the stage that stores `value`, which is no anchor.
unsigned StagePlacement::placeElementwise(Value value) {
  SmallVector<Access> accesses = accessesOf(value);
  int needed = lastStage(accesses);
  for (int number = std::max(needed, 0), e = plan.stages.size(); number < e;
       ++number)
    if (joinStage(value, accesses, number, number == needed))
      return number;
  Stage stage;
  stage.kind = Stage::Kind::Rows;
  llvm::append_range(stage.shape, shapeOf(value));
  if (!stage.shape.empty())
    stage.reducedDims.push_back(stage.shape.size() - 1);
  stage.outputs.push_back(
      {value, false, getIdentityAccess(stage.shape, context)});
  plan.stages.push_back(stage);
  return plan.stages.size() - 1;
}

void StagePlacement::placeResult(Value value, unsigned number) {
  // A reshape does not move memory.
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  if (isa<BlockArgument>(value)) {
    // An argument that is a result is copied.
    bool stored = plan.slots.contains(value);
    if (!stored)
      placeElementwise(value);
  } else {
    materialize(value);
  }
  plan.slots[value].push_back({false, number});
}
