//===- SplitReductions.cpp - reductions of split dimensions in two steps --===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-split-reductions"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// One reduction whose reduced dimensions are split. Elements may be combined
/// in any order and the initial values any number of times, so that the two
/// steps give what the one gives.
class TwoSteps {
public:
  TwoSteps(VariadicReduceOp op, const Mesh &mesh)
      : op(op), mesh(mesh), builder(op.getLoc(), op) {}

  /// Whether there is a dimension to reduce in two steps.
  bool isNeeded() { return findParts(); }
  void rewrite();

private:
  bool findParts();
  Value splitDims(Value input);
  /// `op` on other inputs and dimensions, with results of `shape`.
  VariadicReduceOp reduce(ValueRange inputs, ArrayRef<int64_t> dims,
                          ArrayRef<int64_t> shape,
                          const TensorSharding &sharding);

  VariadicReduceOp op;
  const Mesh &mesh;
  ImplicitLocOpBuilder builder;
  /// Per dimension of the inputs the axes that it is to be reduced over in the
  /// second step.
  SmallVector<AxisList> parts;
};

} // namespace

bool TwoSteps::findParts() {
  Value input = op.getInputs().front();
  ShardingAttr sharding = getSharding(input);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  parts.assign(shape.size(), {});
  if (!sharding)
    return false;
  bool any = false;
  for (int64_t dim : op.getDims()) {
    const AxisList &axes = sharding.getValue().dims[dim].axes;
    int64_t count = totalSize(axes, mesh);
    if (count == 1 || shape[dim] % count != 0 || shape[dim] == count)
      continue;
    parts[dim] = axes;
    any = true;
  }
  return any;
}

/// `input` with the parts of split dimensions as dimensions of their own, split
/// as the first input is.
Value TwoSteps::splitDims(Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  ShardingAttr first = getSharding(op.getInputs().front());
  TensorSharding whole = first.getValue(), split;
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    int64_t count = totalSize(parts[dim], mesh);
    if (count > 1) {
      shape.push_back(count);
      split.dims.push_back({parts[dim]});
      shape.push_back(size / count);
      split.dims.emplace_back();
      continue;
    }
    shape.push_back(size);
    split.dims.push_back(whole.dims[dim]);
  }
  Value reshaped = ReshapeOp::create(
      builder, RankedTensorType::get(shape, type.getElementType()), input);
  setSharding(reshaped,
              ShardingAttr::get(op.getContext(), first.getMesh(), split));
  return reshaped;
}

VariadicReduceOp TwoSteps::reduce(ValueRange inputs, ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> shape,
                                  const TensorSharding &sharding) {
  SmallVector<Type> types;
  for (Value input : inputs)
    types.push_back(RankedTensorType::get(
        shape, cast<RankedTensorType>(input.getType()).getElementType()));
  auto reduced =
      VariadicReduceOp::create(builder, types, inputs, op.getInits(), dims);
  IRMapping mapping;
  op.getBody().cloneInto(&reduced.getBody(), mapping);
  FlatSymbolRefAttr meshName = getSharding(op.getInputs().front()).getMesh();
  for (Value result : reduced.getResults())
    setSharding(result, ShardingAttr::get(op.getContext(), meshName, sharding));
  return reduced;
}

void TwoSteps::rewrite() {
  LDBG() << describeOperation(op) << ": within parts first, then across them";
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(splitDims(input));
  auto split = cast<RankedTensorType>(inputs.front().getType());
  TensorSharding sharding = getSharding(inputs.front()).getValue();

  // First what lies within the parts, then the parts.
  SmallVector<int64_t> first, second, partShape;
  TensorSharding partSharding;
  int64_t splitDim = 0;
  for (auto [dim, axes] : llvm::enumerate(parts)) {
    bool isReduced = llvm::is_contained(op.getDims(), int64_t(dim));
    if (!axes.empty())
      second.push_back(partShape.size());
    if (!axes.empty() || !isReduced) {
      partShape.push_back(split.getDimSize(splitDim));
      partSharding.dims.push_back(sharding.dims[splitDim++]);
    }
    if (isReduced)
      first.push_back(splitDim++);
  }
  VariadicReduceOp within = reduce(inputs, first, partShape, partSharding);
  auto result = cast<RankedTensorType>(op.getResult(0).getType());
  VariadicReduceOp across =
      reduce(within.getResults(), second, result.getShape(),
             getSharding(op.getResult(0)).getValue());
  op->replaceAllUsesWith(across->getResults());
  op->erase();
}

//===----------------------------------------------------------------------===//
// Updates that are added
//===----------------------------------------------------------------------===//

/// Whether `op` adds updates of which each device has a part to a tensor that
/// is not zero, and no larger than the updates: apart from it, what each device
/// adds is a pending sum.
static bool addsSplitUpdates(ScatterOp op, const Mesh &mesh) {
  ShardingAttr sharding = getSharding(op.getUpdates());
  auto updates = cast<RankedTensorType>(op.getUpdates().getType());
  if (!sharding || !op.getKind() ||
      op.getKind()->getKind() != ReductionKind::Sum ||
      isNeutral(op.getOperand(), ReductionKind::Sum) ||
      op.getType().getNumElements() > updates.getNumElements())
    return false;
  for (int64_t dim = 0; dim < updates.getRank(); ++dim)
    if (!llvm::is_contained(op.getWindowDims(), dim) &&
        sharding.getValue().numShards(dim, mesh) > 1)
      return true;
  return false;
}

/// Adds the updates of `op` to zeros first, and what that gives to the tensor.
static void addUpdatesApart(ScatterOp op) {
  LDBG() << describeOperation(op)
         << ": split updates are added to zeros first, a pending sum";
  ImplicitLocOpBuilder b(op.getLoc(), op);
  ShardingAttr sharding = getSharding(op);
  Value operand = op.getOperand();
  Value zeros = arith::ConstantOp::create(
      b, DenseElementsAttr::get(op.getType(),
                                b.getZeroAttr(op.getType().getElementType())));
  setSharding(zeros, sharding);
  op.getOperandMutable().assign(zeros);
  b.setInsertionPointAfter(op);
  Value sum =
      isa<FloatType>(op.getType().getElementType())
          ? arith::AddFOp::create(b, operand, op.getResult()).getResult()
          : arith::AddIOp::create(b, operand, op.getResult()).getResult();
  setSharding(sum, sharding);
  op.getResult().replaceAllUsesExcept(sum, sum.getDefiningOp());
}

namespace {
struct SplitReductions
    : tessera::shard::impl::SplitReductionsBase<SplitReductions> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    SmallVector<VariadicReduceOp> reductions;
    getOperation().walk([&](VariadicReduceOp op) { reductions.push_back(op); });
    for (VariadicReduceOp op : reductions)
      if (TwoSteps steps(op, (*mesh).getMesh().getMesh()); steps.isNeeded())
        steps.rewrite();
    getOperation().walk([&](ScatterOp op) {
      if (addsSplitUpdates(op, (*mesh).getMesh().getMesh()))
        addUpdatesApart(op);
    });
  }
};
} // namespace
