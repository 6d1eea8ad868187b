//===- ManualSharding.cpp - Shardings in and around manual regions --------===//
#include "tessera/Sharding/Algebra/ManualSharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

/// Whether `axis` is one of `manualAxes` or a part of one.
static bool isManual(const AxisRef &axis, llvm::ArrayRef<AxisRef> manualAxes) {
  return llvm::any_of(manualAxes, [&](const AxisRef &manual) {
    return manual.name == axis.name;
  });
}

/// Appends to `unused` the parts of `axis`, a whole one, that `used` leaves.
static void appendUnusedParts(const AxisRef &axis, llvm::ArrayRef<AxisRef> used,
                              const Mesh &mesh, AxisList &unused) {
  int64_t begin = 1, size = axis.size(mesh);
  if (size == 1)
    unused.push_back(axis);
  auto leaveUntil = [&](int64_t end) {
    if (end > begin)
      unused.push_back(AxisRef::get(axis.name, begin, end / begin, mesh));
  };
  for (const AxisRef &part : canonicalSet(used, mesh)) {
    if (part.name != axis.name)
      continue;
    leaveUntil(part.preSize());
    begin = part.endSize(mesh);
  }
  leaveUntil(size);
}

ManualSharding::ManualSharding(const TensorSharding &outside,
                               llvm::ArrayRef<AxisRef> manualAxes,
                               const Mesh &mesh)
    : part(TensorSharding::getReplicated(outside.rank())), mesh(mesh) {
  auto copyManual = [&](llvm::ArrayRef<AxisRef> from, AxisList &to) {
    llvm::copy_if(from, std::back_inserter(to), [&](const AxisRef &axis) {
      return isManual(axis, manualAxes) && axis.size(mesh) > 1;
    });
  };
  for (auto [from, to] : llvm::zip_equal(outside.dims, part.dims))
    copyManual(from.axes, to.axes);
  copyManual(outside.unreduced, part.unreduced);
  if (!part.unreduced.empty())
    part.unreducedKind = outside.unreducedKind;
  AxisList used = part.usedAxes();
  for (const AxisRef &axis : manualAxes)
    appendUnusedParts(axis, used, mesh, unused);
}

TensorSharding ManualSharding::toOutside(const TensorSharding &inside) const {
  TensorSharding outside = inside;
  for (auto [dim, manual] : llvm::zip_equal(outside.dims, part.dims))
    dim.axes.insert(dim.axes.begin(), manual.axes.begin(), manual.axes.end());
  if (!part.unreduced.empty()) {
    llvm::append_range(outside.unreduced, part.unreduced);
    outside.unreduced = canonicalSet(outside.unreduced, mesh);
    outside.unreducedKind = part.unreducedKind;
  }
  return outside;
}

std::optional<TensorSharding>
ManualSharding::toInside(const TensorSharding &outside) const {
  TensorSharding inside = outside;
  for (auto [dim, manual] : llvm::zip_equal(inside.dims, part.dims)) {
    size_t count = manual.axes.size();
    if (dim.axes.size() < count ||
        !llvm::equal(llvm::ArrayRef(dim.axes).take_front(count), manual.axes))
      return std::nullopt;
    dim.axes.erase(dim.axes.begin(), dim.axes.begin() + count);
  }
  for (const AxisRef &axis : part.unreduced) {
    auto found = llvm::find(inside.unreduced, axis);
    if (found == inside.unreduced.end() ||
        inside.unreducedKind != part.unreducedKind)
      return std::nullopt;
    inside.unreduced.erase(found);
  }
  if (inside.unreduced.empty())
    inside.unreducedKind = ReductionKind::Sum;
  llvm::erase_if(inside.replicated,
                 [&](const AxisRef &axis) { return isManual(axis, unused); });
  for (const AxisRef &axis : inside.usedAxes())
    if (isManual(axis, unused))
      return std::nullopt;
  return inside;
}

std::string ManualSharding::verify(const TensorSharding &outside,
                                   llvm::ArrayRef<AxisRef> manualAxes,
                                   llvm::ArrayRef<int64_t> shape,
                                   const Mesh &mesh) {
  std::string error;
  llvm::raw_string_ostream os(error);
  for (auto [number, dim] : llvm::enumerate(outside.dims)) {
    const AxisRef *free = llvm::find_if(dim.axes, [&](const AxisRef &axis) {
      return !isManual(axis, manualAxes);
    });
    const AxisRef *manual =
        std::find_if(free, dim.axes.end(), [&](const AxisRef &axis) {
          return isManual(axis, manualAxes);
        });
    if (manual != dim.axes.end()) {
      os << "expected manual axes before the others in dimension " << number
         << ", got " << *manual << " behind " << *free;
      return error;
    }
    int64_t shards = totalSize(
        llvm::ArrayRef(dim.axes).take_front(free - dim.axes.begin()), mesh);
    if (shape[number] % shards != 0) {
      os << "expected dimension " << number << " to divide into " << shards
         << " parts over the manual axes, got size " << shape[number];
      return error;
    }
  }
  return error;
}
