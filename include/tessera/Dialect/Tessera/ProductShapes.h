//===- ProductShapes.h - the sizes of contractions ------------------------===//
#ifndef TESSERA_DIALECT_TESSERA_PRODUCTSHAPES_H
#define TESSERA_DIALECT_TESSERA_PRODUCTSHAPES_H

#include "tessera/Support/KernelCosts.h"

#include "mlir/IR/Operation.h"

namespace tessera {

/// The product that `op` is on its present types, of static sizes; nothing
/// where it is none.
std::optional<ProductShape> shapeOfProduct(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_PRODUCTSHAPES_H
