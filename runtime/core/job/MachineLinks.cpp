//===- MachineLinks.cpp ---------------------------------------------------===//

#include "MachineLinks.h"

#include <algorithm>
#include <array>

using namespace tessera;
using namespace tessera::runtime;

/// As the back end takes them, of this class.
static TesseraLink linkOf(const GroupLinks &links, int32_t linkClass) {
  return {linkClass,
          links.latency,
          links.bandwidth,
          links.ringBandwidth,
          links.exchangeBandwidth,
          links.launch,
          links.hop,
          links.round,
          links.copyBandwidth};
}

MachineLinks::MachineLinks(const TesseraMachine &machine,
                           const DeviceMesh &mesh, int32_t copies)
    : machine(machine), mesh(mesh), copies(copies) {
  for (int32_t i = 0; i < machine.level_count; ++i) {
    const TesseraLinks &level = machine.levels[i];
    levels.push_back({level.devices,
                      level.latency,
                      level.bandwidth,
                      {level.launch, level.half_saturation,
                       level.copy_bandwidth, level.links}});
  }
}

GroupLinks MachineLinks::ofLevel(std::span<const int32_t> ranks) const {
  GroupLinks links =
      linksAmong(levels, std::vector<int64_t>(ranks.begin(), ranks.end()));
  // What nobody has described is behind the axes.
  if (links.level == machine.level_count)
    links.level += machine.axis_count;
  return links;
}

std::optional<GroupLinks> MachineLinks::ofAxis(const std::string &name) const {
  for (int32_t i = 0; i < machine.axis_count; ++i) {
    const TesseraLinks &axis = machine.axes[i];
    if (axis.name == name)
      return GroupLinks{machine.level_count + i, axis.latency,   axis.bandwidth,
                        axis.bandwidth,          axis.bandwidth, axis.launch};
  }
  return std::nullopt;
}

std::vector<TesseraLink>
MachineLinks::ofGroups(const std::vector<SubAxis> &along) const {
  std::vector<SubAxis> others;
  std::vector<GroupLinks> named;
  for (const SubAxis &subAxis : along) {
    if (std::optional<GroupLinks> link = ofAxis(mesh.axes()[subAxis.axis].name))
      named.push_back(*link);
    else
      others.push_back(subAxis);
  }
  GroupTable groups = mesh.groupsAlong(others).repeated(copies);
  std::vector<TesseraLink> links;
  for (int32_t group : groups.groupOf) {
    std::vector<GroupLinks> all = named;
    if (named.empty() || groups.size > 1)
      all.push_back(ofLevel(groups.groups[group]));
    GroupLinks worst = all.front();
    for (const GroupLinks &link : all)
      worst = GroupLinks::slower(worst, link);
    links.push_back(linkOf(
        worst,
        std::ranges::min_element(all, {}, &GroupLinks::bandwidth)->level));
  }
  return links;
}

TesseraLink MachineLinks::between(int32_t source, int32_t target) const {
  bool meshHasStages = std::ranges::any_of(
      mesh.axes(), [](const MeshAxis &axis) { return axis.name == "stage"; });
  std::optional<GroupLinks> links = ofAxis("stage");
  if (!links || meshHasStages)
    links = ofLevel(std::array{source, target});
  return linkOf(*links, links->level);
}
