//===- LevelCalls.cpp - a collective inside of nodes and across them ------===//

#include "Hierarchy/LevelCalls.h"

#include "CallBuckets.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

//===----------------------------------------------------------------------===//
// Which calls
//===----------------------------------------------------------------------===//

void LevelCalls::add(CollectiveKind kind, bool isInner, int64_t bytes) {
  spmd::CollectiveOpInterface first = spmd::partsOf(call).front();
  auto axes = AxesAttr::get(call->getContext(), first.getAxes().getMesh(),
                            isInner ? split.inner : split.outer);
  list.push_back({kind, axes, isInner ? inner : outer, bytes});
}

/// A part that is seen as one dimension if it is to be scattered, and as it is
/// otherwise.
LevelCalls::Part LevelCalls::flatPart(spmd::CollectiveOpInterface op,
                                      bool isScattered) {
  RankedTensorType type = typeOf(op->getResult(0));
  if (!isScattered)
    return {op, llvm::to_vector(type.getShape()), 0, {{0, 0}, {0, 0}}};
  auto filled = int64_t(llvm::alignTo(type.getNumElements(), inner));
  // Both are read and written.
  if (filled != type.getNumElements())
    copied += 4 * spmd::bytesOf(type);
  return {op, {filled}, filled, {{0, 0}, {0, 0}, {0, 0}}};
}

/// A part whose chunks are in the order of the grid.
LevelCalls::Part LevelCalls::chunkedPart(spmd::CollectiveOpInterface op) const {
  int64_t splitDim = -1, joinDim = -1;
  if (auto exchange = dyn_cast<spmd::AllToAllOp>(*op)) {
    splitDim = exchange.getSplitDim();
    joinDim = exchange.getConcatDim();
  } else if (auto gather = dyn_cast<spmd::AllGatherOp>(*op)) {
    joinDim = gather.getDim();
  } else {
    splitDim = cast<spmd::ReduceScatterOp>(*op).getDim();
  }
  bool isOuterMajor = split.order == GroupSplit::OuterMajor;
  // Before a dimension with chunks, the sides of the grid.
  SmallVector<int64_t> shape;
  int64_t splitAt = 0, joinAt = 0;
  for (auto [dim, size] : llvm::enumerate(shapeOf(op->getOperand(0)))) {
    bool splits = int64_t(dim) == splitDim, joins = int64_t(dim) == joinDim;
    if (splits)
      splitAt = shape.size();
    if (joins)
      joinAt = shape.size();
    if (splits)
      shape.append(
          {isOuterMajor ? outer : inner, isOuterMajor ? inner : outer});
    else if (joins)
      shape.append({1, 1});
    shape.push_back(splits ? size / (inner * outer) : size);
  }
  Part part{op, std::move(shape), 0, {}};
  for (const LevelCall &level : list) {
    bool isInner = level.axes.getAxes() == ArrayRef<AxisRef>(split.inner);
    int64_t side = isInner == isOuterMajor ? 1 : 0;
    part.dims.push_back({splitAt + side, joinAt + side});
  }
  return part;
}

SmallVector<LevelCalls, 2> LevelCalls::formsOf(Operation *call,
                                               const GroupSplit &split,
                                               const Mesh &mesh) {
  auto collectives = spmd::partsOf(call);
  int64_t bytes = 0;
  for (Value operand : call->getOperands())
    bytes += spmd::bytesOf(operand);
  CollectiveKind kind = collectives.front().getCollectiveKind();
  LevelCalls form(call, split, mesh);
  SmallVector<LevelCalls, 2> forms;
  if (kind == CollectiveKind::AllReduce) {
    LevelCalls scattered = form;
    int64_t filled = 0;
    for (spmd::CollectiveOpInterface op : collectives) {
      RankedTensorType type = typeOf(op->getResult(0));
      form.parts.push_back(form.flatPart(op, /*isScattered=*/false));
      scattered.parts.push_back(scattered.flatPart(op, /*isScattered=*/true));
      filled += spmd::bytesOf(type.clone(scattered.parts.back().shape));
    }
    scattered.add(CollectiveKind::ReduceScatter, /*isInner=*/true, filled);
    scattered.add(kind, /*isInner=*/false, filled / scattered.inner);
    scattered.add(CollectiveKind::AllGather, /*isInner=*/true,
                  filled / scattered.inner);
    form.add(kind, /*isInner=*/true, bytes);
    form.add(kind, /*isInner=*/false, bytes);
    forms.push_back(std::move(scattered));
    forms.push_back(std::move(form));
    return forms;
  }
  if (split.order == GroupSplit::Mixed)
    return forms;
  if (kind == CollectiveKind::AllGather) {
    form.add(kind, /*isInner=*/false, bytes);
    form.add(kind, /*isInner=*/true, bytes * form.outer);
  } else if (kind == CollectiveKind::ReduceScatter) {
    form.add(kind, /*isInner=*/true, bytes);
    form.add(kind, /*isInner=*/false, bytes / form.inner);
  } else if (kind == CollectiveKind::AllToAll) {
    form.add(kind, /*isInner=*/true, bytes);
    form.add(kind, /*isInner=*/false, bytes);
  } else {
    return forms;
  }
  for (spmd::CollectiveOpInterface op : collectives)
    form.parts.push_back(form.chunkedPart(op));
  forms.push_back(std::move(form));
  return forms;
}

LevelCalls LevelCalls::gathered(Operation *call, int64_t devices) {
  LevelCalls form(call);
  int64_t bytes = 0;
  auto collectives = spmd::partsOf(call);
  for (spmd::CollectiveOpInterface op : collectives) {
    RankedTensorType type = typeOf(op->getResult(0));
    SmallVector<int64_t> shape = {1};
    llvm::append_range(shape, type.getShape());
    form.parts.push_back({op, std::move(shape), 0, {{0, 0}}, true});
    bytes += spmd::bytesOf(type);
  }
  form.copied = (devices + 1) * bytes;
  form.list.push_back({CollectiveKind::AllGather, collectives.front().getAxes(),
                       devices, bytes});
  return form;
}

std::string LevelCalls::describe() const {
  std::string text = llvm::join(
      llvm::map_range(list,
                      [](const LevelCall &level) {
                        return llvm::formatv("{0} of {1}",
                                             collectiveInfo(level.kind).name,
                                             level.devices)
                            .str();
                      }),
      ", ");
  return parts.front().isReducedHere ? text + ", reduced by each device" : text;
}

//===----------------------------------------------------------------------===//
// How they are built
//===----------------------------------------------------------------------===//

static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value).clone(shape);
  if (type == value.getType())
    return value;
  return ReshapeOp::create(builder, loc, type, value);
}

/// What the first call gets for `part`.
Value LevelCalls::before(OpBuilder &builder, const Part &part) const {
  Location loc = part.collective->getLoc();
  Value value = spmd::sourceOf(part.collective);
  int64_t count = typeOf(value).getNumElements();
  if (part.filled <= count)
    return reshape(builder, loc, value, part.shape);
  auto scalar = RankedTensorType::get({}, typeOf(value).getElementType());
  Value zero = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(scalar)));
  return PadOp::create(builder, loc, scalar.clone({part.filled}),
                       reshape(builder, loc, value, {count}), zero,
                       ArrayRef<int64_t>{0}, {part.filled - count}, {0});
}

/// What the collective of `part` gave, of what the last call gives.
Value LevelCalls::behind(OpBuilder &builder, const Part &part,
                         Value value) const {
  Location loc = part.collective->getLoc();
  RankedTensorType type = typeOf(part.collective->getResult(0));
  if (part.isReducedHere)
    return ReduceOp::create(builder, loc, type,
                            cast<spmd::AllReduceOp>(*part.collective).getKind(),
                            value, ArrayRef<int64_t>{0});
  int64_t count = type.getNumElements();
  if (part.filled > count)
    value = SliceOp::create(builder, loc, type.clone({count}), value,
                            ArrayRef<int64_t>{0}, {count}, {1});
  return reshape(builder, loc, value, type.getShape());
}

/// One call for one part, which reduces as `like` does if it reduces.
static Operation *createCollective(OpBuilder &builder, const LevelCall &call,
                                   Operation *like, Value operand,
                                   int64_t split, int64_t join) {
  Location loc = like->getLoc();
  RankedTensorType type = typeOf(operand);
  SmallVector<int64_t> shape(type.getShape());
  auto reduction = like->getAttrOfType<ReductionAttr>("kind");
  switch (call.kind) {
  case CollectiveKind::AllReduce:
    return spmd::AllReduceOp::create(builder, loc, type, reduction, operand,
                                     call.axes);
  case CollectiveKind::ReduceScatter:
    shape[split] /= call.devices;
    return spmd::ReduceScatterOp::create(builder, loc, type.clone(shape),
                                         reduction, operand, split, call.axes);
  case CollectiveKind::AllGather:
    shape[join] *= call.devices;
    return spmd::AllGatherOp::create(builder, loc, type.clone(shape), operand,
                                     join, call.axes);
  default:
    shape[split] /= call.devices;
    shape[join] *= call.devices;
    return spmd::AllToAllOp::create(builder, loc, type.clone(shape), operand,
                                    split, join, call.axes);
  }
}

SmallVector<Operation *, 3> LevelCalls::apply() {
  OpBuilder builder(call);
  SmallVector<Value> values;
  for (const Part &part : parts)
    values.push_back(before(builder, part));
  SmallVector<Operation *, 3> made;
  for (auto [number, level] : llvm::enumerate(list)) {
    CallParts collectives;
    for (auto [part, value] : llvm::zip_equal(parts, values)) {
      Part::Dims dims = part.dims[number];
      collectives.push_back(createCollective(builder, level, part.collective,
                                             value, dims.split, dims.join));
    }
    made.push_back(joinCall(builder, collectives));
    values.assign(made.back()->getResults().begin(),
                  made.back()->getResults().end());
  }
  for (auto [part, value, result] :
       llvm::zip_equal(parts, values, call->getResults()))
    result.replaceAllUsesWith(behind(builder, part, value));
  call->erase();
  return made;
}
