//===- Roofline.h - Bound by arithmetic or by memory ----------------------===//
#ifndef TESSERA_SHARDING_COSTS_ROOFLINE_H
#define TESSERA_SHARDING_COSTS_ROOFLINE_H

#include "tessera/Sharding/Costs/Machine.h"

#include <algorithm>

namespace tessera {

/// The seconds that one device of `machine` takes for so many floating-point
/// operations while it reads and writes so many bytes of its memory, whichever
/// takes longer: the roofline model (Williams, Waterman and Patterson, 2009).
inline double rooflineSeconds(double operations, double bytes,
                              const Machine &machine) {
  return std::max(operations / machine.compute,
                  bytes / machine.memoryBandwidth);
}

} // namespace tessera

#endif // TESSERA_SHARDING_COSTS_ROOFLINE_H
