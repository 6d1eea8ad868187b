//===- Spmd.h - the dialect of one device's program -----------------------===//
#ifndef TESSERA_DIALECT_SPMD_SPMD_H
#define TESSERA_DIALECT_SPMD_SPMD_H

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Support/Collective.h"

#include "tessera/Dialect/Spmd/SpmdDialect.h.inc"
#include "tessera/Dialect/Spmd/SpmdEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Spmd/SpmdAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tessera/Dialect/Spmd/SpmdTypes.h.inc"

namespace tessera::spmd {

/// Several collectives in one call (Combined.h).
class CombinedOp;

/// Checks that `axes`, of a collective, name a mesh and axes of it; in a manual
/// computation, axes that are manual there.
mlir::LogicalResult verifyAxes(mlir::Operation *op, AxesAttr axes);

} // namespace tessera::spmd

#include "tessera/Dialect/Spmd/SpmdInterfaces.h.inc"

#define GET_OP_CLASSES
#include "tessera/Dialect/Spmd/SpmdOps.h.inc"

#endif // TESSERA_DIALECT_SPMD_SPMD_H
