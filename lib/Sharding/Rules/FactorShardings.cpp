//===- FactorShardings.cpp - Shardings seen through a rule ----------------===//
#include "tessera/Sharding/Rules/FactorShardings.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tessera;

FactorLimits::FactorLimits(const ShardingRule &rule, Shapes shapes) {
  for (const Factor &factor : rule.factors)
    limits.push_back({.kind = factor.kind, .mayBeUneven = !factor.even});
  for (size_t index = 0; index < shapes.size(); ++index)
    for (auto [factors, dimSize] :
         llvm::zip_equal(rule.tensor(index).dims, shapes[index]))
      for (FactorId factor : factors) {
        Limit &limit = limits[factor];
        // A dimension of one factor may be smaller than the factor.
        int64_t size =
            factors.size() == 1 ? dimSize : rule.factors[factor].size;
        limit.divisor = size == 0 ? 1 : std::gcd(limit.divisor, size);
        limit.smallest = std::min(limit.smallest, size);
        limit.largest = std::max(limit.largest, size);
        limit.mayBeUneven &= factors.size() == 1;
      }
}

bool FactorLimits::hasSameBlocks(FactorId factor, int64_t shards) const {
  const Limit &limit = limits[factor];
  if (!limit.mayBeUneven || limit.smallest == 0 ||
      limit.kind == FactorKind::NeedReplication)
    return false;
  // With a part for every element, all blocks would be alike, however elements
  // move.
  if (limit.kind == FactorKind::Permutation && shards > limit.smallest)
    return false;
  return llvm::divideCeil(limit.smallest, shards) ==
         llvm::divideCeil(limit.largest, shards);
}

bool FactorLimits::maySplit(FactorId factor, llvm::ArrayRef<AxisRef> axes,
                            const Mesh &mesh) const {
  if (axes.empty())
    return true;
  switch (limits[factor].kind) {
  case FactorKind::PassThrough:
  case FactorKind::Reduction:
    return true;
  case FactorKind::NeedReplication:
    return false;
  case FactorKind::Permutation: {
    const Limit &limit = limits[factor];
    int64_t shards = totalSize(axes, mesh);
    return hasSameBlocks(factor, shards) ||
           (limit.mayBeUneven && limit.smallest != limit.largest &&
            limit.divisor % shards == 0 &&
            areFewPieces(limit.largest, limit.divisor));
  }
  }
  llvm_unreachable("unknown factor kind");
}

AxisList FactorLimits::take(llvm::ArrayRef<AxisRef> axes, FactorId factor,
                            const Mesh &mesh) const {
  return hasSameBlocks(factor, totalSize(axes, mesh))
             ? AxisList(axes)
             : takeMajor(axes, limits[factor].divisor, mesh);
}

FactorShardings::FactorShardings(const ShardingRule &rule, Shapes shapes,
                                 const Mesh &mesh,
                                 llvm::ArrayRef<TensorSharding> shardings,
                                 int64_t maxPriority)
    : rule(rule), shapes(shapes), mesh(mesh), limits(rule, shapes) {
  assert(shapes.size() == rule.numTensors() && "one shape per tensor");
  assert(shardings.size() == rule.numTensors() && "one sharding per tensor");
  for (auto [index, sharding] : llvm::enumerate(shardings)) {
    TensorFactorSharding &tensor = tensors.emplace_back();
    tensor.axes.resize(rule.factors.size());
    tensor.overflow.resize(sharding.dims.size());
    tensor.reserved = sharding.replicated;
    llvm::append_range(tensor.reserved, sharding.unreduced);
    for (auto [dim, dimSharding] : llvm::enumerate(sharding.dims)) {
      if (dimSharding.priority.value_or(0) > maxPriority)
        llvm::append_range(tensor.reserved, dimSharding.axes);
      else
        project(index, dim, dimSharding.axes);
    }
  }
}

void FactorShardings::project(size_t tensor, size_t dim,
                              llvm::ArrayRef<AxisRef> axes) {
  // Axes of size 1 split nothing.
  AxisList rest;
  for (const AxisRef &axis : axes)
    if (axis.size(mesh) != 1)
      rest.push_back(axis);
  llvm::ArrayRef<FactorId> factors = rule.tensor(tensor).dims[dim];
  // In unequal blocks, the parts of the axes have no meaning of their own.
  bool isEven = shapes[tensor][dim] % totalSize(rest, mesh) == 0;
  for (FactorId factor : factors) {
    if (!isEven && !limits.hasSameBlocks(factor, totalSize(rest, mesh)))
      break;
    AxisList taken = limits.take(rest, factor, mesh);
    int64_t size = totalSize(taken, mesh);
    rest = dropMajor(rest, size, mesh);
    tensors[tensor].axes[factor] = std::move(taken);
    if (size != rule.factors[factor].size)
      break;
  }
  tensors[tensor].overflow[dim] = std::move(rest);
}

AxisList FactorShardings::axesUsedByOthers(size_t tensor,
                                           FactorId factor) const {
  const TensorFactorSharding &sharding = tensors[tensor];
  AxisList used = sharding.reserved;
  for (auto [other, axes] : llvm::enumerate(sharding.axes))
    if (other != factor)
      llvm::append_range(used, axes);
  for (const AxisList &axes : sharding.overflow)
    llvm::append_range(used, axes);
  return used;
}

AxisList FactorShardings::longestPrefix(size_t tensor, FactorId factor,
                                        llvm::ArrayRef<AxisRef> wanted) const {
  llvm::ArrayRef<AxisRef> current = axes(tensor, factor);
  AxisList common = commonPrefix(current, wanted, mesh);
  if (!hasPrefix(wanted, current, mesh))
    return common;
  // A factor grows only if the dimension's more major factors are full and
  // nothing follows it.
  for (auto [dim, factors] : llvm::enumerate(rule.tensor(tensor).dims)) {
    if (!llvm::is_contained(factors, factor))
      continue;
    if (!tensors[tensor].overflow[dim].empty())
      return common;
    for (FactorId other : factors) {
      if (other == factor)
        break;
      if (totalSize(axes(tensor, other), mesh) != rule.factors[other].size)
        return common;
    }
  }
  AxisList prefix =
      prefixBeside(wanted, axesUsedByOthers(tensor, factor), mesh);
  return limits.take(prefix, factor, mesh);
}

AxisList FactorShardings::dimAxes(size_t tensor, size_t dim) const {
  AxisList axes;
  for (FactorId factor : rule.tensor(tensor).dims[dim])
    llvm::append_range(axes, this->axes(tensor, factor));
  llvm::append_range(axes, tensors[tensor].overflow[dim]);
  return mergeAdjacent(axes, mesh);
}

//===----------------------------------------------------------------------===//
// From factors to the operation's sharding
//===----------------------------------------------------------------------===//

llvm::SmallVector<FactorConflict>
tessera::findConflicts(const ShardingRule &rule,
                       const FactorShardings &shardings, const Mesh &mesh) {
  llvm::SmallVector<FactorConflict> conflicts;
  // The first tensor that has each factor speaks for it.
  llvm::SmallVector<std::optional<size_t>> owner(rule.factors.size());
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    for (const AxisList &overflow : shardings.tensor(tensor).overflow)
      if (!overflow.empty())
        conflicts.push_back({FactorConflict::Overflow, 0, 0, tensor, tensor});
    for (FactorId factor = 0; factor < rule.factors.size(); ++factor) {
      if (!rule.tensor(tensor).contains(factor))
        continue;
      llvm::ArrayRef<AxisRef> axes = shardings.axes(tensor, factor);
      if (!owner[factor])
        owner[factor] = tensor;
      else if (axes != shardings.axes(*owner[factor], factor))
        conflicts.push_back({FactorConflict::WithinFactor, factor, factor,
                             *owner[factor], tensor});
      if (!axes.empty() &&
          rule.factors[factor].kind == FactorKind::NeedReplication)
        conflicts.push_back(
            {FactorConflict::NotReplicated, factor, factor, tensor, tensor});
    }
  }
  for (FactorId a = 0; a < rule.factors.size(); ++a)
    for (FactorId b = a + 1; b < rule.factors.size(); ++b)
      if (owner[a] && owner[b] &&
          llvm::any_of(shardings.axes(*owner[a], a), [&](const AxisRef &axis) {
            return !fitsBeside(axis, shardings.axes(*owner[b], b), mesh);
          }))
        conflicts.push_back(
            {FactorConflict::AcrossFactors, a, b, *owner[a], *owner[b]});
  return conflicts;
}

llvm::SmallVector<AxisList>
tessera::commonFactorAxes(const ShardingRule &rule,
                          const FactorShardings &shardings) {
  llvm::SmallVector<AxisList> common(rule.factors.size());
  for (FactorId factor = 0; factor < rule.factors.size(); ++factor)
    for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
      if (rule.tensor(tensor).contains(factor)) {
        common[factor] = shardings.tensor(tensor).axes[factor];
        break;
      }
  return common;
}

llvm::SmallVector<AxisList>
tessera::feasibleFactorAxes(const ShardingRule &rule, Shapes shapes,
                            llvm::ArrayRef<AxisList> wanted, const Mesh &mesh) {
  FactorLimits limits(rule, shapes);
  llvm::SmallVector<AxisList> feasible(rule.factors.size());
  AxisList used;
  for (FactorId factor = 0; factor < rule.factors.size(); ++factor) {
    if (rule.factors[factor].kind == FactorKind::NeedReplication)
      continue;
    feasible[factor] =
        limits.take(prefixBeside(wanted[factor], used, mesh), factor, mesh);
    if (!limits.maySplit(factor, feasible[factor], mesh))
      feasible[factor].clear();
    llvm::append_range(used, feasible[factor]);
  }
  // Dropping one factor may leave a gap before another, in another tensor.
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t index = 0; index < rule.numTensors(); ++index)
      for (llvm::ArrayRef<FactorId> dim : rule.tensor(index).dims) {
        bool isFull = true;
        for (FactorId factor : dim) {
          if (!isFull && !feasible[factor].empty()) {
            feasible[factor].clear();
            changed = true;
          }
          isFull &=
              totalSize(feasible[factor], mesh) == rule.factors[factor].size;
        }
      }
  }
  return feasible;
}

/// The closed sharding of a tensor made of `factors`.
static TensorSharding shardingOf(const TensorFactors &factors,
                                 const ShardingRule &rule,
                                 llvm::ArrayRef<AxisList> factorAxes,
                                 const Mesh &mesh) {
  TensorSharding sharding = TensorSharding::getReplicated(factors.dims.size());
  for (auto [dim, dimSharding] : llvm::zip_equal(factors.dims, sharding.dims)) {
    for (FactorId factor : dim) {
      llvm::append_range(dimSharding.axes, factorAxes[factor]);
      if (totalSize(factorAxes[factor], mesh) != rule.factors[factor].size)
        break;
    }
    dimSharding.axes = mergeAdjacent(dimSharding.axes, mesh);
  }
  return sharding;
}

TensorSharding tessera::operandSharding(const ShardingRule &rule,
                                        size_t operand,
                                        llvm::ArrayRef<AxisList> factorAxes,
                                        const Mesh &mesh) {
  return shardingOf(rule.operands[operand], rule, factorAxes, mesh);
}

TensorSharding tessera::resultSharding(const ShardingRule &rule, size_t result,
                                       llvm::ArrayRef<AxisList> factorAxes,
                                       const Mesh &mesh) {
  TensorSharding sharding =
      shardingOf(rule.results[result], rule, factorAxes, mesh);
  for (auto [factor, axes] : llvm::zip_equal(rule.factors, factorAxes)) {
    if (factor.kind != FactorKind::Reduction || axes.empty())
      continue;
    assert((sharding.unreduced.empty() ||
            sharding.unreducedKind == factor.reduction) &&
           "split reduction factors of one monoid");
    llvm::append_range(sharding.unreduced, axes);
    sharding.unreducedKind = factor.reduction;
  }
  sharding.unreduced = canonicalSet(sharding.unreduced, mesh);
  return sharding;
}
