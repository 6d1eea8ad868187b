//===- TensorTypes.h - the types of values that are tensors ---------------===//
#ifndef TESSERA_DIALECT_TESSERA_TENSORTYPES_H
#define TESSERA_DIALECT_TESSERA_TENSORTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace tessera {

/// The type of `value`, which is a tensor.
inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The shape of `value`, which is a tensor.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return typeOf(value).getShape();
}

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_TENSORTYPES_H
