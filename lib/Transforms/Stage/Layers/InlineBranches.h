//===- InlineBranches.h - branches around a step become choices -----------===//
#ifndef TESSERA_TRANSFORMS_STAGE_LAYERS_INLINEBRANCHES_H
#define TESSERA_TRANSFORMS_STAGE_LAYERS_INLINEBRANCHES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::stage {

/// Computes both sides of the branches that stand around `microbatches` and
/// chooses between what they give, value by value.
///
/// An optimizer that waits for several steps or skips those whose gradients are
/// not finite does so in one branch, which takes all parameters and all that is
/// kept for them. As one operation it would belong to one stage, with
/// everything it takes; taken apart, each part of it belongs to the stage of
/// its parameter. Branches that contract, sort, loop or communicate stay: to do
/// them for nothing may cost more than that.
void inlineBranches(mlir::scf::ForOp microbatches);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_LAYERS_INLINEBRANCHES_H
