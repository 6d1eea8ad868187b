//===- TensorSharding.cpp - How a tensor is spread over a mesh ------------===//
#include "tessera/Sharding/Algebra/TensorSharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

void DimSharding::print(llvm::raw_ostream &os) const {
  os << '{';
  llvm::interleaveComma(axes, os);
  if (open)
    os << (axes.empty() ? "?" : ", ?");
  os << '}';
  if (priority)
    os << 'p' << *priority;
}

TensorSharding TensorSharding::getReplicated(int64_t rank) {
  TensorSharding sharding;
  sharding.dims.resize(rank);
  return sharding;
}

TensorSharding TensorSharding::getOpen(int64_t rank) {
  TensorSharding sharding = getReplicated(rank);
  for (DimSharding &dim : sharding.dims)
    dim.open = true;
  return sharding;
}

bool TensorSharding::isFullyReplicated() const {
  return unreduced.empty() && llvm::all_of(dims, [](const DimSharding &dim) {
           return dim.axes.empty();
         });
}

llvm::SmallVector<int64_t>
TensorSharding::localShape(llvm::ArrayRef<int64_t> globalShape,
                           const Mesh &mesh) const {
  llvm::SmallVector<int64_t> shape;
  for (auto [size, dim] : llvm::zip_equal(globalShape, dims))
    shape.push_back(llvm::divideCeil(size, totalSize(dim.axes, mesh)));
  return shape;
}

bool TensorSharding::dividesEvenly(llvm::ArrayRef<int64_t> globalShape,
                                   const Mesh &mesh) const {
  return llvm::all_of(llvm::zip_equal(globalShape, dims), [&](auto pair) {
    auto [size, dim] = pair;
    return size % totalSize(dim.axes, mesh) == 0;
  });
}

AxisList TensorSharding::usedAxes() const {
  AxisList used;
  for (const DimSharding &dim : dims)
    llvm::append_range(used, dim.axes);
  llvm::append_range(used, replicated);
  llvm::append_range(used, unreduced);
  return used;
}

bool TensorSharding::samePlacement(const TensorSharding &other,
                                   const Mesh &mesh) const {
  return placement(mesh) == other.placement(mesh);
}

TensorSharding TensorSharding::canonical(const Mesh &mesh) const {
  TensorSharding result = *this;
  for (DimSharding &dim : result.dims)
    dim.axes = mergeAdjacent(dim.axes, mesh);
  result.replicated = canonicalSet(replicated, mesh);
  result.unreduced = canonicalSet(unreduced, mesh);
  return result;
}

TensorSharding TensorSharding::placement(const Mesh &mesh) const {
  TensorSharding result = canonical(mesh);
  auto dropSizeOne = [&](AxisList &axes) {
    llvm::erase_if(axes,
                   [&](const AxisRef &axis) { return axis.size(mesh) == 1; });
  };
  result.replicated.clear();
  dropSizeOne(result.unreduced);
  for (DimSharding &dim : result.dims) {
    dropSizeOne(dim.axes);
    dim.open = false;
    dim.priority.reset();
  }
  if (result.unreduced.empty())
    result.unreducedKind = ReductionKind::Sum;
  return result;
}

/// Why `axes` cannot stand in one sharding together, or an empty string.
static std::string verifyDisjoint(llvm::ArrayRef<AxisRef> axes,
                                  const Mesh &mesh) {
  std::string error;
  llvm::raw_string_ostream os(error);
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (axes[i] == axes[j])
        os << "axis " << axes[i] << " is used twice";
      else if (axes[i].overlaps(axes[j], mesh))
        os << "axes " << axes[j] << " and " << axes[i] << " overlap";
      else if (!axes[i].canCoexist(axes[j], mesh))
        os << "axes " << axes[j] << " and " << axes[i]
           << " cannot be used together: their sizes do not divide";
      if (!error.empty())
        return error;
    }
  return error;
}

std::string TensorSharding::verify(llvm::ArrayRef<int64_t> shape,
                                   const Mesh &mesh) const {
  std::string error;
  llvm::raw_string_ostream os(error);
  if (dims.size() != shape.size()) {
    os << "expected " << shape.size() << " dimension shardings, got "
       << dims.size();
    return error;
  }
  AxisList used = usedAxes();
  for (const AxisRef &axis : used)
    if (std::string axisError = axis.verify(mesh); !axisError.empty())
      return axisError;
  if (std::string overlap = verifyDisjoint(used, mesh); !overlap.empty())
    return overlap;
  auto verifyMerged = [&](llvm::ArrayRef<AxisRef> axes) {
    for (size_t i = 1; i < axes.size() && error.empty(); ++i)
      if (std::optional<AxisRef> both = axes[i - 1].mergeWith(axes[i], mesh))
        os << "expected adjacent sub-axes " << axes[i - 1] << " and " << axes[i]
           << " to be written as " << *both;
  };
  for (auto [index, dim] : llvm::enumerate(dims)) {
    verifyMerged(dim.axes);
    if (dim.priority && *dim.priority < 0)
      os << "expected the priority of dimension " << index
         << " to be at least 0, got " << *dim.priority;
    else if (dim.priority && dim.axes.empty() && !dim.open)
      os << "expected no priority on dimension " << index
         << ", which is closed and not split";
    if (!error.empty())
      return error;
  }
  verifyMerged(replicated);
  verifyMerged(unreduced);
  return error;
}

void TensorSharding::print(llvm::raw_ostream &os) const {
  os << '[';
  llvm::interleaveComma(dims, os);
  os << ']';
  if (!replicated.empty()) {
    os << ", replicated=";
    printAxes(os, replicated);
  }
  if (!unreduced.empty()) {
    os << ", unreduced=";
    if (unreducedKind != ReductionKind::Sum)
      os << stringify(unreducedKind);
    printAxes(os, unreduced);
  }
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const DimSharding &dim) {
  dim.print(os);
  return os;
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const TensorSharding &sharding) {
  sharding.print(os);
  return os;
}
