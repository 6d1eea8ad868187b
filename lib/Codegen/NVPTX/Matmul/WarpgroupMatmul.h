//===- WarpgroupMatmul.h - Matrix products by TMA and wgmma -----*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_WARPGROUPMATMUL_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_WARPGROUPMATMUL_H

#include "LowerStage.h"

namespace tessera::nvptx {

/// A matrix product on Hopper whose operands bulk copies can take: one warp
/// group copies, others multiply.
llvm::FailureOr<bool> lowerWarpgroupMatmul(const GpuStage &stage);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_WARPGROUPMATMUL_H
