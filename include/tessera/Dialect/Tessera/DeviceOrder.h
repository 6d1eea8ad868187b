//===- DeviceOrder.h - where a program's tensors lie outside of it --------===//
#ifndef TESSERA_DIALECT_TESSERA_DEVICEORDER_H
#define TESSERA_DIALECT_TESSERA_DEVICEORDER_H

#include "tessera/Sharding/Algebra/Mesh.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace tessera {

/// On an argument or result of a function an array of i64: per position in the
/// mesh the number of the device that holds the part of this position. Where
/// there is none, that is the order of the mesh.
inline constexpr llvm::StringLiteral kDeviceOrderAttr = "tessera.device_order";

/// `mesh`, on which an argument or result with `attributes` (or none) is
/// sharded, in the order in which devices hold it.
Mesh meshAtBoundary(mlir::DictionaryAttr attributes, const Mesh &mesh);

/// The attribute that says that devices hold a tensor in the order of `mesh`.
mlir::DenseI64ArrayAttr deviceOrderOf(mlir::MLIRContext *context,
                                      const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_DEVICEORDER_H
