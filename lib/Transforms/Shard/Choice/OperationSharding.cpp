//===- OperationSharding.cpp - how an operation itself may be split -------===//

#include "Choice/OperationSharding.h"

#include "tessera/Sharding/Algebra/AxisFit.h"
#include "tessera/Sharding/Rules/IterationPoints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::shard;

/// The seconds a device takes for one point of an iteration space. Only weighs
/// computing a thing several times against moving it.
static constexpr double kSecondsPerPoint = 2.5e-12;

/// The most ways of splitting that are weighed for one operation.
static constexpr size_t kMaxShardings = 12;

/// The time for all points of the iteration space, or for all elements of the
/// largest tensor, on the device that has the most: of four rows on eight
/// devices as much as of eight.
double tessera::shard::computingSeconds(const ShardingRule &rule,
                                        llvm::ArrayRef<AxisList> axes,
                                        const Mesh &mesh) {
  llvm::SmallVector<double> parts;
  for (auto [factor, factorAxes] : llvm::zip_equal(rule.factors, axes))
    parts.push_back(llvm::divideCeil(factor.size, totalSize(factorAxes, mesh)));
  return kSecondsPerPoint * iterationPoints(rule, parts);
}

/// What an operation needs and makes when each factor of `rule` is split over
/// `factorAxes`, which must be feasible.
static OperationSharding
shardingFromFactors(const ShardingRule &rule,
                    llvm::ArrayRef<AxisList> factorAxes, const Mesh &mesh) {
  OperationSharding sharding;
  for (size_t i = 0; i < rule.operands.size(); ++i)
    sharding.tensors.push_back(operandSharding(rule, i, factorAxes, mesh));
  for (size_t i = 0; i < rule.results.size(); ++i)
    sharding.tensors.push_back(resultSharding(rule, i, factorAxes, mesh));
  return sharding;
}

namespace {

/// Lists the ways to split one operation that are worth weighing.
class OperationShardings {
public:
  explicit OperationShardings(const OperationShardingProblem &problem)
      : problem(problem), rule(problem.rule), mesh(problem.mesh),
        limits(rule, problem.shapes), preferred(viewOf(0, 0)) {}

  llvm::SmallVector<OperationSharding, 0> enumerate();

private:
  /// Axes per factor of the rule.
  using Axes = llvm::SmallVector<AxisList>;

  bool isFree(size_t tensor) const {
    return tensor < rule.operands.size() && problem.freeOperands.test(tensor);
  }
  FactorShardings viewOf(size_t leader, size_t candidate) const;
  std::optional<Axes> agreedAxes() const;
  Axes follow(const FactorShardings &view, size_t leader, bool fill) const;
  Axes withoutReductions(Axes axes) const;
  bool isCommon(size_t factor) const;
  bool isWanted(size_t factor, llvm::ArrayRef<AxisRef> axes) const;
  bool isLookUp(size_t factor) const;
  llvm::BitVector commonFactors() const;
  void addOnCommonFactors();
  llvm::SmallVector<AxisList> refusedAxes() const;
  void addRefusedOnCommonFactors();
  void add(Axes axes);
  void addPending(llvm::ArrayRef<unsigned> linear,
                  llvm::ArrayRef<AxisRef> pending);

  const OperationShardingProblem &problem;
  const ShardingRule &rule;
  const Mesh &mesh;
  FactorLimits limits;
  /// All tensors as they are preferred.
  FactorShardings preferred;
  llvm::SmallVector<Axes, 0> found;
  llvm::SmallVector<OperationSharding, 0> shardings;
};

} // namespace

/// All tensors as they are preferred, but `leader` as its candidate.
FactorShardings OperationShardings::viewOf(size_t leader,
                                           size_t candidate) const {
  llvm::SmallVector<TensorSharding> tensors;
  for (const auto &candidates : problem.candidates)
    tensors.push_back(candidates.front());
  tensors[leader] = problem.candidates[leader][candidate];
  for (TensorSharding &tensor : tensors)
    tensor.unreduced.clear();
  return FactorShardings(rule, problem.shapes, mesh, tensors);
}

/// The axes per factor that all tensors but the free operands prefer; nothing
/// where they differ, or where the operation cannot run like that.
std::optional<llvm::SmallVector<AxisList>>
OperationShardings::agreedAxes() const {
  Axes axes(rule.factors.size());
  llvm::BitVector known(rule.factors.size());
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    if (isFree(tensor))
      continue;
    for (const AxisList &overflow : preferred.tensor(tensor).overflow)
      if (!overflow.empty())
        return std::nullopt;
    for (const auto &dim : rule.tensor(tensor).dims)
      for (FactorId factor : dim) {
        llvm::ArrayRef<AxisRef> here = preferred.axes(tensor, factor);
        if (known.test(factor) ? here != llvm::ArrayRef<AxisRef>(axes[factor])
                               : !limits.maySplit(factor, here, mesh))
          return std::nullopt;
        axes[factor] = AxisList(here);
        known.set(factor);
      }
  }
  if (feasibleFactorAxes(rule, problem.shapes, axes, mesh) != axes)
    return std::nullopt;
  return axes;
}

/// The axes that `leader` gives each factor; for factors it does not have (with
/// `fill`, also for those it does not split) what the other tensors say, as far
/// as these axes are left.
llvm::SmallVector<AxisList>
OperationShardings::follow(const FactorShardings &view, size_t leader,
                           bool fill) const {
  Axes axes(rule.factors.size());
  AxisList used;
  llvm::BitVector decided(rule.factors.size());
  auto take = [&](size_t tensor) {
    for (const auto &dim : rule.tensor(tensor).dims)
      for (FactorId factor : dim) {
        llvm::ArrayRef<AxisRef> here = view.axes(tensor, factor);
        if (decided.test(factor) || !limits.maySplit(factor, here, mesh) ||
            (fill && here.empty()))
          continue;
        axes[factor] = prefixBeside(here, used, mesh);
        llvm::append_range(used, axes[factor]);
        decided.set(factor);
      }
  };
  take(leader);
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
    if (tensor != leader && !isFree(tensor))
      take(tensor);
  return feasibleFactorAxes(rule, problem.shapes, axes, mesh);
}

/// `axes` without those of reduction factors.
llvm::SmallVector<AxisList>
OperationShardings::withoutReductions(Axes axes) const {
  for (auto [factor, factorAxes] : llvm::zip_equal(rule.factors, axes))
    if (factor.kind == FactorKind::Reduction)
      factorAxes.clear();
  return feasibleFactorAxes(rule, problem.shapes, axes, mesh);
}

/// Whether all tensors but scalars and the free operands have `factor`, whose
/// parts are computed each by itself.
bool OperationShardings::isCommon(size_t factor) const {
  if (rule.factors[factor].kind != FactorKind::PassThrough)
    return false;
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
    if (!isFree(tensor) && !rule.tensor(tensor).dims.empty() &&
        !rule.tensor(tensor).contains(factor))
      return false;
  return true;
}

/// Whether a tensor prefers `factor` to be split over some of `axes`.
bool OperationShardings::isWanted(size_t factor,
                                  llvm::ArrayRef<AxisRef> axes) const {
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
    if (!isFree(tensor) &&
        llvm::any_of(
            preferred.axes(tensor, FactorId(factor)),
            [&](const AxisRef &axis) { return !fitsBeside(axis, axes, mesh); }))
      return true;
  return false;
}

/// Whether elements are looked up along `factor`: only one device has what is
/// there, and all others add zeros.
bool OperationShardings::isLookUp(size_t factor) const {
  return rule.factors[factor].kind == FactorKind::Reduction &&
         !rule.carried(ReductionKind::Max).empty();
}

llvm::BitVector OperationShardings::commonFactors() const {
  llvm::BitVector common(rule.factors.size());
  for (size_t factor = 0; factor < rule.factors.size(); ++factor)
    if (isCommon(factor))
      common.set(factor);
  return common;
}

/// Where two factors that only some tensors have want the same axes, adds the
/// variants in which one that all have, and none prefers to split, takes them.
/// What a gather or a reduction would move whole is exchanged then, a part with
/// each device: queries and keys that are both split by position, for heads
/// (Ulysses; S. A. Jacobs et al., 2023). So is a dimension in which elements
/// are looked up, which leaves a sum otherwise.
void OperationShardings::addOnCommonFactors() {
  llvm::BitVector common = commonFactors();
  if (common.none())
    return;
  auto isContested = [&](size_t factor, llvm::ArrayRef<AxisRef> axes) {
    for (size_t other = 0; other < rule.factors.size(); ++other)
      if (other != factor && !common.test(other) && isWanted(other, axes))
        return true;
    return false;
  };
  llvm::SmallVector<Axes> known(found.begin(), found.end());
  for (const Axes &axes : known)
    for (size_t from = 0; from < axes.size(); ++from) {
      if (axes[from].empty() || common.test(from) ||
          (!isLookUp(from) && !isContested(from, axes[from])))
        continue;
      for (size_t to : common.set_bits()) {
        if (!axes[to].empty() || !limits.maySplit(to, axes[from], mesh))
          continue;
        Axes moved = axes;
        moved[to] = axes[from];
        moved[from].clear();
        if (feasibleFactorAxes(rule, problem.shapes, moved, mesh) == moved)
          add(std::move(moved));
      }
    }
}

/// The axes that tensors prefer where the operation cannot be split over them:
/// columns that do not divide into heads, what is sorted.
llvm::SmallVector<AxisList> OperationShardings::refusedAxes() const {
  llvm::SmallVector<AxisList> refused;
  auto addOnce = [&](llvm::ArrayRef<AxisRef> axes) {
    if (!axes.empty() && !llvm::is_contained(refused, axes))
      refused.emplace_back(axes);
  };
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    if (isFree(tensor))
      continue;
    llvm::for_each(preferred.tensor(tensor).overflow, addOnce);
    for (const auto &dim : rule.tensor(tensor).dims)
      for (FactorId factor : dim)
        if (!limits.maySplit(factor, preferred.axes(tensor, factor), mesh))
          addOnce(preferred.axes(tensor, factor));
  }
  return refused;
}

/// For all axes that the operation refuses, adds the first way with these on
/// the first factor that all tensors have and that divides by them: what they
/// split is exchanged then, a part with each device, where it would be gathered
/// by all.
void OperationShardings::addRefusedOnCommonFactors() {
  llvm::BitVector common = commonFactors();
  Axes first = found.front();
  for (const AxisList &refused : refusedAxes())
    for (size_t to : common.set_bits()) {
      Axes moved = first;
      llvm::append_range(moved[to], refused);
      moved[to] = mergeAdjacent(moved[to], mesh);
      if (rule.factors[to].size % totalSize(moved[to], mesh) != 0 ||
          feasibleFactorAxes(rule, problem.shapes, moved, mesh) != moved)
        continue;
      add(std::move(moved));
      break;
    }
}

void OperationShardings::add(Axes axes) {
  if (found.size() >= kMaxShardings || llvm::is_contained(found, axes))
    return;
  OperationSharding &sharding =
      shardings.emplace_back(shardingFromFactors(rule, axes, mesh));
  sharding.seconds = computingSeconds(rule, axes, mesh);
  found.push_back(std::move(axes));
}

/// Adds the variants in which the operands `linear` are pending sums over
/// `pending`, and so are the results. The operation itself is not split over
/// these axes.
void OperationShardings::addPending(llvm::ArrayRef<unsigned> linear,
                                    llvm::ArrayRef<AxisRef> pending) {
  llvm::SmallVector<Axes> variants;
  for (const Axes &axes : found) {
    Axes without = axes;
    for (AxisList &factorAxes : without)
      factorAxes = axesBeside(factorAxes, pending, mesh);
    without = feasibleFactorAxes(rule, problem.shapes, without, mesh);
    if (!llvm::is_contained(variants, without))
      variants.push_back(std::move(without));
  }
  for (const Axes &axes : variants) {
    OperationSharding sharding = shardingFromFactors(rule, axes, mesh);
    auto makePending = [&](TensorSharding &tensor) {
      llvm::append_range(tensor.unreduced, pending);
      tensor.unreduced = canonicalSet(tensor.unreduced, mesh);
    };
    auto results = llvm::MutableArrayRef(sharding.tensors)
                       .drop_front(rule.operands.size());
    if (llvm::any_of(results, [](const TensorSharding &result) {
          return result.unreducedKind != ReductionKind::Sum;
        }))
      continue;
    for (unsigned operand : linear)
      makePending(sharding.tensors[operand]);
    llvm::for_each(results, makePending);
    sharding.seconds = computingSeconds(rule, axes, mesh);
    shardings.push_back(std::move(sharding));
  }
}

/// The shardings of the operation worth comparing: what the tensors agree on,
/// with and without axes along reductions, then what follows from each
/// candidate of each tensor that is not free, then pending sums that linear
/// operands may pass through.
llvm::SmallVector<OperationSharding, 0> OperationShardings::enumerate() {
  std::optional<Axes> agreed = agreedAxes();
  if (agreed) {
    add(*agreed);
    add(withoutReductions(*agreed));
    if (problem.isRepeated)
      addOnCommonFactors();
  }
  for (size_t leader = 0; leader < rule.numTensors(); ++leader) {
    if (isFree(leader))
      continue;
    for (size_t i = agreed ? 1 : 0; i < problem.candidates[leader].size();
         ++i) {
      FactorShardings view = viewOf(leader, i);
      for (bool fill : {true, false})
        add(follow(view, leader, fill));
    }
  }
  if (!agreed) {
    add(Axes(rule.factors.size()));
    addOnCommonFactors();
    addRefusedOnCommonFactors();
  }
  llvm::SmallVector<std::pair<size_t, AxisList>> carried;
  for (auto [set, linear] : llvm::enumerate(rule.linear))
    for (unsigned operand : linear)
      for (const TensorSharding &candidate : problem.candidates[operand]) {
        std::pair<size_t, AxisList> sum(set, candidate.unreduced);
        if (candidate.unreduced.empty() ||
            candidate.unreducedKind != ReductionKind::Sum ||
            llvm::is_contained(carried, sum))
          continue;
        carried.push_back(sum);
        addPending(linear, candidate.unreduced);
      }
  return std::move(shardings);
}

llvm::SmallVector<OperationSharding, 0>
tessera::shard::enumerateOperationShardings(
    const OperationShardingProblem &problem) {
  return OperationShardings(problem).enumerate();
}

OperationSharding tessera::shard::shardingForResults(
    const ShardingRule &rule, Shapes shapes, const Mesh &mesh,
    llvm::ArrayRef<const TensorSharding *> results) {
  size_t operands = rule.operands.size();
  llvm::SmallVector<llvm::SmallVector<TensorSharding, 2>, 0> candidates;
  for (llvm::ArrayRef<int64_t> shape : shapes)
    candidates.push_back({TensorSharding::getReplicated(shape.size())});
  for (auto [number, wanted] : llvm::enumerate(results))
    if (wanted)
      candidates[operands + number] = {*wanted};
  return enumerateOperationShardings(
             {rule, shapes, mesh, candidates, llvm::BitVector(operands, true)})
      .front();
}
