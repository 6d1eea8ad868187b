//===- AccessMap.cpp - Operations that only move elements -----------------===//

#include "tessera/Codegen/Kernels/AccessMap.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

ArrayRef<int64_t> codegen::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

int64_t codegen::elementsOf(ArrayRef<int64_t> shape) {
  return llvm::product_of(shape);
}

namespace {

/// Builds the map of one operation; `shape` is the operand's.
class MapBuilder {
public:
  explicit MapBuilder(Operation *op)
      : context(op->getContext()), shape(codegen::shapeOf(op->getOperand(0))),
        resultShape(codegen::shapeOf(op->getResult(0))) {}

  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, context);
  }
  /// Index of the result's dimension; 0 where its size is 1.
  AffineExpr dim(int64_t i) {
    return resultShape[i] == 1 ? constant(0) : getAffineDimExpr(i, context);
  }
  AffineMap map(ArrayRef<AffineExpr> results) {
    return AffineMap::get(resultShape.size(), 0, results, context);
  }

  AffineMap broadcast(ArrayRef<int64_t> dims) {
    SmallVector<AffineExpr> results;
    for (auto [size, target] : llvm::zip(shape, dims))
      results.push_back(size == 1 ? constant(0) : dim(target));
    return map(results);
  }

  AffineMap transpose(ArrayRef<int64_t> permutation) {
    SmallVector<AffineExpr> results(permutation.size());
    for (auto [i, source] : llvm::enumerate(permutation))
      results[source] = dim(i);
    return map(results);
  }

  AffineMap slice(ArrayRef<int64_t> starts, ArrayRef<int64_t> strides) {
    SmallVector<AffineExpr> results;
    for (auto [i, start] : llvm::enumerate(starts))
      results.push_back(dim(i) * strides[i] + start);
    return map(results);
  }

  AffineMap reverse(ArrayRef<int64_t> dims) {
    SmallVector<AffineExpr> results;
    for (int64_t i = 0, e = shape.size(); i < e; ++i)
      results.push_back(llvm::is_contained(dims, i)
                            ? constant(shape[i] - 1) - dim(i)
                            : dim(i));
    return map(results);
  }

  /// Splits both shapes into the smallest groups of dimensions with equal
  /// numbers of elements, so that arithmetic stays within a group.
  AffineMap reshape() {
    SmallVector<AffineExpr> results(shape.size(), constant(0));
    if (llvm::is_contained(shape, 0))
      return map(results);
    size_t to = 0, from = 0;
    while (to < resultShape.size() || from < shape.size()) {
      size_t firstTo = to, firstFrom = from;
      int64_t left = 1, right = 1;
      do {
        if (left <= right && to < resultShape.size())
          left *= resultShape[to++];
        else if (from < shape.size())
          right *= shape[from++];
        else
          left *= resultShape[to++];
      } while (left != right);
      group(firstTo, to, firstFrom, from, results);
    }
    return map(results);
  }

private:
  void group(size_t firstTo, size_t to, size_t firstFrom, size_t from,
             SmallVector<AffineExpr> &results) {
    AffineExpr position = constant(0);
    int64_t stride = 1;
    for (size_t i = to; i-- > firstTo; stride *= resultShape[i])
      position = dim(i) * stride + position;
    int64_t inner = 1, total = stride;
    for (size_t i = from; i-- > firstFrom; inner *= shape[i]) {
      if (shape[i] == 1)
        continue;
      AffineExpr index = inner == 1 ? position : position.floorDiv(inner);
      results[i] = inner * shape[i] == total ? index : index % shape[i];
    }
  }

  MLIRContext *context;
  ArrayRef<int64_t> shape, resultShape;
};

} // namespace

AffineMap codegen::getIdentityAccess(ArrayRef<int64_t> shape,
                                     MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (auto [i, size] : llvm::enumerate(shape))
    results.push_back(size == 1 ? getAffineConstantExpr(0, context)
                                : getAffineDimExpr(i, context));
  return AffineMap::get(shape.size(), 0, results, context);
}

std::optional<AffineMap> codegen::getAccessMap(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return std::nullopt;
  MapBuilder builder(op);
  return llvm::TypeSwitch<Operation *, std::optional<AffineMap>>(op)
      .Case<BroadcastOp>([&](auto o) { return builder.broadcast(o.getDims()); })
      .Case<TransposeOp>(
          [&](auto o) { return builder.transpose(o.getPermutation()); })
      .Case<ReshapeOp>([&](auto) { return builder.reshape(); })
      .Case<SliceOp>(
          [&](auto o) { return builder.slice(o.getStarts(), o.getStrides()); })
      .Case<ReverseOp>([&](auto o) { return builder.reverse(o.getDims()); })
      .Default([](Operation *) { return std::nullopt; });
}
