//===- DeviceMesh.cpp -----------------------------------------------------===//

#include "DeviceMesh.h"

#include <map>

using namespace tessera;
using namespace tessera::runtime;

Fallible<DeviceMesh> DeviceMesh::create(std::vector<MeshAxis> axes,
                                        const std::vector<int32_t> &order) {
  int64_t ranks = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].size < 1)
      return Failure{"expected axis '" + axes[i].name +
                     "' of the mesh to have a positive size, got " +
                     std::to_string(axes[i].size)};
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axes[i].name)
        return Failure{"two axes of the mesh are named '" + axes[i].name + "'"};
    ranks *= axes[i].size;
    if (ranks > rankLimit)
      return Failure{"the mesh has too many devices"};
  }
  DeviceMesh mesh;
  mesh.meshAxes = std::move(axes);
  mesh.coordinates.resize(ranks);
  if (!order.empty() && static_cast<int64_t>(order.size()) != ranks)
    return Failure{"expected a device order of " + std::to_string(ranks) +
                   " devices, got " + std::to_string(order.size())};
  for (int64_t position = 0; position < ranks; ++position) {
    int64_t rank = order.empty() ? position : order[position];
    if (rank < 0 || rank >= ranks ||
        (!mesh.coordinates[rank].empty() && !mesh.meshAxes.empty()))
      return Failure{"the device order is not a permutation"};
    std::vector<int32_t> &coordinate = mesh.coordinates[rank];
    coordinate.resize(mesh.meshAxes.size());
    int64_t rest = position;
    for (size_t axis = mesh.meshAxes.size(); axis-- > 0;) {
      coordinate[axis] = static_cast<int32_t>(rest % mesh.meshAxes[axis].size);
      rest /= mesh.meshAxes[axis].size;
    }
  }
  return mesh;
}

Fallible<SubAxis> DeviceMesh::subAxis(const std::string &axis, int64_t pre,
                                      int64_t size) const {
  for (size_t i = 0; i < meshAxes.size(); ++i) {
    if (meshAxes[i].name != axis)
      continue;
    int64_t whole = meshAxes[i].size;
    if (pre < 1 || size < 1 || pre > whole || size > whole ||
        whole % (pre * size) != 0)
      return Failure{"sub-axis '" + axis + "':(" + std::to_string(pre) + ")" +
                     std::to_string(size) +
                     " does not divide the axis of size " +
                     std::to_string(whole)};
    return SubAxis{static_cast<int32_t>(i), static_cast<int32_t>(pre),
                   static_cast<int32_t>(size)};
  }
  return Failure{"the mesh has no axis '" + axis + "'"};
}

Fallible<SubAxis> DeviceMesh::wholeAxis(const std::string &axis) const {
  for (const MeshAxis &candidate : meshAxes)
    if (candidate.name == axis)
      return subAxis(axis, 1, candidate.size);
  return Failure{"the mesh has no axis '" + axis + "'"};
}

/// How much one step along the sub-axis moves the coordinate.
static int32_t strideOf(const SubAxis &subAxis, const MeshAxis &axis) {
  return axis.size / (subAxis.pre * subAxis.size);
}

int32_t DeviceMesh::digit(int32_t rank, const SubAxis &subAxis) const {
  return coordinates[rank][subAxis.axis] /
         strideOf(subAxis, meshAxes[subAxis.axis]) % subAxis.size;
}

int32_t DeviceMesh::position(int32_t rank,
                             const std::vector<SubAxis> &along) const {
  int32_t position = 0;
  for (const SubAxis &subAxis : along)
    position = position * subAxis.size + digit(rank, subAxis);
  return position;
}

bool DeviceMesh::areDisjoint(const std::vector<SubAxis> &subAxes) const {
  for (size_t i = 0; i < subAxes.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const SubAxis &a = subAxes[i], &b = subAxes[j];
      bool apart = a.pre * a.size <= b.pre || b.pre * b.size <= a.pre;
      if (a.axis == b.axis && !apart)
        return false;
    }
  return true;
}

GroupTable DeviceMesh::groupsAlong(const std::vector<SubAxis> &along) const {
  GroupTable table;
  for (const SubAxis &subAxis : along)
    table.size *= subAxis.size;
  // A group is what remains of the coordinates without the digits along it.
  std::map<std::vector<int32_t>, int32_t> groupOfRemainder;
  for (int32_t rank = 0; rank < ranks(); ++rank) {
    std::vector<int32_t> remainder = coordinates[rank];
    for (const SubAxis &subAxis : along)
      remainder[subAxis.axis] -=
          digit(rank, subAxis) * strideOf(subAxis, meshAxes[subAxis.axis]);
    auto [entry, isNew] = groupOfRemainder.try_emplace(
        std::move(remainder), static_cast<int32_t>(table.groups.size()));
    if (isNew)
      table.groups.emplace_back(table.size, -1);
    int32_t inGroup = position(rank, along);
    table.groups[entry->second][inGroup] = rank;
    table.groupOf.push_back(entry->second);
    table.positionOf.push_back(inGroup);
  }
  return table;
}

GroupTable GroupTable::repeated(int32_t copies) const {
  GroupTable table;
  table.size = size;
  int32_t ranks = static_cast<int32_t>(groupOf.size());
  int32_t groupCount = static_cast<int32_t>(groups.size());
  for (int32_t copy = 0; copy < copies; ++copy) {
    for (std::vector<int32_t> members : groups) {
      for (int32_t &member : members)
        member += copy * ranks;
      table.groups.push_back(std::move(members));
    }
    for (int32_t group : groupOf)
      table.groupOf.push_back(copy * groupCount + group);
    table.positionOf.insert(table.positionOf.end(), positionOf.begin(),
                            positionOf.end());
  }
  return table;
}

std::string DeviceMesh::describe() const {
  if (meshAxes.empty())
    return "one device";
  std::string text;
  for (const MeshAxis &axis : meshAxes)
    text +=
        (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.size);
  return text;
}
