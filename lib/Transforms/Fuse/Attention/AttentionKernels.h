//===- AttentionKernels.h - which attention has a kernel ------------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONKERNELS_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONKERNELS_H

#include "mlir/IR/Operation.h"

namespace tessera::fuse {

/// The most features of a query, key or value that a GPU kernel for attention
/// holds.
inline constexpr int64_t kAttentionFeatures = 256;

/// Whether a GPU kernel for attention takes tensors of `element`: f32, bf16 or
/// f16.
bool isAttentionKernelType(mlir::Type element);

/// Whether GPUs have a kernel for `attention` (an `attention` or
/// `attention_gradient`): all tensors but masks are of types that it takes,
/// with `kAttentionFeatures` at most, and query, key and value are of one type.
bool hasAttentionKernel(mlir::Operation *attention);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONKERNELS_H
