//===- Collectives.h - groups of devices as axes --------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_COLLECTIVES_H
#define TESSERA_TRANSFORMS_IMPORT_COLLECTIVES_H

#include "Conversion.h"

namespace tessera {

/// The axes that `replicaGroups`, a matrix of device numbers, of `op` are the
/// groups of; fails after a diagnostic.
mlir::FailureOr<AxesAttr> groupAxes(mlir::Operation *op,
                                    mlir::Attribute replicaGroups,
                                    Conversion &conversion);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_IMPORT_COLLECTIVES_H
