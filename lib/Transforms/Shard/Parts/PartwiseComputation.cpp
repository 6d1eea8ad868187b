//===- PartwiseComputation.cpp - operations along one factor --------------===//
//
// What an operation does along a factor of its rule, what it costs to have a
// value in parts along a dimension, and how a part is made.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartwiseComputation.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

RankedTensorType shard::resized(RankedTensorType type, int64_t dim,
                                int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

SmallVector<Span> shard::rangesOf(ConcatenateOp op) {
  SmallVector<Span> ranges;
  int64_t begin = 0;
  for (Value input : op.getOperands()) {
    int64_t size = typeOf(input).getDimSize(op.getDim());
    ranges.push_back({begin, begin + size});
    begin += size;
  }
  return ranges;
}

Value shard::pieceOf(Value value, int64_t dim, Span range) {
  auto op = value.getDefiningOp<ConcatenateOp>();
  if (!op || int64_t(op.getDim()) != dim)
    return {};
  for (auto [piece, held] : llvm::zip_equal(op.getOperands(), rangesOf(op)))
    if (held.begin == range.begin && held.end == range.end)
      return piece;
  return {};
}

/// How `op` computes along the factor that dimension `dim` of its tensor number
/// `tensor` is, if it computes part by part along it.
std::optional<Passage> PartwiseComputation::passage(Operation *op,
                                                    unsigned tensor,
                                                    int64_t dim) const {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      isa<ConstrainOp, ReshardOp, PropagationBarrierOp, ConcatenateOp,
          LocalComputationInterface, spmd::CollectiveOpInterface>(op) ||
      !isMemoryEffectFree(op) || hasDataFlow(op))
    return std::nullopt;
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule || rule->tensor(tensor).dims[dim].size() != 1)
    return std::nullopt;
  FactorId factor = rule->tensor(tensor).dims[dim].front();
  Passage found;
  for (unsigned number = 0; number < rule->numTensors(); ++number) {
    int64_t at = -1;
    for (auto [index, factors] : llvm::enumerate(rule->tensor(number).dims))
      if (llvm::is_contained(factors, factor)) {
        if (factors.size() != 1 || at >= 0)
          return std::nullopt;
        at = index;
      }
    if (number < rule->operands.size())
      found.operands.push_back(at);
    else
      found.result = at;
  }
  const Factor &along = rule->factors[factor];
  bool isSum = along.kind == FactorKind::Reduction &&
               along.reduction == ReductionKind::Sum && found.result < 0;
  bool passes = along.kind == FactorKind::PassThrough && found.result >= 0;
  return isSum || passes ? std::optional(found) : std::nullopt;
}

bool PartwiseComputation::isSplit(Value value, int64_t dim) const {
  ShardingAttr sharding = getSharding(value);
  return sharding && sharding.getValue().numShards(dim, mesh) > 1;
}

/// The elements that have to be moved if `value`, which is split along `dim`,
/// is needed in parts along it: none if it is not split.
double PartwiseComputation::movedElements(Value value, int64_t dim) const {
  if (!isSplit(value, dim) || matchPattern(value, m_Constant()))
    return 0;
  const TensorSharding &sharding = getSharding(value).getValue();
  double elements = typeOf(value).getNumElements();
  for (int64_t other = 0; other < sharding.rank(); ++other)
    if (other != dim)
      elements /= sharding.numShards(other, mesh);
  return elements;
}

/// The sharding of a part of `value` that is split over `axes` along `dim`.
ShardingAttr PartwiseComputation::partSharding(Value value, int64_t dim,
                                               const AxisList &axes) {
  ShardingAttr whole = getSharding(value);
  TensorSharding sharding = whole.getValue();
  sharding.dims[dim].axes.clear();
  AxisList used = sharding.usedAxes();
  llvm::append_range(used, sharding.replicated);
  if (llvm::all_of(axes, [&](const AxisRef &axis) {
        return fitsBeside(axis, used, mesh);
      }))
    sharding.dims[dim].axes = axes;
  return ShardingAttr::get(function.getContext(), whole.getMesh(),
                           sharding.canonical(mesh));
}

/// A slice of `value` along `dim`.
Value PartwiseComputation::slice(OpBuilder &builder, Value value, int64_t dim,
                                 Span range, const AxisList &axes) {
  if (Value piece = pieceOf(value, dim, range))
    return piece;
  Value &part = parts[{value, dim, range.begin}];
  if (part)
    return part;
  auto type = resized(typeOf(value), dim, range.size());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1),
      limits(typeOf(value).getShape());
  starts[dim] = range.begin;
  limits[dim] = range.end;
  part = SliceOp::create(builder, taker->getLoc(), type, value, starts, limits,
                         strides);
  setSharding(part, partSharding(value, dim, axes));
  return part;
}
