//===- Combined.h - several collectives in one call -----------------------===//
//
// Few files know that collectives may be one call; they include this.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_SPMD_COMBINED_H
#define TESSERA_DIALECT_SPMD_COMBINED_H

#include "tessera/Dialect/Spmd/Spmd.h"

#define GET_OP_CLASSES
#include "tessera/Dialect/Spmd/CombinedOps.h.inc"

namespace tessera::spmd {

/// On `spmd.start`, where several collectives are one call: its number. Starts
/// with the same number that follow each other are one call, and so do their
/// waits.
constexpr llvm::StringLiteral kCallAttr = "spmd.call";

/// The collectives that `op` is or combines; none of other operations.
llvm::SmallVector<CollectiveOpInterface, 1> partsOf(mlir::Operation *op);

/// The operand of `collective`; of a part of a call, what the call gets for it.
mlir::Value sourceOf(CollectiveOpInterface collective);

/// The starts of the call that begins with `start`, in their order; none if it
/// begins before.
llvm::SmallVector<StartOp, 1> startsOfCall(StartOp start);

/// Checks the number `spmd.call` of `op`.
mlir::LogicalResult verifyCallNumber(mlir::Operation *op,
                                     mlir::Attribute number);

} // namespace tessera::spmd

#endif // TESSERA_DIALECT_SPMD_COMBINED_H
