//===- OperationSharding.cpp - how an operation itself is split -----------===//

#include "OperationSharding.h"

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

/// The seconds a device takes for one point of an iteration space. Only weighs
/// computing a thing several times against moving it.
static constexpr double kSecondsPerPoint = 2.5e-12;

namespace {

class OperationShardingChooser {
public:
  OperationShardingChooser(const OperationShardingProblem &problem,
                           ReshardCosts &costs)
      : problem(problem), rule(problem.rule), costs(costs),
        mesh(costs.getMesh()), shapes(getShapes(problem.op->getOperandTypes())),
        view(rule, addResultShapes(), mesh, problem.wanted) {}

  OperationSharding choose();

private:
  using Axes = SmallVector<AxisList>;

  Shapes addResultShapes();
  bool isFree(size_t tensor) const {
    return tensor < rule.operands.size() && problem.freeOperands.test(tensor);
  }
  bool mayBeSplit(const Factor &factor) const {
    return factor.kind == FactorKind::PassThrough ||
           factor.kind == FactorKind::Reduction;
  }
  std::optional<Axes> agreedAxes() const;
  Axes follow(size_t leader, bool fill) const;
  double seconds(const Axes &axes) const;

  const OperationShardingProblem &problem;
  const ShardingRule &rule;
  ReshardCosts &costs;
  const Mesh &mesh;
  SmallVector<ArrayRef<int64_t>> shapes;
  FactorShardings view;
};

} // namespace

Shapes OperationShardingChooser::addResultShapes() {
  llvm::append_range(shapes, getShapes(problem.op->getResultTypes()));
  return shapes;
}

/// The axes per factor that all tensors but the free operands agree on; nothing
/// where they do not, or where the operation cannot run like that.
std::optional<SmallVector<AxisList>>
OperationShardingChooser::agreedAxes() const {
  Axes axes(rule.factors.size());
  BitVector known(rule.factors.size());
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    if (isFree(tensor))
      continue;
    for (const AxisList &overflow : view.tensor(tensor).overflow)
      if (!overflow.empty())
        return std::nullopt;
    for (const auto &dim : rule.tensor(tensor).dims)
      for (FactorId factor : dim) {
        ArrayRef<AxisRef> here = view.axes(tensor, factor);
        if (known.test(factor)
                ? here != ArrayRef<AxisRef>(axes[factor])
                : !here.empty() && !mayBeSplit(rule.factors[factor]))
          return std::nullopt;
        axes[factor] = AxisList(here);
        known.set(factor);
      }
  }
  if (feasibleFactorAxes(rule, shapes, axes, mesh) != axes)
    return std::nullopt;
  return axes;
}

/// The axes that `leader` gives each factor; for factors it does not have (with
/// `fill`, also for those it does not split) what the other tensors say, as far
/// as these axes are left.
SmallVector<AxisList> OperationShardingChooser::follow(size_t leader,
                                                       bool fill) const {
  Axes axes(rule.factors.size());
  AxisList used;
  BitVector decided(rule.factors.size());
  auto take = [&](size_t tensor) {
    for (const auto &dim : rule.tensor(tensor).dims)
      for (FactorId factor : dim) {
        ArrayRef<AxisRef> here = view.axes(tensor, factor);
        if (decided.test(factor) || !mayBeSplit(rule.factors[factor]) ||
            (fill && here.empty()))
          continue;
        axes[factor] = prefixWithoutOverlap(here, used, mesh);
        llvm::append_range(used, axes[factor]);
        decided.set(factor);
      }
  };
  take(leader);
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
    if (tensor != leader && !isFree(tensor))
      take(tensor);
  return feasibleFactorAxes(rule, shapes, axes, mesh);
}

/// The time of an execution split over `axes`: operands in, computation,
/// results out.
double OperationShardingChooser::seconds(const Axes &axes) const {
  OperationSharding sharding = shardingFromFactors(rule, axes, mesh);
  double sum = kSecondsPerPoint;
  for (auto [factor, factorAxes] : llvm::zip_equal(rule.factors, axes))
    sum *= double(factor.size) / totalSize(factorAxes, mesh);
  for (OpOperand &operand : problem.op->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        type && !isFree(i))
      sum += costs.seconds(type, problem.wanted[i], sharding.operands[i]);
  }
  for (OpResult result : problem.op->getResults()) {
    unsigned i = result.getResultNumber();
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      sum += costs.seconds(type, sharding.results[i],
                           problem.wanted[rule.operands.size() + i]);
  }
  return sum;
}

OperationSharding OperationShardingChooser::choose() {
  if (std::optional<Axes> axes = agreedAxes())
    return shardingFromFactors(rule, *axes, mesh);
  // Without any split, every operand can be gathered.
  Axes best(rule.factors.size());
  double bestSeconds = seconds(best);
  for (size_t leader = 0; leader < rule.numTensors(); ++leader)
    for (bool fill : {true, false}) {
      Axes axes = follow(leader, fill);
      double time = seconds(axes);
      if (time < bestSeconds) {
        best = std::move(axes);
        bestSeconds = time;
      }
    }
  return shardingFromFactors(rule, best, mesh);
}

OperationSharding
tessera::chooseOperationSharding(const OperationShardingProblem &problem,
                                 ReshardCosts &costs) {
  return OperationShardingChooser(problem, costs).choose();
}

OperationSharding tessera::shardingFromFactors(const ShardingRule &rule,
                                               ArrayRef<AxisList> factorAxes,
                                               const Mesh &mesh) {
  OperationSharding sharding;
  for (size_t i = 0; i < rule.operands.size(); ++i)
    sharding.operands.push_back(operandSharding(rule, i, factorAxes, mesh));
  for (size_t i = 0; i < rule.results.size(); ++i)
    sharding.results.push_back(resultSharding(rule, i, factorAxes, mesh));
  return sharding;
}
