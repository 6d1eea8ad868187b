//===- DeviceGroups.h - Lists of devices as axes of a mesh ----------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_DEVICEGROUPS_H
#define TESSERA_SHARDING_ALGEBRA_DEVICEGROUPS_H

#include "tessera/Sharding/Algebra/AxisRef.h"

namespace tessera {

/// The axes, from major to minor, along which the members of each of `groups`
/// differ, in the order in which they are listed. The groups are lists of
/// device numbers of one length. Nothing where they are not the groups of any
/// axes and parts of axes, each device in one.
std::optional<AxisList>
axesOfGroups(llvm::ArrayRef<llvm::SmallVector<int64_t>> groups,
             const Mesh &mesh);

/// Who sends to whom along some axes, in every group of them alike.
struct GroupPermutation {
  AxisList axes;
  /// By position along the axes, the position that it sends to; -1 for none.
  llvm::SmallVector<int32_t> target;
};

/// What `pairs` of device numbers, from source to target, say: along as few
/// axes as possible. Nothing where a device does not exist, or sends or
/// receives twice.
std::optional<GroupPermutation>
permutationOfPairs(llvm::ArrayRef<std::pair<int64_t, int64_t>> pairs,
                   const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_DEVICEGROUPS_H
