//===- MeshTranslation.cpp - One placement on two meshes ------------------===//
#include "tessera/Sharding/Algebra/MeshTranslation.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

using namespace tessera;

/// Per device its position in `mesh`.
static llvm::SmallVector<int64_t> positionsOfDevices(const Mesh &mesh) {
  llvm::SmallVector<int64_t> positions(mesh.numDevices());
  for (int64_t position = 0; position < mesh.numDevices(); ++position)
    positions[mesh.deviceAtPosition(position)] = position;
  return positions;
}

/// Per position in `to` the index of the device along `axes` of `from`.
static llvm::SmallVector<int64_t> indexAlong(llvm::ArrayRef<AxisRef> axes,
                                             const Mesh &from, const Mesh &to) {
  llvm::SmallVector<int64_t> positions = positionsOfDevices(from), index;
  for (int64_t position = 0; position < to.numDevices(); ++position)
    index.push_back(valueAt(
        axes,
        from.coordinatesOfPosition(positions[to.deviceAtPosition(position)]),
        from));
  return index;
}

namespace {
/// A part of an axis whose digit counts `weight` times.
struct WeightedPart {
  AxisRef axis;
  int64_t weight;
};
} // namespace

/// Cuts axis number `number` of `mesh`, from minor to major, into parts whose
/// digits add to `index` (per position) in proportion; parts that add nothing
/// are left out. `index` is 0 at the origin.
static void appendParts(unsigned number, llvm::ArrayRef<int64_t> index,
                        const Mesh &mesh,
                        llvm::SmallVectorImpl<WeightedPart> &parts) {
  int64_t size = mesh.axes[number].size, stride = mesh.axisStride(number);
  auto at = [&](int64_t coordinate) { return index[coordinate * stride]; };
  for (int64_t minor = 1; minor < size;) {
    int64_t weight = at(minor), digits = 2;
    // The next digit is as large as the pattern goes on.
    while (minor * digits < size && at(minor * digits) == weight * digits)
      ++digits;
    while (size / minor % digits != 0)
      --digits;
    if (digits == 1)
      return;
    if (weight != 0)
      parts.push_back({AxisRef::get(mesh.axes[number].name,
                                    size / (minor * digits), digits, mesh),
                       weight});
    minor *= digits;
  }
}

std::optional<AxisList> tessera::translateAxes(llvm::ArrayRef<AxisRef> axes,
                                               const Mesh &from,
                                               const Mesh &to) {
  llvm::SmallVector<int64_t> index = indexAlong(axes, from, to);
  if (index[0] != 0)
    return std::nullopt;
  llvm::SmallVector<WeightedPart> parts;
  for (unsigned number = 0; number < to.axes.size(); ++number)
    appendParts(number, index, to, parts);
  llvm::sort(parts, [](const WeightedPart &a, const WeightedPart &b) {
    return a.weight > b.weight;
  });
  AxisList result;
  for (const WeightedPart &part : parts)
    result.push_back(part.axis);
  if (totalSize(result, to) != totalSize(axes, from))
    return std::nullopt;
  for (int64_t position = 0; position < to.numDevices(); ++position)
    if (valueAt(result, to.coordinatesOfPosition(position), to) !=
        index[position])
      return std::nullopt;
  return mergeAdjacent(result, to);
}

std::optional<AxisList> tessera::translateSet(llvm::ArrayRef<AxisRef> axes,
                                              const Mesh &from,
                                              const Mesh &to) {
  llvm::SmallVector<int64_t> index = indexAlong(axes, from, to);
  // Parts along which the index of devices next to the origin changes.
  AxisList result;
  for (auto [number, axis] : llvm::enumerate(to.axes)) {
    int64_t stride = to.axisStride(number);
    for (int64_t minor = 1; minor < axis.size;) {
      auto changes = [&](int64_t digit) {
        return index[digit * minor * stride] != index[0];
      };
      int64_t digits = 2, rest = axis.size / minor;
      while (digits < rest && changes(digits) == changes(1))
        ++digits;
      while (rest % digits != 0)
        --digits;
      if (digits == 1)
        return std::nullopt;
      if (changes(1))
        result.push_back(AxisRef::get(axis.name, rest / digits, digits, to));
      minor *= digits;
    }
  }
  result = canonicalSet(result, to);
  if (totalSize(result, to) != totalSize(axes, from))
    return std::nullopt;
  // Equal indices along `axes` must be equal indices along the result; there
  // are as many of the ones as of the others.
  llvm::SmallVector<int64_t> indexOf(totalSize(axes, from), -1);
  for (int64_t position = 0; position < to.numDevices(); ++position) {
    int64_t other = valueAt(result, to.coordinatesOfPosition(position), to);
    int64_t &known = indexOf[index[position]];
    if (known >= 0 && known != other)
      return std::nullopt;
    known = other;
  }
  return result;
}

std::optional<TensorSharding> tessera::translate(const TensorSharding &sharding,
                                                 const Mesh &from,
                                                 const Mesh &to) {
  TensorSharding result = sharding.placement(from);
  for (DimSharding &dim : result.dims) {
    std::optional<AxisList> axes = translateAxes(dim.axes, from, to);
    if (!axes)
      return std::nullopt;
    dim.axes = std::move(*axes);
  }
  std::optional<AxisList> unreduced = translateSet(result.unreduced, from, to);
  if (!unreduced)
    return std::nullopt;
  result.unreduced = std::move(*unreduced);
  if (!fitTogether(result.usedAxes(), to))
    return std::nullopt;
  return result.placement(to);
}

/// Per axis of `mesh` the sizes in front of which `parts` cut it, ascending,
/// from 1 to its own.
static std::vector<std::set<int64_t>> cutsOf(const Mesh &mesh,
                                             llvm::ArrayRef<AxisRef> parts) {
  std::vector<std::set<int64_t>> cuts;
  for (const MeshAxis &axis : mesh.axes)
    cuts.push_back({1, axis.size});
  for (const AxisRef &part : parts)
    cuts[*mesh.findAxis(part.name)].insert(
        {part.preSize(), part.endSize(mesh)});
  return cuts;
}

/// `mesh` with its axes cut in front of `cuts`; none where those of an axis do
/// not divide each other.
static std::optional<Mesh> cutAt(llvm::ArrayRef<std::set<int64_t>> allCuts,
                                 const Mesh &mesh) {
  std::vector<MeshAxis> axes;
  for (auto [axis, cuts] : llvm::zip_equal(mesh.axes, allCuts)) {
    if (cuts.size() <= 2) {
      axes.push_back(axis);
      continue;
    }
    for (auto begin = cuts.begin(), end = std::next(begin); end != cuts.end();
         begin = end++) {
      if (*end % *begin != 0)
        return std::nullopt;
      std::string name = axis.name.str().str() + "_" + std::to_string(*begin);
      while (mesh.findAxis(AxisName(name)))
        name += "_";
      axes.push_back({AxisName(name), *end / *begin});
    }
  }
  return Mesh(axes, mesh.deviceIds);
}

std::optional<Mesh> tessera::cutMesh(const Mesh &mesh,
                                     llvm::ArrayRef<AxisRef> parts) {
  return cutAt(cutsOf(mesh, parts), mesh);
}

std::optional<Mesh> tessera::refinedMesh(const Mesh &mesh,
                                         llvm::ArrayRef<Mesh> others) {
  AxisList parts;
  for (const Mesh &other : others)
    for (const MeshAxis &axis : other.axes)
      if (auto here = translateAxes(AxisRef(axis.name), other, mesh))
        llvm::append_range(parts, *here);
  return cutMesh(mesh, parts);
}

Mesh tessera::primeMesh(const Mesh &mesh) {
  std::vector<std::set<int64_t>> cuts;
  for (const MeshAxis &axis : mesh.axes) {
    std::set<int64_t> &own = cuts.emplace_back(std::set<int64_t>{1});
    for (int64_t begin = 1, factor = 2; begin < axis.size;) {
      while (axis.size / begin % factor != 0)
        ++factor;
      own.insert(begin *= factor);
    }
  }
  return *cutAt(cuts, mesh);
}

Mesh tessera::arrangedOn(const Mesh &grid, const Mesh &mesh) {
  // Per axis of `mesh` those of `grid` that it is made of, minor to major.
  std::vector<llvm::SmallVector<unsigned>> parts(mesh.axes.size());
  llvm::SmallVector<bool> isTaken(grid.axes.size());
  for (unsigned number = mesh.axes.size(); number-- > 0;) {
    int64_t rest = mesh.axes[number].size;
    for (unsigned part = grid.axes.size(); part-- > 0;) {
      int64_t size = grid.axes[part].size;
      if (isTaken[part] || size == 1 || rest % size != 0)
        continue;
      isTaken[part] = true;
      parts[number].push_back(part);
      rest /= size;
    }
    assert(rest == 1 && "expected prime axes of as many devices");
  }
  llvm::SmallVector<int64_t> devices;
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    llvm::SmallVector<int64_t> coordinates(grid.axes.size());
    for (auto [index, axes] :
         llvm::zip_equal(mesh.coordinatesOfPosition(position), parts))
      for (unsigned part : axes) {
        coordinates[part] = index % grid.axes[part].size;
        index /= grid.axes[part].size;
      }
    devices.push_back(grid.deviceAtCoordinates(coordinates));
  }
  return Mesh(mesh.axes, devices);
}

/// What a device holds: the number of its part and that of its contribution to
/// the pending reduction.
using Holding = std::pair<int64_t, int64_t>;

static Holding holdingOf(const TensorSharding &sharding, const Mesh &mesh,
                         int64_t position) {
  auto coordinates = mesh.coordinatesOfPosition(position);
  int64_t part = 0;
  for (const DimSharding &dim : sharding.dims)
    part =
        part * totalSize(dim.axes, mesh) + valueAt(dim.axes, coordinates, mesh);
  return {part, valueAt(sharding.unreduced, coordinates, mesh)};
}

/// Numbers the contributions in `after` as they are in `before`, per part:
/// which is which does not matter to a reduction, so that devices may keep what
/// they have.
static void renumberContributions(llvm::ArrayRef<Holding> before,
                                  llvm::MutableArrayRef<Holding> after) {
  std::map<Holding, int64_t> numbers;
  std::set<Holding> taken;
  for (auto [has, needs] : llvm::zip_equal(before, after))
    if (has.first == needs.first && !numbers.count(needs) &&
        taken.insert(has).second)
      numbers[needs] = has.second;
  for (Holding &needs : after) {
    auto [entry, isNew] = numbers.try_emplace(needs, 0);
    while (isNew && !taken.insert({needs.first, entry->second}).second)
      ++entry->second;
    needs.second = entry->second;
  }
}

llvm::SmallVector<int32_t, 0>
tessera::exchangeTargets(const TensorSharding &before, const Mesh &from,
                         const TensorSharding &after, const Mesh &to) {
  llvm::SmallVector<int64_t> positions = positionsOfDevices(to);
  llvm::SmallVector<Holding> has, needs;
  for (int64_t position = 0; position < from.numDevices(); ++position) {
    has.push_back(holdingOf(before, from, position));
    needs.push_back(
        holdingOf(after, to, positions[from.deviceAtPosition(position)]));
  }
  renumberContributions(has, needs);
  // Per holding the devices that lack it, and those that have it in vain.
  using Devices = llvm::SmallVector<int32_t, 2>;
  std::map<Holding, std::pair<Devices, Devices>> open;
  llvm::SmallVector<int32_t, 0> targets(from.numDevices());
  for (int64_t position = 0; position < from.numDevices(); ++position) {
    targets[position] = position;
    if (has[position] == needs[position])
      continue;
    open[needs[position]].first.push_back(position);
    open[has[position]].second.push_back(position);
  }
  if (open.empty())
    return {};
  for (const auto &[holding, devices] : open)
    for (auto [receiver, sender] :
         llvm::zip_equal(devices.first, devices.second))
      targets[sender] = receiver;
  return targets;
}
