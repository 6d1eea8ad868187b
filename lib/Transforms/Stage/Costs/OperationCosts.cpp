//===- OperationCosts.cpp - what operations take on one device ------------===//

#include "Costs/OperationCosts.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
#include "tessera/Interfaces/TripCount.h"
#include "tessera/Sharding/Costs/Roofline.h"
#include "tessera/Sharding/Rules/FactorShardings.h"
#include "tessera/Sharding/Rules/IterationPoints.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

//===----------------------------------------------------------------------===//
// Which tensors go through memory
//===----------------------------------------------------------------------===//

/// Whether `op` computes every element of its result from few elements of its
/// operands: it disappears in the kernels of what uses it.
static bool isFusible(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  WorkKind kind = getOperationCost(op).kind;
  return kind == WorkKind::Constant || kind == WorkKind::Elementwise ||
         getViewAccess(op);
}

/// Whether `value` has memory of its own: it comes from or goes to something
/// that is not part of a kernel of element-wise operations.
static bool isStored(Value value) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !isFusible(producer))
    return true;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getBlock() != producer->getBlock() ||
           (!isFusible(user) && !isa<ReduceOp>(user));
  });
}

/// Whether nobody reads `value` from memory: it is made in the kernel.
static bool isConstant(Value value) {
  Operation *producer = value.getDefiningOp();
  return producer && getOperationCost(producer).kind == WorkKind::Constant;
}

//===----------------------------------------------------------------------===//
// Local sizes
//===----------------------------------------------------------------------===//

int64_t OperationCosts::elements(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  SmallVector<int64_t> shape(type.getShape());
  if (ShardingAttr sharding = getSharding(value))
    shape = sharding.getValue().localShape(shape, mesh);
  return ShapedType::getNumElements(shape);
}

int64_t OperationCosts::bytes(Value value) const {
  int64_t count = elements(value);
  return count == 0
             ? 0
             : count * llvm::divideCeil(cast<RankedTensorType>(value.getType())
                                            .getElementTypeBitWidth(),
                                        8);
}

static TensorSharding shardingOf(Value value, size_t rank) {
  if (ShardingAttr sharding = getSharding(value))
    return sharding.getValue();
  return TensorSharding::getReplicated(rank);
}

/// The points of the iteration space of `op`, which has `rule`, on one device.
static double localPoints(Operation *op, const ShardingRule &rule,
                          const Mesh &mesh) {
  SmallVector<ArrayRef<int64_t>> shapes = getShapes(op->getOperandTypes());
  llvm::append_range(shapes, getShapes(op->getResultTypes()));
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  SmallVector<TensorSharding> shardings;
  for (auto [value, shape] : llvm::zip_equal(values, shapes))
    shardings.push_back(shardingOf(value, shape.size()));
  FactorShardings view(rule, shapes, mesh, shardings);
  SmallVector<double> parts;
  for (auto [factor, info] : llvm::enumerate(rule.factors)) {
    int64_t shards = 1;
    for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor)
      shards = std::max(shards, totalSize(view.axes(tensor, factor), mesh));
    parts.push_back(double(info.size) / shards);
  }
  return iterationPoints(rule, parts);
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// What control flow costs: the sum of `cost` over each region's operations, of
/// the costliest region, as often as it runs.
static double ofRegions(Operation *op,
                        llvm::function_ref<double(Operation *)> cost) {
  double most = 0, all = 0;
  for (Region &region : op->getRegions()) {
    double inner = 0;
    for (Operation &nested : region.getOps())
      inner += cost(&nested);
    most = std::max(most, inner);
    all += inner;
  }
  if (!isa<LoopLikeOpInterface>(op))
    return most;
  return all * (double(tripCount(op)) / tripCount(op->getParentOp()));
}

double OperationCosts::operations(Operation *op) const {
  if (isa<RegionBranchOpInterface>(op))
    return ofRegions(op, [&](Operation *inner) { return operations(inner); });
  OperationCost cost = getOperationCost(op);
  if (cost.operations == 0)
    return 0;
  if (cost.part)
    return cost.operations * double(elements(cost.part));
  if (cost.points) {
    Value result = op->getResult(0);
    return cost.operations * double(*cost.points) * elements(result) /
           elementsOf(result);
  }
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule ? cost.operations * localPoints(op, *rule, mesh) : 0;
}

double OperationCosts::traffic(Operation *op) const {
  if (isa<RegionBranchOpInterface>(op))
    return ofRegions(op, [&](Operation *inner) { return traffic(inner); });
  OperationCost cost = getOperationCost(op);
  if (cost.kind == WorkKind::None || cost.kind == WorkKind::Constant)
    return 0;
  // Of a large operand only what is read or replaced, in place.
  if (cost.part)
    return (cost.touched == TouchedPart::Combined ? 3.0 : 2.0) *
           bytes(cost.part);
  double sum = 0;
  for (Value operand : op->getOperands())
    if (!isConstant(operand) && (!isFusible(op) || isStored(operand)))
      sum += bytes(operand);
  for (Value result : op->getResults())
    if (!isConstant(result) && isStored(result))
      sum += bytes(result);
  return sum;
}

double OperationCosts::seconds(Operation *op) {
  if (isa<RegionBranchOpInterface>(op))
    return ofRegions(op, [&](Operation *inner) { return seconds(inner); });
  double local = rooflineSeconds(operations(op), traffic(op), machine,
                                 isFusible(op) ? kernels.fused() : kernels);
  if (auto reshard = dyn_cast<ReshardOp>(op)) {
    ShardingAttr source = getSharding(reshard.getOperand());
    if (source)
      local += reshards.seconds(cast<RankedTensorType>(reshard.getType()),
                                source, reshard.getSharding());
  } else if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op)) {
    int64_t devices = groupSize(op, collective.getAxes());
    LinkCosts links = CollectiveCosts(mesh, machine.links)
                          .linksOf(collective.getAxes().getAxes());
    local += collectiveSeconds(collective.getCollectiveKind(), devices,
                               spmd::bytesOf(op->getOperand(0)), links);
  }
  return local;
}

double OperationCosts::secondsToRepeat(Operation *op) {
  return isFusible(op) ? operations(op) / machine.compute : seconds(op);
}

int64_t tessera::stage::toCapacity(double seconds) {
  return llround(std::min(seconds * 1e12, 8.64e16));
}
