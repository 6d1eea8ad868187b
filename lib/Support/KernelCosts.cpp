//===- KernelCosts.cpp - How kernels differ from a roofline ---------------===//

#include "tessera/Support/KernelCosts.h"

#include <algorithm>
#include <cmath>

using namespace tessera;

/// How many waves `product` takes, the last one counted as what of the
/// processors it needs at least: a product of fewer tiles than processors is
/// split along its depth, as libraries do, as far as each part is a tile deep.
static double wavesOf(const ProductShape &product, int64_t processors,
                      int64_t tile) {
  auto tiles = [&](int64_t size) { return (size + tile - 1) / tile; };
  int64_t count = product.batch * tiles(product.rows) * tiles(product.columns);
  if (count >= processors)
    return double((count + processors - 1) / processors);
  int64_t parts = std::min(processors / std::max<int64_t>(count, 1),
                           std::max<int64_t>(tiles(product.depth), 1));
  return 1 / double(parts);
}

double KernelCosts::seconds(double operations, double bytes,
                            std::span<const ProductShape> products,
                            double compute, double memoryBandwidth) const {
  // What products count for, waves that are not full included.
  double counted = operations;
  if (processors > 0)
    for (const ProductShape &product : products) {
      double wave = 2.0 * double(tile) * double(tile) * double(product.depth) *
                    double(processors);
      counted +=
          wavesOf(product, processors, tile) * wave - product.operations();
    }
  double arithmetic = std::max(counted, 0.0) / (compute * efficiency);
  double moved = bytes > 0 ? bytes + memoryHalfSaturation : 0;
  return std::max({launch, arithmetic, moved / memoryBandwidth});
}

bool KernelCosts::isValid() const {
  auto isCount = [](double value) {
    return std::isfinite(value) && value >= 0;
  };
  return isCount(launch) && isCount(memoryHalfSaturation) && efficiency > 0 &&
         efficiency <= 1 && processors >= 0 &&
         (processors > 0 ? tile > 0 : tile == 0);
}
