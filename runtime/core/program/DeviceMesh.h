//===- DeviceMesh.h - Ranks and their coordinates -------------------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_DEVICEMESH_H
#define TESSERA_RUNTIME_CORE_PROGRAM_DEVICEMESH_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::runtime {

/// More ranks than any cluster has: the bound keeps a malformed file from
/// asking for endless tables.
inline constexpr int64_t rankLimit = 1 << 20;

/// A named dimension of the mesh.
struct MeshAxis {
  std::string name;
  int32_t size;
};

/// An axis or a part of it. An axis of size n read as digits of sizes [pre,
/// size, n / (pre * size)], major to minor: the sub-axis is the middle digit;
/// the whole axis has pre 1 and size n.
struct SubAxis {
  int32_t axis; ///< Index into the mesh's axes.
  int32_t pre;
  int32_t size;
};

/// The groups of a communicator: ranks that differ along its axes only.
struct GroupTable {
  int32_t size = 1;
  /// By group; members in the order of the communicator's axes, the first one
  /// slowest.
  std::vector<std::vector<int32_t>> groups;
  /// By rank: its group and its position there.
  std::vector<int32_t> groupOf, positionOf;

  /// The same groups in each of so many copies of the mesh; ranks count through
  /// one copy after the other.
  GroupTable repeated(int32_t copies) const;
};

/// Which rank stands where. Ranks fill the mesh row-major, the first axis
/// slowest, unless a device order is given.
class DeviceMesh {
public:
  DeviceMesh() = default;

  /// `order` lists the ranks at the mesh's positions in row-major order; empty
  /// for the natural order. Fails unless sizes are positive, names differ and
  /// `order` is a permutation.
  static Fallible<DeviceMesh> create(std::vector<MeshAxis> axes,
                                     const std::vector<int32_t> &order);

  const std::vector<MeshAxis> &axes() const { return meshAxes; }
  int32_t ranks() const { return static_cast<int32_t>(coordinates.size()); }

  /// Resolves a sub-axis; fails when the axis is unknown or the sizes do not
  /// divide it.
  Fallible<SubAxis> subAxis(const std::string &axis, int64_t pre,
                            int64_t size) const;
  /// The whole axis.
  Fallible<SubAxis> wholeAxis(const std::string &axis) const;

  /// The rank's position along a list of sub-axes, the first one slowest: a
  /// number below the product of their sizes.
  int32_t position(int32_t rank, const std::vector<SubAxis> &along) const;

  /// Whether no two of the sub-axes overlap.
  bool areDisjoint(const std::vector<SubAxis> &subAxes) const;

  /// The groups along disjoint sub-axes.
  GroupTable groupsAlong(const std::vector<SubAxis> &along) const;

  /// `data=2,model=4`, or `one device` for a mesh without axes.
  std::string describe() const;

private:
  int32_t digit(int32_t rank, const SubAxis &subAxis) const;
  std::vector<MeshAxis> meshAxes;
  /// By rank, then by axis.
  std::vector<std::vector<int32_t>> coordinates;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_DEVICEMESH_H
