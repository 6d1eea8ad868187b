//===- RandomTensor.h - Seeded random inputs ------------------------------===//

#ifndef TESSERA_SUPPORT_RANDOMTENSOR_H
#define TESSERA_SUPPORT_RANDOMTENSOR_H

#include "tessera/Support/HostTensor.h"

namespace tessera {

/// A stream of random numbers that is the same on every platform (splitmix64).
class RandomStream {
public:
  explicit RandomStream(uint64_t seed) : state(seed) {}

  /// 64 random bits.
  uint64_t next();

  /// Bell-shaped with mean 0 and standard deviation 1, within (-3.5, 3.5): the
  /// scaled sum of four uniform numbers, which is exact in binary and so needs
  /// no mathematical library.
  double nextBell();

private:
  uint64_t state;
};

/// A tensor for number `position` of a program's arguments: floats bell-shaped
/// with standard deviation 0.1, integers uniform in 0..7, i1 uniform in 0..1.
/// Depends on the seed, the position and the shape only, so that every tool
/// makes the same inputs.
HostTensor randomTensor(ElementType type, const Shape &shape, uint64_t seed,
                        size_t position);

} // namespace tessera

#endif // TESSERA_SUPPORT_RANDOMTENSOR_H
