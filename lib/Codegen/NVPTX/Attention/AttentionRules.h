//===- AttentionRules.h - Attention on a GPU ------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONRULES_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONRULES_H

#include "Core/GridFunction.h"
#include "Core/TuningRecords.h"

namespace tessera::nvptx {

/// Attention and its gradient.
llvm::FailureOr<bool> lowerAttention(const GpuNest &nest);
/// Attention on Hopper whose products tensor cores compute: one warp group
/// copies, others multiply.
llvm::FailureOr<bool> lowerWarpgroupAttention(const GpuNest &nest);
/// Its gradient.
llvm::FailureOr<bool> lowerWarpgroupAttentionGradient(const GpuNest &nest);

/// The kernels for attention that tuning records can choose.
llvm::ArrayRef<KernelFamily> attentionFamilies();

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONRULES_H
