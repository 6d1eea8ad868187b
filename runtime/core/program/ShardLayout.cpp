//===- ShardLayout.cpp ----------------------------------------------------===//

#include "ShardLayout.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace tessera;
using namespace tessera::runtime;

Fallible<ShardLayout>
ShardLayout::create(const DeviceMesh &mesh, Shape global, Shape local,
                    std::vector<std::vector<SubAxis>> axes,
                    std::vector<SubAxis> unreduced) {
  if (local.size() != global.size() || axes.size() != global.size())
    return Failure{"expected a local shape and a sharding of " +
                   std::to_string(global.size()) + " dimensions, got " +
                   std::to_string(local.size()) + " and " +
                   std::to_string(axes.size())};
  std::vector<SubAxis> used = unreduced;
  for (size_t dim = 0; dim < axes.size(); ++dim) {
    int64_t shards = 1;
    for (const SubAxis &subAxis : axes[dim]) {
      shards *= subAxis.size;
      used.push_back(subAxis);
    }
    int64_t expected = (global[dim] + shards - 1) / shards;
    if (local[dim] != expected)
      return Failure{"dimension " + std::to_string(dim) + ": expected " +
                     std::to_string(expected) + " elements in a shard, got " +
                     std::to_string(local[dim])};
  }
  if (!mesh.areDisjoint(used))
    return Failure{"an axis shards the tensor twice"};
  int32_t summands = 1;
  for (const SubAxis &subAxis : unreduced)
    summands *= subAxis.size;

  ShardLayout layout;
  layout.global = std::move(global);
  layout.local = std::move(local);
  layout.ownerRanks.resize(summands);
  std::vector<std::set<Shape>> seen(summands);
  for (int32_t rank = 0; rank < mesh.ranks(); ++rank) {
    Shape offset;
    for (size_t dim = 0; dim < axes.size(); ++dim)
      offset.push_back(mesh.position(rank, axes[dim]) * layout.local[dim]);
    int32_t summand = mesh.position(rank, unreduced);
    layout.summandNumbers.push_back(summand);
    if (seen[summand].insert(offset).second)
      layout.ownerRanks[summand].push_back(rank);
    layout.offsets.push_back(std::move(offset));
  }
  return layout;
}

ShardLayout ShardLayout::withRows(int64_t dim, int64_t first,
                                  int64_t count) const {
  ShardLayout layout = *this;
  layout.local[dim] = count;
  for (Shape &offset : layout.offsets)
    offset[dim] += first;
  return layout;
}

TensorBox ShardLayout::boxOf(int32_t rank) const {
  return intersect(TensorBox::whole(global), shardOf(rank));
}

std::optional<int64_t> ShardLayout::offsetInGlobal(int32_t rank) const {
  const Shape &offset = offsets[rank];
  int64_t element = 0;
  bool isOneIndex = true; // In all dimensions before.
  for (size_t dim = 0; dim < global.size(); ++dim) {
    if (offset[dim] + local[dim] > global[dim] ||
        (!isOneIndex && local[dim] != global[dim]))
      return {};
    isOneIndex &= local[dim] == 1;
    element = element * global[dim] + offset[dim];
  }
  return element;
}

void ShardLayout::scatter(int32_t rank, size_t elementBytes,
                          const std::byte *globalData, std::byte *shard) const {
  if (offsets[rank].size() && local != global)
    std::memset(shard, 0, *elementCountOf(local) * elementBytes);
  copyBox(boxOf(rank), elementBytes, globalData, TensorBox::whole(global),
          shard, shardOf(rank));
}

void ShardLayout::gather(int32_t rank, size_t elementBytes,
                         const std::byte *shard, std::byte *globalData) const {
  copyBox(boxOf(rank), elementBytes, shard, shardOf(rank), globalData,
          TensorBox::whole(global));
}
