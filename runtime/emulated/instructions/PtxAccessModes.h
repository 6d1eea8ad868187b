//===- PtxAccessModes.h - Modifiers of memory accesses --------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXACCESSMODES_H
#define TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXACCESSMODES_H

#include "execution/PtxWarp.h"
#include "ptx/PtxDecoder.h"

namespace tessera::emulated {

/// Consumes memory semantics and scopes (`.volatile`, `.relaxed.gpu`, ...);
/// whether the access is strong: orders what happens in its warp with what
/// happens in others that access the same address strongly.
bool takeSemantics(Decoding &decoding);
/// Consumes what is about caches only. True if a cache policy follows the other
/// operands.
bool takeCacheHints(Decoding &decoding);

/// Orders strong accesses to one address of shared memory for the detection of
/// races: loads acquire, stores release, atomics do both. Other addresses are
/// left alone.
void synchronize(Warp &warp, const std::byte *pointer, bool acquire,
                 bool release);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_INSTRUCTIONS_PTXACCESSMODES_H
