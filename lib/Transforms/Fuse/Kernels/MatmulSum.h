//===- MatmulSum.h - matmuls without free dimensions ------------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_FUSE_KERNELS_MATMULSUM_H
#define TESSERA_TRANSFORMS_FUSE_KERNELS_MATMULSUM_H

#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::fuse {

/// Makes a sum of products of `dot` if neither operand has a free dimension
/// larger than 1 (unless it computes with booleans), and erases it; returns
/// whether it did. Sums are formed in f32 where the result has 16 bits.
bool replaceBySum(DotGeneralOp dot);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_KERNELS_MATMULSUM_H
