//===- CudaHeadersTest.cpp - Our declarations against NVIDIA's ------------===//
//
// Compiled only where cuda.h, nccl.h, cublasLt.h and cufft.h are. Types count
// as equal if a caller cannot tell them apart: enumerations are integers,
// handles are pointers.
//
//===----------------------------------------------------------------------===//

#include "../../runtime/gpu/CublasLt.h"
#include "../../runtime/gpu/Cufft.h"
#include "../../runtime/gpu/Nccl.h"

#include <cublasLt.h>
#include <cuda.h>
#include <cufft.h>
#include <gtest/gtest.h>
#include <nccl.h>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <dlfcn.h>

using namespace tessera;

/// Whether values of the types are passed in the same way and mean the same.
template <typename Ours, typename Theirs> constexpr bool matches() {
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using To = std::remove_cv_t<std::remove_pointer_t<Ours>>;
    using From = std::remove_cv_t<std::remove_pointer_t<Theirs>>;
    if constexpr (std::is_void_v<To> || std::is_void_v<From> ||
                  !std::is_scalar_v<To> || !std::is_scalar_v<From>)
      return std::is_scalar_v<To> == std::is_scalar_v<From>;
    else
      return matches<To, From>();
  } else {
    return sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs) &&
           std::is_pointer_v<Ours> == std::is_pointer_v<Theirs> &&
           std::is_class_v<Ours> == std::is_class_v<Theirs> &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
  }
}

template <typename Ours, typename Theirs> struct SameCall : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
struct SameCall<R(A...), S(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return matches<R, S>() && (matches<A, B>() && ...);
  }();
};

#define TESSERA_CHECK_CUDA(field, symbol, ...)                                 \
  static_assert(                                                               \
      SameCall<gpu::CudaDriver::field##_type, decltype(::symbol)>::value,      \
      "declaration of " #symbol);
#define TESSERA_CHECK_NCCL(field, symbol, ...)                                 \
  static_assert(SameCall<gpu::Nccl::field##_type, decltype(::symbol)>::value,  \
                "declaration of " #symbol);
#define TESSERA_CHECK_CUBLASLT(field, symbol, ...)                             \
  static_assert(                                                               \
      SameCall<gpu::CublasLt::field##_type, decltype(::symbol)>::value,        \
      "declaration of " #symbol);
#define TESSERA_CHECK_CUFFT(field, symbol, ...)                                \
  static_assert(SameCall<gpu::Cufft::field##_type, decltype(::symbol)>::value, \
                "declaration of " #symbol);
TESSERA_CUDA_FUNCTIONS(TESSERA_CHECK_CUDA)
TESSERA_NCCL_FUNCTIONS(TESSERA_CHECK_NCCL)
TESSERA_CUBLASLT_FUNCTIONS(TESSERA_CHECK_CUBLASLT)
TESSERA_CUFFT_FUNCTIONS(TESSERA_CHECK_CUFFT)

static_assert(gpu::fftOk == CUFFT_SUCCESS);
static_assert(gpu::fftForward == CUFFT_FORWARD);
static_assert(gpu::fftBackward == CUFFT_INVERSE);
static_assert(gpu::fftComplexF32 == CUFFT_C2C);
static_assert(gpu::fftComplexF64 == CUFFT_Z2Z);
static_assert(gpu::fftRealToComplexF32 == CUFFT_R2C);
static_assert(gpu::fftRealToComplexF64 == CUFFT_D2Z);
static_assert(gpu::fftComplexToRealF32 == CUFFT_C2R);
static_assert(gpu::fftComplexToRealF64 == CUFFT_Z2D);

static_assert(gpu::cudaOk == CUDA_SUCCESS);
static_assert(gpu::cudaInvalidValue == CUDA_ERROR_INVALID_VALUE);
static_assert(gpu::cudaOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(gpu::cudaNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(gpu::cudaInvalidImage == CUDA_ERROR_INVALID_IMAGE);
static_assert(gpu::cudaInvalidPtx == CUDA_ERROR_INVALID_PTX);
static_assert(gpu::cudaInvalidHandle == CUDA_ERROR_INVALID_HANDLE);
static_assert(gpu::cudaNotFound == CUDA_ERROR_NOT_FOUND);
static_assert(gpu::cudaNotReady == CUDA_ERROR_NOT_READY);
static_assert(gpu::cudaLaunchFailed == CUDA_ERROR_LAUNCH_FAILED);
static_assert(gpu::attributeMajor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(gpu::attributeMinor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(gpu::attributeSharedOptIn ==
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(gpu::functionMaxDynamicShared ==
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(gpu::streamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(gpu::eventDisableTiming == CU_EVENT_DISABLE_TIMING);
static_assert(gpu::captureRelaxed == CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(gpu::hostAllocPortable == CU_MEMHOSTALLOC_PORTABLE);
static_assert(gpu::jitErrorLogBuffer == CU_JIT_ERROR_LOG_BUFFER);
static_assert(gpu::jitErrorLogBufferSize == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
static_assert(gpu::jitGenerateLineInfo == CU_JIT_GENERATE_LINE_INFO);
static_assert(gpu::mapUint8 == CU_TENSOR_MAP_DATA_TYPE_UINT8);
static_assert(gpu::mapUint16 == CU_TENSOR_MAP_DATA_TYPE_UINT16);
static_assert(gpu::mapUint32 == CU_TENSOR_MAP_DATA_TYPE_UINT32);
static_assert(gpu::mapInt32 == CU_TENSOR_MAP_DATA_TYPE_INT32);
static_assert(gpu::mapUint64 == CU_TENSOR_MAP_DATA_TYPE_UINT64);
static_assert(gpu::mapInt64 == CU_TENSOR_MAP_DATA_TYPE_INT64);
static_assert(gpu::mapFloat16 == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
static_assert(gpu::mapFloat32 == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
static_assert(gpu::mapFloat64 == CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
static_assert(gpu::mapBfloat16 == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
static_assert(gpu::mapTfloat32 == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
static_assert(gpu::mapInterleaveNone == CU_TENSOR_MAP_INTERLEAVE_NONE);
static_assert(gpu::mapPromotion128 == CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
static_assert(gpu::mapFillZero == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
static_assert(sizeof(gpu::CudaTensorMap) == sizeof(CUtensorMap) &&
              alignof(gpu::CudaTensorMap) == alignof(CUtensorMap));

static_assert(gpu::ncclOk == ncclSuccess);
static_assert(gpu::ncclSystemFailure == ncclSystemError);
static_assert(gpu::ncclBadArgument == ncclInvalidArgument);
static_assert(gpu::ncclBadUsage == ncclInvalidUsage);
static_assert(gpu::ncclPending == ncclInProgress);
static_assert(gpu::ncclI8 == ncclInt8 && gpu::ncclU8 == ncclUint8 &&
              gpu::ncclI32 == ncclInt32 && gpu::ncclU32 == ncclUint32 &&
              gpu::ncclI64 == ncclInt64 && gpu::ncclU64 == ncclUint64 &&
              gpu::ncclF16 == ncclFloat16 && gpu::ncclF32 == ncclFloat32 &&
              gpu::ncclF64 == ncclFloat64 && gpu::ncclBf16 == ncclBfloat16);
static_assert(gpu::ncclSumOf == ncclSum && gpu::ncclProductOf == ncclProd &&
              gpu::ncclMaxOf == ncclMax && gpu::ncclMinOf == ncclMin);

static_assert(gpu::blasOk == CUBLAS_STATUS_SUCCESS);
static_assert(gpu::blasInvalidValue == CUBLAS_STATUS_INVALID_VALUE);
static_assert(gpu::blasNotSupported == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(gpu::blasF32 == CUDA_R_32F && gpu::blasF16 == CUDA_R_16F &&
              gpu::blasBf16 == CUDA_R_16BF);
static_assert(gpu::blasComputeF32 == CUBLAS_COMPUTE_32F);
static_assert(gpu::blasComputeTf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(gpu::blasAsIs == CUBLAS_OP_N &&
              gpu::blasTransposed == CUBLAS_OP_T);
static_assert(gpu::blasNoEpilogue == CUBLASLT_EPILOGUE_DEFAULT &&
              gpu::blasBias == CUBLASLT_EPILOGUE_BIAS);
static_assert(gpu::blasTransA == CUBLASLT_MATMUL_DESC_TRANSA &&
              gpu::blasTransB == CUBLASLT_MATMUL_DESC_TRANSB &&
              gpu::blasEpilogue == CUBLASLT_MATMUL_DESC_EPILOGUE &&
              gpu::blasBiasPointer == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(gpu::blasBatchCount == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT &&
              gpu::blasBatchStride ==
                  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(
    gpu::blasMaxWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES &&
    gpu::blasAlignmentA == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES &&
    gpu::blasAlignmentB == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES &&
    gpu::blasAlignmentC == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES &&
    gpu::blasAlignmentD == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(sizeof(gpu::BlasAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(gpu::BlasHeuristic) ==
                  sizeof(cublasLtMatmulHeuristicResult_t) &&
              offsetof(gpu::BlasHeuristic, workspaceBytes) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) &&
              offsetof(gpu::BlasHeuristic, state) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, state));

/// The functions that a library does not have; nothing if there is no such
/// library on this machine.
static std::optional<std::string>
missingIn(const char *file, const std::vector<const char *> &functions) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return std::nullopt;
  std::string missing;
  for (const char *function : functions)
    if (!dlsym(library, function))
      missing += std::string(" ") + function;
  return missing;
}

#define TESSERA_NAME(field, symbol, ...) #symbol,

TEST(CudaHeaders, NcclHasTheFunctions) {
  auto missing =
      missingIn(TESSERA_NCCL_LIBRARY, {TESSERA_NCCL_FUNCTIONS(TESSERA_NAME)});
  if (!missing)
    GTEST_SKIP() << "no libnccl.so.2";
  EXPECT_EQ(*missing, "");
}

TEST(CudaHeaders, CublasLtHasTheFunctions) {
  auto missing = missingIn(TESSERA_CUBLASLT_LIBRARY,
                           {TESSERA_CUBLASLT_FUNCTIONS(TESSERA_NAME)});
  if (!missing)
    GTEST_SKIP() << "no libcublasLt.so";
  EXPECT_EQ(*missing, "");
}

TEST(CudaHeaders, DeclarationsAgree) {
  SUCCEED() << "cuda.h " << CUDA_VERSION << ", nccl.h " << NCCL_VERSION_CODE;
}
