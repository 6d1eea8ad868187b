//===- ClusterTest.cpp - links between pipeline ranks ---------------------===//

#include "tessera/Cluster/Cluster.h"
#include "tessera/Support/MachineDescription.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// Nodes of 8 devices, racks of 32; latencies say which level links are of.
Cluster racks() {
  Cluster cluster;
  cluster.levels = {{"node", 8, {1, 300}, {}},
                    {"rack", 32, {2, 200}, {}},
                    {"all", 0, {3, 100}, {}}};
  return cluster;
}

Mesh meshOf(int64_t devices) {
  Mesh mesh;
  mesh.axes.push_back({AxisName("data"), devices});
  return mesh;
}

/// The latency between two pipeline ranks.
double latency(const Cluster &cluster, const Mesh &mesh, int64_t a, int64_t b) {
  return linksBetweenRanks(cluster.levelsBetweenRanks(mesh), mesh, a, b)
      .latency;
}

TEST(LinksBetweenRanks, OfOneNodeWhereCopiesShareIt) {
  Mesh mesh = meshOf(2);
  for (int64_t rank : {0, 1, 2})
    EXPECT_EQ(latency(racks(), mesh, rank, rank + 1), 1);
  EXPECT_EQ(latency(racks(), mesh, 0, 3), 1);
  EXPECT_EQ(latency(racks(), mesh, 3, 4), 2);
  EXPECT_EQ(latency(racks(), mesh, 15, 16), 3);
  EXPECT_EQ(latency(racks(), mesh, 16, 15), 3);
}

TEST(LinksBetweenRanks, OfNoNodeThatOneCopyFills) {
  Mesh mesh = meshOf(8);
  EXPECT_EQ(latency(racks(), mesh, 0, 1), 2);
  EXPECT_EQ(latency(racks(), mesh, 2, 3), 2);
  EXPECT_EQ(latency(racks(), mesh, 3, 4), 3);
}

TEST(LinksBetweenRanks, OfCopiesLargerThanANode) {
  EXPECT_EQ(latency(racks(), meshOf(16), 0, 1), 2);
  EXPECT_EQ(latency(racks(), meshOf(64), 0, 1), 3);
}

TEST(LinksBetweenRanks, AreTheSlowestOfAnyPairOfDevices) {
  // Copies 0-5, 6-11, 12-17: of the first two, device 0 finds its partner in
  // its node and device 2 does not.
  EXPECT_EQ(latency(racks(), meshOf(6), 0, 1), 2);
  // 0-2 and 3-5 lie in one node.
  EXPECT_EQ(latency(racks(), meshOf(3), 0, 1), 1);
  EXPECT_EQ(latency(racks(), meshOf(3), 1, 2), 2);
}

TEST(LinksBetweenRanks, DoNotDependOnTheOrderOfDevicesInAMesh) {
  Mesh mesh = meshOf(4);
  mesh.deviceIds = {3, 1, 0, 2};
  EXPECT_EQ(latency(racks(), mesh, 0, 1), 1);
  EXPECT_EQ(latency(racks(), mesh, 1, 2), 2);
}

TEST(LinksBetweenRanks, AreThoseOfAnAxisNamedStage) {
  Cluster cluster = racks();
  cluster.axes.push_back({"stage", {7, 50}});
  EXPECT_EQ(latency(cluster, meshOf(2), 0, 1), 7);
  EXPECT_EQ(latency(cluster, meshOf(8), 3, 4), 7);
  // Unless that is an axis of the mesh.
  Mesh mesh;
  mesh.axes.push_back({AxisName("stage"), 2});
  EXPECT_EQ(latency(cluster, mesh, 0, 1), 1);
}

TEST(LinksAlongAnAxis, TellPlansWhatMessagesTakeBesideTheirBytes) {
  Cluster cluster;
  cluster.levels = {{"node", 8, {1, 300}, {}},
                    {"all", 0, {1, 100}, {3, 200, 0, 4}}};
  LinkCosts links = cluster.machineFor(meshOf(16)).links[0];
  // A round, a third of the launch, and a hop of two seconds.
  EXPECT_EQ(links.latency, 1 + 1 + 2);
  // Four links for eight devices.
  EXPECT_EQ(links.bandwidth, 50);
  EXPECT_EQ(cluster.machineFor(meshOf(8)).links[0].bandwidth, 300);
}

TEST(BuiltInDevice, IsThatOfDescriptions) {
  Machine device = Cluster::builtin().device;
  DeviceDescription described;
  EXPECT_EQ(device.compute, described.compute);
  EXPECT_EQ(device.memoryBandwidth, described.memoryBandwidth);
  EXPECT_EQ(device.memory, described.memory);
}

TEST(LinksBetweenRanks, AreBuiltInWhereNoLevelIsGiven) {
  Cluster cluster;
  cluster.axes.push_back({"data", {7, 50}});
  EXPECT_EQ(latency(cluster, meshOf(2), 0, 1), LinkCosts().latency);
}

} // namespace
