//===- SplitRegion.h - operations that run part by part -------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_PARTS_SPLITREGION_H
#define TESSERA_TRANSFORMS_COMMUNICATE_PARTS_SPLITREGION_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "llvm/ADT/MapVector.h"

namespace tessera::communicate {

/// Where a tensor of a region is cut: its dimension `dim` is `outer` blocks one
/// behind the other, each of as many units as every tensor of the region has. A
/// part has the same units of each block.
struct Cut {
  int64_t dim = 0, outer = 1;

  friend bool operator==(const Cut &a, const Cut &b) {
    return a.dim == b.dim && a.outer == b.outer;
  }
};

/// An operation that computes, or sends, every unit of its results from the
/// same unit of its operands; operands without a cut are read whole. A product
/// that sums over the units, which its results do not have, is the sum of those
/// of the parts.
struct SplitMember {
  mlir::Operation *op;
  llvm::SmallVector<std::optional<Cut>, 4> operands;
  llvm::SmallVector<std::optional<Cut>, 1> results;

  bool isSum() const { return !results.front(); }
};

/// What a batch, or another dimension whose elements do not meet, goes through
/// around a collective: all operations of its block that are reached from it,
/// forth and back, by values that are cut alike, as far as rules of sharding
/// pass the cut on, and the products that end it by a sum. What looks through
/// the dimension otherwise is outside.
class SplitRegion {
public:
  /// Grows from `seed`, whose result is cut along dimension `dim`, for `parts`
  /// parts, over operations that `isFree` allows. Empty where the dimension has
  /// fewer elements, or the collective exchanges them.
  SplitRegion(spmd::CollectiveOpInterface seed, int64_t dim, int64_t parts,
              llvm::function_ref<bool(mlir::Operation *)> isFree);

  bool empty() const { return members.empty(); }
  size_t size() const { return members.size(); }
  bool contains(mlir::Operation *op) const { return members.contains(op); }
  /// Visits the operations in the order in which they were reached.
  void walk(llvm::function_ref<void(mlir::Operation *)> visit) const {
    for (const auto &[op, member] : members)
      visit(op);
  }
  /// What `op` is in the region; null if it is outside.
  const SplitMember *find(mlir::Operation *op) const;
  /// How `value` is cut where the region makes it.
  std::optional<Cut> cutOf(mlir::Value value) const;

  mlir::Block *getBlock() const { return block; }
  int64_t getParts() const { return parts; }
  /// Where part number `part` begins, in units; the end of the last is
  /// `beginOf(getParts())`.
  int64_t beginOf(int64_t part) const { return units * part / parts; }
  /// The size along its cut of part number `part` of a tensor of `type`.
  mlir::RankedTensorType partType(mlir::RankedTensorType type, Cut cut,
                                  int64_t part) const;
  /// The elements of a unit along `cut` in each block of a tensor of `type`.
  int64_t innerOf(mlir::RankedTensorType type, Cut cut) const {
    return type.getDimSize(cut.dim) / (cut.outer * units);
  }

  /// Writes the operations out part by part: up to each collective those of the
  /// first part, then those of the next, so that one part computes while
  /// another is on the way. Outside readers find values put together. Returns
  /// the collectives of all parts.
  llvm::SmallVector<mlir::Operation *> apply() const;

private:
  std::optional<SplitMember> passage(mlir::Operation *op, size_t tensor,
                                     Cut cut) const;
  std::optional<SplitMember> exchange(spmd::CollectiveOpInterface op,
                                      size_t tensor, Cut cut) const;

  mlir::Block *block;
  int64_t parts, units = 0;
  /// In the order in which they were reached.
  llvm::MapVector<mlir::Operation *, SplitMember> members;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_PARTS_SPLITREGION_H
