//===- WindowExchange.h - parts of tensors of other sizes -----------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_EXCHANGE_WINDOWEXCHANGE_H
#define TESSERA_TRANSFORMS_PARTITION_EXCHANGE_WINDOWEXCHANGE_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::partition {

/// Exchanges what windows of split dimensions need of other devices where the
/// parts of operand and result are not of one size: thirds of a dimension (the
/// queries, keys and values of one product), tensors one behind the other.
///
/// Parts are cut where a part of any of them begins or ends, into *pieces* of
/// one size. Each piece that a device lacks is sent to it once, by the only
/// device that has it; in a round of messages, a permute, every device sends
/// and receives at most one (`roundsOfMessages`). What each of them sends in a
/// round, and where its result's pieces are found, is looked up in tables by
/// its index, as in an exchange of pieces between shardings. All slices of one
/// value in a block are exchanged together, for together they are often
/// everything that there is, so that nobody sends more than a part.
class WindowExchange {
public:
  WindowExchange(mlir::FlatSymbolRefAttr meshName, const Mesh &mesh,
                 const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings)
      : meshName(meshName), mesh(mesh), shardings(shardings) {}

  /// The split dimensions along which `op`, a pad or a concatenation, has parts
  /// of another size than an operand.
  llvm::SmallVector<int64_t> windowDims(mlir::Operation *op) const;
  /// Builds one device's part of a pad from `operand`, its part as the operand
  /// has it along all `windowDims`, and as the result has it along the others.
  mlir::Value emit(mlir::OpBuilder &builder, PadOp op, mlir::Value operand,
                   mlir::Value padValue);
  /// Builds one device's part of a concatenation from those of its operands.
  mlir::Value emit(mlir::OpBuilder &builder, ConcatenateOp op,
                   llvm::ArrayRef<mlir::Value> operands);

private:
  /// Where a tensor lies in another: its element i is the other's element
  /// i + `at`.
  struct Placed {
    /// Among the tensors that take part.
    unsigned tensor;
    int64_t at;
  };
  /// One device's part of what is wanted.
  struct Wanted {
    int64_t part;
    llvm::SmallVector<Placed> placed;
  };

  llvm::ArrayRef<AxisRef> axesOf(mlir::Value value, int64_t dim) const;
  int64_t partOf(mlir::Value value, int64_t dim) const;
  bool isPlainSlice(PadOp op) const;
  llvm::SmallVector<mlir::Value>
  exchange(mlir::ImplicitLocOpBuilder &builder, int64_t dim,
           llvm::ArrayRef<AxisRef> axes, llvm::ArrayRef<mlir::Value> parts,
           llvm::ArrayRef<Wanted> wanted, mlir::Value padValue) const;

  mlir::FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings;
  /// Parts that were made together with that of an earlier operation.
  llvm::DenseMap<mlir::Operation *, mlir::Value> made;
};

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_EXCHANGE_WINDOWEXCHANGE_H
