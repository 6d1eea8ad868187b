//===- ManualRegionInterface.h - regions of parts -------------------------===//
#ifndef TESSERA_INTERFACES_MANUALREGIONINTERFACE_H
#define TESSERA_INTERFACES_MANUALREGIONINTERFACE_H

#include "tessera/Sharding/Algebra/ManualSharding.h"

#include "mlir/IR/OpDefinition.h"

#include "tessera/Interfaces/ManualRegionInterface.h.inc"

namespace tessera {

/// The manual axes of all manual regions around `op`, outermost first.
AxisList manualAxesAround(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_INTERFACES_MANUALREGIONINTERFACE_H
