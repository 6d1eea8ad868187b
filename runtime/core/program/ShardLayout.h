//===- ShardLayout.h - Global tensors and their shards --------------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_SHARDLAYOUT_H
#define TESSERA_RUNTIME_CORE_PROGRAM_SHARDLAYOUT_H

#include "DeviceMesh.h"
#include "tessera/Support/TensorBox.h"

#include <vector>

namespace tessera::runtime {

/// How a tensor is divided over the mesh. Along each dimension the global
/// tensor is cut into equal shards, as many as the product of the sizes of its
/// axes; where they do not divide the size, the last shards end with padding.
/// Along unreduced axes lie summands: the global tensor is their reduction. All
/// other axes hold replicas.
class ShardLayout {
public:
  ShardLayout() = default;

  /// `axes` lists for every dimension its sub-axes, major to minor. Fails
  /// unless the shards are just large enough and no axis is used twice.
  static Fallible<ShardLayout> create(const DeviceMesh &mesh, Shape global,
                                      Shape local,
                                      std::vector<std::vector<SubAxis>> axes,
                                      std::vector<SubAxis> unreduced = {});

  const Shape &globalShape() const { return global; }
  const Shape &localShape() const { return local; }

  /// The layout where ranks have only `count` rows of the tensor, from `first`
  /// on, along `dim`, along which it must not be sharded.
  ShardLayout withRows(int64_t dim, int64_t first, int64_t count) const;
  /// Whether no rank holds less than all rows along `dim`.
  bool hasWholeRows(int64_t dim) const {
    return dim < static_cast<int64_t>(global.size()) &&
           global[dim] == local[dim];
  }

  /// Copies the rank's part of the global tensor to its shard; padding becomes
  /// zero. Both are dense and row-major.
  void scatter(int32_t rank, size_t elementBytes, const std::byte *globalData,
               std::byte *shard) const;

  /// Copies the shard's elements, less the padding, to their places in the
  /// global tensor.
  void gather(int32_t rank, size_t elementBytes, const std::byte *shard,
              std::byte *globalData) const;

  /// The element of the global tensor at which the rank's shard begins, if all
  /// of the shard lies there as it is, in one piece and without padding.
  std::optional<int64_t> offsetInGlobal(int32_t rank) const;

  /// The global index at which the rank's shard begins, in each dimension.
  const Shape &offsetsOf(int32_t rank) const { return offsets[rank]; }

  /// The number of summands that make up the global tensor.
  int32_t summands() const { return static_cast<int32_t>(ownerRanks.size()); }
  /// The number of the summand that the rank holds a shard of.
  int32_t summandOf(int32_t rank) const { return summandNumbers[rank]; }

  /// For each different shard of a summand the lowest rank that holds it:
  /// gathering these covers the summand.
  const std::vector<int32_t> &owners(int32_t summand = 0) const {
    return ownerRanks[summand];
  }

  friend bool operator==(const ShardLayout &a, const ShardLayout &b) {
    return a.global == b.global && a.local == b.local &&
           a.offsets == b.offsets && a.summandNumbers == b.summandNumbers;
  }

  /// The part of the global tensor that the rank's shard has, less the padding.
  TensorBox boxOf(int32_t rank) const;
  /// The rank's shard, padding included, where it lies in the global tensor or
  /// beyond.
  TensorBox shardOf(int32_t rank) const { return {offsets[rank], local}; }

private:
  Shape global, local;
  /// By rank: the global index at which its shard begins, in each dimension.
  std::vector<Shape> offsets;
  std::vector<int32_t> summandNumbers;          ///< By rank.
  std::vector<std::vector<int32_t>> ownerRanks; ///< By summand.
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_SHARDLAYOUT_H
