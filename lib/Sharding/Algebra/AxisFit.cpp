//===- AxisFit.cpp - Which axes can be used together ----------------------===//
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace tessera;

bool tessera::fitsBeside(const AxisRef &a, const AxisRef &b, const Mesh &mesh) {
  return !a.overlaps(b, mesh) && a.canCoexist(b, mesh);
}

bool tessera::fitsBeside(const AxisRef &axis, llvm::ArrayRef<AxisRef> used,
                         const Mesh &mesh) {
  return llvm::all_of(used, [&](const AxisRef &other) {
    return fitsBeside(axis, other, mesh);
  });
}

bool tessera::fitTogether(llvm::ArrayRef<AxisRef> axes, const Mesh &mesh) {
  for (size_t i = 0; i < axes.size(); ++i)
    if (!fitsBeside(axes[i], axes.take_front(i), mesh))
      return false;
  return true;
}

/// The longest major part of `axis` that fits beside `used`.
static std::optional<AxisRef> freeMajorPart(const AxisRef &axis,
                                            llvm::ArrayRef<AxisRef> used,
                                            const Mesh &mesh) {
  int64_t size = axis.size(mesh);
  for (const AxisRef &other : used) {
    if (axis.name != other.name || other.endSize(mesh) <= axis.preSize())
      continue;
    // Only what precedes the beginning of `other` is left.
    if (other.preSize() <= axis.preSize())
      return std::nullopt;
    size = std::gcd(size, other.preSize() / axis.preSize());
  }
  if (size == 1 && axis.size(mesh) != 1)
    return std::nullopt;
  AxisRef part = axis.takeMajor(size, mesh);
  return fitsBeside(part, used, mesh) ? std::optional(part) : std::nullopt;
}

AxisList tessera::prefixBeside(llvm::ArrayRef<AxisRef> axes,
                               llvm::ArrayRef<AxisRef> used, const Mesh &mesh) {
  AxisList prefix;
  for (const AxisRef &axis : axes) {
    std::optional<AxisRef> part = freeMajorPart(axis, used, mesh);
    if (part)
      prefix.push_back(*part);
    if (part != axis)
      break;
  }
  return prefix;
}

AxisList tessera::axesBeside(llvm::ArrayRef<AxisRef> axes,
                             llvm::ArrayRef<AxisRef> used, const Mesh &mesh) {
  AxisList beside;
  for (const AxisRef &axis : axes)
    if (fitsBeside(axis, used, mesh))
      beside.push_back(axis);
  return beside;
}

TensorSharding tessera::without(TensorSharding sharding,
                                llvm::ArrayRef<AxisRef> axes,
                                const Mesh &mesh) {
  for (DimSharding &dim : sharding.dims)
    dim.axes = mergeAdjacent(axesBeside(dim.axes, axes, mesh), mesh);
  sharding.replicated = axesBeside(sharding.replicated, axes, mesh);
  sharding.unreduced = axesBeside(sharding.unreduced, axes, mesh);
  if (sharding.unreduced.empty())
    sharding.unreducedKind = ReductionKind::Sum;
  return sharding;
}
