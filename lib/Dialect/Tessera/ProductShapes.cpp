//===- ProductShapes.cpp - the sizes of contractions ----------------------===//

#include "tessera/Dialect/Tessera/ProductShapes.h"

#include "tessera/Dialect/Tessera/Tessera.h"

using namespace mlir;
using namespace tessera;

std::optional<ProductShape> tessera::shapeOfProduct(Operation *op) {
  auto dot = dyn_cast<DotGeneralOp>(op);
  if (!dot)
    return std::nullopt;
  auto sizeOf = [](Value operand, ArrayRef<int64_t> dims) {
    int64_t size = 1;
    for (int64_t dim : dims)
      size *= cast<RankedTensorType>(operand.getType()).getDimSize(dim);
    return size;
  };
  return ProductShape{sizeOf(dot.getLhs(), dot.getLhsBatching()),
                      sizeOf(dot.getLhs(), dot.getLhsFree()),
                      sizeOf(dot.getRhs(), dot.getRhsFree()),
                      sizeOf(dot.getLhs(), dot.getLhsContracting())};
}
