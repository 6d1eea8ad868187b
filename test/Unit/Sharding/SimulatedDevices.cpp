//===- SimulatedDevices.cpp - Reshard plans on real data ------------------===//
#include "SimulatedDevices.h"

#include "llvm/Support/ErrorHandling.h"

#include <numeric>

using namespace tessera;

using Kind = ReshardStep::Kind;

int64_t SimulatedDevices::digit(const AxisRef &axis, int64_t device) const {
  int64_t stride = 1;
  for (size_t i = mesh->axes.size(); i-- > 0;) {
    int64_t size = mesh->axes[i].size;
    if (mesh->axes[i].name == axis.name) {
      int64_t coordinate = device / stride % size;
      if (!axis.sub)
        return coordinate;
      int64_t minor = size / axis.sub->preSize / axis.sub->size;
      return coordinate / minor % axis.sub->size;
    }
    stride *= size;
  }
  return -1;
}

int64_t SimulatedDevices::indexAlong(llvm::ArrayRef<AxisRef> axes,
                                     int64_t device) const {
  int64_t index = 0;
  for (const AxisRef &axis : axes)
    index = index * axis.size(*mesh) + digit(axis, device);
  return index;
}

std::vector<int64_t> SimulatedDevices::group(llvm::ArrayRef<AxisRef> axes,
                                             int64_t device) const {
  // The device number without what `axes` contribute to it.
  auto rest = [&](int64_t number) {
    for (const AxisRef &axis : axes) {
      int64_t stride = 1;
      for (size_t i = mesh->axes.size(); mesh->axes[--i].name != axis.name;)
        stride *= mesh->axes[i].size;
      int64_t minor = 1;
      if (axis.sub)
        minor = mesh->axisSize(axis.name) / axis.sub->preSize / axis.sub->size;
      number -= digit(axis, number) * stride * minor;
    }
    return number;
  };
  int64_t size = 1;
  for (const AxisRef &axis : axes)
    size *= axis.size(*mesh);
  std::vector<int64_t> devices(size, -1);
  for (int64_t other = 0; other < mesh->numDevices(); ++other)
    if (rest(other) == rest(device))
      devices[indexAlong(axes, other)] = other;
  return devices;
}

SimulatedDevices::Block SimulatedDevices::part(const Block &block, int64_t dim,
                                               int64_t index, int64_t count) {
  Block result{block.shape, {}};
  result.shape[dim] /= count;
  int64_t inner = 1;
  for (size_t i = dim + 1; i < block.shape.size(); ++i)
    inner *= block.shape[i];
  int64_t run = result.shape[dim] * inner, pitch = block.shape[dim] * inner;
  for (size_t at = index * run; at < block.values.size(); at += pitch)
    result.values.insert(result.values.end(), block.values.begin() + at,
                         block.values.begin() + at + run);
  return result;
}

void SimulatedDevices::setPart(Block &whole, const Block &block, int64_t dim,
                               int64_t index, int64_t count) {
  int64_t inner = 1;
  for (size_t i = dim + 1; i < whole.shape.size(); ++i)
    inner *= whole.shape[i];
  int64_t run = block.shape[dim] * inner, pitch = whole.shape[dim] * inner;
  auto from = block.values.begin();
  for (size_t at = index * run; at < whole.values.size();
       at += pitch, from += run)
    std::copy(from, from + run, whole.values.begin() + at);
}

SimulatedDevices::Block SimulatedDevices::widened(const Block &block,
                                                  int64_t dim, int64_t count) {
  Block result{block.shape,
               std::vector<int64_t>(block.values.size() * count, 0)};
  result.shape[dim] *= count;
  return result;
}

SimulatedDevices::Block
SimulatedDevices::ownPart(const TensorSharding &sharding,
                          int64_t device) const {
  Block block = global;
  for (size_t dim = 0; dim < sharding.dims.size(); ++dim)
    for (const AxisRef &axis : sharding.dims[dim].axes)
      block = part(block, dim, digit(axis, device), axis.size(*mesh));
  return block;
}

SimulatedDevices::SimulatedDevices(const Mesh &mesh,
                                   llvm::ArrayRef<int64_t> shape,
                                   const TensorSharding &source,
                                   const Mesh *targetMesh)
    : mesh(&mesh), targetMesh(targetMesh ? targetMesh : &mesh) {
  global.shape = shape.vec();
  global.values.resize(std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                       std::multiplies<>()));
  std::iota(global.values.begin(), global.values.end(), 1);
  int64_t contributions = 1;
  for (const AxisRef &axis : source.unreduced)
    contributions *= axis.size(mesh);
  for (int64_t device = 0; device < mesh.numDevices(); ++device) {
    Block block = ownPart(source, device);
    int64_t index = indexAlong(source.unreduced, device);
    for (int64_t &value : block.values) {
      // Contributor i > 0 adds a number of its own, which contributor 0 takes
      // back.
      int64_t others = 0;
      for (int64_t i = 1; i < contributions; ++i)
        others += value * 31 + i * 1009;
      value = index > 0 ? value * 31 + index * 1009 : value - others;
    }
    blocks.push_back(std::move(block));
  }
}

void SimulatedDevices::changeMesh(const ReshardStep &step) {
  std::vector<Block> before = blocks;
  for (size_t sender = 0; sender < step.targets.size(); ++sender)
    blocks[step.targets[sender]] = before[sender];
  // The same devices, by their positions in the other mesh.
  std::vector<Block> byDevice(blocks.size());
  for (int64_t position = 0; position < mesh->numDevices(); ++position)
    byDevice[mesh->deviceAtPosition(position)] = blocks[position];
  mesh = targetMesh;
  for (int64_t position = 0; position < mesh->numDevices(); ++position)
    blocks[position] = byDevice[mesh->deviceAtPosition(position)];
}

SimulatedDevices::Block SimulatedDevices::piece(Block block,
                                                llvm::ArrayRef<int64_t> counts,
                                                int64_t number) {
  for (size_t dim = counts.size(); dim-- > 0;) {
    block = part(block, dim, number % counts[dim], counts[dim]);
    number /= counts[dim];
  }
  return block;
}

void SimulatedDevices::reassemble(const ReshardStep &step) {
  const PieceExchange &pieces = *step.pieces;
  std::vector<std::vector<Block>> held(blocks.size());
  for (size_t device = 0; device < blocks.size(); ++device)
    for (int64_t i = 0; i < pieces.numHad(); ++i)
      held[device].push_back(piece(blocks[device], pieces.had, i));
  for (const PieceExchange::Round &round : pieces.rounds) {
    for (std::vector<Block> &list : held)
      list.emplace_back();
    for (int64_t device = 0; device < mesh->numDevices(); ++device) {
      int64_t index = indexAlong(step.axes, device);
      if (round.targets[index] >= 0)
        held[group(step.axes, device)[round.targets[index]]].back() =
            held[device][round.pieces[index]];
    }
  }
  for (int64_t device = 0; device < mesh->numDevices(); ++device) {
    int64_t index = indexAlong(step.axes, device);
    // Joined along the last dimension first.
    std::vector<Block> row;
    for (const auto &origin : pieces.origins)
      row.push_back(held[device][origin[index]]);
    for (size_t dim = pieces.wanted.size(); dim-- > 0;) {
      int64_t count = pieces.wanted[dim];
      std::vector<Block> joined;
      for (size_t i = 0; i < row.size(); i += count) {
        joined.push_back(widened(row[i], dim, count));
        for (int64_t j = 0; j < count; ++j)
          setPart(joined.back(), row[i + j], dim, j, count);
      }
      row = std::move(joined);
    }
    blocks[device] = row[0];
  }
}

void SimulatedDevices::run(const ReshardStep &step) {
  if (step.kind == Kind::Reassemble)
    return reassemble(step);
  if (step.kind == Kind::ChangeMesh)
    return changeMesh(step);
  if (step.kind == Kind::Exchange) {
    // The moves one after the other have the same result.
    for (const ReshardStep::Move &move : step.moves) {
      ReshardStep single;
      single.kind = Kind::AllToAll;
      single.axes = move.axes;
      single.dim = move.dim;
      single.targetDim = move.targetDim;
      run(single);
    }
    return;
  }
  std::vector<Block> before = blocks;
  for (int64_t device = 0; device < mesh->numDevices(); ++device) {
    std::vector<int64_t> members = group(step.axes, device);
    int64_t count = members.size(), index = indexAlong(step.axes, device);
    Block &block = blocks[device];
    auto reduce = [&] {
      for (int64_t member : members)
        if (member != device)
          for (size_t i = 0; i < block.values.size(); ++i)
            block.values[i] += before[member].values[i];
    };
    switch (step.kind) {
    case Kind::Slice:
      block = part(block, step.dim, index, count);
      break;
    case Kind::AllGather:
      block = widened(block, step.dim, count);
      for (int64_t i = 0; i < count; ++i)
        setPart(block, before[members[i]], step.dim, i, count);
      break;
    case Kind::AllToAll: {
      Block own = part(block, step.targetDim, index, count);
      block = widened(own, step.dim, count);
      for (int64_t i = 0; i < count; ++i)
        setPart(block, part(before[members[i]], step.targetDim, index, count),
                step.dim, i, count);
      break;
    }
    case Kind::AllReduce:
      reduce();
      break;
    case Kind::ReduceScatter:
      reduce();
      block = part(block, step.dim, index, count);
      break;
    case Kind::Permute:
      blocks[members[step.permutationTargets(*mesh)[index]]] = before[device];
      break;
    case Kind::ChangeMesh:
    case Kind::Exchange:
    case Kind::Reassemble:
      llvm_unreachable("concerns all devices at once");
    case Kind::ReplicatedToUnreduced:
      if (index != 0)
        std::fill(block.values.begin(), block.values.end(), 0);
      break;
    case Kind::ShardedToUnreduced:
      block = widened(before[device], step.dim, count);
      setPart(block, before[device], step.dim, index, count);
      break;
    }
  }
}

std::string SimulatedDevices::check(const TensorSharding &target) const {
  for (int64_t device = 0; device < mesh->numDevices(); ++device) {
    Block expected = ownPart(target, device);
    Block got = blocks[device];
    if (got.shape != expected.shape)
      return "device " + std::to_string(device) + " has a part of wrong shape";
    for (int64_t member : group(target.unreduced, device))
      if (member != device)
        for (size_t i = 0; i < got.values.size(); ++i)
          got.values[i] += blocks[member].values[i];
    if (got.values != expected.values)
      return "device " + std::to_string(device) + " has wrong values";
  }
  return "";
}
