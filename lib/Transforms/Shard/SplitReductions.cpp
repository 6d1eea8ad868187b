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
/// in any order. The initial values count once: where they give themselves when
/// combined with themselves, as often as one likes is the same, and each part
/// starts from them. Elsewhere a part starts from nothing, which a truth value
/// beside the elements says.
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
  /// Whether the initial values combined with themselves are known to give
  /// themselves.
  bool mayRepeatInits();
  /// `op` on other inputs and dimensions, with results of `shape`; from the
  /// first element, not from the initial values, if `fromNothing`.
  VariadicReduceOp reduce(ValueRange inputs, ArrayRef<int64_t> dims,
                          ArrayRef<int64_t> shape,
                          const TensorSharding &sharding,
                          bool fromNothing = false);
  void cloneBodyFromNothing(Region &body);
  /// A constant with the sharding `dims`, on the mesh of the inputs.
  Value truth(ArrayRef<int64_t> shape, const TensorSharding &dims, bool value);

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

Value TwoSteps::truth(ArrayRef<int64_t> shape, const TensorSharding &dims,
                      bool value) {
  auto type = RankedTensorType::get(shape, builder.getI1Type());
  Value truth =
      arith::ConstantOp::create(builder, DenseElementsAttr::get(type, value));
  FlatSymbolRefAttr meshName = getSharding(op.getInputs().front()).getMesh();
  setSharding(truth, ShardingAttr::get(op.getContext(), meshName, dims));
  return truth;
}

/// The element of a constant without dimensions: comparisons of numbers are
/// folded for these only.
static Attribute elementOf(Attribute constant) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
  return elements && elements.isSplat() ? elements.getSplatValue<Attribute>()
                                        : constant;
}

bool TwoSteps::mayRepeatInits() {
  llvm::DenseMap<Value, Attribute> known;
  Block &body = op.getBody().front();
  unsigned count = op.getInits().size();
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    Attribute value;
    if (!matchPattern(init, m_Constant(&value)))
      return false;
    known[body.getArgument(i)] = known[body.getArgument(count + i)] =
        elementOf(value);
  }
  for (Operation &inner : body.without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(known.lookup(operand));
    // Folding may change an operation that it cannot replace.
    OwningOpRef<Operation *> copy(inner.clone());
    SmallVector<OpFoldResult> folded;
    if (llvm::is_contained(operands, Attribute()) ||
        failed((*copy)->fold(operands, folded)) ||
        folded.size() != inner.getNumResults())
      return false;
    for (auto [result, value] : llvm::zip(inner.getResults(), folded)) {
      auto attribute = dyn_cast<Attribute>(value);
      known[result] =
          attribute ? elementOf(attribute) : known.lookup(cast<Value>(value));
    }
  }
  return llvm::all_of(llvm::enumerate(body.getTerminator()->getOperands()),
                      [&](auto yielded) {
                        return known.lookup(yielded.value()) ==
                               known.lookup(body.getArgument(yielded.index()));
                      });
}

/// The body of `op` where both sides hold something; else the side that does.
void TwoSteps::cloneBodyFromNothing(Region &body) {
  Block &source = op.getBody().front(), &block = body.emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  unsigned count = op.getInits().size();
  auto scalar = RankedTensorType::get({}, builder.getI1Type());
  IRMapping mapping;
  SmallVector<Value> held;
  for (unsigned side : {0u, 1u}) {
    for (unsigned i = side * count; i < (side + 1) * count; ++i) {
      BlockArgument from = source.getArgument(i);
      mapping.map(from, block.addArgument(from.getType(), from.getLoc()));
    }
    held.push_back(block.addArgument(scalar, op.getLoc()));
  }
  for (Operation &inner : source.without_terminator())
    builder.clone(inner, mapping);
  SmallVector<Value> yielded;
  for (auto [i, value] :
       llvm::enumerate(source.getTerminator()->getOperands())) {
    Value left = block.getArgument(i), right = block.getArgument(count + 1 + i);
    Value both = arith::SelectOp::create(builder, held[1],
                                         mapping.lookupOrDefault(value), left);
    yielded.push_back(arith::SelectOp::create(builder, held[0], both, right));
  }
  yielded.push_back(arith::OrIOp::create(builder, held[0], held[1]));
  YieldOp::create(builder, yielded);
}

VariadicReduceOp TwoSteps::reduce(ValueRange inputs, ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> shape,
                                  const TensorSharding &sharding,
                                  bool fromNothing) {
  SmallVector<Type> types;
  for (Value input : inputs)
    types.push_back(RankedTensorType::get(
        shape, cast<RankedTensorType>(input.getType()).getElementType()));
  SmallVector<Value> inits(op.getInits());
  if (fromNothing)
    inits.push_back(truth({}, {}, false));
  auto reduced = VariadicReduceOp::create(builder, types, inputs, inits, dims);
  IRMapping mapping;
  if (fromNothing)
    cloneBodyFromNothing(reduced.getBody());
  else
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
  bool fromNothing = !mayRepeatInits();
  if (fromNothing)
    inputs.push_back(truth(split.getShape(), sharding, true));
  VariadicReduceOp within =
      reduce(inputs, first, partShape, partSharding, fromNothing);
  auto result = cast<RankedTensorType>(op.getResult(0).getType());
  VariadicReduceOp across =
      reduce(within.getResults().drop_back(fromNothing), second,
             result.getShape(), getSharding(op.getResult(0)).getValue());
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
