//===- EmulatedCublasLt.h - cuBLASLt on emulated devices ------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDCUBLASLT_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDCUBLASLT_H

#include "../gpu/CublasLt.h"

namespace tessera::emulated {

/// Functions that compute products of f16, bf16 and f32 by loops, on streams of
/// the emulated driver, and refuse what cuBLASLt does: descriptions that do not
/// fit together, operands that are less aligned than the preferences have said,
/// a smaller workspace than the chosen algorithm asked for. tf32 is exact.
const gpu::CublasLt &emulatedCublasLt();

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDCUBLASLT_H
