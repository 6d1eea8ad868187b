//===- GroupSplit.h - a group of devices as a grid ------------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_HIERARCHY_GROUPSPLIT_H
#define TESSERA_TRANSFORMS_COMMUNICATE_HIERARCHY_GROUPSPLIT_H

#include "tessera/Sharding/Algebra/AxisRef.h"

namespace tessera::communicate {

/// A group of devices along some axes as a grid: the devices along `inner` are
/// near each other, such as those in one node, and those along `outer` are not.
struct GroupSplit {
  /// From major to minor, each with two devices or more. Together they have
  /// every part of the group's axes once.
  AxisList outer, inner;
  /// Where the group's order of devices is row by row through the grid, which
  /// side is major; mixed where several parts of both alternate.
  enum Order { OuterMajor, InnerMajor, Mixed } order = Mixed;
};

/// Splits the group along `axes`, from major to minor, so that `inner` is as
/// large as is found where `isNear` holds for it. Minor parts of axes are
/// tried, the minor axes first. Nothing if one of the sides would be empty.
std::optional<GroupSplit>
splitGroup(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh,
           llvm::function_ref<bool(llvm::ArrayRef<AxisRef>)> isNear);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_HIERARCHY_GROUPSPLIT_H
