//===- ArenaPacking.h - offsets for buffers with lifetimes ----------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_ARENAPACKING_H
#define TESSERA_TRANSFORMS_SCHEDULE_ARENAPACKING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tessera::schedule {

/// A buffer that is needed from `begin` to `end`, both included.
struct BufferLifetime {
  int64_t begin, end, bytes;
};

/// Offsets into one arena, aligned to cache lines, at which buffers that are
/// needed at the same time do not overlap.
struct ArenaPlan {
  llvm::SmallVector<int64_t> offsets;
  /// Bytes of the arena.
  int64_t size = 0;
  /// The most bytes (rounded up to the alignment) that are needed at once.
  int64_t live = 0;
};

/// What a buffer of `bytes` takes of an arena: whole cache lines.
int64_t arenaBytes(int64_t bytes);

/// Places buffers from the largest to the smallest, each into the smallest gap
/// that fits among those that are already placed and alive at some of its time.
/// Takes time proportional to the number of pairs of buffers compared, n^2 / 2
/// comparisons of integers; ten thousand buffers take some 20 ms.
ArenaPlan packArena(llvm::ArrayRef<BufferLifetime> buffers);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_ARENAPACKING_H
