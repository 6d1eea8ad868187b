//===- ClusterFile.cpp - Descriptions of machines in YAML -----------------===//
//
// The file is read and written in Support, which tessera-run has too; here it
// becomes what the compiler reasons with.
//
//===----------------------------------------------------------------------===//
#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/MachineDescription.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

static LinkCosts costsOf(const LinkDescription &links) {
  return {links.latency, links.bandwidth};
}

static Cluster clusterOf(const MachineDescription &machine) {
  Cluster cluster;
  cluster.name = machine.name;
  cluster.device.compute = machine.device.compute;
  cluster.device.memoryBandwidth = machine.device.memoryBandwidth;
  cluster.device.memory = machine.device.memory;
  cluster.device.host = machine.device.host;
  cluster.devices = machine.devices;
  cluster.kernels = machine.device.kernels;
  for (const LinkDescription &level : machine.levels)
    cluster.levels.push_back(
        {level.name, level.devices, costsOf(level), level.details});
  for (const LinkDescription &axis : machine.axes)
    cluster.axes.push_back({axis.name, costsOf(axis)});
  return cluster;
}

static MachineDescription describe(const Cluster &cluster) {
  MachineDescription machine;
  machine.name = cluster.name;
  machine.device = {cluster.device.compute, cluster.device.memoryBandwidth,
                    cluster.device.memory, cluster.device.host,
                    cluster.kernels};
  machine.devices = cluster.devices;
  for (const ClusterLevel &level : cluster.levels)
    machine.levels.push_back({level.name, level.devices, level.links.latency,
                              level.links.bandwidth, level.details});
  for (const ClusterAxis &axis : cluster.axes)
    machine.axes.push_back(
        {axis.name, 0, axis.links.latency, axis.links.bandwidth, {}});
  return machine;
}

std::string Cluster::verify() const { return describe(*this).verify(); }

std::optional<Cluster> tessera::parseCluster(llvm::StringRef text,
                                             ClusterError &error) {
  TextError problem;
  std::optional<MachineDescription> machine =
      parseMachine({text.data(), text.size()}, problem);
  if (machine)
    return clusterOf(*machine);
  error = {problem.message, problem.line, problem.column};
  return std::nullopt;
}

std::optional<Cluster> tessera::findCluster(const std::string &name,
                                            ClusterError &error) {
  Fallible<std::string> text = findMachineText(name);
  if (!text) {
    error = {text.message()};
    return std::nullopt;
  }
  std::optional<Cluster> cluster = parseCluster(*text, error);
  if (cluster)
    cluster->name = name;
  return cluster;
}

void tessera::printCluster(const Cluster &cluster, llvm::raw_ostream &os) {
  os << printMachine(describe(cluster));
}
