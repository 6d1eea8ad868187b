//===- PaddingInterface.h - operations on padded tensors ------------------===//
#ifndef TESSERA_INTERFACES_PADDINGINTERFACE_H
#define TESSERA_INTERFACES_PADDINGINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

namespace tessera {

/// The operands of an operation on tensors that are padded at the high end of
/// some of their dimensions.
class PaddedOperands {
public:
  virtual ~PaddedOperands() = default;

  /// The shape of `value` without its padding.
  virtual llvm::ArrayRef<int64_t> wholeShape(mlir::Value value) const = 0;
  /// Puts `element` into the padding of `dims` of an operand.
  virtual void fill(mlir::OpOperand &operand, llvm::ArrayRef<int64_t> dims,
                    mlir::TypedAttr element) = 0;
  /// The same with the scalar tensor `element`.
  virtual void fill(mlir::OpOperand &operand, llvm::ArrayRef<int64_t> dims,
                    mlir::Value element) = 0;
  /// Makes sure that no element of an operand, a tensor of integers, is below 0
  /// or above `last[c]`, where c is the element's place in dimension `dim`. If
  /// there is no such dimension, `last` has one element.
  virtual void clamp(mlir::OpOperand &operand, int64_t dim,
                     llvm::ArrayRef<int64_t> last) = 0;

  /// Moves the elements of an operand by `offsets`, one per dimension, towards
  /// the end: what comes before them may hold anything.
  virtual void shift(mlir::OpOperand &operand,
                     llvm::ArrayRef<int64_t> offsets) = 0;

  /// The dimensions of `value` that are padded.
  llvm::SmallVector<int64_t> paddedDims(mlir::Value value) const;
};

} // namespace tessera

#include "tessera/Interfaces/PaddingInterface.h.inc"

#endif // TESSERA_INTERFACES_PADDINGINTERFACE_H
