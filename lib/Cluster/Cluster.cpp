//===- Cluster.cpp - The machine that programs run on ---------------------===//
#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/GroupLinks.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

Cluster Cluster::builtin() {
  Cluster cluster;
  cluster.levels.push_back({"all", 0, LinkCosts(), {}});
  return cluster;
}

LinkCosts tessera::slower(const LinkCosts &a, const LinkCosts &b) {
  return {std::max(a.latency, b.latency), std::min(a.bandwidth, b.bandwidth)};
}

Cluster Cluster::around(const Machine &machine,
                        std::vector<ClusterLevel> levels, const Mesh &mesh) {
  Cluster cluster;
  cluster.device = machine;
  cluster.levels = std::move(levels);
  if (cluster.levels.empty()) {
    LinkCosts slowest =
        machine.links.empty() ? LinkCosts() : machine.links.front();
    for (const LinkCosts &links : machine.links)
      slowest = slower(slowest, links);
    cluster.levels.push_back({"", 0, slowest, {}});
  }
  Machine under = cluster.machineFor(mesh);
  for (auto [axis, own, known] :
       llvm::zip(mesh.axes, machine.links, under.links))
    if (own.latency != known.latency || own.bandwidth != known.bandwidth)
      cluster.axes.push_back({axis.name.str().str(), own});
  return cluster;
}

/// The levels as GroupLinks.h takes them.
static std::vector<NetworkLevel> networkOf(llvm::ArrayRef<ClusterLevel> list) {
  std::vector<NetworkLevel> levels;
  for (const ClusterLevel &level : list)
    levels.push_back({level.devices, level.links.latency, level.links.bandwidth,
                      level.details});
  return levels;
}

/// Whether each line of devices along axis number `axis` lies in one group of
/// `devices` devices with consecutive numbers.
static bool holdsAxis(const Mesh &mesh, unsigned axis, int64_t devices) {
  if (devices == 0)
    return true;
  int64_t stride = mesh.axisStride(axis), size = mesh.axes[axis].size;
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    int64_t first = position - position / stride % size * stride;
    if (mesh.deviceAtPosition(position) / devices !=
        mesh.deviceAtPosition(first) / devices)
      return false;
  }
  return true;
}

/// What the links of level number `number` are to a plan, which knows a latency
/// and a bandwidth: the launch is shared out among the rounds of the smallest
/// all-reduce. Whatever lies along an axis, so that the axes that one is cut
/// into have its links.
static LinkCosts costsOf(llvm::ArrayRef<NetworkLevel> network, size_t number) {
  const NetworkLevel &level = network[number];
  double rounds = double(messageRounds(CollectiveKind::AllReduce, 2));
  return {level.latency + level.details.launch / rounds +
              level.details.halfSaturation / level.bandwidth,
          bandwidthPerDevice(number ? &network[number - 1] : nullptr, level)};
}

Machine Cluster::machineFor(const Mesh &mesh) const {
  Machine machine = device;
  machine.links.clear();
  std::vector<NetworkLevel> network = networkOf(levels);
  for (unsigned axis = 0; axis < mesh.axes.size(); ++axis) {
    auto named = llvm::find_if(axes, [&](const ClusterAxis &entry) {
      return entry.name == mesh.axes[axis].name.str();
    });
    if (named != axes.end()) {
      machine.links.push_back(named->links);
      continue;
    }
    auto level = llvm::find_if(levels, [&](const ClusterLevel &entry) {
      return holdsAxis(mesh, axis, entry.devices);
    });
    machine.links.push_back(level != levels.end()
                                ? costsOf(network, level - levels.begin())
                                : LinkCosts());
  }
  return machine;
}

std::vector<ClusterLevel> Cluster::levelsBetweenRanks(const Mesh &mesh) const {
  auto named = llvm::find_if(
      axes, [](const ClusterAxis &entry) { return entry.name == kStageAxis; });
  if (named != axes.end() && !mesh.findAxis(AxisName(kStageAxis)))
    return {ClusterLevel{named->name, 0, named->links, {}}};
  return levels.empty() ? builtin().levels : levels;
}

LinkCosts tessera::linksBetweenRanks(llvm::ArrayRef<ClusterLevel> levels,
                                     const Mesh &mesh, int64_t a, int64_t b) {
  int64_t size = mesh.numDevices();
  auto holdsPairs = [&](const ClusterLevel &level) {
    if (level.devices == 0)
      return true;
    for (int64_t device = 0; device < size; ++device)
      if ((a * size + device) / level.devices !=
          (b * size + device) / level.devices)
        return false;
    return true;
  };
  auto level = llvm::find_if(levels, holdsPairs);
  std::vector<NetworkLevel> network = networkOf(levels);
  auto number = level - levels.begin();
  // A message by itself: its half-saturation is one more latency.
  return {level->links.latency + level->details.launch +
              level->details.halfSaturation / level->links.bandwidth,
          bandwidthPerDevice(number ? &network[number - 1] : nullptr,
                             network[number])};
}
