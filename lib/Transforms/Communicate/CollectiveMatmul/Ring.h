//===- Ring.h - blocks of all devices of a group, one after another -------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_RING_H
#define TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_RING_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::communicate {

/// What takes a partial product for each device is left as it is in larger
/// groups: the program would become as much longer.
inline constexpr int64_t kMostDevices = 32;

/// The devices of a group in a ring. A *shift* of k names the device k
/// positions further on, and its block of a tensor: every device runs the same
/// operations, and where a block lies is computed from its position in the
/// group.
class Ring {
public:
  /// What is emitted has the location of `collective`, so that permutes keep
  /// the reason for it.
  explicit Ring(spmd::CollectiveOpInterface collective);

  int64_t devices() const { return size; }
  /// 1, -1, 2, -2, ...: all others, the nearest first, in both directions.
  llvm::SmallVector<int64_t> shifts() const;

  /// Sends `value` by `shift`; what comes is from the device at -`shift`.
  mlir::Value send(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                   int64_t shift) const;
  /// The block of the device at `shift`, one of as many along `dim`.
  mlir::Value slice(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                    int64_t dim, int64_t shift) const;
  /// `value` with that block replaced.
  mlir::Value update(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                     mlir::Value block, int64_t dim, int64_t shift) const;

private:
  llvm::SmallVector<mlir::Value> indices(mlir::ImplicitLocOpBuilder &builder,
                                         mlir::RankedTensorType block,
                                         int64_t dim, int64_t shift) const;

  AxesAttr axes;
  int64_t size;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_COLLECTIVEMATMUL_RING_H
