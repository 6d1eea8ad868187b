//===- ConstantElement.h - what fills a tensor ----------------------------===//
#ifndef TESSERA_DIALECT_TESSERA_CONSTANTELEMENT_H
#define TESSERA_DIALECT_TESSERA_CONSTANTELEMENT_H

#include "mlir/IR/Value.h"

namespace tessera {

/// The element that fills `value` if it is, or repeats, a constant, whatever is
/// asked of the devices that have it; else null.
mlir::Attribute constantElement(mlir::Value value);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_CONSTANTELEMENT_H
