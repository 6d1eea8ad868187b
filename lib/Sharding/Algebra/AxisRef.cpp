//===- AxisRef.cpp - Mesh axes and their parts ----------------------------===//
#include "tessera/Sharding/Algebra/AxisRef.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace tessera;

AxisRef AxisRef::get(AxisName name, int64_t preSize, int64_t size,
                     const Mesh &mesh) {
  if (preSize == 1 && size == mesh.axisSize(name))
    return AxisRef(name);
  return AxisRef(name, preSize, size);
}

int64_t AxisRef::valueAt(llvm::ArrayRef<int64_t> coordinates,
                         const Mesh &mesh) const {
  std::optional<unsigned> index = mesh.findAxis(name);
  assert(index && "axis is not in the mesh");
  int64_t minorSize = mesh.axes[*index].size / endSize(mesh);
  return coordinates[*index] / minorSize % size(mesh);
}

bool AxisRef::overlaps(const AxisRef &other, const Mesh &mesh) const {
  if (name != other.name)
    return false;
  if (!sub || !other.sub)
    return true;
  return preSize() < other.endSize(mesh) && other.preSize() < endSize(mesh);
}

bool AxisRef::canCoexist(const AxisRef &other, const Mesh &mesh) const {
  if (name != other.name)
    return true;
  // All boundaries must form a chain of divisors.
  llvm::SmallVector<int64_t, 4> bounds = {preSize(), endSize(mesh),
                                          other.preSize(), other.endSize(mesh)};
  llvm::sort(bounds);
  for (size_t i = 1; i < bounds.size(); ++i)
    if (bounds[i] % bounds[i - 1] != 0)
      return false;
  return true;
}

bool AxisRef::contains(const AxisRef &other, const Mesh &mesh) const {
  return name == other.name && preSize() <= other.preSize() &&
         other.endSize(mesh) <= endSize(mesh) && canCoexist(other, mesh);
}

bool AxisRef::hasPrefix(const AxisRef &other, const Mesh &mesh) const {
  return name == other.name && preSize() == other.preSize() &&
         size(mesh) % other.size(mesh) == 0;
}

std::optional<AxisRef> AxisRef::commonPrefix(const AxisRef &other,
                                             const Mesh &mesh) const {
  if (*this == other)
    return *this;
  if (name != other.name || preSize() != other.preSize())
    return std::nullopt;
  int64_t common = std::gcd(size(mesh), other.size(mesh));
  if (common == 1)
    return std::nullopt;
  return AxisRef::get(name, preSize(), common, mesh);
}

AxisRef AxisRef::takeMajor(int64_t size, const Mesh &mesh) const {
  assert(this->size(mesh) % size == 0 && "the part must divide its axis");
  return AxisRef::get(name, preSize(), size, mesh);
}

AxisRef AxisRef::dropMajor(int64_t size, const Mesh &mesh) const {
  assert(this->size(mesh) % size == 0 && "the part must divide its axis");
  return AxisRef::get(name, preSize() * size, this->size(mesh) / size, mesh);
}

std::optional<AxisRef> AxisRef::mergeWith(const AxisRef &minor,
                                          const Mesh &mesh) const {
  if (name != minor.name || !sub || !minor.sub ||
      endSize(mesh) != minor.preSize())
    return std::nullopt;
  return AxisRef::get(name, preSize(), size(mesh) * minor.size(mesh), mesh);
}

std::string AxisRef::verify(const Mesh &mesh) const {
  std::string error;
  llvm::raw_string_ostream os(error);
  std::optional<unsigned> index = mesh.findAxis(name);
  if (!index) {
    os << "unknown axis " << name << ", the mesh has ";
    if (mesh.axes.empty())
      os << "no axes";
    llvm::interleaveComma(mesh.axes, os,
                          [&](const MeshAxis &axis) { os << axis.name; });
    return error;
  }
  if (!sub)
    return error;
  int64_t axisSize = mesh.axes[*index].size;
  if (sub->preSize < 1 || sub->size < 2)
    os << "expected sub-axis " << *this
       << " to have a pre-size of at least 1 and a size of at least 2";
  else if (sub->preSize > axisSize || sub->size > axisSize ||
           axisSize % (int64_t(sub->preSize) * sub->size) != 0)
    os << "expected the pre-size and size of sub-axis " << *this
       << " to divide the size " << axisSize << " of axis " << name;
  else if (sub->size == axisSize)
    os << "expected sub-axis " << *this << " to be written as the whole axis "
       << name;
  return error;
}

void AxisRef::print(llvm::raw_ostream &os) const {
  os << name;
  if (sub)
    os << ":(" << sub->preSize << ')' << sub->size;
}

bool tessera::operator<(const AxisRef &a, const AxisRef &b) {
  if (a.name != b.name)
    return a.name < b.name;
  if (!a.sub || !b.sub)
    return !a.sub && b.sub;
  return std::pair(a.sub->preSize, a.sub->size) <
         std::pair(b.sub->preSize, b.sub->size);
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const AxisRef &axis) {
  axis.print(os);
  return os;
}

int64_t tessera::totalSize(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh) {
  int64_t product = 1;
  for (const AxisRef &axis : axes)
    product *= axis.size(mesh);
  return product;
}

AxisList tessera::mergeAdjacent(llvm::ArrayRef<AxisRef> axes,
                                const Mesh &mesh) {
  AxisList merged;
  for (const AxisRef &axis : axes) {
    std::optional<AxisRef> both;
    if (!merged.empty())
      both = merged.back().mergeWith(axis, mesh);
    if (both)
      merged.back() = *both;
    else
      merged.push_back(axis);
  }
  return merged;
}

AxisList tessera::canonicalSet(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh) {
  AxisList sorted(axes);
  llvm::sort(sorted, [&](const AxisRef &a, const AxisRef &b) {
    return std::tuple(mesh.findAxis(a.name), a.preSize()) <
           std::tuple(mesh.findAxis(b.name), b.preSize());
  });
  return mergeAdjacent(sorted, mesh);
}

AxisList tessera::commonPrefix(llvm::ArrayRef<AxisRef> a,
                               llvm::ArrayRef<AxisRef> b, const Mesh &mesh) {
  AxisList prefix;
  AxisList restA(a), restB(b);
  size_t i = 0, j = 0;
  while (i < restA.size() && j < restB.size()) {
    std::optional<AxisRef> common = restA[i].commonPrefix(restB[j], mesh);
    if (!common)
      break;
    prefix.push_back(*common);
    // Each side either has used up its axis or goes on with what is left of it.
    auto advance = [&](AxisList &rest, size_t &at) {
      if (rest[at] == *common)
        ++at;
      else
        rest[at] = rest[at].dropMajor(common->size(mesh), mesh);
    };
    advance(restA, i);
    advance(restB, j);
  }
  return mergeAdjacent(prefix, mesh);
}

bool tessera::hasPrefix(llvm::ArrayRef<AxisRef> axes,
                        llvm::ArrayRef<AxisRef> prefix, const Mesh &mesh) {
  return commonPrefix(axes, prefix, mesh) == mergeAdjacent(prefix, mesh);
}

AxisList tessera::takeMajor(llvm::ArrayRef<AxisRef> axes, int64_t size,
                            const Mesh &mesh) {
  AxisList prefix;
  for (const AxisRef &axis : axes) {
    int64_t axisSize = axis.size(mesh), part = std::gcd(size, axisSize);
    size /= part;
    if (part == axisSize) {
      prefix.push_back(axis);
      continue;
    }
    if (part > 1)
      prefix.push_back(axis.takeMajor(part, mesh));
    break;
  }
  return mergeAdjacent(prefix, mesh);
}

AxisList tessera::dropMajor(llvm::ArrayRef<AxisRef> axes, int64_t size,
                            const Mesh &mesh) {
  AxisList rest;
  for (const AxisRef &axis : axes) {
    int64_t axisSize = axis.size(mesh);
    if (size == 1) {
      rest.push_back(axis);
    } else if (size % axisSize == 0) {
      size /= axisSize;
    } else {
      rest.push_back(axis.dropMajor(size, mesh));
      size = 1;
    }
  }
  return rest;
}

int64_t tessera::valueAt(llvm::ArrayRef<AxisRef> axes,
                         llvm::ArrayRef<int64_t> coordinates,
                         const Mesh &mesh) {
  int64_t value = 0;
  for (const AxisRef &axis : axes)
    value = value * axis.size(mesh) + axis.valueAt(coordinates, mesh);
  return value;
}

void tessera::printAxes(llvm::raw_ostream &os, llvm::ArrayRef<AxisRef> axes) {
  os << '{';
  llvm::interleaveComma(axes, os);
  os << '}';
}
