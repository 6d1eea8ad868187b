//===- DeviceGroupsTest.cpp - Tests of DeviceGroups -----------------------===//
#include "tessera/Sharding/Algebra/DeviceGroups.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "Printing.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

using Groups = llvm::SmallVector<llvm::SmallVector<int64_t>>;

const Mesh kMesh({{"a", 2}, {"one", 1}, {"b", 4}});

std::string axesOf(const Groups &groups, const Mesh &mesh = kMesh) {
  std::optional<AxisList> axes = axesOfGroups(groups, mesh);
  return axes ? toString(*axes) : "none";
}

/// All groups of `axes`, as a program would list them.
Groups groupsOf(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh) {
  Groups groups;
  llvm::SmallVector<bool> seen(mesh.numDevices());
  for (int64_t first = 0; first < mesh.numDevices(); ++first) {
    auto coordinates = mesh.coordinatesOfPosition(first);
    if (valueAt(axes, coordinates, mesh) != 0)
      continue;
    llvm::SmallVector<int64_t> &group =
        groups.emplace_back(totalSize(axes, mesh));
    for (int64_t other = 0; other < mesh.numDevices(); ++other) {
      auto there = mesh.coordinatesOfPosition(other), moved = there;
      for (const AxisRef &axis : axes) {
        int64_t unit = mesh.axisSize(axis.name) / axis.endSize(mesh);
        moved[*mesh.findAxis(axis.name)] -= axis.valueAt(there, mesh) * unit;
      }
      if (moved == coordinates)
        group[valueAt(axes, there, mesh)] = mesh.deviceAtPosition(other);
    }
  }
  return groups;
}

TEST(DeviceGroups, WholeAxes) {
  EXPECT_EQ(axesOf({{0, 1, 2, 3}, {4, 5, 6, 7}}), R"({"b"})");
  EXPECT_EQ(axesOf({{0, 4}, {1, 5}, {2, 6}, {3, 7}}), R"({"a"})");
  EXPECT_EQ(axesOf({{0, 1, 2, 3, 4, 5, 6, 7}}), R"({"a", "b"})");
  EXPECT_EQ(axesOf({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}), "{}");
}

// The order of a group's members is that of the axes.
TEST(DeviceGroups, OrderOfAxes) {
  EXPECT_EQ(axesOf({{0, 4, 1, 5, 2, 6, 3, 7}}), R"({"b", "a"})");
  EXPECT_EQ(axesOf({{3, 2, 1, 0}, {7, 6, 5, 4}}), "none");
}

TEST(DeviceGroups, PartsOfAxes) {
  EXPECT_EQ(axesOf({{0, 1}, {2, 3}, {4, 5}, {6, 7}}), R"({"b":(2)2})");
  EXPECT_EQ(axesOf({{0, 2}, {1, 3}, {4, 6}, {5, 7}}), R"({"b":(1)2})");
  EXPECT_EQ(axesOf({{0, 2, 1, 3}, {4, 6, 5, 7}}), R"({"b":(2)2, "b":(1)2})");
}

TEST(DeviceGroups, GroupsOfNoAxes) {
  // Not all devices; one twice; different in the two halves; too large.
  EXPECT_EQ(axesOf({{0, 1, 2, 3}}), "none");
  EXPECT_EQ(axesOf({{0, 1, 2, 3}, {4, 5, 6, 6}}), "none");
  EXPECT_EQ(axesOf({{0, 1}, {2, 3}, {4, 6}, {5, 7}}), "none");
  EXPECT_EQ(axesOf({{0, 1, 2, 3}, {4, 5, 6, 8}}), "none");
  EXPECT_EQ(axesOf({{0, 1, 4}, {2, 3, 5}}), "none");
}

// Every list of axes is found again from its groups, on meshes of several
// shapes and with devices in another order.
TEST(DeviceGroups, FindsAllAxesAgain) {
  for (const Mesh &mesh :
       {Mesh({{"a", 2}, {"b", 4}, {"c", 2}}), Mesh({{"a", 6}, {"b", 2}}),
        Mesh({{"a", 2}, {"b", 2}}, {3, 1, 0, 2})}) {
    llvm::SmallVector<AxisRef> parts;
    for (const MeshAxis &axis : mesh.axes)
      for (int64_t pre = 1; pre < axis.size; ++pre)
        for (int64_t size = 2; pre * size <= axis.size; ++size)
          if (axis.size % (pre * size) == 0)
            parts.push_back(AxisRef::get(axis.name, pre, size, mesh));
    for (const AxisRef &major : parts)
      for (const AxisRef &minor : parts) {
        if (!fitsBeside(major, minor, mesh))
          continue;
        AxisList axes = mergeAdjacent({major, minor}, mesh);
        EXPECT_EQ(axesOf(groupsOf(axes, mesh), mesh), toString(axes));
      }
  }
}

using Pairs = llvm::SmallVector<std::pair<int64_t, int64_t>>;

std::string permutationOf(const Pairs &pairs) {
  auto permutation = permutationOfPairs(pairs, kMesh);
  if (!permutation)
    return "none";
  std::string text = toString(permutation->axes);
  for (int32_t target : permutation->target)
    text += " " + std::to_string(target);
  return text;
}

TEST(DeviceGroups, Permutations) {
  EXPECT_EQ(permutationOf({{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}}),
            R"({"b"} 1 2 3 -1)");
  EXPECT_EQ(
      permutationOf(
          {{0, 4}, {4, 0}, {1, 5}, {5, 1}, {2, 6}, {6, 2}, {3, 7}, {7, 3}}),
      R"({"a"} 1 0)");
  // Only one half sends, so both axes matter.
  EXPECT_EQ(permutationOf({{0, 1}}), R"({"a", "b"} 1 -1 -1 -1 -1 -1 -1 -1)");
  EXPECT_EQ(permutationOf({}), "{} -1");
  EXPECT_EQ(permutationOf({{0, 1}, {0, 2}}), "none");
  EXPECT_EQ(permutationOf({{0, 1}, {2, 1}}), "none");
  EXPECT_EQ(permutationOf({{0, 8}}), "none");
}

} // namespace
