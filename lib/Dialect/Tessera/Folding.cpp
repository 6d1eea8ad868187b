//===- Folding.cpp - operations that say nothing, and what they compose to ===//

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;

Operation *TesseraDialect::materializeConstant(OpBuilder &builder,
                                               Attribute value, Type type,
                                               Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  return typed && typed.getType() == type
             ? arith::ConstantOp::create(builder, loc, typed)
             : nullptr;
}

/// The constant of type `type` that one value fills, as it does `operand`; null
/// if `operand` is none.
static Attribute resplat(Attribute operand, Type type) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(operand);
  return elements && elements.isSplat()
             ? elements.resizeSplat(cast<ShapedType>(type))
             : Attribute();
}

static bool isIdentity(ArrayRef<int64_t> dims) {
  return llvm::all_of(llvm::enumerate(dims), [](auto it) {
    return int64_t(it.index()) == it.value();
  });
}

static bool areAll(ArrayRef<int64_t> values, int64_t expected) {
  return llvm::all_of(values, [&](int64_t value) { return value == expected; });
}

/// `outer[inner[i]]` for every i.
static SmallVector<int64_t> compose(ArrayRef<int64_t> outer,
                                    ArrayRef<int64_t> inner) {
  return llvm::map_to_vector(inner, [&](int64_t dim) { return outer[dim]; });
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() && isIdentity(getDims()))
    return getOperand();
  if (Attribute splat = resplat(adaptor.getOperand(), getType()))
    return splat;
  auto inner = getOperand().getDefiningOp<BroadcastOp>();
  if (!inner)
    return {};
  setDims(compose(getDims(), inner.getDims()));
  setOperand(inner.getOperand());
  return getResult();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(getPermutation()))
    return getOperand();
  if (Attribute splat = resplat(adaptor.getOperand(), getType()))
    return splat;
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  setPermutation(compose(inner.getPermutation(), getPermutation()));
  setOperand(inner.getOperand());
  return getResult();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (Attribute splat = resplat(adaptor.getOperand(), getType()))
    return splat;
  Operation *inner = getOperand().getDefiningOp();
  // A broadcast that only adds dimensions of one element is a reshape, if the
  // order of the others is kept.
  auto broadcast = dyn_cast_or_null<BroadcastOp>(inner);
  bool addsNothing = broadcast && llvm::is_sorted(broadcast.getDims()) &&
                     broadcast.getType().getNumElements() ==
                         broadcast.getOperand().getType().getNumElements();
  if (!isa_and_nonnull<ReshapeOp>(inner) && !addsNothing)
    return {};
  setOperand(inner->getOperand(0));
  return getResult();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() && areAll(getStrides(), 1))
    return getOperand();
  return resplat(adaptor.getOperand(), getType());
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  bool isNothing =
      areAll(getLow(), 0) && areAll(getHigh(), 0) && areAll(getInterior(), 0);
  return isNothing ? getOperand() : Value();
}

OpFoldResult ReverseOp::fold(FoldAdaptor adaptor) {
  if (getDims().empty())
    return getOperand();
  return resplat(adaptor.getOperand(), getType());
}

/// Operands without elements add nothing.
OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  if (getOperands().size() == 1)
    return getOperands().front();
  SmallVector<Value> kept;
  for (Value operand : getOperands())
    if (cast<RankedTensorType>(operand.getType()).getDimSize(getDim()) != 0)
      kept.push_back(operand);
  if (kept.empty() || kept.size() == getOperands().size())
    return {};
  getOperandsMutable().assign(kept);
  return getResult();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  return getDims().empty() ? getOperand() : Value();
}
