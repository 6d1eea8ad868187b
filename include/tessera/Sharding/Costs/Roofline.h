//===- Roofline.h - Bound by arithmetic or by memory ----------------------===//
#ifndef TESSERA_SHARDING_COSTS_ROOFLINE_H
#define TESSERA_SHARDING_COSTS_ROOFLINE_H

#include "tessera/Sharding/Costs/Machine.h"
#include "tessera/Support/KernelCosts.h"

namespace tessera {

/// The seconds that a kernel with so many floating-point operations, those of
/// `products` among them, takes on one device of `machine` while it reads and
/// writes so many bytes of its memory, whichever takes longer: the roofline
/// model (Williams, Waterman and Patterson, 2009), with what `kernels` says
/// that this device does beside it.
inline double rooflineSeconds(double operations, double bytes,
                              const Machine &machine,
                              const KernelCosts &kernels,
                              std::span<const ProductShape> products = {}) {
  return kernels.seconds(operations, bytes, products, machine.compute,
                         machine.memoryBandwidth);
}

} // namespace tessera

#endif // TESSERA_SHARDING_COSTS_ROOFLINE_H
