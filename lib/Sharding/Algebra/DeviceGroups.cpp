//===- DeviceGroups.cpp - Lists of devices as axes of a mesh --------------===//
#include "tessera/Sharding/Algebra/DeviceGroups.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tessera;

/// The part of an axis whose neighbours are `stride` positions apart, as large
/// as the positions in `group` allow: number `step` * j of it, up to the size
/// of the part, must be j strides behind number 0.
static std::optional<AxisRef> partWithStride(llvm::ArrayRef<int64_t> group,
                                             int64_t stride, int64_t step,
                                             const Mesh &mesh) {
  for (auto [number, axis] : llvm::enumerate(mesh.axes)) {
    int64_t axisStride = mesh.axisStride(number);
    if (stride < axisStride || stride >= axisStride * axis.size ||
        stride % axisStride != 0 || axis.size % (stride / axisStride) != 0)
      continue;
    int64_t room = axis.size / (stride / axisStride);
    for (int64_t size = room; size > 1; --size) {
      if (room % size != 0 || group.size() % (step * size) != 0)
        continue;
      bool fits = llvm::all_of(llvm::seq<int64_t>(size), [&](int64_t j) {
        return group[step * j] - group[0] == j * stride;
      });
      if (fits)
        return AxisRef::get(axis.name, room / size, size, mesh);
    }
  }
  return std::nullopt;
}

/// The axes that the order of one group's positions suggests.
static std::optional<AxisList> axesOfGroup(llvm::ArrayRef<int64_t> group,
                                           const Mesh &mesh) {
  AxisList axes;
  for (int64_t step = 1; step < int64_t(group.size());) {
    std::optional<AxisRef> part =
        partWithStride(group, group[step] - group[0], step, mesh);
    if (!part || !fitsBeside(*part, axes, mesh))
      return std::nullopt;
    axes.insert(axes.begin(), *part);
    step *= part->size(mesh);
  }
  return mergeAdjacent(axes, mesh);
}

/// Whether all members of `group` differ along `axes` only, each by its number.
static bool isGroupOf(llvm::ArrayRef<AxisRef> axes,
                      llvm::ArrayRef<int64_t> group, const Mesh &mesh) {
  auto base = [&](int64_t position) {
    auto coordinates = mesh.coordinatesOfPosition(position);
    auto key = coordinates;
    for (const AxisRef &axis : axes) {
      int64_t unit = mesh.axisSize(axis.name) / axis.endSize(mesh);
      key[*mesh.findAxis(axis.name)] -= axis.valueAt(coordinates, mesh) * unit;
    }
    return key;
  };
  for (auto [number, position] : llvm::enumerate(group))
    if (valueAt(axes, mesh.coordinatesOfPosition(position), mesh) !=
            int64_t(number) ||
        base(position) != base(group[0]))
      return false;
  return true;
}

std::optional<AxisList>
tessera::axesOfGroups(llvm::ArrayRef<llvm::SmallVector<int64_t>> groups,
                      const Mesh &mesh) {
  llvm::BitVector seen(mesh.numDevices());
  std::optional<AxisList> axes;
  for (llvm::ArrayRef<int64_t> group : groups) {
    llvm::SmallVector<int64_t> positions;
    for (int64_t device : group) {
      if (device < 0 || device >= mesh.numDevices() || seen.test(device))
        return std::nullopt;
      seen.set(device);
      positions.push_back(mesh.positionOfDevice(device));
    }
    if (positions.empty() || group.size() != groups[0].size())
      return std::nullopt;
    if (!axes)
      axes = axesOfGroup(positions, mesh);
    if (!axes || !isGroupOf(*axes, positions, mesh))
      return std::nullopt;
  }
  return seen.all() ? axes : std::nullopt;
}

/// `targets`, by position of the mesh, as the same table in every group of
/// `axes`; nothing where groups differ or a target lies in another group.
static std::optional<llvm::SmallVector<int32_t>>
commonTable(llvm::ArrayRef<int64_t> targets, llvm::ArrayRef<AxisRef> axes,
            const Mesh &mesh) {
  constexpr int32_t kUnknown = -2;
  llvm::SmallVector<int32_t> table(totalSize(axes, mesh), kUnknown);
  for (auto [source, target] : llvm::enumerate(targets)) {
    int64_t number = valueAt(axes, mesh.coordinatesOfPosition(source), mesh);
    int32_t entry =
        target < 0 ? -1
                   : valueAt(axes, mesh.coordinatesOfPosition(target), mesh);
    if (table[number] != kUnknown && table[number] != entry)
      return std::nullopt;
    table[number] = entry;
  }
  return table;
}

std::optional<GroupPermutation>
tessera::permutationOfPairs(llvm::ArrayRef<std::pair<int64_t, int64_t>> pairs,
                            const Mesh &mesh) {
  int64_t n = mesh.numDevices();
  llvm::SmallVector<int64_t> targets(n, -1);
  llvm::BitVector receives(n), moves(mesh.axes.size());
  for (auto [source, target] : pairs) {
    if (source < 0 || source >= n || target < 0 || target >= n)
      return std::nullopt;
    int64_t from = mesh.positionOfDevice(source),
            to = mesh.positionOfDevice(target);
    if (targets[from] >= 0 || receives.test(to))
      return std::nullopt;
    targets[from] = to;
    receives.set(to);
    auto before = mesh.coordinatesOfPosition(from),
         after = mesh.coordinatesOfPosition(to);
    for (unsigned axis = 0; axis < mesh.axes.size(); ++axis)
      if (before[axis] != after[axis])
        moves.set(axis);
  }
  // Axes along which data moves; if that depends on the other axes, all.
  for (bool all : {false, true}) {
    GroupPermutation permutation;
    for (auto [number, axis] : llvm::enumerate(mesh.axes))
      if (axis.size > 1 && (all || moves.test(number)))
        permutation.axes.push_back(axis.name);
    if (auto table = commonTable(targets, permutation.axes, mesh)) {
      permutation.target = std::move(*table);
      return permutation;
    }
  }
  return std::nullopt;
}
