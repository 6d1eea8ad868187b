//===- HaloExchange.cpp - elements of neighbouring parts ------------------===//

#include "Exchange/HaloExchange.h"

#include "Exchange/EmitReshard.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Support/StableSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

/// The key of shifts along several dimensions.
static constexpr int64_t kAllDims = -1;

/// Elements `begin` to `end` of `value` along `dim`.
static Value sliceDim(ImplicitLocOpBuilder &builder, Value value, int64_t dim,
                      int64_t begin, int64_t end) {
  RankedTensorType type = typeOf(value);
  if (begin == 0 && end == type.getDimSize(dim))
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1),
      limits(type.getShape()), shape(type.getShape());
  starts[dim] = begin;
  limits[dim] = end;
  shape[dim] = end - begin;
  return SliceOp::create(builder, type.clone(shape), value, starts, limits,
                         strides);
}

static Value concatenate(ImplicitLocOpBuilder &builder, ArrayRef<Value> values,
                         int64_t dim) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(typeOf(values.front()).getShape());
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += typeOf(value).getDimSize(dim);
  return ConcatenateOp::create(builder, typeOf(values.front()).clone(shape),
                               values, dim);
}

Value tessera::partition::padWholeDims(ImplicitLocOpBuilder &builder, PadOp op,
                                       ArrayRef<int64_t> lows,
                                       ArrayRef<int64_t> highs, Value operand,
                                       Value padValue,
                                       RankedTensorType resultType,
                                       const TensorSharding &sharding) {
  SmallVector<int64_t> low(lows), high(highs);
  bool isCrop = true, isNothing = true;
  for (auto [dim, interior] : llvm::enumerate(op.getInterior())) {
    if (!sharding.dims[dim].axes.empty() && interior == 0)
      low[dim] = high[dim] = 0;
    isCrop &= low[dim] <= 0 && high[dim] <= 0 && interior == 0;
    isNothing &= low[dim] == 0 && high[dim] == 0 && interior == 0;
  }
  if (isNothing)
    return operand;
  if (isCrop) {
    SmallVector<int64_t> starts, limits, strides(low.size(), 1);
    for (auto [dim, size] : llvm::enumerate(typeOf(operand).getShape())) {
      starts.push_back(-low[dim]);
      limits.push_back(size + high[dim]);
    }
    return SliceOp::create(builder, resultType, operand, starts, limits,
                           strides);
  }
  if (op.getValue().getDefiningOp<ub::PoisonOp>())
    padValue = arith::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     typeOf(padValue),
                     builder.getZeroAttr(resultType.getElementType())));
  return PadOp::create(builder, resultType, operand, padValue, low, high,
                       op.getInterior());
}

//===----------------------------------------------------------------------===//
// Finding shifts
//===----------------------------------------------------------------------===//

HaloExchange::HaloExchange(func::FuncOp function, FlatSymbolRefAttr meshName,
                           const Mesh &mesh,
                           const DenseMap<Value, ShardingAttr> &shardings)
    : meshName(meshName), mesh(mesh), shardings(shardings) {
  struct Found {
    PadOp op;
    SmallVector<Shift> shifts;
    /// How far the furthest of them is.
    int64_t distance = 0;
  };
  SmallVector<Found> all;
  function.walk([&](PadOp op) {
    Found found{op, shiftsOf(op)};
    for (const Shift &shift : found.shifts)
      found.distance = std::max(found.distance, std::abs(shift.shortest));
    if (!found.shifts.empty())
      all.push_back(std::move(found));
  });
  stableSort(all, [](const Found &a, const Found &b) {
    return a.distance < b.distance;
  });
  // What the windows need that follow on from the own part.
  DenseMap<std::pair<Value, int64_t>, Halo> reached;
  for (Found &found : all) {
    auto haloOf = [&](const Shift &shift) -> Halo & {
      return reached[{found.op.getOperand(), shift.dim}];
    };
    if (!llvm::all_of(found.shifts, [&](const Shift &shift) {
          const Halo &halo = haloOf(shift);
          return -shift.shortest <= halo.left + shift.part &&
                 shift.shortest <= halo.right + shift.part;
        }))
      continue;
    for (const Shift &shift : found.shifts)
      haloOf(shift).include(shift.shortest);
    near.insert(found.op);
    if (found.shifts.size() > 1)
      withCorners.insert(found.op.getOperand());
  }
  for (Found &found : all)
    if (near.contains(found.op))
      addToGroup(found.op, found.shifts);
}

/// Makes the extended part that `op` takes its window from large enough.
void HaloExchange::addToGroup(PadOp op, ArrayRef<Shift> shifts) {
  Group &group = groups[keyOf(op, shifts)];
  group.halos.resize(op.getType().getRank());
  SmallVector<Range> kept = keptBy(op);
  if (group.kept.empty())
    group.kept = kept;
  for (auto [all, own] : llvm::zip_equal(group.kept, kept))
    all = {std::min(all.first, own.first), std::max(all.second, own.second)};
  for (const Shift &shift : shifts) {
    Halo &halo = group.halos[shift.dim];
    halo.include(shift.shortest);
    halo.wraps |= shift.shortest != shift.offset;
  }
}

/// Per dimension that is whole, the elements of the operand that `op` keeps; of
/// others all.
SmallVector<HaloExchange::Range> HaloExchange::keptBy(PadOp op) const {
  SmallVector<Range> kept;
  for (auto [dim, size] : llvm::enumerate(typeOf(op.getOperand()).getShape())) {
    Range own{std::max<int64_t>(0, -op.getLow()[dim]),
              size + std::min<int64_t>(0, op.getHigh()[dim])};
    bool isAll = !axesOf(op.getOperand(), dim).empty() ||
                 op.getInterior()[dim] != 0 || own.first >= own.second;
    kept.push_back(isAll ? Range(0, size) : own);
  }
  return kept;
}

/// The elements `kept` of the operand's part.
Value HaloExchange::crop(ImplicitLocOpBuilder &builder, PadOp op, Value part,
                         ArrayRef<Range> kept) const {
  for (auto [dim, range] : llvm::enumerate(kept))
    if (axesOf(op.getOperand(), dim).empty())
      part = sliceDim(builder, part, dim, range.first, range.second);
  return part;
}

ArrayRef<AxisRef> HaloExchange::axesOf(Value value, int64_t dim) const {
  return shardings.at(value).getValue().dims[dim].axes;
}

SmallVector<HaloExchange::Shift> HaloExchange::shiftsOf(PadOp op) const {
  SmallVector<Shift> shifts;
  RankedTensorType type = typeOf(op.getOperand());
  if (!shardings.contains(op.getOperand()))
    return shifts;
  for (auto [dim, low] : llvm::enumerate(op.getLow())) {
    int64_t size = type.getDimSize(dim);
    int64_t count = totalSize(axesOf(op.getOperand(), dim), mesh);
    if (count == 1 || low == 0 || op.getInterior()[dim] != 0 ||
        op.getType().getDimSize(dim) != size)
      continue;
    int64_t offset = -low, shortest = offset;
    if (std::abs(offset) < size && 2 * std::abs(offset) > size)
      shortest += offset > 0 ? -size : size;
    shifts.push_back({int64_t(dim), size / count, offset, shortest});
  }
  return shifts;
}

/// Whether `op` shifts, for some stage, what stands outside of its fragments.
static bool entersFragment(PadOp op) {
  auto fragment = op->getParentOfType<pipe::FragmentOp>();
  return fragment &&
         !fragment->isAncestor(op.getOperand().getParentBlock()->getParentOp());
}

HaloExchange::Key HaloExchange::keyOf(PadOp op, ArrayRef<Shift> shifts) const {
  bool together = withCorners.contains(op.getOperand());
  return {entersFragment(op) ? op->getBlock() : nullptr, op.getOperand(),
          together ? kAllDims : shifts.front().dim};
}

//===----------------------------------------------------------------------===//
// Exchanging
//===----------------------------------------------------------------------===//

/// Elements `begin` to `end` along `dim` of the part `distance` devices further
/// on. Beyond the ends there are zeros, unless the devices are in a ring.
Value HaloExchange::receive(ImplicitLocOpBuilder &builder, Value part,
                            int64_t dim, int64_t begin, int64_t end,
                            int64_t distance, bool wraps,
                            ArrayRef<AxisRef> axes) {
  Value sent = sliceDim(builder, part, dim, begin, end);
  int64_t count = totalSize(axes, mesh);
  SmallVector<int32_t> targets;
  for (int64_t device = 0; device < count; ++device) {
    int64_t target = device - distance;
    bool isInside = target >= 0 && target < count;
    targets.push_back(isInside || wraps ? llvm::mod(target, count) : -1);
  }
  return spmd::PermuteOp::create(
      builder, sent.getType(), sent,
      AxesAttr::get(builder.getContext(), meshName, axes),
      builder.getDenseI32ArrayAttr(targets));
}

/// What `halo` says of the part `distance` devices further on, on the left if
/// that is negative. Where no device has one so far away, there are zeros,
/// which nobody sends.
Value HaloExchange::receiveHalo(ImplicitLocOpBuilder &builder, Value part,
                                int64_t dim, int64_t distance, const Halo &halo,
                                ArrayRef<AxisRef> axes) {
  int64_t size = typeOf(part).getDimSize(dim);
  int64_t begin =
      distance < 0 ? std::max<int64_t>(0, -distance * size - halo.left) : 0;
  int64_t end =
      distance < 0 ? size : std::min(size, halo.right - (distance - 1) * size);
  if (halo.wraps || std::abs(distance) < totalSize(axes, mesh))
    return receive(builder, part, dim, begin, end, distance, halo.wraps, axes);
  SmallVector<int64_t> shape(typeOf(part).getShape());
  shape[dim] = end - begin;
  RankedTensorType type = typeOf(part).clone(shape);
  return arith::ConstantOp::create(
      builder,
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

Value HaloExchange::extend(ImplicitLocOpBuilder &builder, Value part,
                           int64_t dim, const Halo &halo,
                           ArrayRef<AxisRef> axes) {
  int64_t size = typeOf(part).getDimSize(dim);
  SmallVector<Value> pieces;
  for (int64_t distance = -llvm::divideCeil(halo.left, size); distance < 0;
       ++distance)
    pieces.push_back(receiveHalo(builder, part, dim, distance, halo, axes));
  pieces.push_back(part);
  for (int64_t distance = 1; (distance - 1) * size < halo.right; ++distance)
    pieces.push_back(receiveHalo(builder, part, dim, distance, halo, axes));
  return concatenate(builder, pieces, dim);
}

/// The window that a shift by any distance needs, taken from where it is.
Value HaloExchange::window(ImplicitLocOpBuilder &builder, Value part,
                           const Shift &shift, ArrayRef<AxisRef> axes) {
  if (std::abs(shift.shortest) <= shift.part) {
    Halo halo{std::max<int64_t>(0, -shift.shortest),
              std::max<int64_t>(0, shift.shortest), true};
    int64_t begin = halo.right;
    return sliceDim(builder, extend(builder, part, shift.dim, halo, axes),
                    shift.dim, begin, begin + shift.part);
  }
  int64_t distance = llvm::divideFloorSigned(shift.shortest, shift.part);
  int64_t begin = shift.shortest - distance * shift.part;
  SmallVector<Value> pieces = {receive(builder, part, shift.dim, begin,
                                       shift.part, distance, true, axes)};
  if (begin)
    pieces.push_back(
        receive(builder, part, shift.dim, 0, begin, distance + 1, true, axes));
  return concatenate(builder, pieces, shift.dim);
}

/// Puts the pad's value where the operand has no element.
Value HaloExchange::mask(ImplicitLocOpBuilder &builder, PadOp op, Value moved,
                         Value padValue, ArrayRef<Shift> shifts) {
  RankedTensorType type = typeOf(moved);
  RankedTensorType indexType = type.clone(builder.getI32Type());
  Value inside;
  for (const Shift &shift : shifts) {
    Value index = IotaOp::create(builder, indexType, shift.dim);
    // Of an operand of this size, as an unsigned number less than it.
    Value first = arith::AddIOp::create(
        builder,
        scaledAxisIndex(builder, meshName, axesOf(op.getOperand(), shift.dim),
                        shift.part),
        constantIndex(builder, shift.offset));
    Value begin = BroadcastOp::create(builder, indexType, first,
                                      builder.getDenseI64ArrayAttr({}));
    int32_t size = typeOf(op.getOperand()).getDimSize(shift.dim);
    Value end = arith::ConstantOp::create(
        builder, DenseElementsAttr::get(indexType, size));
    Value fits = arith::CmpIOp::create(
        builder, arith::CmpIPredicate::ult,
        arith::AddIOp::create(builder, index, begin), end);
    inside = inside ? arith::AndIOp::create(builder, inside, fits).getResult()
                    : fits;
  }
  Value outside = BroadcastOp::create(builder, type, padValue,
                                      builder.getDenseI64ArrayAttr({}));
  return arith::SelectOp::create(builder, inside, moved, outside);
}

/// Whether what a shift takes from beyond the ends is as it should be without
/// a mask: no matter what, or the zeros that nobody sends.
static bool isOutsideRight(PadOp op, bool receivesZeros) {
  Value value = op.getValue();
  if (value.getDefiningOp<ub::PoisonOp>())
    return true;
  return receivesZeros && (matchPattern(value, m_PosZeroFloat()) ||
                           matchPattern(value, m_Zero()));
}

Value HaloExchange::emit(OpBuilder &outer, PadOp op, Value operand,
                         Value padValue, RankedTensorType resultType) {
  ImplicitLocOpBuilder builder(op.getLoc(), outer);
  SmallVector<Shift> shifts = shiftsOf(op);
  SmallVector<Range> kept = keptBy(op);
  Value moved;
  bool receivesZeros = false;
  if (near.contains(op)) {
    Group &group = groups.find(keyOf(op, shifts))->second;
    if (!group.extended) {
      ImplicitLocOpBuilder early(op.getLoc(), builder.getContext());
      if (entersFragment(op))
        early.restoreInsertionPoint(builder.saveInsertionPoint());
      else
        early.setInsertionPointAfterValue(operand);
      group.extended = crop(early, op, operand, group.kept);
      for (auto [dim, halo] : llvm::enumerate(group.halos))
        group.extended = extend(early, group.extended, dim, halo,
                                axesOf(op.getOperand(), dim));
    }
    kept = group.kept;
    moved = group.extended;
    for (auto [dim, halo] : llvm::enumerate(group.halos)) {
      int64_t begin = halo.left;
      for (const Shift &shift : shifts)
        if (shift.dim == int64_t(dim))
          begin += shift.shortest;
      int64_t size = typeOf(moved).getDimSize(dim) - halo.left - halo.right;
      moved = sliceDim(builder, moved, dim, begin, begin + size);
    }
    receivesZeros =
        llvm::none_of(group.halos, [](const Halo &halo) { return halo.wraps; });
  } else {
    moved = crop(builder, op, operand, kept);
    for (const Shift &shift : shifts)
      moved = window(builder, moved, shift, axesOf(op.getOperand(), shift.dim));
  }
  // What is cropped need not be cropped again.
  SmallVector<int64_t> low(op.getLow()), high(op.getHigh());
  for (auto [dim, range] : llvm::enumerate(kept)) {
    low[dim] += range.first;
    high[dim] += typeOf(op.getOperand()).getDimSize(dim) - range.second;
  }
  moved = padWholeDims(builder, op, low, high, moved, padValue, resultType,
                       shardings.at(op.getOperand()).getValue());
  return isOutsideRight(op, receivesZeros)
             ? moved
             : mask(builder, op, moved, padValue, shifts);
}
