//===- FloatMode.h - How the threads of a model compute -------------------===//

#ifndef TESSERA_RUNTIME_CORE_FLOATMODE_H
#define TESSERA_RUNTIME_CORE_FLOATMODE_H

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera::runtime {

/// Lets the calling thread flush denormal results to zero, and take denormal
/// operands for zero.
inline void flushDenormals() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_FLOATMODE_H
