//===- HostCopies.h - copies to the host and back -------------------------===//
//
// Few files know of memory of the host; they include this.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_SPMD_HOSTCOPIES_H
#define TESSERA_DIALECT_SPMD_HOSTCOPIES_H

#include "tessera/Dialect/Spmd/Spmd.h"

#define GET_OP_CLASSES
#include "tessera/Dialect/Spmd/HostOps.h.inc"

namespace tessera::spmd {

/// On functions, after `schedule`, where they use memory of the host: its
/// bytes.
constexpr llvm::StringLiteral kHostSizeAttr = "spmd.host_size";

/// Whether `op` copies to the host or back.
bool isHostCopy(mlir::Operation *op);

/// Whether `value` lies in memory of the host: an offload makes it, or the wait
/// for one.
bool isOnHost(mlir::Value value);

} // namespace tessera::spmd

#endif // TESSERA_DIALECT_SPMD_HOSTCOPIES_H
