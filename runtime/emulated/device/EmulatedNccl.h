//===- EmulatedNccl.h - NCCL between threads ------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDNCCL_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDNCCL_H

#include "../gpu/Nccl.h"

namespace tessera::emulated {

/// NCCL's functions for ranks that are threads of one process (EmulatedHost).
/// What NCCL leaves undefined is a fault here: members that call different
/// things, or with different counts, types or roots; buffers that are no memory
/// of the device.
const gpu::Nccl &emulatedNccl();

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDNCCL_H
