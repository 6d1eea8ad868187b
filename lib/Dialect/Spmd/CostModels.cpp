//===- CostModels.cpp - what the operations of tessera and spmd cost ------===//

#include "tessera/Dialect/Spmd/CostModels.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/CostInterface.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace tessera;

/// One that fusion cannot make disappear in other kernels.
static OperationCost heavy(WorkKind kind, int64_t operations = 0) {
  OperationCost cost;
  cost.kind = kind;
  cost.operations = operations;
  cost.isHeavy = true;
  return cost;
}

/// `cost` of an operation that touches as much of its operand as `part` has.
static OperationCost touching(TouchedPart touched, Value part,
                              OperationCost cost = {}) {
  cost.touched = touched;
  cost.part = part;
  return cost;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The pairs of query and key that attention computes scores of: where a query
/// sees only the keys before it, about half.
template <typename Op> static int64_t countScores(Op op) {
  ArrayRef<int64_t> query = shapeOf(op.getQuery());
  int64_t rows = query[2], keys = shapeOf(op.getKey())[2], pairs = 0;
  for (int64_t row = 0; row < rows; ++row)
    pairs +=
        op.getCausal()
            ? std::clamp<int64_t>(row + 1 + int64_t(*op.getCausal()), 0, keys)
            : keys;
  return query[0] * query[1] * pairs;
}

/// Per score, `products` matmuls over the features and `valueProducts`
/// over those of values, and an exponential.
template <typename Op>
static OperationCost attentionCost(Op op, int64_t products,
                                   int64_t valueProducts) {
  int64_t features = shapeOf(op.getQuery())[3],
          valueFeatures = shapeOf(op.getValue())[3];
  OperationCost cost =
      heavy(WorkKind::Structured,
            2 * (products * features + valueProducts * valueFeatures) +
                getElementwiseCost(ElementWork::Function).operations);
  cost.points = countScores(op);
  return cost;
}

/// Scores, output.
static OperationCost costOf(AttentionOp op) { return attentionCost(op, 1, 1); }

/// Scores and their gradients, once for the gradient of the query and once for
/// those of key and value; these three.
static OperationCost costOf(AttentionGradientOp op) {
  return attentionCost(op, 4, 3);
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

/// A product and a sum.
static OperationCost costOf(DotGeneralOp) {
  return heavy(WorkKind::Product, 2);
}

static OperationCost costOf(ReduceOp) {
  OperationCost cost;
  cost.kind = WorkKind::Reduction;
  cost.operations = 1;
  return cost;
}

static OperationCost costOf(VariadicReduceOp) {
  return heavy(WorkKind::Structured, 1);
}

static OperationCost costOf(SortOp) { return heavy(WorkKind::Structured, 1); }

/// A routine that is not the project's takes as long as reading its arrays.
static OperationCost costOf(LibraryCallOp op) {
  OperationCost cost = heavy(WorkKind::Library, 1);
  cost.points = countRoutineOperations(op);
  return cost;
}

static OperationCost costOf(IotaOp) {
  OperationCost cost;
  cost.kind = WorkKind::Constant;
  return cost;
}

static OperationCost costOf(ReshardOp) {
  return heavy(WorkKind::Communication);
}

static OperationCost costOf(DynamicSliceOp op) {
  return touching(TouchedPart::Read, op.getResult());
}

/// Reads from memory at random.
static OperationCost costOf(GatherOp op) {
  return touching(TouchedPart::Read, op.getResult(), heavy(WorkKind::Movement));
}

static OperationCost costOf(DynamicUpdateSliceOp op) {
  OperationCost cost = touching(TouchedPart::Replaced, op.getUpdate());
  cost.kind = WorkKind::Structured;
  return cost;
}

static OperationCost costOf(ScatterOp op) {
  return touching(TouchedPart::Combined, op.getUpdates(),
                  heavy(WorkKind::Structured, 1));
}

/// What its messages take is for the machine to say (`collectiveSeconds`).
static OperationCost costOf(spmd::CollectiveOpInterface) {
  return heavy(WorkKind::Communication);
}

namespace {

template <typename Op>
struct CostModel : CostInterface::ExternalModel<CostModel<Op>, Op> {
  OperationCost getCost(Operation *op) const { return costOf(cast<Op>(op)); }
};

} // namespace

template <typename... Ops> static void attachCosts(MLIRContext *context) {
  (Ops::template attachInterface<CostModel<Ops>>(*context), ...);
}

void tessera::registerOperationCosts(DialectRegistry &registry) {
  registerElementwiseCosts(registry);
  registry.addExtension(+[](MLIRContext *context, TesseraDialect *) {
    attachCosts<AttentionGradientOp, AttentionOp, DotGeneralOp, DynamicSliceOp,
                DynamicUpdateSliceOp, GatherOp, IotaOp, LibraryCallOp, ReduceOp,
                ReshardOp, ScatterOp, SortOp, VariadicReduceOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, spmd::SpmdDialect *) {
    attachCosts<spmd::AllGatherOp, spmd::AllReduceOp, spmd::AllToAllOp,
                spmd::BroadcastOp, spmd::PermuteOp, spmd::ReduceScatterOp>(
        context);
  });
}
