//===- ResultShapes.h - the shapes that operations make -------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHAPES_RESULTSHAPES_H
#define TESSERA_TRANSFORMS_IMPORT_SHAPES_RESULTSHAPES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tessera::importer {

/// The shape of result `number` of `op`, a foreign operation without regions
/// that control flow goes through, whose operands have static shapes. What
/// shapes it takes as operands must be known. None if that cannot be said.
std::optional<llvm::SmallVector<int64_t>> resultShape(mlir::Operation *op,
                                                      unsigned number);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHAPES_RESULTSHAPES_H
