//===- UnrollLayers.h - loops over layers become layers -------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_LAYERS_UNROLLLAYERS_H
#define TESSERA_TRANSFORMS_STAGE_LAYERS_UNROLLLAYERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::stage {

/// Unrolls the loops over layers in the body of `microbatches`, so that a stage
/// may end between two layers, and gives each layer its own part of what the
/// loops stacked. Returns the loop over microbatches, which may be another one
/// than before.
///
/// A row of what has been put together from rows is taken from where it was: so
/// do layers that the model has unrolled hand on what they stack.
///
/// A loop that takes slices, by its own count, of what the loop over
/// microbatches does not compute (stacked parameters) runs over layers; so do
/// loops of as many trips beside it, which take apart what it has stacked. They
/// are unrolled if their counts are constant and not too many operations come
/// out. Then
///
/// - what the count says is folded to constants;
/// - a slice of something stacked is what was written there;
/// - a carried sum of stacked contributions (the gradients of stacked
///   parameters) becomes one sum per layer; they are stacked after the loop.
mlir::scf::ForOp unrollLayers(mlir::scf::ForOp microbatches);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_LAYERS_UNROLLLAYERS_H
