//===- EmitPieceExchange.cpp - exchanges of pieces as permutes ------------===//

#include "Exchange/EmitPieceExchange.h"

#include "Exchange/EmitReshard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

Value tessera::partition::rearrange(ImplicitLocOpBuilder &builder, Value value,
                                    ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> permutation,
                                    ArrayRef<int64_t> joined) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  SmallVector<int64_t> permuted;
  for (int64_t dim : permutation)
    permuted.push_back(shape[dim]);
  value =
      ReshapeOp::create(builder, RankedTensorType::get(shape, element), value);
  value = TransposeOp::create(builder, RankedTensorType::get(permuted, element),
                              value, permutation);
  return ReshapeOp::create(builder, RankedTensorType::get(joined, element),
                           value);
}

Value tessera::partition::lookUp(ImplicitLocOpBuilder &builder, Value device,
                                 ArrayRef<int32_t> table) {
  if (llvm::all_equal(table))
    return constantIndex(builder, table.front());
  Type i32 = builder.getI32Type();
  Value values = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(
                   RankedTensorType::get({int64_t(table.size())}, i32), table));
  Value entry = DynamicSliceOp::create(builder, RankedTensorType::get({1}, i32),
                                       values, ValueRange(device));
  return ReshapeOp::create(builder, RankedTensorType::get({}, i32), entry);
}

/// Which of `stack`, along dimension 0, this device's entry of `table` says,
/// with a dimension 0 of size 1.
static Value select(ImplicitLocOpBuilder &builder, Value stack, Value device,
                    ArrayRef<int32_t> table) {
  auto type = cast<RankedTensorType>(stack.getType());
  if (type.getDimSize(0) == 1)
    return stack;
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  SmallVector<Value> indices(shape.size(), constantIndex(builder, 0));
  indices[0] = lookUp(builder, device, table);
  return DynamicSliceOp::create(builder, type.clone(shape), stack, indices);
}

/// `parts`, of which all but the first have a dimension 0 of size 1, behind
/// each other.
static Value stack(ImplicitLocOpBuilder &builder, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  auto type = cast<RankedTensorType>(parts.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[0] += parts.size() - 1;
  return ConcatenateOp::create(builder, type.clone(shape), parts, 0);
}

Value tessera::partition::emitPieceExchange(ImplicitLocOpBuilder &builder,
                                            const PieceExchange &exchange,
                                            FlatSymbolRefAttr meshName,
                                            RankedTensorType to, Value local) {
  int64_t rank = to.getRank();
  Value device = scaledAxisIndex(builder, meshName, exchange.axes, 1);
  auto axes = AxesAttr::get(builder.getContext(), meshName, exchange.axes);

  // The pieces of the old part, in front.
  SmallVector<int64_t> cut, toFront, inner, pieces = {exchange.numHad()};
  for (int64_t dim = 0; dim < rank; ++dim) {
    cut.push_back(exchange.had[dim]);
    cut.push_back(to.getDimSize(dim) / exchange.wanted[dim]);
    pieces.push_back(cut.back());
    toFront.push_back(2 * dim);
    inner.push_back(2 * dim + 1);
  }
  llvm::append_range(toFront, inner);
  Value own = rearrange(builder, local, cut, toFront, pieces);

  SmallVector<Value> held = {own};
  for (const PieceExchange::Round &round : exchange.rounds) {
    Value piece = select(builder, own, device, round.pieces);
    held.push_back(
        spmd::PermuteOp::create(builder, piece.getType(), piece, axes,
                                builder.getDenseI32ArrayAttr(round.targets)));
  }

  // The pieces of the new part.
  Value all = stack(builder, held);
  SmallVector<Value> chosen;
  for (ArrayRef<int32_t> origin : exchange.origins)
    chosen.push_back(select(builder, all, device, origin));
  SmallVector<int64_t> placed(exchange.wanted), toPlace;
  llvm::append_range(placed, ArrayRef(pieces).drop_front());
  for (int64_t dim = 0; dim < rank; ++dim)
    toPlace.append({dim, rank + dim});
  return rearrange(builder, stack(builder, chosen), placed, toPlace,
                   to.getShape());
}
