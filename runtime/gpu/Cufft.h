//===- Cufft.h - What of cuFFT the runtime calls --------------------------===//
//
// As CudaDriver.h: our own declarations, compared with cufft.h by a unit test.
// Complex numbers are pairs: the real part, then the imaginary one.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_GPU_CUFFT_H
#define TESSERA_RUNTIME_GPU_CUFFT_H

#include "CudaDriver.h"

#include "tessera/Support/Fallible.h"

#include <functional>

namespace tessera::gpu {

/// A cufftResult, and a cufftHandle.
using FftResult = int;
using FftPlan = int;

inline constexpr FftResult fftOk = 0;

// Values of cufftType, and directions.
inline constexpr int fftRealToComplexF32 = 0x2a, fftComplexToRealF32 = 0x2c,
                     fftComplexF32 = 0x29, fftRealToComplexF64 = 0x6a,
                     fftComplexToRealF64 = 0x6c, fftComplexF64 = 0x69;
inline constexpr int fftForward = -1, fftBackward = 1;

/// X(field, symbol, type): a function of the library.
#define TESSERA_CUFFT_FUNCTIONS(X)                                             \
  X(create, cufftCreate, FftResult(FftPlan *))                                 \
  X(destroy, cufftDestroy, FftResult(FftPlan))                                 \
  X(makePlan, cufftMakePlanMany64,                                             \
    FftResult(FftPlan, int rank, long long *lengths, long long *inputSizes,    \
              long long inputStride, long long inputDistance,                  \
              long long *outputSizes, long long outputStride,                  \
              long long outputDistance, int type, long long batch,             \
              size_t *workBytes))                                              \
  X(setStream, cufftSetStream, FftResult(FftPlan, CudaStream))                 \
  X(complexF32, cufftExecC2C,                                                  \
    FftResult(FftPlan, void *from, void *to, int direction))                   \
  X(complexF64, cufftExecZ2Z,                                                  \
    FftResult(FftPlan, void *from, void *to, int direction))                   \
  X(realToComplexF32, cufftExecR2C, FftResult(FftPlan, float *from, void *to)) \
  X(realToComplexF64, cufftExecD2Z,                                            \
    FftResult(FftPlan, double *from, void *to))                                \
  X(complexToRealF32, cufftExecC2R, FftResult(FftPlan, void *from, float *to)) \
  X(complexToRealF64, cufftExecZ2D, FftResult(FftPlan, void *from, double *to))

/// The table.
struct Cufft {
#define TESSERA_FIELD(field, symbol, ...)                                      \
  using field##_type = __VA_ARGS__;                                            \
  field##_type *field = nullptr;
  TESSERA_CUFFT_FUNCTIONS(TESSERA_FIELD)
#undef TESSERA_FIELD
};

/// Gives the table when a program first needs it; fails where there is no such
/// library.
using CufftLoader = std::function<Fallible<const Cufft *>()>;

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_CUFFT_H
