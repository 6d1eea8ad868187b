//===- PropagateFactors.cpp - One step of sharding propagation ------------===//
#include "tessera/Sharding/Rules/PropagateFactors.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

/// Propagates over one operation. Works on the factor view of all tensors;
/// `commit` writes the dimensions that grew back.
class FactorPropagator {
public:
  FactorPropagator(const ShardingRule &rule, Shapes shapes, const Mesh &mesh,
                   llvm::ArrayRef<TensorSharding> shardings,
                   const PropagationOptions &options)
      : rule(rule), shapes(shapes), mesh(mesh), shardings(shardings),
        options(options),
        view(rule, shapes, mesh, shardings, options.maxPriority) {}

  /// One round; returns whether any factor of any tensor grew.
  bool run() { return options.aggressive ? runAggressive() : runBasic(); }

  /// The axes of dimension `dim` of `tensor`, which grew or stayed.
  AxisList dimAxes(size_t tensor, size_t dim) const {
    return view.dimAxes(tensor, dim);
  }
  bool mayGrow(size_t tensor, size_t dim) const {
    const DimSharding &sharding = shardings[tensor].dims[dim];
    return sharding.open &&
           sharding.priority.value_or(0) <= options.maxPriority;
  }

private:
  bool isOperand(size_t tensor) const { return tensor < rule.operands.size(); }
  bool isSource(size_t tensor) const {
    return isOperand(tensor)
               ? options.direction != PropagationDirection::Backward
               : options.direction != PropagationDirection::Forward;
  }
  bool isTarget(size_t tensor) const {
    return isOperand(tensor)
               ? options.direction != PropagationDirection::Forward
               : options.direction != PropagationDirection::Backward;
  }
  bool takesPart(FactorId factor) const {
    return !rule.factors[factor].blocked &&
           (!options.passThroughOnly ||
            rule.factors[factor].kind == FactorKind::PassThrough);
  }
  /// Whether the dimension of `tensor` that `factor` is part of may grow.
  bool mayGrowFactor(size_t tensor, FactorId factor) const;
  /// What `factor` would become in `tensor` if it took over as much of `wanted`
  /// as it can: never less than it has.
  AxisList grown(size_t tensor, FactorId factor,
                 llvm::ArrayRef<AxisRef> wanted) const;

  bool runBasic();
  AxisList basicPrefix(FactorId factor) const;
  bool runAggressive();

  const ShardingRule &rule;
  Shapes shapes;
  const Mesh &mesh;
  llvm::ArrayRef<TensorSharding> shardings;
  const PropagationOptions &options;
  FactorShardings view;
};

} // namespace

bool FactorPropagator::mayGrowFactor(size_t tensor, FactorId factor) const {
  for (auto [dim, factors] : llvm::enumerate(rule.tensor(tensor).dims))
    if (llvm::is_contained(factors, factor))
      return mayGrow(tensor, dim);
  return false;
}

AxisList FactorPropagator::grown(size_t tensor, FactorId factor,
                                 llvm::ArrayRef<AxisRef> wanted) const {
  llvm::ArrayRef<AxisRef> current = view.axes(tensor, factor);
  if (!mayGrowFactor(tensor, factor) || !hasPrefix(wanted, current, mesh))
    return AxisList(current);
  return view.longestPrefix(tensor, factor, wanted);
}

/// The longest axes for `factor` that agree with all tensors that have it.
AxisList FactorPropagator::basicPrefix(FactorId factor) const {
  AxisList longest;
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
    if (isSource(tensor) &&
        totalSize(view.axes(tensor, factor), mesh) > totalSize(longest, mesh))
      longest = AxisList(view.axes(tensor, factor));
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    if (!rule.tensor(tensor).contains(factor))
      continue;
    llvm::ArrayRef<AxisRef> current = view.axes(tensor, factor);
    if (!hasPrefix(longest, current, mesh))
      longest = commonPrefix(longest, current, mesh);
    else if (isTarget(tensor))
      longest = grown(tensor, factor, longest);
  }
  // Axes that another factor of the operation uses, in any tensor.
  AxisList others;
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
    for (FactorId other = 0; other < rule.factors.size(); ++other)
      if (other != factor)
        llvm::append_range(others, view.axes(tensor, other));
  return prefixBeside(longest, others, mesh);
}

bool FactorPropagator::runBasic() {
  // All prefixes are found before any is applied, so that two factors that want
  // the same axis are both left alone.
  llvm::SmallVector<AxisList> prefixes(rule.factors.size());
  for (FactorId factor = 0; factor < rule.factors.size(); ++factor)
    if (takesPart(factor))
      prefixes[factor] = basicPrefix(factor);
  bool changed = false;
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    if (!isTarget(tensor))
      continue;
    for (FactorId factor = 0; factor < rule.factors.size(); ++factor) {
      if (prefixes[factor].empty() || !rule.tensor(tensor).contains(factor))
        continue;
      AxisList axes = grown(tensor, factor, prefixes[factor]);
      if (llvm::ArrayRef<AxisRef>(axes) == view.axes(tensor, factor))
        continue;
      view.set(tensor, factor, std::move(axes));
      changed = true;
    }
  }
  return changed;
}

/// Larger tensors go first: each gives its axes to whoever can take them, even
/// where others cannot. Returns whether anything has changed.
bool FactorPropagator::runAggressive() {
  struct Source {
    int64_t elements;
    size_t tensor;
    FactorId factor;
  };
  llvm::SmallVector<Source> sources;
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    if (!isSource(tensor))
      continue;
    int64_t elements = 1;
    for (int64_t size : shapes[tensor])
      elements *= size;
    for (FactorId factor = 0; factor < rule.factors.size(); ++factor)
      if (takesPart(factor) && !view.axes(tensor, factor).empty())
        sources.push_back({elements, tensor, factor});
  }
  llvm::sort(sources, [](const Source &a, const Source &b) {
    return std::tuple(-a.elements, a.tensor, a.factor) <
           std::tuple(-b.elements, b.tensor, b.factor);
  });
  bool changed = false;
  for (const Source &source : sources)
    for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
      if (tensor == source.tensor || !isTarget(tensor) ||
          !rule.tensor(tensor).contains(source.factor))
        continue;
      AxisList wanted(view.axes(source.tensor, source.factor));
      AxisList axes = grown(tensor, source.factor, wanted);
      if (llvm::ArrayRef<AxisRef>(axes) == view.axes(tensor, source.factor))
        continue;
      view.set(tensor, source.factor, std::move(axes));
      changed = true;
    }
  return changed;
}

bool tessera::propagateFactors(const ShardingRule &rule, Shapes operandShapes,
                               Shapes resultShapes, const Mesh &mesh,
                               llvm::MutableArrayRef<TensorSharding> operands,
                               llvm::MutableArrayRef<TensorSharding> results,
                               const PropagationOptions &options) {
  auto isSplit = [](const TensorSharding &sharding) {
    return llvm::any_of(sharding.dims, [](const DimSharding &dim) {
      return !dim.axes.empty();
    });
  };
  if (options.direction == PropagationDirection::None ||
      (llvm::none_of(operands, isSplit) && llvm::none_of(results, isSplit)))
    return false;
  llvm::SmallVector<llvm::ArrayRef<int64_t>> shapes(operandShapes);
  llvm::append_range(shapes, resultShapes);
  llvm::SmallVector<TensorSharding> shardings(operands.begin(), operands.end());
  llvm::append_range(shardings, results);

  FactorPropagator propagator(rule, shapes, mesh, shardings, options);
  bool changed = false;
  while (propagator.run())
    changed = true;
  if (!changed)
    return false;
  for (size_t tensor = 0; tensor < shardings.size(); ++tensor) {
    TensorSharding &sharding = tensor < operands.size()
                                   ? operands[tensor]
                                   : results[tensor - operands.size()];
    for (auto [dim, dimSharding] : llvm::enumerate(sharding.dims)) {
      if (!propagator.mayGrow(tensor, dim))
        continue;
      AxisList axes = propagator.dimAxes(tensor, dim);
      if (totalSize(axes, mesh) != totalSize(dimSharding.axes, mesh))
        dimSharding.axes = std::move(axes);
    }
  }
  return true;
}
