//===- LocalComputations.cpp - parts that depend on which part they are ---===//
//
// Operations that count, from the beginning or the end, and operations that
// take places in a split tensor as data. A place in the whole tensor becomes
// one in the device's part by subtracting where the part begins; what then lies
// outside is another device's.
//
//===----------------------------------------------------------------------===//

#include "Exchange/HaloExchange.h"
#include "Exchange/LocalBoxes.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

/// `value` in every element of a tensor of `type`; a scalar i32 is converted to
/// the element type first.
static Value splat(ImplicitLocOpBuilder &builder, RankedTensorType type,
                   Value value) {
  Type element = type.getElementType();
  auto scalar = RankedTensorType::get({}, element);
  if (isa<FloatType>(element))
    value = arith::SIToFPOp::create(builder, scalar, value);
  else if (element.getIntOrFloatBitWidth() > 32)
    value = arith::ExtSIOp::create(builder, scalar, value);
  else if (element.getIntOrFloatBitWidth() < 32)
    value = arith::TruncIOp::create(builder, scalar, value);
  return BroadcastOp::create(builder, type, value,
                             builder.getDenseI64ArrayAttr({}));
}

static Value constantTensor(ImplicitLocOpBuilder &builder,
                            RankedTensorType type, int64_t value) {
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, APInt(type.getElementTypeBitWidth(),
                                                  value, /*isSigned=*/true,
                                                  /*implicitTrunc=*/true)));
}

/// Counts from where the device's part begins.
static SmallVector<Value> buildLocalIota(IotaOp op, OpBuilder &outer,
                                         RankedTensorType type,
                                         const ShardedOperation &sharded) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  Value counted = createLocalOperation(builder, op, {}, type)->getResult(0);
  const AxisList &axes = sharded.results[0].dims[op.getDim()].axes;
  if (axes.empty())
    return {counted};
  Value begin = splat(builder, type,
                      scaledAxisIndex(builder, sharded.meshName, axes,
                                      type.getDimSize(op.getDim())));
  if (isa<FloatType>(type.getElementType()))
    return {arith::AddFOp::create(builder, counted, begin)};
  return {arith::AddIOp::create(builder, counted, begin)};
}

namespace {

/// The positions that `indices` name in a tensor of which some of the
/// dimensions they address are split.
class SplitIndices {
public:
  /// `map` lists the tensor's dimensions that the components of an index vector
  /// address, `single` those of which a window has one element. Other split
  /// dimensions are whole in every window: their only index is 0, in the whole
  /// tensor as in every part.
  SplitIndices(ImplicitLocOpBuilder &builder, const ShardedOperation &sharded,
               const TensorSharding &tensor, RankedTensorType local,
               Value indices, ArrayRef<int64_t> map, ArrayRef<int64_t> single,
               int64_t vectorDim)
      : builder(builder), sharded(sharded), tensor(tensor), local(local),
        indices(widened(builder, indices)), map(map), single(single),
        vectorDim(vectorDim) {}

  bool anySplit() const {
    return llvm::any_of(map, [&](int64_t dim) { return isSplit(dim); });
  }
  /// Replaces the indices by those in a tensor whose dimensions have `sizes`
  /// and that lie inside.
  void clampTo(ArrayRef<int64_t> sizes);
  /// The indices in the device's part, which may lie outside it.
  Value inPart();
  /// Per index vector of `localIndices`, whether it lies in the device's part.
  Value isInside(Value localIndices);

private:
  /// `indices` in a type that holds the sizes of all tensors.
  static Value widened(ImplicitLocOpBuilder &builder, Value indices) {
    RankedTensorType type = typeOf(indices);
    if (type.getElementTypeBitWidth() >= 32)
      return indices;
    return arith::ExtSIOp::create(builder, type.clone(builder.getI32Type()),
                                  indices);
  }
  bool isSplit(int64_t dim) const {
    return !tensor.dims[dim].axes.empty() && llvm::is_contained(single, dim);
  }
  /// The type of one component of all index vectors, as a slice of `indices`
  /// that keeps the vectors' dimension.
  RankedTensorType componentType() const;
  bool hasVectorDim() const { return vectorDim < typeOf(indices).getRank(); }
  Value component(Value localIndices, int64_t number);
  /// One scalar per component, as a tensor of the shape of `indices`.
  Value perComponent(ArrayRef<Value> scalars);

  ImplicitLocOpBuilder &builder;
  const ShardedOperation &sharded;
  const TensorSharding &tensor;
  RankedTensorType local;
  Value indices;
  ArrayRef<int64_t> map, single;
  int64_t vectorDim;
};

} // namespace

RankedTensorType SplitIndices::componentType() const {
  SmallVector<int64_t> shape(typeOf(indices).getShape());
  if (hasVectorDim())
    shape[vectorDim] = 1;
  return RankedTensorType::get(shape, typeOf(indices).getElementType());
}

Value SplitIndices::component(Value localIndices, int64_t number) {
  RankedTensorType type = componentType();
  if (type == localIndices.getType())
    return localIndices;
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(type.getShape());
  starts[vectorDim] = number;
  limits[vectorDim] = number + 1;
  return SliceOp::create(builder, type, localIndices, starts, limits, strides);
}

Value SplitIndices::perComponent(ArrayRef<Value> scalars) {
  SmallVector<Value> parts;
  for (Value scalar : scalars)
    parts.push_back(splat(builder, componentType(), scalar));
  if (parts.size() == 1)
    return parts.front();
  return ConcatenateOp::create(builder, typeOf(indices), parts, vectorDim);
}

void SplitIndices::clampTo(ArrayRef<int64_t> sizes) {
  SmallVector<Value> last;
  for (int64_t dim : map)
    last.push_back(constantIndex(builder, sizes[dim] - 1));
  indices = arith::MaxSIOp::create(builder, indices,
                                   constantTensor(builder, typeOf(indices), 0));
  indices = arith::MinSIOp::create(builder, indices, perComponent(last));
}

Value SplitIndices::inPart() {
  SmallVector<Value> begins;
  for (int64_t dim : map)
    begins.push_back(isSplit(dim) ? scaledAxisIndex(builder, sharded.meshName,
                                                    tensor.dims[dim].axes,
                                                    local.getDimSize(dim))
                                  : constantIndex(builder, 0));
  return arith::SubIOp::create(builder, indices, perComponent(begins));
}

Value SplitIndices::isInside(Value localIndices) {
  Value inside;
  for (auto [number, dim] : llvm::enumerate(map)) {
    if (!isSplit(dim))
      continue;
    Value index = component(localIndices, number);
    // As unsigned numbers, negative indices are beyond every size.
    Value fits = arith::CmpIOp::create(
        builder, arith::CmpIPredicate::ult, index,
        constantTensor(builder, typeOf(index), local.getDimSize(dim)));
    inside = inside ? arith::AndIOp::create(builder, inside, fits).getResult()
                    : fits;
  }
  if (!hasVectorDim())
    return inside;
  SmallVector<int64_t> shape(typeOf(inside).getShape());
  shape.erase(shape.begin() + vectorDim);
  return ReshapeOp::create(
      builder, RankedTensorType::get(shape, builder.getI1Type()), inside);
}

/// A device gives zero for the indices that lie in other devices' parts.
static SmallVector<Value> buildLocalGather(GatherOp op, OpBuilder &outer,
                                           ValueRange operands,
                                           RankedTensorType type,
                                           const ShardedOperation &sharded) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  SplitIndices splitIndices(
      builder, sharded, sharded.operands[0], typeOf(operands[0]), operands[1],
      op.getStartIndexMap(), op.getCollapsedDims(), op.getIndexVectorDim());
  auto gather = [&](Value indices) {
    return createLocalOperation(builder, op, {operands[0], indices}, type)
        ->getResult(0);
  };
  if (!splitIndices.anySplit())
    return {gather(operands[1])};
  SmallVector<int64_t> reach;
  for (auto [size, slice] :
       llvm::zip_equal(typeOf(op.getOperand()).getShape(), op.getSliceSizes()))
    reach.push_back(size - slice + 1);
  splitIndices.clampTo(reach);
  Value local = splitIndices.inPart();
  Value gathered = gather(local);
  SmallVector<int64_t> batchDims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(op.getOffsetDims(), dim))
      batchDims.push_back(dim);
  auto maskType = RankedTensorType::get(type.getShape(), builder.getI1Type());
  Value mask = BroadcastOp::create(builder, maskType,
                                   splitIndices.isInside(local), batchDims);
  Value zero = arith::ConstantOp::create(
      builder,
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
  return {arith::SelectOp::create(builder, mask, gathered, zero)};
}

/// A device skips the updates to positions in other devices' parts, as it skips
/// all that lie outside.
static SmallVector<Value> buildLocalScatter(ScatterOp op, OpBuilder &outer,
                                            ValueRange operands,
                                            RankedTensorType type,
                                            const ShardedOperation &sharded) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  SplitIndices splitIndices(
      builder, sharded, sharded.operands[0], typeOf(operands[0]), operands[1],
      op.getOperandDimsMap(), op.getInsertedDims(), op.getIndexVectorDim());
  Value indices = splitIndices.anySplit() ? splitIndices.inPart() : operands[1];
  return {createLocalOperation(builder, op, {operands[0], indices, operands[2]},
                               type)
              ->getResult(0)};
}

/// Devices exchange their reversed parts, the first with the last.
static SmallVector<Value> buildLocalReverse(ReverseOp op, OpBuilder &outer,
                                            Value operand,
                                            RankedTensorType type,
                                            const ShardedOperation &sharded) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  Value reversed =
      createLocalOperation(builder, op, operand, type)->getResult(0);
  AxisList axes;
  for (int64_t dim : op.getDims())
    llvm::append_range(axes, sharded.results[0].dims[dim].axes);
  if (axes.empty())
    return {reversed};
  // The last index along some axes is the last one along each of them.
  auto targets = llvm::to_vector(
      llvm::reverse(llvm::seq<int32_t>(0, totalSize(axes, sharded.mesh))));
  return {spmd::PermuteOp::create(
      builder, type, reversed,
      AxesAttr::get(builder.getContext(), sharded.meshName, axes),
      builder.getDenseI32ArrayAttr(targets))};
}

namespace {

struct LocalIota : LocalComputationInterface::ExternalModel<LocalIota, IotaOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder, ValueRange,
                                TypeRange results,
                                const ShardedOperation &sharded) const {
    return buildLocalIota(cast<IotaOp>(op), builder,
                          cast<RankedTensorType>(results[0]), sharded);
  }
};

struct LocalPad : LocalComputationInterface::ExternalModel<LocalPad, PadOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder,
                                ValueRange operands, TypeRange results,
                                const ShardedOperation &sharded) const {
    ImplicitLocOpBuilder locBuilder(op->getLoc(), builder);
    auto pad = cast<PadOp>(op);
    return {padWholeDims(
        locBuilder, pad, pad.getLow(), pad.getHigh(), operands[0], operands[1],
        cast<RankedTensorType>(results[0]), sharded.operands[0])};
  }
};

struct LocalReverse
    : LocalComputationInterface::ExternalModel<LocalReverse, ReverseOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder,
                                ValueRange operands, TypeRange results,
                                const ShardedOperation &sharded) const {
    return buildLocalReverse(cast<ReverseOp>(op), builder, operands[0],
                             cast<RankedTensorType>(results[0]), sharded);
  }
};

struct LocalGather
    : LocalComputationInterface::ExternalModel<LocalGather, GatherOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder,
                                ValueRange operands, TypeRange results,
                                const ShardedOperation &sharded) const {
    return buildLocalGather(cast<GatherOp>(op), builder, operands,
                            cast<RankedTensorType>(results[0]), sharded);
  }
};

struct LocalScatter
    : LocalComputationInterface::ExternalModel<LocalScatter, ScatterOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder,
                                ValueRange operands, TypeRange results,
                                const ShardedOperation &sharded) const {
    return buildLocalScatter(cast<ScatterOp>(op), builder, operands,
                             cast<RankedTensorType>(results[0]), sharded);
  }
};

struct LocalSlice
    : LocalComputationInterface::ExternalModel<LocalSlice, DynamicSliceOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder,
                                ValueRange operands, TypeRange results,
                                const ShardedOperation &sharded) const {
    return buildLocalSlice(cast<DynamicSliceOp>(op), builder, operands,
                           cast<RankedTensorType>(results[0]), sharded);
  }
};

struct LocalUpdate
    : LocalComputationInterface::ExternalModel<LocalUpdate,
                                               DynamicUpdateSliceOp> {
  SmallVector<Value> buildLocal(Operation *op, OpBuilder &builder,
                                ValueRange operands, TypeRange results,
                                const ShardedOperation &sharded) const {
    return buildLocalUpdate(cast<DynamicUpdateSliceOp>(op), builder, operands,
                            cast<RankedTensorType>(results[0]), sharded);
  }
};

} // namespace

void tessera::partition::registerLocalComputations(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TesseraDialect *) {
    IotaOp::attachInterface<LocalIota>(*context);
    PadOp::attachInterface<LocalPad>(*context);
    ReverseOp::attachInterface<LocalReverse>(*context);
    GatherOp::attachInterface<LocalGather>(*context);
    ScatterOp::attachInterface<LocalScatter>(*context);
    DynamicSliceOp::attachInterface<LocalSlice>(*context);
    DynamicUpdateSliceOp::attachInterface<LocalUpdate>(*context);
  });
}
