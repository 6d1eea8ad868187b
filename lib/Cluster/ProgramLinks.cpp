//===- ProgramLinks.cpp - What a program's messages go over ---------------===//

#include "tessera/Cluster/ProgramLinks.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <map>

using namespace tessera;

ProgramLinks::ProgramLinks(const Cluster &cluster, const Mesh &mesh)
    : cluster(cluster), mesh(mesh) {
  for (const ClusterLevel &level : cluster.levels)
    levels.push_back({level.devices, level.links.latency, level.links.bandwidth,
                      level.details});
}

std::optional<GroupLinks> ProgramLinks::ofAxis(llvm::StringRef name) const {
  for (auto [i, axis] : llvm::enumerate(cluster.axes))
    if (axis.name == name)
      return GroupLinks{int32_t(levels.size() + i), axis.links.latency,
                        axis.links.bandwidth, axis.links.bandwidth,
                        axis.links.bandwidth};
  return std::nullopt;
}

/// The devices of the groups of `mesh` along `axes`, from `first` on.
static std::vector<std::vector<int64_t>>
groupsAlong(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh, int64_t first) {
  std::map<std::vector<int64_t>, std::vector<int64_t>> groups;
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    auto coordinates = mesh.coordinatesOfPosition(position);
    std::vector<int64_t> key(coordinates.begin(), coordinates.end());
    // What is left of a coordinate without the digits that `axes` names.
    for (const AxisRef &axis : axes) {
      unsigned number = *mesh.findAxis(axis.name);
      int64_t minor = mesh.axes[number].size / axis.endSize(mesh);
      key[number] -= axis.valueAt(coordinates, mesh) * minor;
    }
    groups[key].push_back(first + mesh.deviceAtPosition(position));
  }
  std::vector<std::vector<int64_t>> lists;
  for (auto &[key, devices] : groups)
    lists.push_back(std::move(devices));
  return lists;
}

const GroupLinks &ProgramLinks::ofGroups(llvm::ArrayRef<AxisRef> axes,
                                         int64_t rank) {
  auto [entry, isNew] =
      known.try_emplace({std::vector<AxisRef>(axes.begin(), axes.end()), rank});
  if (isNew)
    entry->second = findLinks(axes, rank);
  return entry->second;
}

GroupLinks ProgramLinks::findLinks(llvm::ArrayRef<AxisRef> axes,
                                   int64_t rank) const {
  std::optional<GroupLinks> slowest;
  auto add = [&](const GroupLinks &links) {
    slowest = slowest ? GroupLinks::slower(*slowest, links) : links;
  };
  llvm::SmallVector<AxisRef> others;
  for (const AxisRef &axis : axes) {
    if (std::optional<GroupLinks> links = ofAxis(axis.name.str()))
      add(*links);
    else
      others.push_back(axis);
  }
  if (!others.empty() || !slowest)
    for (const std::vector<int64_t> &devices :
         groupsAlong(others, mesh, rank * mesh.numDevices()))
      add(linksAmong(levels, devices));
  return *slowest;
}

GroupLinks ProgramLinks::ofMessages(int64_t source, int64_t target) const {
  std::optional<GroupLinks> slowest;
  if (!mesh.findAxis(AxisName(kStageAxis)))
    slowest = ofAxis(kStageAxis);
  if (slowest)
    return *slowest;
  int64_t size = mesh.numDevices();
  for (int64_t device = 0; device < size; ++device) {
    GroupLinks links = linksAmong(
        levels, std::array{source * size + device, target * size + device});
    slowest = slowest ? GroupLinks::slower(*slowest, links) : links;
  }
  return *slowest;
}
