//===- StackRows.cpp - the rows of a stack of tensors ---------------------===//

#include "Layers/StackRows.h"

#include "Layers/StackWrites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

RankedTensorType tessera::stage::rowType(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  return type.clone(shape);
}

static int64_t numRows(Value value) {
  return cast<RankedTensorType>(value.getType()).getDimSize(0);
}

/// Whether devices share out the rows of `value`.
static bool splitsRows(Value value) {
  ShardingAttr sharding = getSharding(value);
  return sharding && !sharding.getValue().dims[0].axes.empty();
}

static Value sliceRow(OpBuilder &builder, Value value, int64_t row) {
  if (numRows(value) == 1)
    return value;
  RankedTensorType type = rowType(value);
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  starts[0] = row;
  limits[0] = row + 1;
  auto slice = SliceOp::create(builder, value.getLoc(), type, value, starts,
                               limits, strides);
  setSharding(slice, getSharding(value));
  return slice;
}

/// Whether `pad` adds nothing but rows, before and after those it has.
static bool addsRowsOnly(PadOp pad) {
  auto areZero = [](ArrayRef<int64_t> counts) {
    return llvm::all_of(counts, [](int64_t count) { return count == 0; });
  };
  return pad.getLow()[0] >= 0 && pad.getHigh()[0] >= 0 &&
         areZero(pad.getLow().drop_front()) &&
         areZero(pad.getHigh().drop_front()) && areZero(pad.getInterior());
}

/// A row like those of `like` whose elements are all that of `scalar`; null
/// where that is not known.
static Value makeRow(OpBuilder &builder, Value like, Value scalar) {
  DenseElementsAttr elements;
  if (!matchPattern(scalar, m_Constant(&elements)) || !elements.isSplat())
    return {};
  Value made = arith::ConstantOp::create(
      builder, like.getLoc(),
      DenseElementsAttr::get(rowType(like),
                             elements.getSplatValue<Attribute>()));
  setSharding(made, getSharding(like));
  return made;
}

static Value rowOfPad(OpBuilder &builder, PadOp pad, int64_t row) {
  int64_t own = row - pad.getLow()[0];
  if (!addsRowsOnly(pad) || splitsRows(pad.getOperand()))
    return {};
  return own >= 0 && own < numRows(pad.getOperand())
             ? takeRow(builder, pad.getOperand(), own)
             : makeRow(builder, pad, pad.getValue());
}

static Value rowOfParts(OpBuilder &builder, ConcatenateOp parts, int64_t row) {
  if (parts.getDim() != 0)
    return {};
  for (Value part : parts.getOperands()) {
    if (row < numRows(part))
      return splitsRows(part) ? Value() : takeRow(builder, part, row);
    row -= numRows(part);
  }
  return {};
}

static Value rowOfWrite(OpBuilder &builder, const StackWrite &write,
                        int64_t row) {
  ArrayRef<int64_t> whole =
      cast<RankedTensorType>(write.stack.getType()).getShape();
  if (write.sizes().drop_front() != whole.drop_front() ||
      splitsRows(write.update) || splitsRows(write.stack))
    return {};
  int64_t own = row - write.start.front();
  bool isWritten = own >= 0 && own < write.sizes().front();
  return isWritten ? takeRow(builder, write.update, own)
                   : takeRow(builder, write.stack, row);
}

Value tessera::stage::findRow(OpBuilder &builder, Value value, int64_t row) {
  Value source = behindReshards(value);
  Operation *maker = source.getDefiningOp();
  if (!maker || splitsRows(value) || splitsRows(source))
    return {};
  Value found;
  if (maker->hasTrait<OpTrait::ConstantLike>())
    found = makeRow(builder, value, source);
  else if (auto parts = dyn_cast<ConcatenateOp>(maker))
    found = rowOfParts(builder, parts, row);
  else if (auto pad = dyn_cast<PadOp>(maker))
    found = rowOfPad(builder, pad, row);
  else if (std::optional<StackWrite> write = writeOf(value))
    found = rowOfWrite(builder, *write, row);
  ShardingAttr sharding = getSharding(value);
  return found && sharding ? withShardingOf(builder, found, value) : found;
}

Value tessera::stage::takeRow(OpBuilder &builder, Value value, int64_t row) {
  Value found = findRow(builder, value, row);
  return found ? found : sliceRow(builder, value, row);
}
