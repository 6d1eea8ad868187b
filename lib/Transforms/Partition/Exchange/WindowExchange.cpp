//===- WindowExchange.cpp - parts of tensors of other sizes ---------------===//

#include "Exchange/WindowExchange.h"

#include "Exchange/EmitPieceExchange.h"
#include "Exchange/EmitReshard.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Sharding/Pieces/MessageRounds.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

static RankedTensorType withSize(RankedTensorType type, int64_t dim,
                                 int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {
/// Which pieces of tensors in equal parts a device has, wants, and is sent.
class WindowPieces {
public:
  /// `parts` has the sizes of the tensors' parts, of which there are
  /// `numDevices` each. All pieces have `size` elements.
  WindowPieces(int64_t numDevices, int64_t size, ArrayRef<int64_t> parts)
      : numDevices(numDevices), size(size) {
    for (int64_t part : parts) {
      first.push_back(numOwn);
      perPart.push_back(part / size);
      numOwn += part / size;
    }
  }

  /// The piece number `piece` of tensor `tensor`, if there is one, for device
  /// `device`: its position among those that the device has, or, counted on
  /// from these, the number of the message that brings it.
  std::optional<int32_t> want(int32_t device, unsigned tensor, int64_t piece) {
    if (piece < 0 || piece >= perPart[tensor] * numDevices)
      return std::nullopt;
    int32_t owner = piece / perPart[tensor];
    int32_t position = first[tensor] + piece % perPart[tensor];
    if (owner == device)
      return position;
    auto [message, isNew] =
        numbers.try_emplace({device, owner, position}, messages.size());
    if (isNew) {
      messages.push_back({owner, device});
      sent.push_back(position);
    }
    return numOwn + message->second;
  }

  int64_t numDevices, size;
  /// How many pieces a device has, of all tensors.
  int32_t numOwn = 0;
  SmallVector<Message> messages;
  /// Per message the piece of the sender's.
  SmallVector<int32_t> sent;

private:
  SmallVector<int32_t> first;
  SmallVector<int64_t> perPart;
  std::map<std::tuple<int32_t, int32_t, int32_t>, int32_t> numbers;
};

/// Positions in a row of pieces, per device, at which it finds what it wants.
using PiecePositions = SmallVector<int32_t>;

/// Builds the permutes that bring pieces, and parts from pieces.
class WindowBuilder {
public:
  WindowBuilder(ImplicitLocOpBuilder &builder, FlatSymbolRefAttr meshName,
                ArrayRef<AxisRef> axes, int64_t dim, int64_t size)
      : builder(builder),
        axes(AxesAttr::get(builder.getContext(), meshName, axes)), dim(dim),
        size(size), device(scaledAxisIndex(builder, meshName, axes, 1)) {}

  /// `number` pieces of `row` from the position on that `positions` says.
  Value take(Value row, const PiecePositions &positions, int64_t number) {
    RankedTensorType type = withSize(typeOf(row), dim, number * size);
    if (type == row.getType())
      return row;
    SmallVector<Value> starts(type.getRank(), constantIndex(builder, 0));
    PiecePositions elements;
    for (int32_t position : positions)
      elements.push_back(position * size);
    starts[dim] = lookUp(builder, device, elements);
    return DynamicSliceOp::create(builder, type, row, starts);
  }
  Value send(Value piece, ArrayRef<int32_t> targets) {
    return spmd::PermuteOp::create(builder, piece.getType(), piece, axes,
                                   builder.getDenseI32ArrayAttr(targets));
  }
  Value join(ArrayRef<Value> values) {
    if (values.size() == 1)
      return values.front();
    int64_t sum = 0;
    for (Value value : values)
      sum += typeOf(value).getDimSize(dim);
    return ConcatenateOp::create(
        builder, withSize(typeOf(values.front()), dim, sum), values, dim);
  }
  /// The pieces of `row` at `positions`, one behind the other; those that
  /// follow each other on all devices are taken at once.
  Value pick(Value row, ArrayRef<PiecePositions> positions) {
    SmallVector<Value> taken;
    for (size_t begin = 0, end; begin < positions.size(); begin = end) {
      auto follows = [&](size_t next) {
        return llvm::all_of(
            llvm::zip_equal(positions[next - 1], positions[next]),
            [](auto pair) {
              return std::get<0>(pair) + 1 == std::get<1>(pair);
            });
      };
      for (end = begin + 1; end < positions.size() && follows(end);)
        ++end;
      taken.push_back(take(row, positions[begin], end - begin));
    }
    return join(taken);
  }

private:
  ImplicitLocOpBuilder &builder;
  AxesAttr axes;
  int64_t dim, size;
  Value device;
};
} // namespace

/// The parts of `wanted` along `dim`, which is split over `axes`, from those of
/// the tensors that take part. Where none of them lies there is `padValue`, or
/// anything if that is null.
SmallVector<Value> WindowExchange::exchange(ImplicitLocOpBuilder &builder,
                                            int64_t dim, ArrayRef<AxisRef> axes,
                                            ArrayRef<Value> parts,
                                            ArrayRef<Wanted> wanted,
                                            Value padValue) const {
  SmallVector<int64_t> sizes = llvm::map_to_vector(
      parts, [&](Value part) { return typeOf(part).getDimSize(dim); });
  int64_t size = 0;
  for (int64_t part : sizes)
    size = std::gcd(size, part);
  for (const Wanted &one : wanted) {
    size = std::gcd(size, one.part);
    for (const Placed &placed : one.placed)
      size = std::gcd(size, std::abs(placed.at));
  }
  int32_t numDevices = totalSize(axes, mesh);
  WindowPieces pieces(numDevices, size, sizes);
  // Per part and piece of it where each device finds that: of its own, of what
  // comes, or -1 for what lies outside.
  SmallVector<SmallVector<PiecePositions>> found;
  for (const Wanted &one : wanted) {
    auto &positions =
        found.emplace_back(one.part / size, PiecePositions(numDevices, -1));
    for (int32_t device = 0; device < numDevices; ++device)
      for (auto [index, position] : llvm::enumerate(positions))
        for (const Placed &placed : one.placed) {
          int64_t whole = device * int64_t(positions.size()) + index;
          if (auto origin = pieces.want(device, placed.tensor,
                                        whole - placed.at / size)) {
            position[device] = *origin;
            break;
          }
        }
  }

  WindowBuilder emitter(builder, meshName, axes, dim, size);
  Value own = emitter.join(parts);
  SmallVector<Value> held = {own};
  int64_t numRounds = leastRounds(pieces.messages, numDevices);
  SmallVector<int32_t, 0> rounds =
      roundsOfMessages(pieces.messages, numDevices, numRounds);
  for (int32_t round = 0; round < numRounds; ++round) {
    PiecePositions targets(numDevices, -1), positions(numDevices, 0);
    for (auto [message, position, number] :
         llvm::zip_equal(pieces.messages, pieces.sent, rounds))
      if (number == round) {
        targets[message.sender] = message.receiver;
        positions[message.sender] = position;
      }
    held.push_back(emitter.send(emitter.take(own, positions, 1), targets));
  }
  int32_t outside = 0;
  if (padValue) {
    outside = pieces.numOwn + numRounds;
    held.push_back(
        BroadcastOp::create(builder, withSize(typeOf(own), dim, size), padValue,
                            builder.getDenseI64ArrayAttr({})));
  }
  Value row = emitter.join(held);
  SmallVector<Value> results;
  for (SmallVector<PiecePositions> &positions : found) {
    for (PiecePositions &position : positions)
      for (int32_t &origin : position)
        if (origin < 0)
          origin = outside;
        else if (origin >= pieces.numOwn)
          origin = pieces.numOwn + rounds[origin - pieces.numOwn];
    results.push_back(emitter.pick(row, positions));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Pads and concatenations
//===----------------------------------------------------------------------===//

ArrayRef<AxisRef> WindowExchange::axesOf(Value value, int64_t dim) const {
  return shardings.at(value).getValue().dims[dim].axes;
}

/// The size of a device's part of `value` along `dim`.
int64_t WindowExchange::partOf(Value value, int64_t dim) const {
  return llvm::divideCeil(typeOf(value).getDimSize(dim),
                          totalSize(axesOf(value, dim), mesh));
}

SmallVector<int64_t> WindowExchange::windowDims(Operation *op) const {
  SmallVector<int64_t> dims;
  if (!isa<PadOp, ConcatenateOp>(op))
    return dims;
  Value result = op->getResult(0);
  auto pad = dyn_cast<PadOp>(op);
  for (int64_t dim = 0; dim < typeOf(result).getRank(); ++dim)
    if (totalSize(axesOf(result, dim), mesh) > 1 &&
        (!pad || pad.getInterior()[dim] == 0) &&
        llvm::any_of(
            op->getOperands().take_front(pad ? 1 : op->getNumOperands()),
            [&](Value operand) {
              return partOf(operand, dim) != partOf(result, dim);
            }))
      dims.push_back(dim);
  return dims;
}

/// Whether `op` is a slice along one split dimension, and nothing else.
bool WindowExchange::isPlainSlice(PadOp op) const {
  SmallVector<int64_t> dims = windowDims(op);
  if (dims.size() != 1 || !op.getValue().getDefiningOp<ub::PoisonOp>())
    return false;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
    if (dim != dims.front() &&
        (op.getLow()[dim] != 0 || op.getHigh()[dim] != 0 ||
         op.getInterior()[dim] != 0))
      return false;
  return true;
}

Value WindowExchange::emit(OpBuilder &outer, PadOp op, Value operand,
                           Value padValue) {
  if (Value earlier = made.lookup(op))
    return earlier;
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  if (op.getValue().getDefiningOp<ub::PoisonOp>())
    padValue = nullptr;
  SmallVector<int64_t> dims = windowDims(op);
  auto wantedBy = [&](PadOp window, int64_t dim) {
    return Wanted{partOf(window, dim), {{0, window.getLow()[dim]}}};
  };
  if (!isPlainSlice(op)) {
    for (int64_t dim : dims)
      operand = exchange(builder, dim, axesOf(op, dim), operand,
                         wantedBy(op, dim), padValue)
                    .front();
    return operand;
  }
  SmallVector<PadOp> together;
  SmallVector<Wanted> wanted;
  for (Operation &other : *op->getBlock()) {
    auto window = dyn_cast<PadOp>(other);
    if (!window || window.getOperand() != op.getOperand() ||
        !isPlainSlice(window) || windowDims(window) != dims)
      continue;
    together.push_back(window);
    wanted.push_back(wantedBy(window, dims.front()));
  }
  SmallVector<Value> parts =
      exchange(builder, dims.front(), axesOf(op, dims.front()), operand, wanted,
               padValue);
  for (auto [window, part] : llvm::zip_equal(together, parts))
    made[window] = part;
  return made.at(op);
}

Value WindowExchange::emit(OpBuilder &outer, ConcatenateOp op,
                           ArrayRef<Value> operands) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  int64_t dim = op.getDim(), at = 0;
  Wanted wanted{partOf(op, dim), {}};
  SmallVector<Value> parts;
  for (auto [whole, part] : llvm::zip_equal(op.getOperands(), operands)) {
    unsigned number = llvm::find(parts, part) - parts.begin();
    if (number == parts.size())
      parts.push_back(part);
    wanted.placed.push_back({number, at});
    at += typeOf(whole).getDimSize(dim);
  }
  return exchange(builder, dim, axesOf(op.getResult(), dim), parts, wanted,
                  nullptr)
      .front();
}
