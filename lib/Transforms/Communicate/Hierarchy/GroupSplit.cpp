//===- GroupSplit.cpp - a group of devices as a grid ----------------------===//

#include "Hierarchy/GroupSplit.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::communicate;

/// `axis` without its `size` minor-most values, and these.
static std::pair<std::optional<AxisRef>, std::optional<AxisRef>>
cutMinor(const AxisRef &axis, int64_t size, const Mesh &mesh) {
  int64_t all = axis.size(mesh);
  if (size == all)
    return {std::nullopt, axis};
  if (size == 1)
    return {axis, std::nullopt};
  return {axis.takeMajor(all / size, mesh), axis.dropMajor(all / size, mesh)};
}

std::optional<GroupSplit> communicate::splitGroup(
    llvm::ArrayRef<AxisRef> axes, const Mesh &mesh,
    llvm::function_ref<bool(llvm::ArrayRef<AxisRef>)> isNear) {
  GroupSplit split;
  // Whether each part is an inner one, from minor to major.
  llvm::SmallVector<bool> sides;
  for (const AxisRef &axis : llvm::reverse(axes)) {
    int64_t size = axis.size(mesh);
    if (size == 1)
      continue;
    auto isNearWith = [&](int64_t minor) {
      AxisList with = split.inner;
      with.insert(with.begin(), *cutMinor(axis, minor, mesh).second);
      return isNear(with);
    };
    int64_t near = size;
    while (near > 1 && (size % near != 0 || !isNearWith(near)))
      --near;
    auto [major, minor] = cutMinor(axis, near, mesh);
    if (minor) {
      split.inner.insert(split.inner.begin(), *minor);
      sides.push_back(true);
    }
    if (major) {
      split.outer.insert(split.outer.begin(), *major);
      sides.push_back(false);
    }
  }
  if (split.inner.empty() || split.outer.empty())
    return std::nullopt;
  if (llvm::is_sorted(sides, std::greater<>()))
    split.order = GroupSplit::OuterMajor;
  else if (llvm::is_sorted(sides))
    split.order = GroupSplit::InnerMajor;
  return split;
}
