//===- CostInterface.cpp - what an operation costs, and what kind it is ---===//

#include "tessera/Interfaces/CostInterface.h"

#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
#include "tessera/Sharding/Rules/IterationPoints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Interfaces/CostInterface.cpp.inc"

/// Floating-point operations that a quotient, a root or a transcendental
/// function counts as.
static constexpr int64_t kSlowOperations = 8;

OperationCost tessera::getElementwiseCost(ElementWork work) {
  OperationCost cost;
  cost.kind = WorkKind::Elementwise;
  cost.element = work;
  cost.operations = work == ElementWork::Simple ? 1 : kSlowOperations;
  return cost;
}

static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

OperationCost tessera::getOperationCost(Operation *op) {
  if (auto interface = dyn_cast<CostInterface>(op))
    return interface.getCost();
  OperationCost cost;
  if (isa<RegionBranchOpInterface>(op)) {
    cost.kind = WorkKind::ControlFlow;
    cost.isHeavy = true;
  } else if (op->getNumResults() == 0 ||
             op->hasTrait<OpTrait::IsTerminator>() ||
             op->hasTrait<HandsOperandsOver>()) {
    cost.kind = WorkKind::None;
  } else if (op->hasTrait<OpTrait::ConstantLike>()) {
    cost.kind = WorkKind::Constant;
  } else if (isElementwiseOnTensors(op)) {
    return getElementwiseCost(isa<math::MathDialect>(op->getDialect())
                                  ? ElementWork::Function
                                  : ElementWork::Simple);
  }
  return cost;
}

/// The points at which `op`, which has `cost`, computes.
static double countPoints(Operation *op, const OperationCost &cost) {
  if (cost.points)
    return *cost.points;
  if (cost.part)
    return cast<RankedTensorType>(cost.part.getType()).getNumElements();
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return 0;
  return iterationPoints(
      *rule, llvm::map_to_vector(rule->factors, [](const Factor &factor) {
        return double(factor.size);
      }));
}

double tessera::countArithmetic(Operation *op) {
  OperationCost cost = getOperationCost(op);
  return cost.operations == 0 ? 0 : cost.operations * countPoints(op, cost);
}

//===----------------------------------------------------------------------===//
// Upstream operations
//===----------------------------------------------------------------------===//

namespace {

template <typename Op, ElementWork work>
struct ElementCost : CostInterface::ExternalModel<ElementCost<Op, work>, Op> {
  OperationCost getCost(Operation *) const { return getElementwiseCost(work); }
};

} // namespace

template <ElementWork work, typename... Ops>
static void attachWork(MLIRContext *context) {
  (Ops::template attachInterface<ElementCost<Ops, work>>(*context), ...);
}

void tessera::registerElementwiseCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachWork<ElementWork::Quotient, arith::DivFOp, arith::RemFOp,
               arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
        context);
  });
  // All others are functions.
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachWork<ElementWork::Simple, math::AbsFOp, math::AbsIOp,
               math::CopySignOp, math::FmaOp, math::FloorOp, math::CeilOp>(
        context);
    attachWork<ElementWork::Root, math::SqrtOp, math::RsqrtOp>(context);
  });
}
