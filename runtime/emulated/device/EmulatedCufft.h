//===- EmulatedCufft.h - cuFFT on emulated devices ------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDCUFFT_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDCUFFT_H

#include "../gpu/Cufft.h"

namespace tessera::emulated {

/// Functions that compute transforms of batches of contiguous arrays from their
/// definition, in double precision, on streams of the emulated driver.
const gpu::Cufft &emulatedCufft();

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDCUFFT_H
