//===- Mesh.h - Named device meshes ---------------------------------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_MESH_H
#define TESSERA_SHARDING_ALGEBRA_MESH_H

#include "tessera/Sharding/Algebra/AxisName.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera {

/// One axis of a mesh. `size` is at least 1.
struct MeshAxis {
  AxisName name;
  int64_t size = 1;

  friend bool operator==(const MeshAxis &a, const MeshAxis &b) {
    return a.name == b.name && a.size == b.size;
  }
  friend llvm::hash_code hash_value(const MeshAxis &axis) {
    return llvm::hash_combine(axis.name, axis.size);
  }
};

/// A grid of devices with named axes. A device's *position* is its row-major
/// index in the grid (the last axis varies fastest); its *device number* is
/// `deviceIds[position]`, or the position itself where `deviceIds` is empty.
struct Mesh {
  llvm::SmallVector<MeshAxis, 4> axes;
  /// A permutation of 0 .. numDevices()-1 that is not the identity, or empty
  /// for the identity.
  llvm::SmallVector<int64_t> deviceIds;

  Mesh() = default;
  /// Drops `deviceIds` where they are the identity, so that equal meshes
  /// compare equal.
  Mesh(llvm::ArrayRef<MeshAxis> axes, llvm::ArrayRef<int64_t> deviceIds = {});

  /// The product of the axis sizes; 1 for a mesh without axes.
  int64_t numDevices() const;
  /// The index of the axis called `name` in `axes`.
  std::optional<unsigned> findAxis(AxisName name) const;
  /// The size of the axis called `name`, which must exist.
  int64_t axisSize(AxisName name) const;
  /// The distance in positions between neighbours along axis number `axis`.
  int64_t axisStride(unsigned axis) const;

  /// The coordinates, one per axis, of the device at `position`.
  llvm::SmallVector<int64_t, 4> coordinatesOfPosition(int64_t position) const;
  /// The row-major index of `coordinates`.
  int64_t positionOfCoordinates(llvm::ArrayRef<int64_t> coordinates) const;
  /// The device number at `position`.
  int64_t deviceAtPosition(int64_t position) const {
    return deviceIds.empty() ? position : deviceIds[position];
  }
  /// The position of device number `device`, which must be in the mesh.
  int64_t positionOfDevice(int64_t device) const;
  /// The coordinates of device number `device`.
  llvm::SmallVector<int64_t, 4> coordinatesOfDevice(int64_t device) const {
    return coordinatesOfPosition(positionOfDevice(device));
  }
  /// The device number at `coordinates`.
  int64_t deviceAtCoordinates(llvm::ArrayRef<int64_t> coordinates) const {
    return deviceAtPosition(positionOfCoordinates(coordinates));
  }

  /// Why this is no mesh (empty or repeated axis name, size below 1, device ids
  /// that are no permutation), or an empty string.
  std::string verify() const;
  /// Prints `<["data"=2, "model"=4]>` or `<["x"=2], device_ids=[1, 0]>`.
  void print(llvm::raw_ostream &os) const;

  friend bool operator==(const Mesh &a, const Mesh &b) {
    return a.axes == b.axes && a.deviceIds == b.deviceIds;
  }
  friend bool operator!=(const Mesh &a, const Mesh &b) { return !(a == b); }
  friend llvm::hash_code hash_value(const Mesh &mesh) {
    return llvm::hash_combine(
        llvm::hash_combine_range(mesh.axes.begin(), mesh.axes.end()),
        llvm::hash_combine_range(mesh.deviceIds.begin(), mesh.deviceIds.end()));
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_MESH_H
