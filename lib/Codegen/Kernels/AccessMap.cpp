//===- AccessMap.cpp - Operations that only move elements -----------------===//

#include "tessera/Codegen/Kernels/AccessMap.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tessera/Interfaces/IndexingMaps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

ArrayRef<int64_t> codegen::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

int64_t codegen::elementsOf(ArrayRef<int64_t> shape) {
  return llvm::product_of(shape);
}

AffineMap codegen::getIdentityAccess(ArrayRef<int64_t> shape,
                                     MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (auto [i, size] : llvm::enumerate(shape))
    results.push_back(size == 1 ? getAffineConstantExpr(0, context)
                                : getAffineDimExpr(i, context));
  return AffineMap::get(shape.size(), 0, results, context);
}

std::optional<AffineMap> codegen::getAccessMap(Operation *op) {
  std::optional<IndexingMaps> maps = getViewMaps(op);
  return maps ? maps->getMap(1, 0) : std::nullopt;
}
