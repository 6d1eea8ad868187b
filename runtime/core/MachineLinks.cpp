//===- MachineLinks.cpp ---------------------------------------------------===//

#include "MachineLinks.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::runtime;

static TesseraLink linkOf(const TesseraLinks &links, int64_t linkClass) {
  return {static_cast<int32_t>(linkClass), links.latency, links.bandwidth};
}

TesseraLink MachineLinks::ofLevel(std::span<const int32_t> ranks) const {
  for (int32_t i = 0; i < machine.level_count; ++i) {
    const TesseraLinks &level = machine.levels[i];
    auto isInside = [&](int32_t rank) {
      return rank / level.devices == ranks.front() / level.devices;
    };
    if (level.devices == 0 || std::ranges::all_of(ranks, isInside))
      return linkOf(level, i);
  }
  // What nobody has described takes no time.
  return {machine.level_count + machine.axis_count, 0, 1e30};
}

std::optional<TesseraLink> MachineLinks::ofAxis(const std::string &name) const {
  for (int32_t i = 0; i < machine.axis_count; ++i)
    if (machine.axes[i].name == name)
      return linkOf(machine.axes[i], machine.level_count + i);
  return std::nullopt;
}

std::vector<TesseraLink>
MachineLinks::ofGroups(const std::vector<SubAxis> &along) const {
  std::vector<SubAxis> others;
  std::vector<TesseraLink> named;
  for (const SubAxis &subAxis : along) {
    if (std::optional<TesseraLink> link =
            ofAxis(mesh.axes()[subAxis.axis].name))
      named.push_back(*link);
    else
      others.push_back(subAxis);
  }
  GroupTable groups = mesh.groupsAlong(others).repeated(copies);
  std::vector<TesseraLink> links;
  for (int32_t group : groups.groupOf) {
    std::vector<TesseraLink> all = named;
    if (named.empty() || groups.size > 1)
      all.push_back(ofLevel(groups.groups[group]));
    TesseraLink worst =
        *std::ranges::min_element(all, {}, &TesseraLink::bandwidth);
    for (const TesseraLink &link : all)
      worst.latency = std::max(worst.latency, link.latency);
    links.push_back(worst);
  }
  return links;
}

TesseraLink MachineLinks::between(int32_t source, int32_t target) const {
  bool meshHasStages = std::ranges::any_of(
      mesh.axes(), [](const MeshAxis &axis) { return axis.name == "stage"; });
  if (std::optional<TesseraLink> link = ofAxis("stage"); link && !meshHasStages)
    return *link;
  int32_t ranks[] = {source, target};
  return ofLevel(ranks);
}
