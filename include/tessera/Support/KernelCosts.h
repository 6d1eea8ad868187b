//===- KernelCosts.h - How kernels differ from a roofline -----------------===//
//
// Without LLVM, for compiler, simulator and tessera-run: one predictor.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_KERNELCOSTS_H
#define TESSERA_SUPPORT_KERNELCOSTS_H

#include <cstdint>
#include <span>

namespace tessera {

/// A matrix product on local tensors: `batch` products of `rows` x `depth` and
/// `depth` x `columns`.
struct ProductShape {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;

  /// Floating-point operations.
  double operations() const {
    return 2.0 * double(batch) * double(rows) * double(columns) * double(depth);
  }
};

/// What the kernels of a device do beside a roofline of arithmetic and memory
/// (docs/cluster.md). By default nothing: times are those of the roofline.
struct KernelCosts {
  /// Seconds that are at least between the beginnings of two kernels.
  double launch = 0;
  /// The share of the arithmetic that large kernels reach.
  double efficiency = 1;
  /// A product goes in waves of `processors` tiles of `tile` x `tile` results,
  /// and the last wave takes as long as a full one; 0 for no waves.
  int64_t processors = 0, tile = 0;
  /// Bytes: a kernel that reads and writes so many reaches half of the
  /// bandwidth of memory.
  double memoryHalfSaturation = 0;

  /// The seconds of a kernel with so many operations in all, those of
  /// `products` among them, and so many bytes, on a device that computes
  /// `compute` operations and moves `memoryBandwidth` bytes per second.
  double seconds(double operations, double bytes,
                 std::span<const ProductShape> products, double compute,
                 double memoryBandwidth) const;

  /// Those of what is fused into a kernel: it has no launch of its own, and is
  /// moved with the rest.
  KernelCosts fused() const {
    KernelCosts costs = *this;
    costs.launch = costs.memoryHalfSaturation = 0;
    return costs;
  }

  /// Whether every number makes sense: shares above 0 and up to 1, others 0 or
  /// more, tiles where there are processors.
  bool isValid() const;

  friend bool operator==(const KernelCosts &, const KernelCosts &) = default;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_KERNELCOSTS_H
