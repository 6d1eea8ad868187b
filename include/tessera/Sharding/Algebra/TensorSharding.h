//===- TensorSharding.h - How a tensor is spread over a mesh --------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_TENSORSHARDING_H
#define TESSERA_SHARDING_ALGEBRA_TENSORSHARDING_H

#include "tessera/Sharding/Algebra/AxisRef.h"
#include "tessera/Sharding/Algebra/ReductionKind.h"

namespace tessera {

/// How one dimension of a tensor is split: over the product of `axes`, from
/// major to minor.
struct DimSharding {
  AxisList axes;
  /// Whether propagation may split the dimension further.
  bool open = false;
  /// When propagation may use this annotation; lower is earlier, none counts as
  /// 0.
  std::optional<int64_t> priority = std::nullopt;

  /// Prints `{"x", "y":(1)2, ?}p1`.
  void print(llvm::raw_ostream &os) const;

  friend bool operator==(const DimSharding &a, const DimSharding &b) {
    return a.axes == b.axes && a.open == b.open && a.priority == b.priority;
  }
  friend bool operator!=(const DimSharding &a, const DimSharding &b) {
    return !(a == b);
  }
  friend llvm::hash_code hash_value(const DimSharding &dim) {
    return llvm::hash_combine(
        llvm::hash_combine_range(dim.axes.begin(), dim.axes.end()), dim.open,
        dim.priority.value_or(-1));
  }
};

/// How a tensor is spread over a mesh, which is kept elsewhere. A device holds,
/// of every dimension, the block whose number is the device's index along the
/// dimension's axes; blocks have ceil(size / shards) elements, the last ones
/// possibly fewer or none. The value of an element is the reduction
/// (`unreducedKind`) over the `unreduced` axes of what the devices hold; over
/// all other axes that no dimension uses, the devices hold the same.
struct TensorSharding {
  llvm::SmallVector<DimSharding, 2> dims;
  /// Axes over which the tensor must stay replicated: propagation may not use
  /// them.
  AxisList replicated;
  /// Axes over which the reduction is pending.
  AxisList unreduced;
  /// The monoid of the pending reduction; `Sum` where `unreduced` is empty.
  ReductionKind unreducedKind = ReductionKind::Sum;

  /// All dimensions closed and not split.
  static TensorSharding getReplicated(int64_t rank);
  /// All dimensions open and not split: what propagation starts with where
  /// nothing is annotated.
  static TensorSharding getOpen(int64_t rank);

  int64_t rank() const { return dims.size(); }
  /// Whether no dimension is split and nothing is unreduced.
  bool isFullyReplicated() const;
  /// The number of blocks dimension `dim` is split into.
  int64_t numShards(int64_t dim, const Mesh &mesh) const {
    return totalSize(dims[dim].axes, mesh);
  }
  /// The shape of the largest block a device holds (rounded up where a
  /// dimension does not divide).
  llvm::SmallVector<int64_t> localShape(llvm::ArrayRef<int64_t> globalShape,
                                        const Mesh &mesh) const;
  /// Whether every dimension of `globalShape` divides into equal blocks.
  bool dividesEvenly(llvm::ArrayRef<int64_t> globalShape,
                     const Mesh &mesh) const;
  /// All axes in use, by dimensions, explicit replication or pending
  /// reductions, in that order.
  AxisList usedAxes() const;
  /// Whether both describe the same placement of data: the same axes per
  /// dimension and the same pending reduction. What only guides propagation
  /// (open dimensions, priorities, explicit replication) is ignored.
  bool samePlacement(const TensorSharding &other, const Mesh &mesh) const;
  /// The same sharding with adjacent sub-axes merged and the replicated and
  /// unreduced axes in the order of the mesh.
  TensorSharding canonical(const Mesh &mesh) const;
  /// Only what describes the placement of data: `canonical`, closed, without
  /// priorities, explicit replication and axes of size 1.
  TensorSharding placement(const Mesh &mesh) const;

  /// Why this is no sharding of a tensor of `shape` on `mesh`, or an empty
  /// string. Dimensions need not divide.
  std::string verify(llvm::ArrayRef<int64_t> shape, const Mesh &mesh) const;
  /// Prints `[{"data"}, {"model", ?}p1], replicated={"x"}, unreduced=max{"y"}`;
  /// the kind `sum` is left out.
  void print(llvm::raw_ostream &os) const;

  friend bool operator==(const TensorSharding &a, const TensorSharding &b) {
    return a.dims == b.dims && a.replicated == b.replicated &&
           a.unreduced == b.unreduced && a.unreducedKind == b.unreducedKind;
  }
  friend bool operator!=(const TensorSharding &a, const TensorSharding &b) {
    return !(a == b);
  }
  friend llvm::hash_code hash_value(const TensorSharding &sharding) {
    return llvm::hash_combine(
        llvm::hash_combine_range(sharding.dims.begin(), sharding.dims.end()),
        llvm::hash_combine_range(sharding.replicated.begin(),
                                 sharding.replicated.end()),
        llvm::hash_combine_range(sharding.unreduced.begin(),
                                 sharding.unreduced.end()),
        static_cast<int>(sharding.unreducedKind));
  }
};

static_assert(sizeof(TensorSharding) <= 256, "small vectors hold it inline");

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const DimSharding &dim);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const TensorSharding &sharding);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_TENSORSHARDING_H
