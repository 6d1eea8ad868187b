//===- Nccl.h - What of NCCL the runtime calls ----------------------------===//
//
// As CudaDriver.h: our own declarations, compared with nccl.h by a unit test.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_GPU_NCCL_H
#define TESSERA_RUNTIME_GPU_NCCL_H

#include "CudaDriver.h"

namespace tessera::gpu {

/// An ncclResult_t.
using NcclResult = int;
using NcclComm = struct ncclComm *;

struct NcclUniqueId {
  char internal[128];
};

// Values of ncclResult_t.
inline constexpr NcclResult ncclOk = 0;
inline constexpr NcclResult ncclSystemFailure = 2;
inline constexpr NcclResult ncclBadArgument = 4;
inline constexpr NcclResult ncclBadUsage = 5;
inline constexpr NcclResult ncclPending = 7; // ncclInProgress

// Values of ncclDataType_t and ncclRedOp_t.
inline constexpr int ncclI8 = 0, ncclU8 = 1, ncclI32 = 2, ncclU32 = 3,
                     ncclI64 = 4, ncclU64 = 5, ncclF16 = 6, ncclF32 = 7,
                     ncclF64 = 8, ncclBf16 = 9;
inline constexpr int ncclSumOf = 0, ncclProductOf = 1, ncclMaxOf = 2,
                     ncclMinOf = 3;

/// X(field, symbol, type): a function of NCCL.
#define TESSERA_NCCL_FUNCTIONS(X)                                              \
  X(version, ncclGetVersion, NcclResult(int *version))                         \
  X(uniqueId, ncclGetUniqueId, NcclResult(NcclUniqueId *id))                   \
  X(commInit, ncclCommInitRank,                                                \
    NcclResult(NcclComm *comm, int size, NcclUniqueId id, int position))       \
  X(commDestroy, ncclCommDestroy, NcclResult(NcclComm))                        \
  X(commAbort, ncclCommAbort, NcclResult(NcclComm))                            \
  X(commError, ncclCommGetAsyncError, NcclResult(NcclComm, NcclResult *error)) \
  X(errorString, ncclGetErrorString, const char *(NcclResult))                 \
  X(lastError, ncclGetLastError, const char *(NcclComm))                       \
  X(allReduce, ncclAllReduce,                                                  \
    NcclResult(const void *in, void *out, size_t count, int type, int op,      \
               NcclComm, CudaStream))                                          \
  X(reduceScatter, ncclReduceScatter,                                          \
    NcclResult(const void *in, void *out, size_t count, int type, int op,      \
               NcclComm, CudaStream))                                          \
  X(allGather, ncclAllGather,                                                  \
    NcclResult(const void *in, void *out, size_t count, int type, NcclComm,    \
               CudaStream))                                                    \
  X(broadcast, ncclBroadcast,                                                  \
    NcclResult(const void *in, void *out, size_t count, int type, int root,    \
               NcclComm, CudaStream))                                          \
  X(send, ncclSend,                                                            \
    NcclResult(const void *in, size_t count, int type, int peer, NcclComm,     \
               CudaStream))                                                    \
  X(receive, ncclRecv,                                                         \
    NcclResult(void *out, size_t count, int type, int peer, NcclComm,          \
               CudaStream))                                                    \
  X(groupStart, ncclGroupStart, NcclResult())                                  \
  X(groupEnd, ncclGroupEnd, NcclResult())

/// The table.
struct Nccl {
#define TESSERA_FIELD(field, symbol, ...)                                      \
  using field##_type = __VA_ARGS__;                                            \
  field##_type *field = nullptr;
  TESSERA_NCCL_FUNCTIONS(TESSERA_FIELD)
#undef TESSERA_FIELD
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_NCCL_H
