//===- QuantizedForm.cpp - a collective that sends blocks of bytes --------===//

#include "Quantization/QuantizedForm.h"

#include "Quantization/BlockQuantization.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// The dimension along which `op` gathers or scatters.
static int64_t chunkedDim(Operation *op) {
  if (auto gather = dyn_cast<spmd::AllGatherOp>(op))
    return gather.getDim();
  return cast<spmd::ReduceScatterOp>(op).getDim();
}

QuantizedForm::QuantizedForm(spmd::CollectiveOpInterface op, int64_t devices)
    : op(op), devices(devices) {
  int64_t operand = typeOf(op->getOperand(0)).getNumElements();
  numbers = isSum() ? int64_t(llvm::divideCeil(operand, devices)) : operand;
  block = std::min(numbers, kBlockNumbers);
  blocks = int64_t(llvm::divideCeil(numbers, block));
}

std::optional<QuantizedForm> QuantizedForm::of(spmd::CollectiveOpInterface op,
                                               const Mesh &mesh) {
  auto reduction = op->getAttrOfType<ReductionAttr>("kind");
  bool isSum = isa<spmd::AllReduceOp, spmd::ReduceScatterOp>(*op) &&
               reduction.getKind() == ReductionKind::Sum;
  if (!isSum && !isa<spmd::AllGatherOp>(*op))
    return std::nullopt;
  RankedTensorType type = typeOf(op->getOperand(0));
  int64_t devices = totalSize(op.getAxes().getAxes(), mesh);
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element || element.getWidth() > 32 || type.getNumElements() == 0 ||
      devices < 2)
    return std::nullopt;
  return QuantizedForm(op, devices);
}

SmallVector<QuantizedForm::Call, 2> QuantizedForm::calls() const {
  int64_t bytes = blocks * (block + int64_t(sizeof(float)));
  SmallVector<Call, 2> calls;
  if (isSum())
    calls.push_back({CollectiveKind::AllToAll, devices * bytes});
  if (!isa<spmd::ReduceScatterOp>(op))
    calls.push_back({CollectiveKind::AllGather, bytes});
  return calls;
}

int64_t QuantizedForm::bytesSent() const {
  int64_t sum = 0;
  for (const Call &call : calls())
    sum += tessera::bytesSent(call.kind, devices, call.operandBytes);
  return sum;
}

int64_t QuantizedForm::plainBytesSent() const {
  return spmd::CollectiveOpInterface(op).getBytesSent(devices);
}

int64_t QuantizedForm::touchedBytes(bool withFeedback) const {
  constexpr int64_t kError = 2 * sizeof(float);
  int64_t bytes = spmd::bytesOf(op->getOperand(0)) +
                  spmd::bytesOf(op->getResult(0)) + 2 * devices * chunk();
  if (withFeedback)
    bytes += kError * (sentErrors() + gatheredErrors());
  return bytes;
}

//===----------------------------------------------------------------------===//
// How it is built
//===----------------------------------------------------------------------===//

static Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value).clone(shape);
  return type == value.getType()
             ? value
             : Value(ReshapeOp::create(builder, loc, type, value));
}

/// Adds zeros, or takes elements away, at the end of the last dimension.
static Value resizeLast(OpBuilder &builder, Location loc, Value value,
                        int64_t size) {
  RankedTensorType type = typeOf(value);
  int64_t rank = type.getRank(), old = type.getShape().back();
  if (old == size)
    return value;
  SmallVector<int64_t> shape(type.getShape()), none(rank, 0), high(rank, 0);
  shape.back() = size;
  if (size < old)
    return SliceOp::create(builder, loc, type.clone(shape), value, none, shape,
                           SmallVector<int64_t>(rank, 1));
  high.back() = size - old;
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value zero = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(scalar)));
  return PadOp::create(builder, loc, type.clone(shape), value, zero, none, high,
                       none);
}

/// `value` as f32, or as `element`.
static Value convertTo(OpBuilder &builder, Location loc, Value value,
                       FloatType element) {
  RankedTensorType type = typeOf(value).clone(element);
  unsigned width = typeOf(value).getElementTypeBitWidth();
  if (width == element.getWidth())
    return value;
  if (width < element.getWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// The sizes of the dimensions before `dim` and behind it, multiplied.
static std::pair<int64_t, int64_t> sizesAround(ArrayRef<int64_t> shape,
                                               int64_t dim) {
  return {llvm::product_of(shape.take_front(dim)),
          llvm::product_of(shape.drop_front(dim + 1))};
}

/// How many places along its dimension anybody reads of what `gather` gives:
/// those behind them are what shards of different sizes are filled up with.
static int64_t placesRead(spmd::AllGatherOp gather) {
  int64_t dim = gather.getDim(), most = 0;
  for (Operation *user : gather->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    most = std::max(most, slice ? slice.getLimits()[dim]
                                : shapeOf(gather.getResult())[dim]);
  }
  return most;
}

/// `value`, what `gather` gets, with zeros where nobody reads it, as anything
/// may stand there, and would share its scale with what is read.
static Value clearUnread(OpBuilder &builder, spmd::AllGatherOp gather,
                         Value value) {
  Location loc = gather.getLoc();
  int64_t dim = gather.getDim(), read = placesRead(gather);
  if (read == shapeOf(gather.getResult())[dim])
    return value;
  RankedTensorType type = typeOf(value).clone(builder.getI32Type());
  auto constant = [&](RankedTensorType type, int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getI32IntegerAttr(number)));
  };
  RankedTensorType scalar = type.clone(ArrayRef<int64_t>{});
  Value first = arith::MulIOp::create(
      builder, loc,
      spmd::AxisIndexOp::create(builder, loc, scalar, gather.getAxes()),
      constant(scalar, type.getDimSize(dim)));
  Value place = arith::AddIOp::create(
      builder, loc, IotaOp::create(builder, loc, type, dim),
      BroadcastOp::create(builder, loc, type, first, ArrayRef<int64_t>{}));
  Value isRead = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       place, constant(type, read));
  Value zero = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(typeOf(value))));
  return arith::SelectOp::create(builder, loc, isRead, value, zero);
}

/// What is quantized: f32 [chunks, blocks, block], with a chunk for each device
/// that it is sent to; one of a gather.
Value QuantizedForm::chunksOf(OpBuilder &builder) const {
  Location loc = op->getLoc();
  Value value =
      convertTo(builder, loc, op->getOperand(0), builder.getF32Type());
  if (auto gather = dyn_cast<spmd::AllGatherOp>(*op))
    value = clearUnread(builder, gather, value);
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  int64_t chunks = isSum() ? devices : 1;
  if (isa<spmd::ReduceScatterOp>(op)) {
    int64_t dim = chunkedDim(op);
    auto [before, behind] = sizesAround(shape, dim);
    int64_t part = shape[dim] / devices;
    value = reshapeTo(builder, loc, value, {before, devices, part * behind});
    if (before > 1)
      value = TransposeOp::create(
          builder, loc, typeOf(value).clone({devices, before, part * behind}),
          value, ArrayRef<int64_t>{1, 0, 2});
    value = reshapeTo(builder, loc, value, {devices, numbers});
    value = resizeLast(builder, loc, value, chunk());
  } else {
    value = reshapeTo(builder, loc, value, {typeOf(value).getNumElements()});
    value = resizeLast(builder, loc, value, chunks * chunk());
  }
  return reshapeTo(builder, loc, value, {chunks, blocks, block});
}

/// The result, of the chunks that a device gets: [devices, chunk], or the one
/// that it keeps of a reduce-scatter.
Value QuantizedForm::joinChunks(OpBuilder &builder, Value chunks) const {
  Location loc = op->getLoc();
  RankedTensorType type = typeOf(op->getResult(0));
  if (isa<spmd::AllReduceOp>(op)) {
    chunks = reshapeTo(builder, loc, chunks, {devices * chunk()});
    chunks = resizeLast(builder, loc, chunks, type.getNumElements());
  } else {
    int64_t count = isSum() ? 1 : devices;
    chunks =
        resizeLast(builder, loc,
                   reshapeTo(builder, loc, chunks, {count, chunk()}), numbers);
  }
  if (isa<spmd::AllGatherOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
    int64_t dim = chunkedDim(op);
    auto [before, behind] = sizesAround(shape, dim);
    int64_t row = shape[dim] * behind;
    chunks = reshapeTo(builder, loc, chunks, {devices, before, row});
    if (before > 1)
      chunks = TransposeOp::create(builder, loc,
                                   typeOf(chunks).clone({before, devices, row}),
                                   chunks, ArrayRef<int64_t>{1, 0, 2});
  }
  chunks = reshapeTo(builder, loc, chunks, type.getShape());
  return convertTo(builder, loc, chunks,
                   cast<FloatType>(type.getElementType()));
}

/// Blocks, and their scales, of other devices: what `send` makes of both.
static QuantizedBlocks exchange(const QuantizedBlocks &blocks,
                                function_ref<Value(Value)> send) {
  return {send(blocks.numbers), send(blocks.scales)};
}

QuantizedForm::Built QuantizedForm::build(Value sentError,
                                          Value gatheredError) const {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Built built;
  AxesAttr axes = spmd::CollectiveOpInterface(op).getAxes();
  // Quantizes `value` and what was lost of it before; `error` becomes what is
  // lost now.
  auto quantizeWith = [&](Value value, Value error, Value &next) {
    if (error)
      value = arith::AddFOp::create(
          builder, loc, value, reshapeTo(builder, loc, error, shapeOf(value)));
    QuantizedBlocks made = quantize(builder, loc, value);
    if (error)
      next = reshapeTo(builder, loc, residualOf(builder, loc, value, made),
                       shapeOf(error));
    return made;
  };
  Value value = chunksOf(builder);
  if (isSum()) {
    QuantizedBlocks sent = quantizeWith(value, sentError, built.sentError);
    QuantizedBlocks got = exchange(sent, [&](Value part) -> Value {
      return spmd::AllToAllOp::create(builder, loc, part.getType(), part,
                                      /*split_dim=*/0, /*concat_dim=*/0, axes);
    });
    Value parts = dequantize(builder, loc, got);
    value = ReduceOp::create(
        builder, loc, typeOf(parts).clone({blocks, block}),
        ReductionAttr::get(builder.getContext(), ReductionKind::Sum), parts,
        ArrayRef<int64_t>{0});
    if (isa<spmd::ReduceScatterOp>(op)) {
      built.result = joinChunks(builder, value);
      return built;
    }
  }
  value = reshapeTo(builder, loc, value, {blocks, block});
  QuantizedBlocks own = quantizeWith(value, gatheredError, built.gatheredError);
  QuantizedBlocks all = exchange(own, [&](Value part) -> Value {
    SmallVector<int64_t> shape(shapeOf(part));
    shape[0] *= devices;
    return spmd::AllGatherOp::create(builder, loc, typeOf(part).clone(shape),
                                     part, /*dim=*/0, axes);
  });
  built.result = joinChunks(builder, dequantize(builder, loc, all));
  return built;
}
