//===- EmitReshard.cpp - reshards as collectives --------------------------===//

#include "Exchange/EmitReshard.h"
#include "tessera/Dialect/Tessera/Why.h"

#include "Exchange/EmitPieceExchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-partition"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

Value tessera::partition::constantIndex(ImplicitLocOpBuilder &builder,
                                        int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI32Type());
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, int32_t(value)));
}

Value tessera::partition::scaledAxisIndex(ImplicitLocOpBuilder &builder,
                                          FlatSymbolRefAttr meshName,
                                          ArrayRef<AxisRef> axes,
                                          int64_t factor) {
  auto type = RankedTensorType::get({}, builder.getI32Type());
  Value index = spmd::AxisIndexOp::create(
      builder, type, AxesAttr::get(builder.getContext(), meshName, axes));
  if (factor == 1)
    return index;
  return arith::MulIOp::create(builder, index, constantIndex(builder, factor));
}

static Value neutralTensor(ImplicitLocOpBuilder &builder, RankedTensorType type,
                           ReductionKind kind) {
  return arith::ConstantOp::create(
      builder, DenseElementsAttr::get(
                   type, neutralElement(type.getElementType(), kind)));
}

/// Indices for a box that starts in `dim` where `axes` say, and elsewhere at 0.
static SmallVector<Value> boxIndices(ImplicitLocOpBuilder &builder,
                                     FlatSymbolRefAttr meshName,
                                     const ReshardStep &step,
                                     RankedTensorType box) {
  SmallVector<Value> indices(box.getRank(), constantIndex(builder, 0));
  indices[step.dim] =
      scaledAxisIndex(builder, meshName, step.axes, box.getDimSize(step.dim));
  return indices;
}

/// Every device cuts its part into one piece per member of the group, along the
/// dimensions that take, and puts what it receives together along those that
/// give.
static Value emitExchange(ImplicitLocOpBuilder &builder,
                          const ReshardStep &step, AxesAttr axes,
                          const Mesh &mesh, RankedTensorType to, Value value) {
  auto from = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> counts, piece(from.getShape());
  for (const ReshardStep::Move &move : step.moves) {
    counts.push_back(totalSize(move.axes, mesh));
    piece[move.targetDim] /= counts.back();
  }
  int64_t moves = counts.size(), members = totalSize(step.axes, mesh);

  // Pieces to the front, numbered as the members are.
  SmallVector<int64_t> cut, toFront(moves), rest;
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    for (auto [index, move] : llvm::enumerate(step.moves))
      if (move.targetDim == dim) {
        toFront[index] = cut.size();
        cut.push_back(counts[index]);
      }
    rest.push_back(cut.size());
    cut.push_back(piece[dim]);
  }
  llvm::append_range(toFront, rest);
  SmallVector<int64_t> pieces = {members};
  llvm::append_range(pieces, piece);
  value = rearrange(builder, value, cut, toFront, pieces);
  value = spmd::AllToAllOp::create(builder, value.getType(), value, 0, 0, axes);

  // What came from a member goes where the member's part was.
  SmallVector<int64_t> received(counts), toPlace;
  llvm::append_range(received, piece);
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    for (auto [index, move] : llvm::enumerate(step.moves))
      if (move.dim == dim)
        toPlace.push_back(index);
    toPlace.push_back(moves + dim);
  }
  return rearrange(builder, value, received, toPlace, to.getShape());
}

ReshardPlanner &ReshardEmitter::plannerWithout(const AxisList &manualAxes) {
  auto found = planners.find(manualAxes);
  if (found != planners.end())
    return found->second;
  Mesh free = mesh;
  for (const AxisRef &axis : manualAxes)
    free.axes[*mesh.findAxis(axis.name)].size = 1;
  if (!manualAxes.empty())
    free.deviceIds.clear();
  ReshardOptions options;
  options.links = links;
  return planners
      .emplace(std::piecewise_construct, std::forward_as_tuple(manualAxes),
               std::forward_as_tuple(std::move(free), std::move(options)))
      .first->second;
}

Value ReshardEmitter::emitStep(ImplicitLocOpBuilder &builder,
                               const ReshardStep &step,
                               const ReshardProblem &problem,
                               const TensorSharding &before, Value value) {
  auto from = cast<RankedTensorType>(value.getType());
  auto to = RankedTensorType::get(step.result.localShape(problem.shape, mesh),
                                  from.getElementType());
  MLIRContext *context = builder.getContext();
  auto axes = AxesAttr::get(context, meshName, step.axes);
  using Kind = ReshardStep::Kind;
  switch (step.kind) {
  case Kind::Slice:
    return DynamicSliceOp::create(builder, to, value,
                                  boxIndices(builder, meshName, step, to));
  case Kind::AllGather:
    return spmd::AllGatherOp::create(builder, to, value, step.dim, axes);
  case Kind::AllToAll:
    return spmd::AllToAllOp::create(builder, to, value, step.targetDim,
                                    step.dim, axes);
  case Kind::Exchange:
    return emitExchange(builder, step, axes, mesh, to, value);
  case Kind::ReduceScatter:
    return spmd::ReduceScatterOp::create(
        builder, to, ReductionAttr::get(context, before.unreducedKind), value,
        step.dim, axes);
  case Kind::AllReduce:
    return spmd::AllReduceOp::create(
        builder, to, ReductionAttr::get(context, before.unreducedKind), value,
        axes);
  case Kind::Permute:
    return spmd::PermuteOp::create(
        builder, to, value, axes,
        builder.getDenseI32ArrayAttr(step.permutationTargets(mesh)));
  case Kind::Reassemble:
    return emitPieceExchange(builder, *step.pieces, meshName, to, value);
  case Kind::ChangeMesh:
    if (step.targets.empty())
      return value;
    return spmd::PermuteOp::create(builder, to, value, axes,
                                   builder.getDenseI32ArrayAttr(step.targets));
  case Kind::ReplicatedToUnreduced: {
    Value isFirst =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                              scaledAxisIndex(builder, meshName, step.axes, 1),
                              constantIndex(builder, 0));
    auto maskType = RankedTensorType::get(to.getShape(), builder.getI1Type());
    Value mask = BroadcastOp::create(builder, maskType, isFirst,
                                     builder.getDenseI64ArrayAttr({}));
    return arith::SelectOp::create(
        builder, mask, value,
        neutralTensor(builder, to, step.result.unreducedKind));
  }
  case Kind::ShardedToUnreduced:
    return DynamicUpdateSliceOp::create(
        builder, to, neutralTensor(builder, to, step.result.unreducedKind),
        value, boxIndices(builder, meshName, step, from));
  }
  llvm_unreachable("unknown step");
}

FailureOr<Value> ReshardEmitter::emit(OpBuilder &builder, ReshardOp reshard,
                                      const TensorSharding &source,
                                      Value local) {
  RankedTensorType type = reshard.getType();
  ReshardProblem problem{
      source, reshard.getSharding().getValue(),
      SmallVector<int64_t>(type.getShape()),
      int64_t(llvm::divideCeil(type.getElementTypeBitWidth(), 8))};
  const ReshardResult &result =
      plannerWithout(manualAxesAround(reshard)).plan(problem);
  if (!result.plan) {
    reshard.emitOpError() << "not supported yet: " << result.error;
    return failure();
  }
  LDBG() << describeOperation(reshard) << ": " << source << " to "
         << problem.target << ": " << *result.plan;
  ImplicitLocOpBuilder locBuilder(reshard.getLoc(), builder);
  const TensorSharding *before = &problem.source;
  for (const ReshardStep &step : result.plan->steps) {
    local = emitStep(locBuilder, step, problem, *before, local);
    before = &step.result;
  }
  return local;
}
