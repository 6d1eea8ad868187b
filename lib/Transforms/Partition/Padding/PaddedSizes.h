//===- PaddedSizes.h - sizes that divide into equal parts -----------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PADDING_PADDEDSIZES_H
#define TESSERA_TRANSFORMS_PARTITION_PADDING_PADDEDSIZES_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tessera::partition {

/// For every dimension of every tensor of a function the size it is padded to,
/// so that all devices hold equally many elements.
///
/// Dimensions that an operation or control flow ties together form one class
/// and have one size: the smallest multiple of the numbers of shards they are
/// split into that none of them exceeds. All members of a class that no reshard
/// joins are split alike. A reshard joins the classes of a dimension that is
/// split on both sides, so that it becomes an ordinary reshard of a padded
/// tensor; it does not where an argument or result of the function would then
/// no longer have the blocks of ceil(size / shards) that the caller knows, or
/// where an operation needs the size as it is.
class PaddedSizes {
public:
  PaddedSizes(mlir::func::FuncOp function, const Mesh &mesh,
              const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings);

  /// Whether any dimension is padded.
  bool any() const { return isAnyUneven; }
  /// The type of `value` with all dimensions padded; its own type where it is
  /// no tensor or has nothing to pad.
  mlir::Type paddedType(mlir::Value value) const;

private:
  using Class = unsigned;
  struct ClassInfo {
    Class parent = 0;
    /// The largest of all members.
    int64_t size = 1;
    /// The least common multiple of the numbers of shards of all members.
    int64_t shards = 1;
    /// The only size that an operation, or the caller of the function, allows.
    std::optional<int64_t> onlySize = std::nullopt;
  };

  void addValue(mlir::Value value);
  void addValues(mlir::func::FuncOp function);
  void tieOperation(mlir::Operation *op);
  void tieReshard(ReshardOp op);
  void markBoundary(mlir::func::FuncOp function);
  /// The class of a dimension of a tensor that `addValue` has seen.
  Class classOf(mlir::Value value, size_t dim) {
    return find(firstClass.lookup(value) + dim);
  }
  Class find(Class number) const;
  void fix(Class number, int64_t size);
  void unite(Class a, Class b);
  void tie(mlir::Value a, mlir::Value b);
  static int64_t paddedSize(int64_t size, int64_t shards);

  const Mesh &mesh;
  const llvm::DenseMap<mlir::Value, ShardingAttr> &shardings;
  bool isAnyUneven = false;
  /// Dimension d of a tensor has class `firstClass + d`.
  llvm::DenseMap<mlir::Value, Class> firstClass;
  mutable std::vector<ClassInfo> classes;
};

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_PADDING_PADDEDSIZES_H
