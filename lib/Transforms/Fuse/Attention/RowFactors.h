//===- RowFactors.h - factors of whole rows of probabilities --------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ROWFACTORS_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ROWFACTORS_H

#include "mlir/IR/Operation.h"

namespace tessera::fuse {

/// Where probabilities within `scope` are multiplied with what is one number
/// for all keys of a row, as a mask of heads is: multiplies the product with
/// the value instead, and in the backward pass the output's gradient (see
/// RowFactors.cpp). Values are unchanged but for rounding.
void moveRowFactors(mlir::Operation *scope);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ROWFACTORS_H
