//===- ShapeRules.h - how rules for shapes read operations ----------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHAPES_SHAPERULES_H
#define TESSERA_TRANSFORMS_IMPORT_SHAPES_SHAPERULES_H

#include "Conversions/AttributeText.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tessera::importer {

using Shape = std::optional<llvm::SmallVector<int64_t>>;

/// The shape of all results of an operation with operands, whose shapes are
/// static; none if it cannot be said.
using ShapeRule = Shape (*)(mlir::Operation *op);

/// The rule for operations of this name that move elements, and that compute
/// some; null if there is none.
ShapeRule findMovedShape(llvm::StringRef name);
ShapeRule findComputedShape(llvm::StringRef name);

llvm::ArrayRef<int64_t> shapeOf(mlir::Operation *op, unsigned operand);

/// The shape of the first operand.
Shape firstShape(mlir::Operation *op);

/// The integers of attribute `name`, or `count` times `otherwise` without one.
llvm::SmallVector<int64_t> integersOf(mlir::Operation *op, llvm::StringRef name,
                                      size_t count = 0, int64_t otherwise = 0);

/// The integer of attribute `name`; -1 without one.
int64_t integerOf(mlir::Operation *op, llvm::StringRef name);

/// What `parse` makes of the text of attribute `name`.
template <typename T>
std::optional<T> parsed(mlir::Operation *op, llvm::StringRef name,
                        Fallible<T> (*parse)(llvm::StringRef)) {
  auto opaque = op->getAttrOfType<mlir::OpaqueAttr>(name);
  if (!opaque)
    return std::nullopt;
  Fallible<T> result = parse(opaque.getAttrData());
  return result ? std::optional<T>(*result) : std::nullopt;
}

/// Whether all of `dims` are dimensions of `shape`.
bool areDims(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape);

/// The sizes of `shape` but those of `dims`.
llvm::SmallVector<int64_t> without(llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> dims);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHAPES_SHAPERULES_H
