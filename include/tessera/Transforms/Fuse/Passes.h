//===- Passes.h - the phase fuse: which operations form a kernel ----------===//
#ifndef TESSERA_TRANSFORMS_FUSE_PASSES_H
#define TESSERA_TRANSFORMS_FUSE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Fuse/Passes.h.inc"

/// Appends the phase `fuse` to a module's passes. Requires the `spmd` program
/// that `partition` leaves; ensures what `tessera-verify-kernels` checks.
void buildFusePhase(mlir::OpPassManager &manager);

/// Registers the passes and the pipeline `tessera-fuse`.
void registerFusePhase();

} // namespace tessera

#endif // TESSERA_TRANSFORMS_FUSE_PASSES_H
