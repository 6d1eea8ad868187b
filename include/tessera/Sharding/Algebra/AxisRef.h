//===- AxisRef.h - Mesh axes and their parts ------------------------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_AXISREF_H
#define TESSERA_SHARDING_ALGEBRA_AXISREF_H

#include "tessera/Sharding/Algebra/Mesh.h"

#include <algorithm>
#include <limits>

namespace tessera {

/// A part of an axis of size n: the axis is viewed as a grid [preSize, size, n
/// / (preSize * size)], major to minor, and the sub-axis is the middle
/// dimension. `size` is at least 2.
struct SubAxis {
  int32_t preSize = 1;
  int32_t size = 1;

  SubAxis() = default;
  /// Sizes that no mesh has become the largest number, which divides no size.
  SubAxis(int64_t preSize, int64_t size)
      : preSize(clamp(preSize)), size(clamp(size)) {}

  friend bool operator==(const SubAxis &a, const SubAxis &b) {
    return a.preSize == b.preSize && a.size == b.size;
  }

private:
  static int32_t clamp(int64_t value) {
    return std::clamp<int64_t>(value, -1, std::numeric_limits<int32_t>::max());
  }
};

/// A reference to a whole mesh axis, `"x"`, or to a part of one, `"x":(2)4`. A
/// part that covers the whole axis is always written as the whole axis.
struct AxisRef {
  AxisName name;
  std::optional<SubAxis> sub;

  AxisRef() = default;
  AxisRef(AxisName name) : name(name) {}
  AxisRef(const char *name) : name(name) {}
  /// The part [preSize, preSize * size) of axis `name`; the caller knows that
  /// it is not the whole axis.
  AxisRef(AxisName name, int64_t preSize, int64_t size)
      : name(name), sub(SubAxis{preSize, size}) {}

  /// The part of axis `name` that starts after `preSize` and has `size` values:
  /// the whole axis where it covers it.
  static AxisRef get(AxisName name, int64_t preSize, int64_t size,
                     const Mesh &mesh);

  /// The number of values this reference takes.
  int64_t size(const Mesh &mesh) const {
    return sub ? sub->size : mesh.axisSize(name);
  }
  /// The product of what is major to this part within its axis.
  int64_t preSize() const { return sub ? sub->preSize : 1; }
  /// `preSize * size`: where the next minor part of the same axis starts.
  int64_t endSize(const Mesh &mesh) const { return preSize() * size(mesh); }
  /// The value of this reference on the device with the given mesh coordinates.
  int64_t valueAt(llvm::ArrayRef<int64_t> coordinates, const Mesh &mesh) const;

  /// Whether some devices differ in both references because they share a part
  /// of an axis.
  bool overlaps(const AxisRef &other, const Mesh &mesh) const;
  /// Whether one grid holds both references as products of its dimensions
  /// (`"x":(1)2` and `"x":(3)2` of 6 have none).
  bool canCoexist(const AxisRef &other, const Mesh &mesh) const;
  /// Whether `other` is a part of this reference.
  bool contains(const AxisRef &other, const Mesh &mesh) const;
  /// Whether `other` starts where this reference starts and is contained in it.
  bool hasPrefix(const AxisRef &other, const Mesh &mesh) const;
  /// The longest reference that is a prefix of both, if there is one.
  std::optional<AxisRef> commonPrefix(const AxisRef &other,
                                      const Mesh &mesh) const;
  /// The `size` major-most values of this reference; `size` divides its size
  /// and is at least 2.
  AxisRef takeMajor(int64_t size, const Mesh &mesh) const;
  /// What remains of this reference after its `size` major-most values; `size`
  /// is below its size.
  AxisRef dropMajor(int64_t size, const Mesh &mesh) const;
  /// One reference for this one followed by `minor`, where `minor` starts
  /// exactly where this one ends.
  std::optional<AxisRef> mergeWith(const AxisRef &minor,
                                   const Mesh &mesh) const;

  /// Why this reference does not exist in `mesh` (unknown axis, sizes that do
  /// not divide), or an empty string.
  std::string verify(const Mesh &mesh) const;
  /// Prints `"x"` or `"x":(2)4`.
  void print(llvm::raw_ostream &os) const;

  friend bool operator==(const AxisRef &a, const AxisRef &b) {
    return a.name == b.name && a.sub == b.sub;
  }
  friend bool operator!=(const AxisRef &a, const AxisRef &b) {
    return !(a == b);
  }
  /// By name, then by position within the axis; a whole axis precedes its
  /// parts.
  friend bool operator<(const AxisRef &a, const AxisRef &b);
  friend llvm::hash_code hash_value(const AxisRef &axis) {
    return llvm::hash_combine(axis.name, axis.sub ? axis.sub->preSize : 0,
                              axis.sub ? axis.sub->size : 0);
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const AxisRef &axis);

/// Axes from major to minor.
using AxisList = llvm::SmallVector<AxisRef, 1>;

/// The product of the sizes of `axes`.
int64_t totalSize(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh);
/// `axes` with adjacent parts of one axis merged; the order stays.
AxisList mergeAdjacent(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh);
/// `axes` as a set: in the order of the mesh, parts of one axis from major to
/// minor and merged.
AxisList canonicalSet(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh);
/// The longest list that is a prefix of both, cutting an axis into parts where
/// only its major part is common.
AxisList commonPrefix(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b,
                      const Mesh &mesh);
/// Whether `prefix` is a major prefix of `axes`, possibly ending within an
/// axis.
bool hasPrefix(llvm::ArrayRef<AxisRef> axes, llvm::ArrayRef<AxisRef> prefix,
               const Mesh &mesh);
/// The longest prefix of `axes` whose size divides `size`.
AxisList takeMajor(llvm::ArrayRef<AxisRef> axes, int64_t size,
                   const Mesh &mesh);
/// What follows the first `size` shards' worth of `axes`; `size` is the total
/// size of one of their prefixes.
AxisList dropMajor(llvm::ArrayRef<AxisRef> axes, int64_t size,
                   const Mesh &mesh);
/// The index of a device along the combined `axes` (major to minor), given the
/// device's mesh coordinates.
int64_t valueAt(llvm::ArrayRef<AxisRef> axes,
                llvm::ArrayRef<int64_t> coordinates, const Mesh &mesh);
/// Prints `{"x", "y":(1)2}`.
void printAxes(llvm::raw_ostream &os, llvm::ArrayRef<AxisRef> axes);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_AXISREF_H
