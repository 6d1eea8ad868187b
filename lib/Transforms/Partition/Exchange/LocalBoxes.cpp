//===- LocalBoxes.cpp - boxes at computed indices of split tensors --------===//

#include "Exchange/LocalBoxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

static Value constantScalar(ImplicitLocOpBuilder &builder,
                            RankedTensorType type, int64_t value) {
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(
                   type, builder.getIntegerAttr(type.getElementType(), value)));
}

namespace {

/// The corner of a box in a tensor of which some dimensions, in which the box
/// is smaller than the tensor, are split.
class SplitBox {
public:
  /// `shape` is that of the whole tensor, `box` that of the box, `starts` one
  /// scalar per dimension.
  SplitBox(ImplicitLocOpBuilder &builder, const ShardedOperation &sharded,
           ArrayRef<int64_t> shape, ArrayRef<int64_t> box,
           RankedTensorType local, ValueRange starts);

  bool anySplit() const { return llvm::is_contained(split, true); }
  bool isSplit(int64_t dim) const { return split[dim]; }
  /// The corner in the device's part; where a dimension is split, it may lie
  /// outside. Scalars.
  SmallVector<Value> corner;
  /// Whether a box of size 1 in all split dimensions lies in the device's part:
  /// a scalar.
  Value isInside();

private:
  ImplicitLocOpBuilder &builder;
  RankedTensorType local;
  SmallVector<bool> split;
};

} // namespace

SplitBox::SplitBox(ImplicitLocOpBuilder &builder,
                   const ShardedOperation &sharded, ArrayRef<int64_t> shape,
                   ArrayRef<int64_t> box, RankedTensorType local,
                   ValueRange starts)
    : corner(starts), builder(builder), local(local) {
  for (auto [dim, size] : llvm::enumerate(shape)) {
    const AxisList &axes = sharded.operands[0].dims[dim].axes;
    split.push_back(!axes.empty() && box[dim] != size);
    if (!split.back())
      continue;
    // Indices are clamped in the whole tensor, not in the part.
    Value start = corner[dim];
    RankedTensorType type = typeOf(start);
    if (type.getElementTypeBitWidth() < 32) {
      type = type.clone(builder.getI32Type());
      start = arith::ExtSIOp::create(builder, type, start);
    }
    start = arith::MaxSIOp::create(builder, start,
                                   constantScalar(builder, type, 0));
    start = arith::MinSIOp::create(
        builder, start, constantScalar(builder, type, size - box[dim]));
    if (type.getElementTypeBitWidth() > 32)
      start = arith::TruncIOp::create(builder, type.clone(builder.getI32Type()),
                                      start);
    corner[dim] =
        arith::SubIOp::create(builder, start,
                              scaledAxisIndex(builder, sharded.meshName, axes,
                                              local.getDimSize(dim)));
  }
}

Value SplitBox::isInside() {
  Value inside;
  for (auto [dim, isSplit] : llvm::enumerate(split)) {
    if (!isSplit)
      continue;
    // As unsigned numbers, negative indices are beyond every size.
    Value fits =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, corner[dim],
                              constantIndex(builder, local.getDimSize(dim)));
    inside = inside ? arith::AndIOp::create(builder, inside, fits).getResult()
                    : fits;
  }
  return inside;
}

/// `value` where the scalar `condition` holds, `other` elsewhere.
static Value selectAll(ImplicitLocOpBuilder &builder, Value condition,
                       Value value, Value other) {
  RankedTensorType type = typeOf(value);
  if (type.getRank() > 0)
    condition = BroadcastOp::create(
        builder, RankedTensorType::get(type.getShape(), builder.getI1Type()),
        condition, builder.getDenseI64ArrayAttr({}));
  return arith::SelectOp::create(builder, condition, value, other);
}

SmallVector<Value>
tessera::partition::buildLocalSlice(DynamicSliceOp op, OpBuilder &outer,
                                    ValueRange operands, RankedTensorType type,
                                    const ShardedOperation &sharded) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  SplitBox box(builder, sharded, typeOf(op.getOperand()).getShape(),
               op.getType().getShape(), typeOf(operands[0]),
               operands.drop_front());
  Value slice = DynamicSliceOp::create(builder, type, operands[0], box.corner);
  if (!box.anySplit())
    return {slice};
  Value zero = arith::ConstantOp::create(
      builder,
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
  return {selectAll(builder, box.isInside(), slice, zero)};
}

SmallVector<Value>
tessera::partition::buildLocalUpdate(DynamicUpdateSliceOp op, OpBuilder &outer,
                                     ValueRange operands, RankedTensorType type,
                                     const ShardedOperation &sharded) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  Value tensor = operands[0], update = operands[1];
  RankedTensorType boxType = typeOf(update);
  SplitBox box(builder, sharded, op.getType().getShape(),
               typeOf(op.getUpdate()).getShape(), type, operands.drop_front(2));
  bool mayStraddle = false;
  SmallVector<int64_t> margin(type.getRank(), 0);
  for (auto [dim, size] : llvm::enumerate(boxType.getShape()))
    if (box.isSplit(dim) && size > 1) {
      margin[dim] = size;
      mayStraddle = true;
    }
  if (!box.anySplit())
    return {DynamicUpdateSliceOp::create(builder, type, tensor, update,
                                         box.corner)};
  if (!mayStraddle) {
    Value old = DynamicSliceOp::create(builder, boxType, tensor, box.corner);
    Value written = selectAll(builder, box.isInside(), update, old);
    return {DynamicUpdateSliceOp::create(builder, type, tensor, written,
                                         box.corner)};
  }
  SmallVector<int64_t> wide(type.getShape()), ends(type.getShape()),
      strides(type.getRank(), 1);
  for (auto [dim, size] : llvm::enumerate(boxType.getShape())) {
    // In the other split dimensions a box of size 1 needs a margin as well.
    if (box.isSplit(dim))
      margin[dim] = size;
    wide[dim] += 2 * margin[dim];
    ends[dim] += margin[dim];
    if (margin[dim])
      box.corner[dim] = arith::AddIOp::create(
          builder, box.corner[dim], constantIndex(builder, margin[dim]));
  }
  RankedTensorType wideType = type.clone(wide);
  Value zero = arith::ConstantOp::create(
      builder,
      DenseElementsAttr::get(RankedTensorType::get({}, type.getElementType()),
                             builder.getZeroAttr(type.getElementType())));
  Value padded = PadOp::create(builder, wideType, tensor, zero, margin, margin,
                               SmallVector<int64_t>(type.getRank(), 0));
  Value written = DynamicUpdateSliceOp::create(builder, wideType, padded,
                                               update, box.corner);
  return {SliceOp::create(builder, type, written, margin, ends, strides)};
}
