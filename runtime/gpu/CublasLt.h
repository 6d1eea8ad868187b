//===- CublasLt.h - What of cuBLASLt the runtime calls --------------------===//
//
// As CudaDriver.h: our own declarations, compared with cublasLt.h by a unit
// test. Matrices are column-major, as everywhere in BLAS.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_GPU_CUBLASLT_H
#define TESSERA_RUNTIME_GPU_CUBLASLT_H

#include "CudaDriver.h"

#include "tessera/Support/Fallible.h"

#include <functional>

namespace tessera::gpu {

/// A cublasStatus_t.
using BlasStatus = int;
using BlasHandle = struct cublasLtContext *;
using BlasMatmul = struct BlasMatmulOpaque *;
using BlasLayout = struct BlasLayoutOpaque *;
using BlasPreference = struct BlasPreferenceOpaque *;

/// A cublasLtMatmulAlgo_t: how the library will do it.
struct BlasAlgorithm {
  uint64_t data[8];
};

/// A cublasLtMatmulHeuristicResult_t.
struct BlasHeuristic {
  BlasAlgorithm algorithm;
  size_t workspaceBytes;
  BlasStatus state;
  float waves;
  int reserved[4];
};

// Values of cublasStatus_t.
inline constexpr BlasStatus blasOk = 0;
inline constexpr BlasStatus blasInvalidValue = 7;
inline constexpr BlasStatus blasNotSupported = 15;

// Of cudaDataType_t, cublasComputeType_t, cublasOperation_t and
// cublasLtEpilogue_t.
inline constexpr int blasF32 = 0, blasF16 = 2, blasBf16 = 14;
inline constexpr int blasComputeF32 = 68, blasComputeTf32 = 77;
inline constexpr int32_t blasAsIs = 0, blasTransposed = 1;
inline constexpr uint32_t blasNoEpilogue = 1, blasBias = 4;

// Attributes of products, layouts and preferences.
inline constexpr int blasTransA = 3, blasTransB = 4, blasEpilogue = 7,
                     blasBiasPointer = 8;
inline constexpr int blasBatchCount = 5, blasBatchStride = 6;
inline constexpr int blasMaxWorkspace = 1, blasAlignmentA = 5,
                     blasAlignmentB = 6, blasAlignmentC = 7, blasAlignmentD = 8;

/// X(field, symbol, type): a function of the library.
#define TESSERA_CUBLASLT_FUNCTIONS(X)                                          \
  X(create, cublasLtCreate, BlasStatus(BlasHandle *handle))                    \
  X(destroy, cublasLtDestroy, BlasStatus(BlasHandle))                          \
  X(version, cublasLtGetVersion, size_t())                                     \
  X(statusString, cublasLtGetStatusString, const char *(BlasStatus))           \
  X(matmulCreate, cublasLtMatmulDescCreate,                                    \
    BlasStatus(BlasMatmul *matmul, int compute, int scaleType))                \
  X(matmulDestroy, cublasLtMatmulDescDestroy, BlasStatus(BlasMatmul))          \
  X(matmulSet, cublasLtMatmulDescSetAttribute,                                 \
    BlasStatus(BlasMatmul, int attribute, const void *value, size_t bytes))    \
  X(layoutCreate, cublasLtMatrixLayoutCreate,                                  \
    BlasStatus(BlasLayout *layout, int type, uint64_t rows, uint64_t columns,  \
               int64_t leading))                                               \
  X(layoutDestroy, cublasLtMatrixLayoutDestroy, BlasStatus(BlasLayout))        \
  X(layoutSet, cublasLtMatrixLayoutSetAttribute,                               \
    BlasStatus(BlasLayout, int attribute, const void *value, size_t bytes))    \
  X(preferenceCreate, cublasLtMatmulPreferenceCreate,                          \
    BlasStatus(BlasPreference *preference))                                    \
  X(preferenceDestroy, cublasLtMatmulPreferenceDestroy,                        \
    BlasStatus(BlasPreference))                                                \
  X(preferenceSet, cublasLtMatmulPreferenceSetAttribute,                       \
    BlasStatus(BlasPreference, int attribute, const void *value,               \
               size_t bytes))                                                  \
  X(heuristic, cublasLtMatmulAlgoGetHeuristic,                                 \
    BlasStatus(BlasHandle, BlasMatmul, BlasLayout a, BlasLayout b,             \
               BlasLayout c, BlasLayout d, BlasPreference, int asked,          \
               BlasHeuristic *results, int *count))                            \
  X(matmul, cublasLtMatmul,                                                    \
    BlasStatus(BlasHandle, BlasMatmul, const void *alpha, const void *a,       \
               BlasLayout aLayout, const void *b, BlasLayout bLayout,          \
               const void *beta, const void *c, BlasLayout cLayout, void *d,   \
               BlasLayout dLayout, const BlasAlgorithm *algorithm,             \
               void *workspace, size_t workspaceBytes, CudaStream))

/// The table.
struct CublasLt {
#define TESSERA_FIELD(field, symbol, ...)                                      \
  using field##_type = __VA_ARGS__;                                            \
  field##_type *field = nullptr;
  TESSERA_CUBLASLT_FUNCTIONS(TESSERA_FIELD)
#undef TESSERA_FIELD
};

/// Gives the table when a program first needs it; fails, in words for the user,
/// where there is no such library.
using CublasLtLoader = std::function<Fallible<const CublasLt *>()>;

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_CUBLASLT_H
