//===- CudaDriver.h - What of the CUDA driver the runtime calls -----------===//
//
// Our own declarations of the driver API, so that building needs no CUDA; a
// unit test compares them with cuda.h where there is one. A back end fills the
// table from libcuda.so.1, or with an emulation of it. Names, types and meaning
// are those of the CUDA Driver API.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_GPU_CUDADRIVER_H
#define TESSERA_RUNTIME_GPU_CUDADRIVER_H

#include <cstddef>
#include <cstdint>

namespace tessera::gpu {

/// A CUresult.
using CudaResult = int;
using CudaDevice = int;
using CudaAddress = unsigned long long;
using CudaContext = struct CUctx_st *;
using CudaModule = struct CUmod_st *;
using CudaFunction = struct CUfunc_st *;
using CudaStream = struct CUstream_st *;
using CudaEvent = struct CUevent_st *;
using CudaGraph = struct CUgraph_st *;
using CudaGraphExec = struct CUgraphExec_st *;

/// A CUtensorMap: what asynchronous copies of tiles go by.
struct alignas(128) CudaTensorMap {
  uint64_t opaque[16];
};

// Values of CUresult.
inline constexpr CudaResult cudaOk = 0;
inline constexpr CudaResult cudaInvalidValue = 1;
inline constexpr CudaResult cudaOutOfMemory = 2;
inline constexpr CudaResult cudaNoDevice = 100;
inline constexpr CudaResult cudaInvalidImage = 200;
inline constexpr CudaResult cudaInvalidPtx = 218;
inline constexpr CudaResult cudaInvalidHandle = 400;
inline constexpr CudaResult cudaNotFound = 500;
inline constexpr CudaResult cudaNotReady = 600;
inline constexpr CudaResult cudaLaunchFailed = 719;

// Flags and attributes.
inline constexpr int attributeMajor = 75; // CU_DEVICE_ATTRIBUTE_COMPUTE_...
inline constexpr int attributeMinor = 76;
inline constexpr int attributeSharedOptIn = 97;    // ..._PER_BLOCK_OPTIN
inline constexpr int functionMaxDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_...
inline constexpr unsigned streamNonBlocking = 1;
inline constexpr unsigned eventDisableTiming = 2;
inline constexpr int captureRelaxed = 2;
inline constexpr unsigned hostAllocPortable = 1;
inline constexpr int jitErrorLogBuffer = 5;
inline constexpr int jitErrorLogBufferSize = 6;
inline constexpr int jitGenerateLineInfo = 13;

// Of tensor maps: CUtensorMapDataType and what else the runtime asks for.
inline constexpr int mapUint8 = 0, mapUint16 = 1, mapUint32 = 2, mapInt32 = 3,
                     mapUint64 = 4, mapInt64 = 5, mapFloat16 = 6,
                     mapFloat32 = 7, mapFloat64 = 8, mapBfloat16 = 9,
                     mapTfloat32 = 11;
inline constexpr int mapInterleaveNone = 0;
inline constexpr int mapPromotion128 = 2; // CU_TENSOR_MAP_L2_PROMOTION_L2_128B
inline constexpr int mapFillZero = 0;

/// X(field, symbol, type): a function of the driver under the name that the
/// library exports.
#define TESSERA_CUDA_FUNCTIONS(X)                                              \
  X(init, cuInit, CudaResult(unsigned flags))                                  \
  X(driverVersion, cuDriverGetVersion, CudaResult(int *version))               \
  X(errorName, cuGetErrorName, CudaResult(CudaResult, const char **text))      \
  X(errorString, cuGetErrorString, CudaResult(CudaResult, const char **text))  \
  X(deviceCount, cuDeviceGetCount, CudaResult(int *count))                     \
  X(deviceGet, cuDeviceGet, CudaResult(CudaDevice *device, int ordinal))       \
  X(deviceName, cuDeviceGetName, CudaResult(char *name, int size, CudaDevice)) \
  X(deviceAttribute, cuDeviceGetAttribute,                                     \
    CudaResult(int *value, int attribute, CudaDevice))                         \
  X(contextRetain, cuDevicePrimaryCtxRetain,                                   \
    CudaResult(CudaContext *context, CudaDevice))                              \
  X(contextRelease, cuDevicePrimaryCtxRelease_v2, CudaResult(CudaDevice))      \
  X(contextSetCurrent, cuCtxSetCurrent, CudaResult(CudaContext))               \
  X(memoryAllocate, cuMemAlloc_v2,                                             \
    CudaResult(CudaAddress *address, size_t bytes))                            \
  X(memoryFree, cuMemFree_v2, CudaResult(CudaAddress))                         \
  X(hostAllocate, cuMemHostAlloc,                                              \
    CudaResult(void **memory, size_t bytes, unsigned flags))                   \
  X(hostFree, cuMemFreeHost, CudaResult(void *memory))                         \
  X(copyToDevice, cuMemcpyHtoDAsync_v2,                                        \
    CudaResult(CudaAddress target, const void *host, size_t bytes,             \
               CudaStream))                                                    \
  X(copyToHost, cuMemcpyDtoHAsync_v2,                                          \
    CudaResult(void *host, CudaAddress source, size_t bytes, CudaStream))      \
  X(copyOnDevice, cuMemcpyDtoDAsync_v2,                                        \
    CudaResult(CudaAddress target, CudaAddress source, size_t bytes,           \
               CudaStream))                                                    \
  X(fill8, cuMemsetD8Async,                                                    \
    CudaResult(CudaAddress target, unsigned char value, size_t count,          \
               CudaStream))                                                    \
  X(fill16, cuMemsetD16Async,                                                  \
    CudaResult(CudaAddress target, unsigned short value, size_t count,         \
               CudaStream))                                                    \
  X(fill32, cuMemsetD32Async,                                                  \
    CudaResult(CudaAddress target, unsigned value, size_t count, CudaStream))  \
  X(moduleLoad, cuModuleLoadDataEx,                                            \
    CudaResult(CudaModule *module, const void *image, unsigned options,        \
               int *names, void **values))                                     \
  X(moduleUnload, cuModuleUnload, CudaResult(CudaModule))                      \
  X(moduleFunction, cuModuleGetFunction,                                       \
    CudaResult(CudaFunction *function, CudaModule, const char *name))          \
  X(functionSetAttribute, cuFuncSetAttribute,                                  \
    CudaResult(CudaFunction, int attribute, int value))                        \
  X(launchKernel, cuLaunchKernel,                                              \
    CudaResult(CudaFunction, unsigned gridX, unsigned gridY, unsigned gridZ,   \
               unsigned blockX, unsigned blockY, unsigned blockZ,              \
               unsigned sharedBytes, CudaStream, void **parameters,            \
               void **extra))                                                  \
  X(streamCreate, cuStreamCreateWithPriority,                                  \
    CudaResult(CudaStream *stream, unsigned flags, int priority))              \
  X(streamDestroy, cuStreamDestroy_v2, CudaResult(CudaStream))                 \
  X(streamWaitEvent, cuStreamWaitEvent,                                        \
    CudaResult(CudaStream, CudaEvent, unsigned flags))                         \
  X(streamBeginCapture, cuStreamBeginCapture_v2,                               \
    CudaResult(CudaStream, int mode))                                          \
  X(streamEndCapture, cuStreamEndCapture,                                      \
    CudaResult(CudaStream, CudaGraph *graph))                                  \
  X(graphInstantiate, cuGraphInstantiateWithFlags,                             \
    CudaResult(CudaGraphExec *exec, CudaGraph, unsigned long long flags))      \
  X(graphLaunch, cuGraphLaunch, CudaResult(CudaGraphExec, CudaStream))         \
  X(graphExecDestroy, cuGraphExecDestroy, CudaResult(CudaGraphExec))           \
  X(graphDestroy, cuGraphDestroy, CudaResult(CudaGraph))                       \
  X(eventCreate, cuEventCreate, CudaResult(CudaEvent *event, unsigned flags))  \
  X(eventDestroy, cuEventDestroy_v2, CudaResult(CudaEvent))                    \
  X(eventRecord, cuEventRecord, CudaResult(CudaEvent, CudaStream))             \
  X(eventQuery, cuEventQuery, CudaResult(CudaEvent))                           \
  X(eventElapsed, cuEventElapsedTime,                                          \
    CudaResult(float *milliseconds, CudaEvent begin, CudaEvent end))           \
  X(encodeTiled, cuTensorMapEncodeTiled,                                       \
    CudaResult(CudaTensorMap *map, int type, uint32_t rank, void *address,     \
               const uint64_t *sizes, const uint64_t *strides,                 \
               const uint32_t *box, const uint32_t *elementStrides,            \
               int interleave, int swizzle, int promotion, int fill))

/// The table. Functions report errors by their result alone.
struct CudaDriver {
#define TESSERA_FIELD(field, symbol, ...)                                      \
  using field##_type = __VA_ARGS__;                                            \
  field##_type *field = nullptr;
  TESSERA_CUDA_FUNCTIONS(TESSERA_FIELD)
#undef TESSERA_FIELD
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_CUDADRIVER_H
