//===- ElementTypes.h - element types inside and outside of the IR --------===//
#ifndef TESSERA_DIALECT_TESSERA_ELEMENTTYPES_H
#define TESSERA_DIALECT_TESSERA_ELEMENTTYPES_H

#include "tessera/Support/ElementType.h"

#include "mlir/IR/Types.h"

namespace tessera {

/// How elements of the scalar type `type` (signless integers as signed ones)
/// are stored in files and by the runtime; nothing where they cannot be.
std::optional<ElementType> getStoredType(mlir::Type type);

/// The unsigned type of the same width; others stay as they are.
ElementType toUnsigned(ElementType type);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_ELEMENTTYPES_H
