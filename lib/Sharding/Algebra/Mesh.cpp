//===- Mesh.cpp - Named device meshes -------------------------------------===//
#include "tessera/Sharding/Algebra/Mesh.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

Mesh::Mesh(llvm::ArrayRef<MeshAxis> axes, llvm::ArrayRef<int64_t> deviceIds)
    : axes(axes) {
  for (auto [position, device] : llvm::enumerate(deviceIds))
    if (device != static_cast<int64_t>(position)) {
      this->deviceIds.assign(deviceIds.begin(), deviceIds.end());
      return;
    }
}

int64_t Mesh::numDevices() const {
  int64_t count = 1;
  for (const MeshAxis &axis : axes)
    count *= axis.size;
  return count;
}

std::optional<unsigned> Mesh::findAxis(AxisName name) const {
  for (auto [index, axis] : llvm::enumerate(axes))
    if (axis.name == name)
      return index;
  return std::nullopt;
}

int64_t Mesh::axisSize(AxisName name) const {
  std::optional<unsigned> index = findAxis(name);
  assert(index && "axis is not in the mesh");
  return axes[*index].size;
}

int64_t Mesh::axisStride(unsigned axis) const {
  int64_t stride = 1;
  for (const MeshAxis &minor : llvm::ArrayRef(axes).drop_front(axis + 1))
    stride *= minor.size;
  return stride;
}

llvm::SmallVector<int64_t, 4>
Mesh::coordinatesOfPosition(int64_t position) const {
  llvm::SmallVector<int64_t, 4> coordinates(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    coordinates[i] = position % axes[i].size;
    position /= axes[i].size;
  }
  return coordinates;
}

int64_t Mesh::positionOfCoordinates(llvm::ArrayRef<int64_t> coordinates) const {
  assert(coordinates.size() == axes.size() && "one coordinate per axis");
  int64_t position = 0;
  for (auto [coordinate, axis] : llvm::zip_equal(coordinates, axes))
    position = position * axis.size + coordinate;
  return position;
}

int64_t Mesh::positionOfDevice(int64_t device) const {
  if (deviceIds.empty())
    return device;
  const int64_t *found = llvm::find(deviceIds, device);
  assert(found != deviceIds.end() && "device is not in the mesh");
  return found - deviceIds.begin();
}

std::string Mesh::verify() const {
  std::string error;
  llvm::raw_string_ostream os(error);
  int64_t most = std::numeric_limits<int32_t>::max();
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (axis.name.empty())
      return "expected a non-empty axis name";
    if (axis.size < 1) {
      os << "expected axis " << axis.name << " to have a positive size, got "
         << axis.size;
      return error;
    }
    if (findAxis(axis.name) != index) {
      os << "axis " << axis.name << " occurs twice in the mesh";
      return error;
    }
    if (axis.size > most) {
      os << "expected fewer than 2147483648 devices";
      return error;
    }
    most /= axis.size;
  }
  if (deviceIds.empty())
    return error;
  int64_t devices = numDevices();
  if (static_cast<int64_t>(deviceIds.size()) != devices) {
    os << "expected " << devices << " device ids, got " << deviceIds.size();
    return error;
  }
  llvm::SmallVector<bool> seen(devices, false);
  for (int64_t device : deviceIds) {
    if (device < 0 || device >= devices || seen[device]) {
      os << "expected the device ids to be a permutation of 0 to "
         << devices - 1 << ", got " << device;
      if (device >= 0 && device < devices)
        os << " twice";
      return error;
    }
    seen[device] = true;
  }
  return error;
}

void Mesh::print(llvm::raw_ostream &os) const {
  os << "<[";
  llvm::interleaveComma(axes, os, [&](const MeshAxis &axis) {
    os << axis.name << '=' << axis.size;
  });
  os << ']';
  if (!deviceIds.empty()) {
    os << ", device_ids=[";
    llvm::interleaveComma(deviceIds, os);
    os << ']';
  }
  os << '>';
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const Mesh &mesh) {
  mesh.print(os);
  return os;
}
