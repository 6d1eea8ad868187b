//===- FloatMode.h - How the threads of a model compute -------------------===//

#ifndef TESSERA_RUNTIME_CORE_FLOATMODE_H
#define TESSERA_RUNTIME_CORE_FLOATMODE_H

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera::runtime {

/// How the calling thread rounds and what it does with denormals.
inline uint32_t floatMode() {
#if defined(__x86_64__)
  return _mm_getcsr();
#else
  return 0;
#endif
}

/// Sets what `floatMode` has told.
inline void setFloatMode([[maybe_unused]] uint32_t mode) {
#if defined(__x86_64__)
  _mm_setcsr(mode);
#endif
}

/// Lets the calling thread flush denormal results to zero, and take denormal
/// operands for zero.
inline void flushDenormals() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_FLOATMODE_H
