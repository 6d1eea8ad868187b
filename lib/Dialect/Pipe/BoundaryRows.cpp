//===- BoundaryRows.cpp - arguments and results by rows -------------------===//

#include "tessera/Dialect/Pipe/BoundaryRows.h"

using namespace mlir;
using namespace tessera;

int64_t tessera::rowDim(Type whole, Type part) {
  auto from = dyn_cast<RankedTensorType>(whole);
  auto to = dyn_cast<RankedTensorType>(part);
  if (from && to && from.getRank() == to.getRank())
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      if (from.getDimSize(dim) != to.getDimSize(dim))
        return dim;
  return 0;
}

/// Whether devices share out dimension `dim` of a value.
static bool isSharedOut(Value value, int64_t dim) {
  ShardingAttr sharding = getSharding(value);
  return sharding && !sharding.getValue().dims[dim].axes.empty();
}

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
  int64_t dim = rowDim(argument.getType(), slice.getType());
  SmallVector<int64_t> shape(slice.getOperand().getType().getShape());
  shape[dim] = slice.getType().getDimSize(dim);
  bool isRows = llvm::all_of(slice.getStrides(),
                             [](int64_t stride) { return stride == 1; }) &&
                slice.getType().getShape() == ArrayRef(shape) &&
                !isSharedOut(argument, dim);
  return isRows ? slice : SliceOp();
}

ConcatenateOp tessera::asResultOfRows(Operation *op) {
  auto rows = dyn_cast_or_null<ConcatenateOp>(op);
  bool isResult = rows && isa<func::FuncOp>(op->getParentOp()) &&
                  llvm::all_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>);
  return isResult && !isSharedOut(rows, rows.getDim()) ? rows : ConcatenateOp();
}

SmallVector<ArgumentRows> tessera::getArgumentRows(func::FuncOp function) {
  SmallVector<ArgumentRows> found;
  for (BlockArgument argument : function.getArguments()) {
    size_t before = found.size();
    for (Operation *user : argument.getUsers())
      if (SliceOp rows = asArgumentRows(user))
        found.push_back(
            {rows.getResult(), argument.getArgNumber(),
             rows.getStarts()[rowDim(argument.getType(), rows.getType())]});
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
      first += cast<RankedTensorType>(row.getType()).getDimSize(rows.getDim());
    }
  }
  return found;
}
