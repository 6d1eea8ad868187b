//===- Shards.cpp - Whole tensors and the parts that devices hold ---------===//

#include "Shards.h"

#include "Monoid.h"
#include "StridedCopy.h"

#include "tessera/Support/RandomTensor.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace tessera;

namespace {

/// Where a device's block lies in the whole tensor.
struct ShardBlock {
  Shape start; ///< At most the whole tensor's size.
  Shape shape; ///< As every device stores it.
  Shape valid; ///< The part that lies inside the whole tensor.
};

} // namespace

static ShardBlock blockOf(const Shape &whole, const TensorSharding &sharding,
                          const Mesh &mesh, int64_t device) {
  auto coordinates = mesh.coordinatesOfDevice(device);
  auto local = sharding.localShape(whole, mesh);
  ShardBlock block;
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    int64_t index = valueAt(sharding.dims[dim].axes, coordinates, mesh);
    int64_t start = std::min(index * local[dim], whole[dim]);
    block.start.push_back(start);
    block.shape.push_back(local[dim]);
    block.valid.push_back(std::min(local[dim], whole[dim] - start));
  }
  return block;
}

/// A tensor of elements that no correct program uses.
static HostTensor poison(ElementType type, const Shape &shape) {
  HostTensor tensor(type, shape);
  double value = isFloatingPoint(type)     ? std::nan("")
                 : type == ElementType::I1 ? 1
                                           : 113;
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    tensor.setFromDouble(i, value);
  return tensor;
}

/// `part` with the neutral element wherever another device of the `n` over
/// which the tensor is unreduced holds the value; `index` is this one's number.
static HostTensor keepOwn(const HostTensor &part, ReductionKind kind,
                          int64_t index, int64_t n, uint64_t seed) {
  HostTensor own = neutralTensor(kind, part.type(), part.shape());
  size_t size = elementSize(part.type());
  RandomStream owners(seed);
  for (int64_t i = 0; i < part.elementCount(); ++i)
    if (int64_t(owners.next() % n) == index)
      std::memcpy(own.data() + i * size, part.data() + i * size, size);
  return own;
}

HostTensor tessera::shardOf(const HostTensor &whole,
                            const TensorSharding &sharding, const Mesh &mesh,
                            int64_t device, uint64_t seed) {
  ShardBlock block = blockOf(whole.shape(), sharding, mesh, device);
  HostTensor part = readBox(whole, block.start, block.valid);
  if (block.valid != block.shape) {
    HostTensor padded = poison(whole.type(), block.shape);
    writeBox(part, padded, Shape(block.shape.size(), 0));
    part = std::move(padded);
  }
  if (sharding.unreduced.empty())
    return part;
  return keepOwn(
      part, sharding.unreducedKind,
      valueAt(sharding.unreduced, mesh.coordinatesOfDevice(device), mesh),
      totalSize(sharding.unreduced, mesh), seed);
}

/// `device 3`, with the coordinates along the axes where there are several.
static std::string describeDevice(int64_t device, const Mesh &mesh) {
  std::string text = "device " + std::to_string(device) + " (";
  auto coordinates = mesh.coordinatesOfDevice(device);
  for (size_t i = 0; i < coordinates.size(); ++i)
    text += (i ? ", " : "") + mesh.axes[i].name.str().str() + "=" +
            std::to_string(coordinates[i]);
  return text + ")";
}

/// Why two replicas differ, or an empty string.
static std::string compareReplicas(const HostTensor &a, const HostTensor &b) {
  size_t size = elementSize(a.type());
  for (int64_t i = 0; i < a.elementCount(); ++i)
    if (std::memcmp(a.data() + i * size, b.data() + i * size, size) != 0)
      return "at element " + std::to_string(i) +
             " of the part, where one has " + std::to_string(a.toDouble(i)) +
             ", the other " + std::to_string(b.toDouble(i));
  return "";
}

Fallible<HostTensor> tessera::assemble(const std::vector<HostTensor> &parts,
                                       const Shape &shape,
                                       const TensorSharding &sharding,
                                       const Mesh &mesh) {
  // By block and by number along the unreduced axes: who holds it first.
  std::map<std::pair<Shape, int64_t>, int64_t> holders;
  HostTensor whole(parts.front().type(), shape);
  for (int64_t device = 0; device < int64_t(parts.size()); ++device) {
    ShardBlock block = blockOf(shape, sharding, mesh, device);
    int64_t summand =
        valueAt(sharding.unreduced, mesh.coordinatesOfDevice(device), mesh);
    Shape origin(shape.size(), 0);
    HostTensor part = readBox(parts[device], origin, block.valid);
    auto [it, isNew] = holders.insert({{block.start, summand}, device});
    if (isNew)
      continue;
    std::string difference =
        compareReplicas(readBox(parts[it->second], origin, block.valid), part);
    if (!difference.empty())
      return Failure{describeDevice(it->second, mesh) + " and " +
                     describeDevice(device, mesh) +
                     " should hold the same and differ " + difference};
  }
  // In the order of blocks, then of summands.
  for (const auto &[key, device] : holders) {
    ShardBlock block = blockOf(shape, sharding, mesh, device);
    Shape origin(shape.size(), 0);
    HostTensor part = readBox(parts[device], origin, block.valid);
    if (key.second != 0) {
      HostTensor total = readBox(whole, block.start, block.valid);
      combineInto(sharding.unreducedKind, total, part);
      part = std::move(total);
    }
    writeBox(part, whole, block.start);
  }
  return whole;
}
