//===- LoopNestBuilder.cpp - the loop nests of a kernel -------------------===//

#include "LoopNestBuilder.h"

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

void codegen::addOutput(LoopNest &nest, Value value) {
  if (llvm::any_of(nest.outputs, [&](const NestOutput &output) {
        return output.value == value;
      }))
    return;
  nest.outputs.push_back(
      {value, nest.kind != KernelKind::Matmul,
       getIdentityAccess(shapeOf(value), value.getContext())});
}

LogicalResult LoopNestBuilder::run() {
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(add(&op)))
      return failure();
  for (auto [number, value] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    addResult(value, number);
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool LoopNestBuilder::isLeaf(Value value) const {
  return isa<BlockArgument>(value) || nestOf.contains(value);
}

/// Accesses of `value` to arguments and anchors.
SmallVector<Access> LoopNestBuilder::accessesOf(Value value) {
  return collectAccesses(
      value, getIdentityAccess(shapeOf(value), context),
      [&](Value v) { return isa<BlockArgument>(v) || isAnchor(v); });
}

/// The last loop nest that `accesses` need, -1 for none.
int LoopNestBuilder::lastNest(ArrayRef<Access> accesses) const {
  int last = -1;
  for (const Access &access : accesses)
    if (auto it = nestOf.find(access.leaf); it != nestOf.end())
      last = std::max(last, int(it->second));
  return last;
}

/// Whether `accesses` reach values of loop nest `number` at the indices of the
/// current row only.
bool LoopNestBuilder::isAligned(ArrayRef<Access> accesses, int number,
                                AffineMap row) const {
  return llvm::all_of(accesses, [&](const Access &access) {
    auto it = nestOf.find(access.leaf);
    return it == nestOf.end() || int(it->second) != number || access.map == row;
  });
}

/// The identity from the space of `nest` to its kept dimensions.
AffineMap LoopNestBuilder::rowMap(const LoopNest &nest) const {
  SmallVector<AffineExpr> results;
  for (int64_t d : nest.keptDims())
    results.push_back(nest.shape[d] == 1 ? getAffineConstantExpr(0, context)
                                         : getAffineDimExpr(d, context));
  return AffineMap::get(nest.shape.size(), 0, results, context);
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

LogicalResult LoopNestBuilder::add(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    addReduce(reduce);
    return success();
  }
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    addMatmul(dot);
    return success();
  }
  if (isStructured(op)) {
    addStructured(op);
    return success();
  }
  if (isa<arith::ConstantOp>(op) || isElementwise(op) || getAccessMap(op) ||
      getElementRule(op))
    return success();
  return op->emitError("unsupported operation: '")
         << op->getName() << "' has no code in a kernel";
}

/// Puts a reduction into the last loop nest of the same kind, shape and reduced
/// dimensions behind all that it reads, or into a new one at the end. It may
/// join the nest that makes its operand only where each step reads what that
/// step has made.
void LoopNestBuilder::addReduce(ReduceOp reduce) {
  ArrayRef<int64_t> shape = shapeOf(reduce.getOperand());
  SmallVector<int64_t> dims(reduce.getDims());
  llvm::sort(dims);
  int64_t last = shape.size();
  while (last > 0 && shape[last - 1] == 1)
    --last;
  bool rows = last == 0 || llvm::is_contained(dims, last - 1);
  SmallVector<Access> accesses = accessesOf(reduce.getOperand());
  int needed = lastNest(accesses);
  for (int number = plan.nests.size() - 1; number >= std::max(needed, 0);
       --number) {
    LoopNest &nest = plan.nests[number];
    bool same = (rows ? nest.hasRows() : nest.kind == KernelKind::Column) &&
                ArrayRef(nest.shape) == shape && nest.reducedDims == dims;
    if (!same || (number == needed &&
                  (!rows || !isAligned(accesses, number, rowMap(nest)))))
      continue;
    nest.reductions.push_back(reduce);
    nest.kind = rows ? KernelKind::Row : KernelKind::Column;
    nestOf[reduce.getResult()] = number;
    return;
  }
  LoopNest nest;
  nest.kind = rows ? KernelKind::Row : KernelKind::Column;
  nest.shape.assign(shape.begin(), shape.end());
  nest.reducedDims = dims;
  nest.reductions.push_back(reduce);
  nestOf[reduce.getResult()] = plan.nests.size();
  plan.nests.push_back(nest);
}

/// A product reads each operand several times while packing it: what is not
/// cheap is computed before.
bool LoopNestBuilder::isCheapToRepeat(Value value) {
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

void LoopNestBuilder::addMatmul(DotGeneralOp dot) {
  for (Value operand : dot->getOperands()) {
    if (isCheapToRepeat(operand))
      continue;
    while (!isLeaf(operand) && getAccessMap(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    materialize(operand);
  }
  LoopNest nest;
  nest.kind = KernelKind::Matmul;
  nest.op = dot;
  llvm::append_range(nest.shape, shapeOf(dot.getResult()));
  nestOf[dot.getResult()] = plan.nests.size();
  plan.nests.push_back(nest);
}

void LoopNestBuilder::addStructured(Operation *op) {
  LoopNest nest;
  nest.kind = KernelKind::Structured;
  nest.op = op;
  for (Value result : op->getResults()) {
    llvm::append_range(nest.shape, shapeOf(result));
    nestOf[result] = plan.nests.size();
    nest.outputs.push_back({result, false, {}});
  }
  plan.nests.push_back(nest);
}

//===----------------------------------------------------------------------===//
// Values that are stored
//===----------------------------------------------------------------------===//

/// Has a loop nest compute and store `value`, unless one does already.
void LoopNestBuilder::materialize(Value value) {
  if (isa<BlockArgument>(value))
    return;
  auto known = nestOf.find(value);
  if (known == nestOf.end())
    nestOf[value] = addElementwise(value);
  else
    addOutput(plan.nests[known->second], value);
}

/// If an element of `value` can be computed where loop nest `number` has just
/// computed what it needs: adds it to the outputs there.
bool LoopNestBuilder::joinNest(Value value, ArrayRef<Access> accesses,
                               int number, bool needed) {
  LoopNest &nest = plan.nests[number];
  ArrayRef<int64_t> shape = shapeOf(value);
  AffineMap identity = getIdentityAccess(shape, context);
  bool whole = shape == ArrayRef(nest.shape);
  switch (nest.kind) {
  case KernelKind::Elementwise:
  case KernelKind::Row:
    if (whole && (needed ? isAligned(accesses, number, rowMap(nest))
                         : sharesReads(accesses, nest))) {
      nest.outputs.push_back({value, false, identity});
      return true;
    }
    [[fallthrough]];
  case KernelKind::Column:
    return needed && !nest.reductions.empty() &&
           joinKept(value, accesses, number);
  case KernelKind::Matmul:
    return needed && joinMatmul(value, accesses, number);
  case KernelKind::Structured:
    return false;
  }
  return false;
}

/// Whether it pays to compute what has `accesses` along with `nest`, none of
/// whose results it needs: an element-wise loop nest must read some tensor of
/// its size that they read, too.
bool LoopNestBuilder::sharesReads(ArrayRef<Access> accesses,
                                  const LoopNest &nest) {
  if (!nest.reductions.empty())
    return true;
  llvm::DenseSet<Value> read;
  for (const NestOutput &output : nest.outputs)
    for (const Access &access : accessesOf(output.value))
      read.insert(access.leaf);
  return llvm::any_of(accesses, [&](const Access &access) {
    return elementsOf(shapeOf(access.leaf)) == elementsOf(nest.shape) &&
           read.contains(access.leaf);
  });
}

/// One element per row. Dimensions of size 1 are free to come and go.
bool LoopNestBuilder::joinKept(Value value, ArrayRef<Access> accesses,
                               int number) {
  LoopNest &nest = plan.nests[number];
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<AffineExpr> results;
  size_t next = 0;
  auto skipOnes = [&] {
    while (next < shape.size() && shape[next] == 1)
      ++next;
  };
  for (int64_t size : nest.keptShape()) {
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
  auto map = AffineMap::get(shape.size(), 0, results, context);
  if (next != shape.size() || !isAligned(accesses, number, map))
    return false;
  nest.outputs.push_back({value, true, map});
  return true;
}

/// The epilogue of a product visits its elements once, so that all accesses
/// must agree on one map.
bool LoopNestBuilder::joinMatmul(Value value, ArrayRef<Access> accesses,
                                 int number) {
  LoopNest &nest = plan.nests[number];
  AffineMap map;
  for (const Access &access : accesses) {
    auto it = nestOf.find(access.leaf);
    if (it == nestOf.end() || int(it->second) != number)
      continue;
    if (!access.map || (map && map != access.map))
      return false;
    map = access.map;
  }
  ArrayRef<int64_t> shape = shapeOf(value);
  if (!map || shape.size() != nest.shape.size() ||
      elementsOf(shape) != elementsOf(nest.shape))
    return false;
  // Every dimension larger than 1 must be used exactly once.
  llvm::SmallBitVector used(shape.size());
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    if (nest.shape[i] == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || used[dim.getPosition()] ||
        shape[dim.getPosition()] != nest.shape[i])
      return false;
    used.set(dim.getPosition());
  }
  nest.outputs.push_back({value, false, map});
  return true;
}

/// Finds or makes the loop nest that stores `value`, which is no anchor.
unsigned LoopNestBuilder::addElementwise(Value value) {
  SmallVector<Access> accesses = accessesOf(value);
  int needed = lastNest(accesses);
  for (int number = std::max(needed, 0), e = plan.nests.size(); number < e;
       ++number)
    if (joinNest(value, accesses, number, number == needed))
      return number;
  LoopNest nest;
  llvm::append_range(nest.shape, shapeOf(value));
  if (!nest.shape.empty())
    nest.reducedDims.push_back(nest.shape.size() - 1);
  nest.outputs.push_back(
      {value, false, getIdentityAccess(nest.shape, context)});
  plan.nests.push_back(nest);
  return plan.nests.size() - 1;
}

void LoopNestBuilder::addResult(Value value, unsigned number) {
  // A reshape does not move memory.
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  if (isa<BlockArgument>(value)) {
    // An argument that is a result is copied.
    bool stored = plan.slots.contains(value);
    if (!stored)
      addElementwise(value);
  } else {
    materialize(value);
  }
  plan.slots[value].push_back({false, number});
}
