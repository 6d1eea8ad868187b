//===- ScoreColumns.h - columns beside scores -----------------------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_SCORECOLUMNS_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_SCORECOLUMNS_H

#include "mlir/IR/Operation.h"

namespace tessera::fuse {

/// Where a softmax within `scope` is taken of a tensor with one more column put
/// beside it: computes what follows for both by themselves, as far as that goes
/// (see ScoreColumns.cpp). Values are unchanged but for rounding.
void splitScoreColumns(mlir::Operation *scope);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_SCORECOLUMNS_H
