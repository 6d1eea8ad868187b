//===- MatmulRules.h - Matmuls on a GPU -----------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_MATMULRULES_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_MATMULRULES_H

#include "Core/GridFunction.h"
#include "Core/TuningRecords.h"

namespace tessera::nvptx {

/// A matrix product, plain or with a bias, for which a tuning record asks for
/// cuBLASLt.
llvm::FailureOr<bool> lowerLibraryMatmul(const GpuNest &nest);
/// A matrix product: tiles in shared memory, on tensor cores if they can.
llvm::FailureOr<bool> lowerMatmul(const GpuNest &nest);
/// A matrix product on Hopper whose operands bulk copies can take: one warp
/// group copies, others multiply.
llvm::FailureOr<bool> lowerWarpgroupMatmul(const GpuNest &nest);

/// The kernels for matmuls that tuning records can choose.
llvm::ArrayRef<KernelFamily> matmulFamilies();

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_MATMULRULES_H
