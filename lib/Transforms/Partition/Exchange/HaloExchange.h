//===- HaloExchange.h - elements of neighbouring parts --------------------===//
//
// Elsewhere: ghost cells.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_EXCHANGE_HALOEXCHANGE_H
#define TESSERA_TRANSFORMS_PARTITION_EXCHANGE_HALOEXCHANGE_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::partition {

/// Exchanges what a shift along split dimensions needs of other devices.
///
/// A shift is a `tessera.pad` whose operand and result are split into parts of
/// one size: element i of the result is element i + offset of the operand, or
/// the pad's value where there is none. A device needs `offset` elements of its
/// neighbour. All shifts of one value share what is sent: the value's part is
/// extended once, by the most that any of them needs on either side, and every
/// shift is a slice of the extended part. With shifts along several dimensions
/// at once, the part is extended along one dimension after the other, so that
/// corners travel in two steps; otherwise along each dimension by itself, which
/// sends no corners. What all of them drop of dimensions that are whole is not
/// sent.
///
/// Where the tensor ends, an offset of nearly its size is a small one round the
/// ends (the two pieces of a rotation share what is sent). A window that
/// reaches beyond the neighbour's part is extended by parts further on, as long
/// as each shift begins no further away than what nearer ones need ends. A
/// shift that stands alone takes its window directly from the one or two
/// devices that have it.
class HaloExchange {
public:
  /// Finds all shifts of `function`, whose tensors are whole and split into
  /// equal parts.
  HaloExchange(mlir::func::FuncOp function, mlir::FlatSymbolRefAttr meshName,
               const Mesh &mesh,
               const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings);

  /// Whether `op` is a shift along a split dimension.
  bool isShift(PadOp op) const { return !shiftsOf(op).empty(); }
  /// Builds one device's part of a shift from its parts of the operands.
  mlir::Value emit(mlir::OpBuilder &builder, PadOp op, mlir::Value operand,
                   mlir::Value padValue, mlir::RankedTensorType resultType);

private:
  /// The shift along one dimension.
  struct Shift {
    int64_t dim;
    /// The size of a part.
    int64_t part;
    /// Result element i is operand element i + offset.
    int64_t offset;
    /// The same offset the shorter way, possibly round the ends.
    int64_t shortest;
  };
  /// Elements from the first of these to before the second.
  using Range = std::pair<int64_t, int64_t>;
  /// What a value's part is extended by along one dimension.
  struct Halo {
    int64_t left = 0, right = 0;
    bool wraps = false;

    /// Lets a shift by `offset` find its window.
    void include(int64_t offset) {
      left = std::max(left, -offset);
      right = std::max(right, offset);
    }
  };
  /// Shifts of one value that share an extended part; where it enters the
  /// fragment of a stage, those of one block.
  struct Group {
    llvm::SmallVector<Halo> halos;
    /// Per dimension the elements that some shift keeps.
    llvm::SmallVector<Range> kept;
    mlir::Value extended;
  };
  using Key = std::tuple<mlir::Block *, mlir::Value, int64_t>;

  llvm::SmallVector<Shift> shiftsOf(PadOp op) const;
  void addToGroup(PadOp op, llvm::ArrayRef<Shift> shifts);
  Key keyOf(PadOp op, llvm::ArrayRef<Shift> shifts) const;
  llvm::SmallVector<Range> keptBy(PadOp op) const;
  mlir::Value crop(mlir::ImplicitLocOpBuilder &builder, PadOp op,
                   mlir::Value part, llvm::ArrayRef<Range> kept) const;
  llvm::ArrayRef<AxisRef> axesOf(mlir::Value value, int64_t dim) const;
  mlir::Value extend(mlir::ImplicitLocOpBuilder &builder, mlir::Value part,
                     int64_t dim, const Halo &halo,
                     llvm::ArrayRef<AxisRef> axes);
  mlir::Value receiveHalo(mlir::ImplicitLocOpBuilder &builder, mlir::Value part,
                          int64_t dim, int64_t distance, const Halo &halo,
                          llvm::ArrayRef<AxisRef> axes);
  mlir::Value window(mlir::ImplicitLocOpBuilder &builder, mlir::Value part,
                     const Shift &shift, llvm::ArrayRef<AxisRef> axes);
  mlir::Value receive(mlir::ImplicitLocOpBuilder &builder, mlir::Value part,
                      int64_t dim, int64_t begin, int64_t end, int64_t distance,
                      bool wraps, llvm::ArrayRef<AxisRef> axes);
  mlir::Value mask(mlir::ImplicitLocOpBuilder &builder, PadOp op,
                   mlir::Value moved, mlir::Value padValue,
                   llvm::ArrayRef<Shift> shifts);

  mlir::FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings;
  /// Shifts that take their window from an extended part.
  llvm::DenseSet<mlir::Operation *> near;
  /// Values that some of them shift along several dimensions at once.
  llvm::DenseSet<mlir::Value> withCorners;
  llvm::DenseMap<Key, Group> groups;
};

/// One device's part of `op`, which adds `low` and `high`, along the dimensions
/// that are not split between devices; where they are, the part stays as it is
/// (unless elements come between others), for what is left to pad or crop are
/// the last blocks.
mlir::Value padWholeDims(mlir::ImplicitLocOpBuilder &builder, PadOp op,
                         llvm::ArrayRef<int64_t> low,
                         llvm::ArrayRef<int64_t> high, mlir::Value operand,
                         mlir::Value padValue,
                         mlir::RankedTensorType resultType,
                         const TensorSharding &sharding);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_EXCHANGE_HALOEXCHANGE_H
