//===- PtxAsync.h - What the asynchronous instructions share --------------===//

#ifndef TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_PTXASYNC_H
#define TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_PTXASYNC_H

#include "asynchronous/AsyncCopies.h"
#include "ptx/PtxDecoder.h"

namespace tessera::emulated {

/// The shared offset of the mbarrier that `address` names in `lane`. Nothing,
/// after a fault, where there is none.
std::optional<uint32_t> accessMbarrier(Warp &warp, Space space,
                                       const Operand &address, unsigned lane);

/// Consumes the state space of an instruction on shared memory, `Generic` if
/// none is there.
Space takeSharedSpace(Decoding &decoding);

/// The offset of a pointer into the block's shared memory.
inline uint32_t sharedOffset(Warp &warp, const std::byte *pointer) {
  return static_cast<uint32_t>(pointer - warp.block().shared().data());
}

/// Decodes what follows `cp.async.bulk`.
void decodeBulkCopy(Decoding &decoding);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_PTXASYNC_H
