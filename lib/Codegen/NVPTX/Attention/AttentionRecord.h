//===- AttentionRecord.h - Measured choices for attention -------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONRECORD_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONRECORD_H

#include "Attention/AttentionProblem.h"
#include "Core/GridFunction.h"

namespace tessera::nvptx {

/// What a tuning record says of a step of attention: the kernel, and a block's
/// `groups` that multiply (warps of `attention`, warp groups of
/// `wgmma-attention`), which meet `columns` of the other side at a time,
/// `buffers` tiles of which are in shared memory.
struct AttentionRecord {
  bool isWarpgroup;
  int64_t groups, columns, buffers;

  /// Written `4x64/2`: powers of 2, from 1 to 8 and from 16 to 256, and 1 to 4.
  static std::optional<AttentionRecord> parse(llvm::StringRef text);
  /// The record for a step of `nest`: `forward`, `queries` (their gradient) or
  /// `keys` (the gradients of keys and values), if there is one.
  static std::optional<AttentionRecord> find(const GpuNest &nest,
                                             const AttentionProblem &problem,
                                             llvm::StringRef step);
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONRECORD_H
