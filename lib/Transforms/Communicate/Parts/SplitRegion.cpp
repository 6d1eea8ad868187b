//===- SplitRegion.cpp - operations that run part by part -----------------===//
//
// A cut goes through an operation along one factor of its sharding rule: as a
// shard of that factor could be computed on another device, it can be computed
// at another time. Which blocks of a dimension belong to a part is carried
// along, as an exchange between devices puts what they send one behind the
// other: half of each device's sequences is not half of the gathered ones in
// one piece.
//
//===----------------------------------------------------------------------===//

#include "Parts/SplitRegion.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// Operands first, then results.
static Value tensorOf(Operation *op, size_t tensor) {
  return tensor < op->getNumOperands()
             ? op->getOperand(tensor)
             : op->getResult(tensor - op->getNumOperands());
}

static int64_t groupSizeOf(spmd::CollectiveOpInterface op) {
  return groupSize(op, op.getAxes());
}

/// The dimensions along which a device splits what it sends, and joins what it
/// gets; -1 for none.
static std::pair<int64_t, int64_t>
exchangedDims(spmd::CollectiveOpInterface op) {
  if (auto gather = dyn_cast<spmd::AllGatherOp>(*op))
    return {-1, gather.getDim()};
  if (auto scatter = dyn_cast<spmd::ReduceScatterOp>(*op))
    return {scatter.getDim(), -1};
  if (auto exchange = dyn_cast<spmd::AllToAllOp>(*op))
    return {exchange.getSplitDim(), exchange.getConcatDim()};
  return {-1, -1};
}

/// Whether `op` may be computed part by part at all.
static bool isSplittable(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->getNumResults() == 0 ||
      (isa<LocalComputationInterface>(op) && !isa<GatherOp, ScatterOp>(op)) ||
      !llvm::all_of(op->getResultTypes(), isStatic) ||
      !llvm::all_of(op->getOperandTypes(), isStatic))
    return false;
  // A region is copied for each part, and sees nothing of the block.
  return !op->walk([&](Operation *inner) {
              return inner != op &&
                             llvm::any_of(
                                 inner->getOperands(),
                                 [&](Value value) {
                                   return !op->isAncestor(
                                       value.getParentBlock()->getParentOp());
                                 })
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

SplitRegion::SplitRegion(spmd::CollectiveOpInterface seed, int64_t dim,
                         int64_t parts, function_ref<bool(Operation *)> isFree)
    : block(seed->getBlock()), parts(parts) {
  auto type = cast<RankedTensorType>(seed->getResult(0).getType());
  Cut cut{dim, exchangedDims(seed).second == dim ? groupSizeOf(seed) : 1};
  int64_t size = type.getDimSize(dim) / cut.outer;
  if (size < parts)
    return;
  // Few units pass where many do not: through dimensions of which they are only
  // the major part.
  units = size % parts == 0 ? parts : size;
  SmallVector<std::pair<Value, Cut>> reached;
  auto visit = [&](Operation *op, size_t tensor, Cut at) {
    if (!op || op->getBlock() != block || contains(op) || !isFree(op))
      return;
    std::optional<SplitMember> member = passage(op, tensor, at);
    if (!member)
      return;
    for (auto [operand, own] : llvm::zip(op->getOperands(), member->operands))
      if (own)
        reached.push_back({operand, *own});
    for (auto [result, own] : llvm::zip(op->getResults(), member->results))
      if (own)
        reached.push_back({result, *own});
    members.insert({op, std::move(*member)});
  };
  visit(seed, 1, cut);
  while (!reached.empty()) {
    auto [value, at] = reached.pop_back_val();
    if (auto result = dyn_cast<OpResult>(value))
      visit(result.getOwner(),
            result.getOwner()->getNumOperands() + result.getResultNumber(), at);
    for (OpOperand &use : value.getUses())
      visit(use.getOwner(), use.getOperandNumber(), at);
  }
}

const SplitMember *SplitRegion::find(Operation *op) const {
  auto found = members.find(op);
  return found == members.end() ? nullptr : &found->second;
}

std::optional<Cut> SplitRegion::cutOf(Value value) const {
  auto result = dyn_cast<OpResult>(value);
  const SplitMember *member = result ? find(result.getOwner()) : nullptr;
  return member ? member->results[result.getResultNumber()] : std::nullopt;
}

RankedTensorType SplitRegion::partType(RankedTensorType type, Cut cut,
                                       int64_t part) const {
  SmallVector<int64_t> shape(type.getShape());
  shape[cut.dim] =
      cut.outer * (beginOf(part + 1) - beginOf(part)) * innerOf(type, cut);
  return type.clone(shape);
}

/// What a collective is that is cut along a dimension that it splits or joins:
/// blocks of all devices become those of one, or the other way round.
std::optional<SplitMember> SplitRegion::exchange(spmd::CollectiveOpInterface op,
                                                 size_t tensor, Cut cut) const {
  auto [split, joined] = exchangedDims(op);
  int64_t devices = groupSizeOf(op);
  if (split == joined)
    return std::nullopt;
  Cut operand = cut, result = cut;
  // A device keeps every so many blocks, or has as many times as many.
  bool isJoined = cut.dim == joined;
  Cut &larger = isJoined ? result : operand;
  Cut &smaller = isJoined ? operand : result;
  if ((tensor == 0) == isJoined) {
    larger.outer = cut.outer * devices;
  } else {
    if (cut.outer % devices != 0)
      return std::nullopt;
    smaller.outer = cut.outer / devices;
  }
  return SplitMember{op, {operand}, {result}};
}

/// Whether parts of `op`, each of some units of `factor`, add up to it.
static bool isSumOver(Operation *op, const Factor &factor) {
  auto reduction = dyn_cast<ReduceOp>(op);
  bool isSum =
      isa<DotGeneralOp>(op) ||
      (reduction && reduction.getKind().getKind() == ReductionKind::Sum);
  return isSum && factor.kind == FactorKind::Reduction &&
         !typeOf(op->getResult(0)).getElementType().isInteger(1);
}

/// Whether `op` takes places along the dimension at which its first operand is
/// cut: in a part they would be others.
static bool countsAlong(Operation *op, std::optional<Cut> cut) {
  if (!cut)
    return false;
  if (auto gather = dyn_cast<GatherOp>(op))
    return llvm::is_contained(gather.getStartIndexMap(), cut->dim);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return llvm::is_contained(scatter.getOperandDimsMap(), cut->dim);
  return false;
}

/// What `op` is when its tensor number `tensor`, operands first, is cut at
/// `cut`; nothing if it does not pass that on to all its results.
std::optional<SplitMember> SplitRegion::passage(Operation *op, size_t tensor,
                                                Cut cut) const {
  auto type = dyn_cast<RankedTensorType>(tensorOf(op, tensor).getType());
  if (!type || !isSplittable(op))
    return std::nullopt;
  if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op)) {
    auto [split, joined] = exchangedDims(collective);
    if (cut.dim == split || cut.dim == joined)
      return exchange(collective, tensor, cut);
  }
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule || type.getDimSize(cut.dim) % (cut.outer * units) != 0 ||
      type.getDimSize(cut.dim) == 0)
    return std::nullopt;
  // The factor of the dimension that the units lie in, and the blocks in it.
  std::optional<FactorId> factor;
  int64_t before = 1, behind = type.getDimSize(cut.dim), blocks = 0,
          inner = innerOf(type, cut);
  for (FactorId own : rule->tensor(tensor).dims[cut.dim]) {
    // A factor that moves elements may have another size in each tensor.
    FactorKind kind = rule->factors[own].kind;
    if (kind != FactorKind::PassThrough && kind != FactorKind::Reduction)
      return std::nullopt;
    behind /= rule->factors[own].size;
    if (cut.outer % before == 0 && inner % behind == 0 &&
        (cut.outer / before) * units * (inner / behind) ==
            rule->factors[own].size) {
      factor = own;
      blocks = cut.outer / before;
      break;
    }
    before *= rule->factors[own].size;
  }
  if (!factor || rule->factors[*factor].even)
    return std::nullopt;
  bool isSum = isSumOver(op, rule->factors[*factor]);
  if (!isSum && rule->factors[*factor].kind != FactorKind::PassThrough)
    return std::nullopt;
  SplitMember member{op, {}, {}};
  for (size_t other = 0; other < rule->numTensors(); ++other) {
    std::optional<Cut> own;
    for (auto [dim, factors] : llvm::enumerate(rule->tensor(other).dims)) {
      int64_t outer = blocks;
      for (FactorId each : factors) {
        if (each == *factor) {
          // Two places would be a diagonal.
          if (own)
            return std::nullopt;
          own = Cut{int64_t(dim), outer};
        }
        outer *= rule->factors[each].size;
      }
    }
    if (other < op->getNumOperands())
      member.operands.push_back(own);
    else if (own || isSum)
      member.results.push_back(own);
    else
      return std::nullopt;
  }
  if (!member.operands.empty() && countsAlong(op, member.operands.front()))
    return std::nullopt;
  return member;
}
