//===- BoundaryRows.cpp - arguments and results by rows -------------------===//

#include "tessera/Dialect/Pipe/BoundaryRows.h"

using namespace mlir;
using namespace tessera;

SliceOp tessera::asArgumentRows(Operation *op) {
  auto slice = dyn_cast_or_null<SliceOp>(op);
  if (!slice)
    return {};
  auto argument = dyn_cast<BlockArgument>(slice.getOperand());
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!argument || !function ||
      argument.getOwner() != &function.getBody().front() ||
      slice.getType().getRank() == 0)
    return {};
  ShardingAttr sharding = getSharding(argument);
  if (sharding && !sharding.getValue().dims[0].axes.empty())
    return {};
  bool isRows = llvm::all_of(slice.getStrides(),
                             [](int64_t stride) { return stride == 1; }) &&
                slice.getType().getShape().drop_front() ==
                    slice.getOperand().getType().getShape().drop_front();
  return isRows ? slice : SliceOp();
}

ConcatenateOp tessera::asResultOfRows(Operation *op) {
  auto rows = dyn_cast_or_null<ConcatenateOp>(op);
  bool isResult = rows && isa<func::FuncOp>(op->getParentOp()) &&
                  rows.getDim() == 0 &&
                  llvm::all_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>);
  return isResult ? rows : ConcatenateOp();
}

SmallVector<ArgumentRows> tessera::getArgumentRows(func::FuncOp function) {
  SmallVector<ArgumentRows> found;
  for (BlockArgument argument : function.getArguments()) {
    size_t before = found.size();
    for (Operation *user : argument.getUsers())
      if (SliceOp rows = asArgumentRows(user))
        found.push_back(
            {rows.getResult(), argument.getArgNumber(), rows.getStarts()[0]});
    llvm::sort(MutableArrayRef(found).drop_front(before),
               [](const ArgumentRows &a, const ArgumentRows &b) {
                 return a.first < b.first;
               });
    if (found.size() == before)
      found.push_back({argument, argument.getArgNumber(), 0});
  }
  return found;
}

SmallVector<ResultRows> tessera::getResultRows(func::FuncOp function) {
  SmallVector<ResultRows> found;
  Operation *end = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    ConcatenateOp rows = asResultOfRows(value.getDefiningOp());
    if (!rows) {
      found.push_back({value, unsigned(number), 0});
      continue;
    }
    int64_t first = 0;
    for (Value row : rows.getOperands()) {
      found.push_back({row, unsigned(number), first});
      first += cast<RankedTensorType>(row.getType()).getDimSize(0);
    }
  }
  return found;
}
