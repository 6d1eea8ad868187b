//===- MatmulShape.cpp - A matmul as m x k times k x n --------------------===//

#include "tessera/Codegen/Kernels/MatmulShape.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/KernelPlan.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// Adds `factor * expression` to the coefficients; false if it is not linear.
static bool addLinear(AffineExpr expression, int64_t factor,
                      StridedView &view) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    view.strides[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    view.offset += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, view) &&
           addLinear(binary.getRHS(), factor, view);
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && right &&
         addLinear(binary.getLHS(), factor * right.getValue(), view);
}

std::optional<StridedView>
codegen::getStridedView(Value value, function_ref<bool(Value)> isLeaf) {
  StridedView view;
  view.strides.assign(shapeOf(value).size(), 0);
  AffineMap map = getIdentityAccess(shapeOf(value), value.getContext());
  for (;;) {
    // Reshaped memory is the same memory in row-major order.
    Value memory = value;
    while (!isLeaf(memory) && memory.getDefiningOp<ReshapeOp>())
      memory = memory.getDefiningOp()->getOperand(0);
    if (isLeaf(memory)) {
      view.leaf = memory;
      break;
    }
    Operation *op = value.getDefiningOp();
    std::optional<AffineMap> access = getAccessMap(op);
    if (!access)
      return std::nullopt;
    map = simplifyAffineMap(access->compose(map));
    value = op->getOperand(0);
  }
  int64_t stride = 1;
  ArrayRef<int64_t> shape = shapeOf(value);
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    if (!addLinear(map.getResult(i), stride, view))
      return std::nullopt;
  return view;
}

int64_t MatmulSide::size(ArrayRef<int64_t> dims) const {
  int64_t product = 1;
  for (int64_t dim : dims)
    product *= shapeOf(operand)[dim];
  return product;
}

std::optional<int64_t> MatmulSide::stride(ArrayRef<int64_t> dims) const {
  if (!view)
    return std::nullopt;
  std::optional<int64_t> inner;
  int64_t extent = 1;
  for (int64_t dim : llvm::reverse(dims)) {
    int64_t size = shapeOf(operand)[dim];
    if (size == 1)
      continue;
    if (!inner)
      inner = view->strides[dim];
    else if (view->strides[dim] != *inner * extent)
      return std::nullopt;
    extent *= size;
  }
  return inner.value_or(0);
}

LaneIndices MatmulSide::indices(LaneArithmetic &arithmetic,
                                const LaneIndex &batchIndex,
                                const LaneIndex &freeIndex,
                                const LaneIndex &contractingIndex) const {
  LaneIndices result(shapeOf(operand).size(), LaneIndex::constant(0));
  auto spread = [&](const LaneIndex &index, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> shape;
    for (int64_t dim : dims)
      shape.push_back(shapeOf(operand)[dim]);
    LaneIndices parts = arithmetic.delinearize(index, shape);
    for (auto [dim, part] : llvm::zip(dims, parts))
      result[dim] = part;
  };
  spread(batchIndex, batch);
  spread(freeIndex, free);
  spread(contractingIndex, contracting);
  return result;
}

LaneIndex MatmulSide::position(LaneArithmetic &arithmetic,
                               const LaneIndex &batchIndex,
                               const LaneIndex &freeIndex,
                               const LaneIndex &contractingIndex) const {
  LaneIndex position = LaneIndex::constant(view->offset);
  auto advance = [&](const LaneIndex &index, ArrayRef<int64_t> dims) {
    if (std::optional<int64_t> step = stride(dims)) {
      position = arithmetic.add(position, arithmetic.mul(index, *step));
      return;
    }
    SmallVector<int64_t> shape;
    for (int64_t dim : dims)
      shape.push_back(shapeOf(operand)[dim]);
    LaneIndices parts = arithmetic.delinearize(index, shape);
    for (auto [dim, part] : llvm::zip(dims, parts))
      position =
          arithmetic.add(position, arithmetic.mul(part, view->strides[dim]));
  };
  advance(batchIndex, batch);
  advance(freeIndex, free);
  advance(contractingIndex, contracting);
  return position;
}

static SmallVector<int64_t> toVector(ArrayRef<int64_t> values) {
  return SmallVector<int64_t>(values);
}

MatmulSide codegen::getLeftSide(DotGeneralOp dot,
                                function_ref<bool(Value)> isLeaf) {
  return {dot.getLhs(), toVector(dot.getLhsBatching()), dot.getLhsFree(),
          toVector(dot.getLhsContracting()),
          getStridedView(dot.getLhs(), isLeaf)};
}

MatmulSide codegen::getRightSide(DotGeneralOp dot,
                                 function_ref<bool(Value)> isLeaf) {
  return {dot.getRhs(), toVector(dot.getRhsBatching()), dot.getRhsFree(),
          toVector(dot.getRhsContracting()),
          getStridedView(dot.getRhs(), isLeaf)};
}

bool codegen::isContiguous(const MatmulSide &side, ArrayRef<int64_t> dims,
                           function_ref<bool(Value)> isLeaf) {
  if (side.view)
    return side.stride(dims) == 1;
  ArrayRef<int64_t> shape = shapeOf(side.operand);
  AffineMap identity = getIdentityAccess(shape, side.operand.getContext());
  for (const Access &access : collectAccesses(side.operand, identity, isLeaf))
    if (access.map && access.map.getNumResults() > 0 &&
        shapeOf(access.leaf).size() == shape.size())
      if (auto dim = dyn_cast<AffineDimExpr>(
              access.map.getResult(access.map.getNumResults() - 1)))
        return llvm::is_contained(dims, int64_t(dim.getPosition()));
  return false;
}
