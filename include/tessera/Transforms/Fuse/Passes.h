//===- Passes.h - the phase fuse: which operations form a kernel ----------===//
#ifndef TESSERA_TRANSFORMS_FUSE_PASSES_H
#define TESSERA_TRANSFORMS_FUSE_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::fuse {

#define GEN_PASS_DECL
#include "tessera/Transforms/Fuse/Passes.h.inc"

/// What the phase has to know of the target.
struct FusePhaseOptions {
  /// Whether there are kernels for attention: it is then looked for, and kept.
  bool attentionKernels = false;
};

/// Appends the phase `fuse` to a module's passes. Requires the `spmd` program
/// that `partition` leaves; ensures what `tessera-verify-kernels` checks.
void buildFusePhase(mlir::OpPassManager &manager,
                    const FusePhaseOptions &options = {});

/// Registers the passes of the phase, and the phase as
/// `tessera-fuse-phase`.
void registerFusePhase();

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_PASSES_H
