//===- PadDimensions.cpp - dimensions that divide into equal parts --------===//
//
// `PaddedSizes` finds the sizes. Then all types change at once, and with them
// the attributes that speak of sizes: an operation on padded tensors is to the
// one on whole tensors what one device's operation is, so that the sharding
// rule knows how. Padding may hold anything, even what is not a number. It
// stays where it is in all operations that treat elements one by one or move
// whole dimensions; where it would be reduced or contracted, a select puts the
// neutral element there, in all operands. Reshards between different paddings
// pad or crop the dimension while it is whole.
//
//===----------------------------------------------------------------------===//

#include "Padding/PaddedSizes.h"
#include "Padding/ShardedBuilder.h"
#include "Padding/ShiftSlices.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ManualRegionInterface.h"
#include "tessera/Interfaces/PaddingInterface.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::partition {
#define GEN_PASS_DEF_PADDIMENSIONS
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera::partition

#define DEBUG_TYPE "tessera-pad-dimensions"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

/// Pads the tensors of one function.
class FunctionPadder final : public PaddedOperands {
public:
  FunctionPadder(func::FuncOp function, MeshOp mesh)
      : function(function), mesh(mesh.getMesh().getMesh()),
        make(FlatSymbolRefAttr::get(mesh), getAllShardings(function)),
        sizes(function, this->mesh, make.getShardings()) {}

  LogicalResult run();

  ArrayRef<int64_t> wholeShape(Value value) const override;
  void fill(OpOperand &operand, ArrayRef<int64_t> dims,
            TypedAttr element) override;
  void fill(OpOperand &operand, ArrayRef<int64_t> dims, Value element) override;
  void clamp(OpOperand &operand, int64_t dim, ArrayRef<int64_t> last) override;
  void shift(OpOperand &operand, ArrayRef<int64_t> offsets) override;

private:
  std::optional<int64_t> paddedManualDim(Value source, Value target) const;
  LogicalResult checkManualRegions();
  void findAttributes();
  void changeTypes();
  void padArguments();
  void cropResults(func::ReturnOp op);
  void excludePadding(Operation *op);
  Value filledWith(ImplicitLocOpBuilder &builder, Value value,
                   ArrayRef<int64_t> dims, Value elements);
  void convertReshard(ReshardOp op);

  bool isPadded(Value value) const {
    return sizes.paddedType(value) != value.getType();
  }
  /// Where elements of `type` do not lie in the padding of `dims`.
  Value inside(ImplicitLocOpBuilder &builder, RankedTensorType type,
               ArrayRef<int64_t> whole, ArrayRef<int64_t> dims,
               ShardingAttr sharding);

  func::FuncOp function;
  const Mesh &mesh;
  ShardedBuilder make;
  PaddedSizes sizes;
  /// The types of padded values before they were padded.
  DenseMap<Value, RankedTensorType> wholeTypes;
  /// The new attributes of operations with a padded operand or result.
  llvm::MapVector<Operation *, DictionaryAttr> attributes;
  /// Values with an element in the padding of some dimensions.
  DenseMap<std::tuple<Value, Attribute, Attribute>, Value> filled;
};

} // namespace

ArrayRef<int64_t> FunctionPadder::wholeShape(Value value) const {
  auto entry = wholeTypes.find(value);
  return entry == wholeTypes.end()
             ? cast<RankedTensorType>(value.getType()).getShape()
             : entry->second.getShape();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Asks the operations for their attributes while they have their old types.
void FunctionPadder::findAttributes() {
  auto paddedTypes = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return sizes.paddedType(value); });
  };
  walkProgram(function, [&](Operation *op) {
    auto needsPadding = [&](Value value) { return isPadded(value); };
    if (!getShardingRule(op) ||
        (llvm::none_of(op->getOperands(), needsPadding) &&
         llvm::none_of(op->getResults(), needsPadding)))
      return;
    auto rule = dyn_cast<ShardingRuleInterface>(op);
    attributes[op] =
        rule ? rule.getLocalAttributes(paddedTypes(op->getOperands()),
                                       paddedTypes(op->getResults()))
             : op->getAttrDictionary();
  });
}

void FunctionPadder::changeTypes() {
  auto change = [&](Value value) {
    if (!isPadded(value))
      return;
    wholeTypes[value] = cast<RankedTensorType>(value.getType());
    LDBG() << describeMaker(value) << ": padded from " << value.getType()
           << " to " << sizes.paddedType(value);
    value.setType(sizes.paddedType(value));
  };
  walkProgram(function, [&](Operation *op) {
    llvm::for_each(op->getResults(), change);
    if (hasDataFlow(op))
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), change);
  });
  for (auto [op, dictionary] : attributes)
    op->setAttrs(dictionary);
}

//===----------------------------------------------------------------------===//
// Keeping padding out
//===----------------------------------------------------------------------===//

Value FunctionPadder::inside(ImplicitLocOpBuilder &builder,
                             RankedTensorType type, ArrayRef<int64_t> whole,
                             ArrayRef<int64_t> dims, ShardingAttr sharding) {
  RankedTensorType indexType = type.clone(builder.getI32Type());
  Value all;
  for (int64_t dim : dims) {
    Value index = make.create<IotaOp>(builder, sharding, indexType, dim);
    Value size = make.splat(builder, indexType,
                            builder.getI32IntegerAttr(whole[dim]), sharding);
    Value fits = make.create<arith::CmpIOp>(
        builder, sharding, arith::CmpIPredicate::slt, index, size);
    all = all ? make.create<arith::AndIOp>(builder, sharding, all, fits) : fits;
  }
  return all;
}

/// Whether all elements of `value` are known to be `element`.
static bool isSplat(Value value, Attribute element) {
  DenseElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) && constant.isSplat() &&
         constant.getSplatValue<Attribute>() == element;
}

void FunctionPadder::fill(OpOperand &operand, ArrayRef<int64_t> dims,
                          TypedAttr element) {
  Value value = operand.get();
  if (dims.empty() || isSplat(value, element))
    return;
  auto type = cast<RankedTensorType>(value.getType());
  Builder attributeBuilder(function.getContext());
  Value &known =
      filled[{value, attributeBuilder.getDenseI64ArrayAttr(dims), element}];
  if (!known) {
    ImplicitLocOpBuilder builder(value.getLoc(), function.getContext());
    builder.setInsertionPointAfterValue(value);
    Value elements =
        make.splat(builder, type, element, make.reducedShardingOf(value));
    known = filledWith(builder, value, dims, elements);
  }
  operand.set(known);
}

void FunctionPadder::fill(OpOperand &operand, ArrayRef<int64_t> dims,
                          Value element) {
  if (dims.empty() || element.getDefiningOp<ub::PoisonOp>())
    return;
  Operation *op = operand.getOwner();
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Value value = operand.get();
  Value elements =
      make.create<BroadcastOp>(builder, make.reducedShardingOf(value),
                               value.getType(), element, ArrayRef<int64_t>());
  operand.set(filledWith(builder, value, dims, elements));
}

/// `value` with `elements` in the padding of `dims`.
Value FunctionPadder::filledWith(ImplicitLocOpBuilder &builder, Value value,
                                 ArrayRef<int64_t> dims, Value elements) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> whole(wholeShape(value));
  Value mask =
      inside(builder, type, whole, dims, make.reducedShardingOf(value));
  Value filled = make.create<arith::SelectOp>(builder, make.shardingOf(value),
                                              mask, value, elements);
  wholeTypes[filled] = type.clone(whole);
  return filled;
}

void FunctionPadder::clamp(OpOperand &operand, int64_t dim,
                           ArrayRef<int64_t> last) {
  Value value = operand.get();
  auto type = cast<RankedTensorType>(value.getType());
  ImplicitLocOpBuilder builder(operand.getOwner()->getLoc(),
                               operand.getOwner());
  ShardingAttr sharding = make.shardingOf(value);
  bool isVector = dim < type.getRank();
  auto boundType = RankedTensorType::get(
      isVector ? ArrayRef<int64_t>(int64_t(last.size())) : ArrayRef<int64_t>(),
      type.getElementType());
  // A bound beyond the index type excludes nothing.
  APInt largest = APInt::getSignedMaxValue(type.getElementTypeBitWidth());
  SmallVector<APInt> bounds;
  for (int64_t bound : last)
    bounds.push_back(largest.slt(bound)
                         ? largest
                         : APInt(type.getElementTypeBitWidth(), bound));
  ShardingAttr whole = make.replicated(boundType.getRank());
  Value bound = make.create<arith::ConstantOp>(
      builder, whole, DenseElementsAttr::get(boundType, bounds));
  Value high = make.create<BroadcastOp>(builder, sharding, type, bound,
                                        isVector ? ArrayRef<int64_t>(dim)
                                                 : ArrayRef<int64_t>());
  Value zero =
      make.splat(builder, type,
                 builder.getIntegerAttr(type.getElementType(), 0), sharding);
  Value atLeast = make.create<arith::MaxSIOp>(builder, sharding, value, zero);
  Value clamped = make.create<arith::MinSIOp>(builder, sharding, atLeast, high);
  if (RankedTensorType whole = wholeTypes.lookup(value))
    wholeTypes[clamped] = whole;
  operand.set(clamped);
}

void FunctionPadder::shift(OpOperand &operand, ArrayRef<int64_t> offsets) {
  Value value = operand.get();
  ImplicitLocOpBuilder builder(operand.getOwner()->getLoc(),
                               operand.getOwner());
  SmallVector<int64_t> high, zeros(offsets.size(), 0);
  for (int64_t offset : offsets)
    high.push_back(-offset);
  operand.set(make.create<PadOp>(
      builder, make.shardingOf(value), value.getType(), value,
      make.poison(builder, getElementTypeOrSelf(value.getType())), offsets,
      high, zeros));
}

void FunctionPadder::excludePadding(Operation *op) {
  if (auto interface = dyn_cast<PaddingInterface>(op))
    return interface.excludePadding(*this);
  std::optional<ShardingRule> rule = getShardingRule(op);
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<int64_t> dims;
    ReductionKind kind = ReductionKind::Sum;
    for (int64_t dim : paddedDims(operand.get())) {
      const Factor &factor =
          rule->factors[rule->operands[operand.getOperandNumber()]
                            .dims[dim][0]];
      if (factor.kind != FactorKind::Reduction)
        continue;
      dims.push_back(dim);
      kind = factor.reduction;
    }
    fill(operand, dims,
         neutralElement(getElementTypeOrSelf(operand.get().getType()), kind));
  }
}

//===----------------------------------------------------------------------===//
// Boundaries between paddings
//===----------------------------------------------------------------------===//

/// Where an argument's blocks are as long as those of the padded tensor, this
/// is nothing that a device would do.
void FunctionPadder::padArguments() {
  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  for (BlockArgument argument : function.getArguments()) {
    if (!isPadded(argument))
      continue;
    builder.setLoc(argument.getLoc());
    auto type = cast<RankedTensorType>(argument.getType());
    auto padded = cast<RankedTensorType>(sizes.paddedType(argument));
    Value value = make.resized(builder, argument, padded.getShape(),
                               make.shardingOf(argument),
                               make.poison(builder, type.getElementType()));
    wholeTypes[value] = type;
    argument.replaceAllUsesExcept(value, value.getDefiningOp());
  }
}

void FunctionPadder::cropResults(func::ReturnOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  for (OpOperand &operand : op->getOpOperands()) {
    RankedTensorType whole = wholeTypes.lookup(operand.get());
    if (!whole)
      continue;
    operand.set(make.resized(builder, operand.get(), whole.getShape(),
                             make.shardingOf(operand.get()),
                             make.poison(builder, whole.getElementType())));
  }
}

/// A dimension whose padding changes is padded or cropped where it is not
/// split: before, behind, or, if it is split on both sides, in between.
void FunctionPadder::convertReshard(ReshardOp op) {
  Value value = op.getOperand();
  RankedTensorType target = op.getType();
  if (value.getType() == target)
    return;
  const TensorSharding &from = make.shardingOf(value).getValue();
  const TensorSharding &to = op.getSharding().getValue();
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  SmallVector<int64_t> first(
      cast<RankedTensorType>(value.getType()).getShape());
  TensorSharding between = to;
  for (auto [dim, size] : llvm::enumerate(first)) {
    if (size == target.getDimSize(dim))
      continue;
    if (from.dims[dim].axes.empty())
      size = target.getDimSize(dim);
    else
      between.dims[dim].axes.clear();
  }
  // Padding that is moved has some value.
  auto scalar = RankedTensorType::get({}, target.getElementType());
  Value zero =
      make.splat(builder, scalar, builder.getZeroAttr(target.getElementType()),
                 make.replicated(0));
  value = make.resized(builder, value, first, make.shardingOf(value), zero);
  value = make.reshard(builder, value, between);
  value = make.resized(builder, value, target.getShape(),
                       make.shardingOf(value), zero);
  value = make.reshard(builder, value, to);
  if (RankedTensorType whole = wholeTypes.lookup(op)) {
    wholeTypes.erase(op);
    wholeTypes[value] = whole;
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

/// A dimension that a manual region splits where it hands `source` over to
/// `target`, and that is padded on either side; nothing if there is none.
std::optional<int64_t> FunctionPadder::paddedManualDim(Value source,
                                                       Value target) const {
  auto from = dyn_cast<RankedTensorType>(source.getType()),
       to = dyn_cast<RankedTensorType>(target.getType());
  if (!from || !to)
    return std::nullopt;
  auto paddedFrom = cast<RankedTensorType>(sizes.paddedType(source)),
       paddedTo = cast<RankedTensorType>(sizes.paddedType(target));
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.getDimSize(dim) != to.getDimSize(dim) &&
        (paddedFrom.getDimSize(dim) != from.getDimSize(dim) ||
         paddedTo.getDimSize(dim) != to.getDimSize(dim)))
      return dim;
  return std::nullopt;
}

/// What a manual region is handed as parts cannot be padded at the end of each
/// part.
LogicalResult FunctionPadder::checkManualRegions() {
  LogicalResult status = success();
  function.walk([&](ManualRegionInterface op) {
    forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
      std::optional<int64_t> dim = paddedManualDim(source.get(), target);
      if (failed(status) || !dim)
        return;
      status =
          op->emitError()
          << "not supported yet: expected a dimension that is split by hand "
             "to divide into equal parts, got "
          << source.get().getType() << " split in "
          << make.shardingOf(source.get()).getValue().numShards(*dim, mesh)
          << " along dimension " << *dim;
    });
  });
  return status;
}

LogicalResult FunctionPadder::run() {
  if (!sizes.any())
    return success();
  if (failed(checkManualRegions()))
    return failure();
  findAttributes();
  changeTypes();
  padArguments();
  for (Operation *op : llvm::make_first_range(attributes))
    excludePadding(op);
  SmallVector<Operation *> boundaries;
  function.walk([&](Operation *op) {
    if (isa<ReshardOp, func::ReturnOp>(op))
      boundaries.push_back(op);
  });
  for (Operation *op : boundaries) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      convertReshard(reshard);
    else
      cropResults(cast<func::ReturnOp>(op));
  }
  return success();
}

namespace {
struct PadDimensions
    : tessera::partition::impl::PadDimensionsBase<PadDimensions> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal()) {
        if (failed(verifyAllSharded(function, getAllShardings(function))))
          return signalPassFailure();
        shiftSlices(function, *mesh);
        if (failed(FunctionPadder(function, *mesh).run()))
          return signalPassFailure();
      }
  }
};
} // namespace
