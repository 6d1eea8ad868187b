//===- ComposeMoves.cpp - moves as shifts of their origin -----------------===//
//
// Slices, pads, concatenations and updates at constant indices say where the
// elements of a result come from. What matters for a split dimension is by how
// far they move in all, and whether the result is as long as the origin: then
// every device needs a few elements of its neighbour. A stencil is written as
// slices of a padded field, whose size divides by nothing; as shifts of the
// field itself they keep its blocks.
//
// Every move by constants is a `tessera.pad` of its origin, with a positive or
// negative number of elements at either end (a *window*). Windows of windows
// compose, unless the outer adds elements where the inner has removed some.
// Strides and elements in between are kept apart, in the form in which blocks
// stay blocks: take one of every s, put s - 1 behind each.
//
//===----------------------------------------------------------------------===//

#include "Moves/MoveWindow.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_COMPOSEMOVES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-compose-moves"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The most parts of a tensor, one behind the other, that become shifts.
static constexpr size_t kMaxParts = 3;
/// How deep slices are pushed into what is computed element by element.
static constexpr unsigned kMaxCropped = 16;

namespace {

/// Rewrites the moves of one function. What makes a value anew for an operation
/// returns null where the operation is as good as it gets.
class MoveComposer {
public:
  explicit MoveComposer(func::FuncOp function) : function(function) {}
  void run();

private:
  void makeSlices();
  void padBeforeTransposing();
  Value composeSlice(SliceOp op);
  Value sliceOfParts(ImplicitLocOpBuilder &builder, const MoveWindow &window);
  Value composePad(PadOp op);
  Value composeParts(ConcatenateOp op);
  Value composeUpdate(Operation *op, Value operand, Value update,
                      ArrayRef<int64_t> starts, bool adds);
  Value compose(Operation *op);
  bool canCrop(Value value, unsigned depth) const;
  Value crop(ImplicitLocOpBuilder &builder, Value value, SliceOp slice);

  func::FuncOp function;
};

} // namespace

//===----------------------------------------------------------------------===//
// Slices and pads
//===----------------------------------------------------------------------===//

/// Whether a slice of `value` is one of padded tensors, behind operations that
/// compute element by element and serve nothing else.
bool MoveComposer::canCrop(Value value, unsigned depth) const {
  if (matchPattern(value, m_Constant()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (std::optional<MoveWindow> window = windowOf(value))
    return !window->isCrop();
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
         op->getNumOperands() > 0 && value.hasOneUse() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return shapeOf(operand) == shapeOf(value) &&
                  canCrop(operand, depth - 1);
         });
}

Value MoveComposer::crop(ImplicitLocOpBuilder &builder, Value value,
                         SliceOp slice) {
  auto type =
      cast<RankedTensorType>(value.getType()).clone(slice.getType().getShape());
  Operation *op = value.getDefiningOp();
  if (DenseElementsAttr constant;
      matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(builder, constant.resizeSplat(type));
  if (isa<PadOp, arith::ConstantOp>(op)) {
    auto part = SliceOp::create(builder, type, value, slice.getStarts(),
                                slice.getLimits(), slice.getStrides());
    Value composed = composeSlice(part);
    return composed ? composed : part;
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(crop(builder, operand, slice));
  OperationState state(op->getLoc(), op->getName(), operands, {type},
                       op->getAttrs());
  return builder.create(state)->getResult(0);
}

/// Makes of a slice of moved data one window into its origin, or puts the slice
/// before what computes its operand; null where nothing becomes simpler. A
/// stride that the window cannot express stays as a slice behind it.
Value MoveComposer::composeSlice(SliceOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value operand = op.getOperand();
  if (!operand.getDefiningOp<PadOp>() && !matchPattern(operand, m_Constant()) &&
      canCrop(operand, kMaxCropped))
    return crop(builder, operand, op);
  if (operand.getDefiningOp<ConcatenateOp>() && areAll(op.getStrides(), 1))
    return sliceOfParts(builder, windowOf(op));
  std::optional<MoveWindow> inner = windowOf(operand);
  bool isPadded = inner && inner->added;
  MoveWindow window = windowOf(op);
  SmallVector<int64_t> starts(op.getStarts().size(), 0), limits;
  bool moves = isPadded;
  for (auto [dim, stride] : llvm::enumerate(op.getStrides())) {
    int64_t size = window.originType().getDimSize(dim),
            whole = op.getType().getDimSize(dim) * stride;
    limits.push_back(whole);
    if (stride == 1)
      continue;
    bool isPlain = op.getStarts()[dim] < stride && whole == size;
    if (!isPlain && (isPadded || whole == size)) {
      window.high[dim] = whole - size - window.low[dim];
      moves = true;
      continue;
    }
    window.low[dim] = window.high[dim] = 0;
    starts[dim] = op.getStarts()[dim];
    limits[dim] = op.getLimits()[dim];
  }
  if (!moves || (isPadded && !inner->compose(window)))
    return {};
  Value moved = buildWindow(builder, isPadded ? *inner : window);
  if (areAll(op.getStrides(), 1))
    return moved;
  return SliceOp::create(builder, op.getType(), moved, starts, limits,
                         op.getStrides());
}

/// A slice of tensors one behind the other, if it lies in one of them or is
/// made of shifts; null otherwise.
Value MoveComposer::sliceOfParts(ImplicitLocOpBuilder &builder,
                                 const MoveWindow &window) {
  auto whole = window.origin.getDefiningOp<ConcatenateOp>();
  int64_t dim = whole.getDim(), offset = 0;
  int64_t begin = -window.low[dim], end = window.shape()[dim] + begin;
  SmallVector<Value> parts;
  for (Value operand : whole.getOperands()) {
    int64_t size = shapeOf(operand)[dim];
    int64_t first = std::max(begin, offset),
            last = std::min(end, offset + size);
    MoveWindow part(operand);
    part.low = window.low;
    part.high = window.high;
    part.low[dim] = offset - first;
    part.high[dim] = last - offset - size;
    offset += size;
    if (first >= last)
      continue;
    part = throughOrigin(part);
    Value taken;
    if (part.isCrop() && part.shape() != part.originType().getShape() &&
        part.origin.getDefiningOp<ConcatenateOp>())
      taken = sliceOfParts(builder, part);
    parts.push_back(taken ? taken : buildWindow(builder, part));
  }
  if (parts.size() == 1)
    return parts.front();
  if (parts.empty())
    return {};
  return composeParts(ConcatenateOp::create(
      builder, whole.getType().clone(window.shape()), parts, dim));
}

/// Makes of padding of moved data one window into its origin; null where
/// nothing changes. Padding between elements becomes padding behind each and
/// then a move of all.
Value MoveComposer::composePad(PadOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  if (std::optional<MoveWindow> window = windowOf(op.getResult())) {
    MoveWindow whole = throughOrigin(*window);
    return whole.origin == op.getOperand() ? Value()
                                           : buildWindow(builder, whole);
  }
  // First elements come between others, then all move.
  SmallVector<int64_t> high(op.getType().getRank(), 0);
  MoveWindow outer(op.getOperand());
  bool changes = false;
  SmallVector<int64_t> low(high), shape(op.getOperand().getType().getShape());
  for (auto [dim, interior] : llvm::enumerate(op.getInterior())) {
    outer.low[dim] = op.getLow()[dim];
    outer.high[dim] = op.getHigh()[dim];
    if (interior == 0)
      continue;
    if (outer.low[dim] >= 0 && outer.high[dim] >= 0 &&
        outer.low[dim] + outer.high[dim] == interior) {
      std::swap(low[dim], outer.low[dim]);
      std::swap(high[dim], outer.high[dim]);
    } else {
      changes = true;
      high[dim] = interior;
      outer.high[dim] -= interior;
    }
    shape[dim] *= interior + 1;
  }
  if (!changes || llvm::is_contained(shape, 0))
    return {};
  outer.origin =
      PadOp::create(builder, op.getType().clone(shape), op.getOperand(),
                    op.getValue(), low, high, op.getInterior());
  if (!outer.isCrop())
    outer.added = op.getValue();
  return buildWindow(builder, outer);
}

//===----------------------------------------------------------------------===//
// Rotations and updates
//===----------------------------------------------------------------------===//

/// Where indices along `dim` lie between `begin` and `end`.
static Value between(ImplicitLocOpBuilder &builder, ArrayRef<int64_t> shape,
                     int64_t dim, int32_t begin, int32_t end) {
  auto type = RankedTensorType::get(shape, builder.getI32Type());
  auto bound = [&](arith::CmpIPredicate predicate, int32_t limit) -> Value {
    Value index = IotaOp::create(builder, type, dim);
    Value all =
        arith::ConstantOp::create(builder, DenseElementsAttr::get(type, limit));
    return arith::CmpIOp::create(builder, predicate, index, all);
  };
  if (begin == 0)
    return bound(arith::CmpIPredicate::slt, end);
  if (end == shape[dim])
    return bound(arith::CmpIPredicate::sge, begin);
  return arith::AndIOp::create(builder, bound(arith::CmpIPredicate::sge, begin),
                               bound(arith::CmpIPredicate::slt, end));
}

/// Parts of tensors as long as the result, one behind the other: as many shifts
/// by indices that are the same. The end of a tensor, then its beginning, is a
/// rotation, and its first element, then all but its last, a shift by one that
/// repeats the edge.
Value MoveComposer::composeParts(ConcatenateOp op) {
  int64_t dim = op.getDim(), offset = 0;
  RankedTensorType type = op.getType();
  SmallVector<std::pair<MoveWindow, int64_t>> shifts;
  for (Value operand : op.getOperands()) {
    std::optional<MoveWindow> part = windowOf(operand);
    if (!part || part->originType() != type || !part->isCrop())
      return {};
    int64_t low = part->low[dim];
    part->low[dim] = part->high[dim] = 0;
    if (!areAll(part->low, 0) || !areAll(part->high, 0))
      return {};
    part->low[dim] = offset + low;
    part->high[dim] = -part->low[dim];
    offset += shapeOf(operand)[dim];
    shifts.push_back({*part, offset});
  }
  // What parts of several tensors would gain is not known.
  if (shifts.size() > kMaxParts ||
      llvm::any_of(shifts, [&](const std::pair<MoveWindow, int64_t> &shift) {
        return shift.first.origin != shifts.front().first.origin;
      }))
    return {};
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value result = buildWindow(builder, shifts.back().first);
  for (const auto &[window, end] : llvm::drop_begin(llvm::reverse(shifts))) {
    Value mask = between(builder, type.getShape(), dim, 0, end);
    Value moved = buildWindow(builder, window);
    result = arith::SelectOp::create(builder, mask, moved, result);
  }
  return result;
}

/// `operand` with `update` at constant indices: the update, as long as the
/// operand, within its box.
Value MoveComposer::composeUpdate(Operation *op, Value operand, Value update,
                                  ArrayRef<int64_t> starts, bool adds) {
  auto type = cast<RankedTensorType>(operand.getType());
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  MoveWindow window(update);
  Value mask;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    int64_t box = window.originType().getDimSize(dim);
    if (starts[dim] < 0 || starts[dim] + box > size)
      return {};
    // Small boxes are rather whole on every device.
    if (2 * box <= size)
      return {};
    window.low[dim] = starts[dim];
    window.high[dim] = size - box - starts[dim];
  }
  if (adds) {
    auto scalar = RankedTensorType::get({}, type.getElementType());
    window.added = arith::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     scalar, builder.getZeroAttr(type.getElementType())));
    Value moved = buildWindow(builder, throughOrigin(window));
    return isa<FloatType>(type.getElementType())
               ? arith::AddFOp::create(builder, operand, moved).getResult()
               : arith::AddIOp::create(builder, operand, moved).getResult();
  }
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (window.low[dim] == 0 && window.high[dim] == 0)
      continue;
    Value inside = between(builder, type.getShape(), dim, window.low[dim],
                           size - window.high[dim]);
    mask = mask ? arith::AndIOp::create(builder, mask, inside).getResult()
                : inside;
  }
  if (!mask)
    return update;
  return arith::SelectOp::create(builder, mask, buildWindow(builder, window),
                                 operand);
}

/// The elements of a vector of integers, if they are constant.
static std::optional<SmallVector<int64_t>> constantVector(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return llvm::map_to_vector(constant.getValues<APInt>(), [](APInt number) {
      return number.getSExtValue();
    });
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    return constantVector(reshape.getOperand());
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    auto inner = constantVector(broadcast.getOperand());
    if (!inner || inner->size() != 1)
      return std::nullopt;
    return SmallVector<int64_t>(type.getNumElements(), inner->front());
  }
  auto concatenate = value.getDefiningOp<ConcatenateOp>();
  if (!concatenate || type.getRank() != 1)
    return std::nullopt;
  SmallVector<int64_t> all;
  for (Value operand : concatenate.getOperands()) {
    auto part = constantVector(operand);
    if (!part)
      return std::nullopt;
    llvm::append_range(all, *part);
  }
  return all;
}

Value MoveComposer::compose(Operation *op) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return composeSlice(slice);
  if (auto pad = dyn_cast<PadOp>(op))
    return composePad(pad);
  if (auto concatenate = dyn_cast<ConcatenateOp>(op))
    return composeParts(concatenate);
  if (auto update = dyn_cast<DynamicUpdateSliceOp>(op)) {
    SmallVector<int64_t> starts;
    for (Value index : update.getIndices()) {
      auto number = constantVector(index);
      if (!number)
        return {};
      starts.push_back(number->front());
    }
    return composeUpdate(op, update.getOperand(), update.getUpdate(), starts,
                         /*adds=*/false);
  }
  auto scatter = dyn_cast<ScatterOp>(op);
  if (!scatter || scatter.getIndices().getType().getRank() != 1 ||
      !scatter.getInsertedDims().empty() ||
      !scatter.getOperandBatching().empty())
    return {};
  bool adds =
      scatter.getKind() && scatter.getKind()->getKind() == ReductionKind::Sum;
  auto indices = constantVector(scatter.getIndices());
  if (!indices || (scatter.getKind() && !adds) ||
      scatter.getIndexVectorDim() != 0)
    return {};
  SmallVector<int64_t> starts(scatter.getType().getRank(), 0);
  for (auto [dim, index] :
       llvm::zip_equal(scatter.getOperandDimsMap(), *indices))
    starts[dim] = index;
  return composeUpdate(op, scatter.getOperand(), scatter.getUpdates(), starts,
                       adds);
}

/// Makes slices of pads that only remove elements.
void MoveComposer::makeSlices() {
  SmallVector<PadOp> pads;
  function.walk([&](PadOp op) { pads.push_back(op); });
  for (PadOp op : pads) {
    std::optional<MoveWindow> window = windowOf(op.getResult());
    if (!window || !window->isCrop())
      continue;
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    op.replaceAllUsesWith(buildWindow(builder, *window));
    op.erase();
  }
}

/// Pads what is transposed before that, so that the same elements are added to
/// a tensor and to its transpose (by a convolution and by its kernel's
/// gradient) once.
void MoveComposer::padBeforeTransposing() {
  SmallVector<PadOp> pads;
  function.walk([&](PadOp op) { pads.push_back(op); });
  for (PadOp op : pads) {
    auto transpose = op.getOperand().getDefiningOp<TransposeOp>();
    if (!transpose)
      continue;
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Value from = transpose.getOperand();
    SmallVector<int64_t> shape(shapeOf(from)), low(shape.size()),
        high(shape.size()), interior(shape.size());
    for (auto [to, dim] : llvm::enumerate(transpose.getPermutation())) {
      shape[dim] = op.getType().getDimSize(to);
      low[dim] = op.getLow()[to];
      high[dim] = op.getHigh()[to];
      interior[dim] = op.getInterior()[to];
    }
    Value padded = PadOp::create(
        builder, RankedTensorType::get(shape, op.getType().getElementType()),
        from, op.getValue(), low, high, interior);
    Value result = TransposeOp::create(builder, op.getType(), padded,
                                       transpose.getPermutation());
    op.replaceAllUsesWith(result);
    op.erase();
  }
}

void MoveComposer::run() {
  padBeforeTransposing();
  makeSlices();
  SmallVector<Operation *> moves;
  function.walk([&](Operation *op) {
    if (isa<SliceOp, PadOp, ConcatenateOp, DynamicUpdateSliceOp, ScatterOp>(op))
      moves.push_back(op);
  });
  for (Operation *op : moves)
    if (Value value = compose(op)) {
      LDBG() << describeOperation(op) << ": replaced by "
             << describeMaker(value);
      op->getResult(0).replaceAllUsesWith(value);
    }
  // What only led to these moves; what stands in a region before what it
  // belongs to.
  SmallVector<Operation *> all;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct ComposeMoves : tessera::shard::impl::ComposeMovesBase<ComposeMoves> {
  void runOnOperation() override {
    if (llvm::all_of(getOperation().getOps<MeshOp>(), [](MeshOp mesh) {
          return mesh.getMesh().getMesh().numDevices() == 1;
        }))
      return;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        MoveComposer(function).run();
  }
};
} // namespace
