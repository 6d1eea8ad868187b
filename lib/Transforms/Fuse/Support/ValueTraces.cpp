//===- ValueTraces.cpp - values moved, and values computed alike ----------===//

#include "Support/ValueTraces.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// Whether `op` gives its operand's elements, each once, in the same order.
static bool keepsOrder(Operation *op) {
  std::optional<ElementAccess> view = getViewAccess(op);
  return view && view->kind == ElementAccess::Identity;
}

Value tessera::fuse::skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!keepsOrder(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<SmallVector<Operation *>>
tessera::fuse::findMoves(Value value, function_ref<bool(Value)> isGoal,
                         bool rounded) {
  if (isGoal(value))
    return SmallVector<Operation *>();
  for (Operation *user : value.getUsers())
    if (isa<TransposeOp>(user) || keepsOrder(user) ||
        (rounded && isa<arith::TruncFOp>(user)))
      if (auto path = findMoves(user->getResult(0), isGoal, rounded)) {
        path->insert(path->begin(), user);
        return path;
      }
  return std::nullopt;
}

Value tessera::fuse::undoMove(OpBuilder &b, Operation *move, Value moved) {
  auto type = cast<RankedTensorType>(move->getOperand(0).getType())
                  .clone(getElementTypeOrSelf(moved));
  if (auto transpose = dyn_cast<TransposeOp>(move))
    return TransposeOp::create(
        b, move->getLoc(), type, moved,
        invertPermutationVector(transpose.getPermutation()));
  if (moved.getType() == type)
    return moved;
  return ReshapeOp::create(b, move->getLoc(), type, moved);
}

bool ValueComparison::isSame(Value a, Value b) {
  a = skipReshapes(a);
  b = skipReshapes(b);
  if (std::optional<bool> same = compareInputs(a, b))
    return *same;
  if (auto it = known.find({a, b}); it != known.end())
    return it->second;
  bool same = compare(a, b);
  known[{a, b}] = same;
  return same;
}

/// By their operations.
bool ValueComparison::compare(Value a, Value b) {
  auto left = dyn_cast<OpResult>(a), right = dyn_cast<OpResult>(b);
  if (!left || !right || left.getResultNumber() != right.getResultNumber())
    return false;
  Operation *first = left.getOwner(), *second = right.getOwner();
  if (first->getName() != second->getName() ||
      first->getAttrs() != second->getAttrs() ||
      first->getResultTypes() != second->getResultTypes() ||
      first->getNumOperands() != second->getNumOperands() ||
      first->getNumRegions() != 0 || !isMemoryEffectFree(first))
    return false;
  return llvm::all_of(llvm::zip(first->getOperands(), second->getOperands()),
                      [&](auto pair) {
                        auto [x, y] = pair;
                        return x.getType() == y.getType() && isSame(x, y);
                      });
}
