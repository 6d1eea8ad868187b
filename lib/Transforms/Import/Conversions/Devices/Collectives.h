//===- Collectives.h - groups of devices as axes --------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_DEVICES_COLLECTIVES_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_DEVICES_COLLECTIVES_H

#include "Conversions/Conversion.h"

namespace tessera::importer {

/// A group of devices that a collective goes over.
struct DeviceGroup {
  /// The axes along which its devices differ. Null where it is one device,
  /// which gets what it gives; a program of one device needs no mesh.
  AxesAttr axes;
  /// How many devices it has.
  int64_t size = 1;
};

/// What the rows of `replicaGroups`, a matrix of device numbers, of `op` are;
/// fails after a diagnostic.
mlir::FailureOr<DeviceGroup> readGroups(mlir::Operation *op,
                                        mlir::Attribute replicaGroups,
                                        Conversion &conversion);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_DEVICES_COLLECTIVES_H
