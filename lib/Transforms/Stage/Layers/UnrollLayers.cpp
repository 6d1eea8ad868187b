//===- UnrollLayers.cpp - loops over layers become layers -----------------===//

#include "Layers/UnrollLayers.h"

#include "Layers/StackRows.h"
#include "Layers/StackWrites.h"
#include "Step/ConstantIndices.h"

#include "tessera/Dialect/Pipe/Accumulators.h"
#include "tessera/Dialect/Tessera/CarriedValues.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

/// Loops that would become more operations stay loops.
static constexpr int64_t kMaxOperations = 200'000;

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

static int64_t tripsOf(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips ? trips->getSExtValue() : 0;
}

/// Whether `value` depends on the count of `loop`, within its body.
static bool dependsOnCount(Value value, scf::ForOp loop) {
  SmallVector<Value> stack = {value};
  DenseSet<Value> seen;
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    if (next == loop.getInductionVar())
      return true;
    Operation *op = next.getDefiningOp();
    if (op && loop->isProperAncestor(op) && seen.insert(next).second)
      llvm::append_range(stack, op->getOperands());
  }
  return false;
}

/// Whether `loop` takes slices by its count of what is made outside of
/// `microbatches`.
static bool slicesStacks(scf::ForOp loop, scf::ForOp microbatches) {
  return llvm::any_of(
      loop.getBody()->getOps<DynamicSliceOp>(), [&](DynamicSliceOp slice) {
        Value stack = slice->getOperand(0);
        return !microbatches.getRegion().isAncestor(stack.getParentRegion()) &&
               llvm::any_of(
                   slice->getOperands().drop_front(),
                   [&](Value start) { return dependsOnCount(start, loop); });
      });
}

/// The loops over layers in the body of `microbatches`.
static SmallVector<scf::ForOp> findLayerLoops(scf::ForOp microbatches) {
  DenseSet<int64_t> layers;
  SmallVector<scf::ForOp> all(microbatches.getBody()->getOps<scf::ForOp>()),
      found;
  for (scf::ForOp loop : all)
    if (tripsOf(loop) > 0 && slicesStacks(loop, microbatches))
      layers.insert(tripsOf(loop));
  int64_t operations = 0;
  for (scf::ForOp loop : all)
    if (layers.contains(tripsOf(loop))) {
      found.push_back(loop);
      operations +=
          tripsOf(loop) * int64_t(loop.getBody()->getOperations().size());
    }
  if (operations > kMaxOperations)
    found.clear();
  return found;
}

/// Replaces `loop` by its trips, one after the other.
static void unroll(scf::ForOp loop) {
  OpBuilder builder(loop);
  Type type = loop.getInductionVar().getType();
  int64_t count = *getConstantIntValue(loop.getLowerBound());
  int64_t step = *getConstantIntValue(loop.getStep());
  SmallVector<Value> carried(loop.getInitArgs());
  for (int64_t trip = 0, trips = tripsOf(loop); trip < trips; ++trip) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                arith::ConstantOp::create(
                    builder, loop.getLoc(),
                    builder.getIntegerAttr(type, count + trip * step)));
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    for (auto [value, yielded] :
         llvm::zip_equal(carried, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  loop->replaceAllUsesWith(carried);
  loop.erase();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static bool isWholeNumber(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return type.isIntOrIndex() || (tensor && tensor.getRank() == 0 &&
                                 tensor.getElementType().isInteger());
}

/// Replaces whole numbers that are known by constants.
static void foldCounts(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
        op.hasTrait<OpTrait::ConstantLike>() ||
        !isWholeNumber(op.getResult(0).getType()))
      continue;
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands()) {
      Attribute value;
      if (!matchPattern(operand, m_Constant(&value)))
        break;
      operands.push_back(value);
    }
    SmallVector<OpFoldResult> folded;
    if (operands.size() != op.getNumOperands() ||
        failed(op.fold(operands, folded)) || folded.size() != 1)
      continue;
    auto known = dyn_cast<Value>(folded.front());
    if (!known) {
      OpBuilder builder(&op);
      known = arith::ConstantOp::create(
          builder, op.getLoc(),
          cast<TypedAttr>(cast<Attribute>(folded.front())));
      setSharding(known, getSharding(op.getResult(0)));
    }
    op.replaceAllUsesWith(ValueRange(known));
    op.erase();
  }
}

/// Replaces slices of what has been stacked by what was written there.
static void forwardSlices(Block &body) {
  for (auto slice : llvm::make_early_inc_range(body.getOps<DynamicSliceOp>())) {
    std::optional<SmallVector<int64_t>> start =
        constantIndices(slice->getOperands().drop_front());
    if (!start)
      continue;
    ArrayRef<int64_t> sizes =
        cast<RankedTensorType>(slice.getType()).getShape();
    Value stack = slice->getOperand(0);
    std::optional<StackWrite> write = writeOf(stack);
    while (write && write->isApartFrom(*start, sizes)) {
      stack = write->stack;
      write = writeOf(stack);
    }
    if (!write || write->start != *start || write->sizes() != sizes)
      continue;
    OpBuilder builder(slice);
    slice->replaceAllUsesWith(ValueRange(
        withShardingOf(builder, write->update, slice->getResult(0))));
    slice.erase();
  }
}

/// Replaces rows of what has been put together, as a `scan` does that JAX has
/// unrolled, by what they were.
static void forwardRows(Block &body) {
  for (auto slice : llvm::make_early_inc_range(body.getOps<SliceOp>())) {
    RankedTensorType type = slice.getType();
    if (type.getRank() == 0 || !slice.getOperand().getDefiningOp() ||
        type != rowType(slice.getOperand()))
      continue;
    OpBuilder builder(slice);
    Value row = findRow(builder, slice.getOperand(), slice.getStarts()[0]);
    if (!row)
      continue;
    if (ShardingAttr sharding = getSharding(slice.getResult()))
      row = withShardingOf(builder, row, slice.getResult());
    slice->replaceAllUsesWith(ValueRange(row));
    slice.erase();
  }
}

//===----------------------------------------------------------------------===//
// Sums of stacked contributions
//===----------------------------------------------------------------------===//

/// What `value` has the elements of, in the same order; null if that is nothing
/// else.
static Value withoutReshape(Value value) {
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    return reshape.getOperand();
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast || !llvm::is_sorted(broadcast.getDims()) ||
      broadcast.getType().getNumElements() !=
          broadcast.getOperand().getType().getNumElements())
    return {};
  return broadcast.getOperand();
}

/// Takes reshapes there and back away: a layer's part has been made one of a
/// stack.
static void foldReshapes(Block &body) {
  for (auto reshape : body.getOps<ReshapeOp>())
    if (Value first = withoutReshape(reshape.getOperand()))
      if (first.getType() == reshape.getType() &&
          getSharding(first) == getSharding(reshape))
        reshape->replaceAllUsesWith(ValueRange(first));
}

namespace {

/// A carried value to which stacked contributions are added.
struct StackedSum {
  unsigned carried;
  Operation *addition;
  /// From the last to the first; they are apart, and nothing but zeros is
  /// beneath them.
  SmallVector<StackWrite> writes;
};

} // namespace

/// The sum that `microbatches` carries as `number`, if it is one of stacked
/// contributions.
static std::optional<StackedSum> findStackedSum(scf::ForOp microbatches,
                                                unsigned number) {
  std::optional<pipe::LoopAddition> addition =
      pipe::findAddition(microbatches, number);
  if (!addition)
    return std::nullopt;
  StackedSum sum{number, addition->op, {}};
  Value stack = addition->added;
  while (std::optional<StackWrite> write = writeOf(stack)) {
    for (const StackWrite &other : sum.writes)
      if (!other.isApartFrom(write->start, write->sizes()))
        return std::nullopt;
    stack = write->stack;
    sum.writes.push_back(*std::move(write));
  }
  if (sum.writes.size() < 2 ||
      !isNeutral(behindReshards(stack), ReductionKind::Sum) ||
      !isNeutral(microbatches.getInitArgs()[number], ReductionKind::Sum))
    return std::nullopt;
  std::reverse(sum.writes.begin(), sum.writes.end());
  return sum;
}

/// Stacks `parts`, the sums of what `sum` writes, at the insertion point.
static Value stack(OpBuilder &builder, const StackedSum &sum,
                   ValueRange parts) {
  Value stacked = makeZero(builder, sum.writes.front().stack);
  for (auto [write, part] : llvm::zip_equal(sum.writes, parts)) {
    stacked = withShardingOf(builder, stacked, write.stack);
    IRMapping mapping;
    for (Value index : write.op->getOperands().drop_front(2))
      mapping.map(index, builder.clone(*index.getDefiningOp())->getResult(0));
    mapping.map(write.stack, stacked);
    mapping.map(write.update, part);
    stacked = builder.clone(*write.op, mapping)->getResult(0);
  }
  return withShardingOf(builder, stacked, sum.addition->getResult(0));
}

/// `a` + `b` as `addition` adds.
static Value addAs(OpBuilder &builder, Operation *addition, Value a, Value b) {
  Operation *op = builder.clone(*addition);
  op->setOperands({a, b});
  Value sum = op->getResult(0);
  sum.setType(a.getType());
  setSharding(sum, getSharding(b));
  return sum;
}

/// Gives each contribution to `sums` a carried value of its own.
static scf::ForOp splitStackedSums(scf::ForOp microbatches,
                                   ArrayRef<StackedSum> sums) {
  SmallVector<Value> zeros;
  OpBuilder builder(microbatches);
  for (const StackedSum &sum : sums)
    for (const StackWrite &write : sum.writes)
      zeros.push_back(makeZero(builder, write.update));
  unsigned firstNew = microbatches.getNumResults();
  llvm::BitVector dropped(firstNew);
  scf::ForOp loop = replaceCarried(
      microbatches, dropped, zeros, [&](OpBuilder &inLoop, ValueRange parts) {
        SmallVector<Value> yielded;
        for (const StackedSum &sum : sums)
          for (const StackWrite &write : sum.writes)
            yielded.push_back(addAs(inLoop, sum.addition, parts[yielded.size()],
                                    write.update));
        return yielded;
      });
  builder.setInsertionPointAfter(loop);
  ValueRange parts = loop.getResults().drop_front(firstNew);
  dropped.resize(loop.getNumResults());
  for (const StackedSum &sum : sums) {
    loop.getResult(sum.carried)
        .replaceAllUsesWith(
            stack(builder, sum, parts.take_front(sum.writes.size())));
    parts = parts.drop_front(sum.writes.size());
    loop.getBody()->getTerminator()->setOperand(
        sum.carried, loop.getRegionIterArg(sum.carried));
    sum.addition->erase();
    dropped.set(sum.carried);
  }
  return replaceCarried(loop, dropped, {}, [](OpBuilder &, ValueRange) {
    return SmallVector<Value>();
  });
}

scf::ForOp tessera::stage::unrollLayers(scf::ForOp microbatches) {
  forwardRows(*microbatches.getBody());
  SmallVector<scf::ForOp> loops = findLayerLoops(microbatches);
  if (loops.empty())
    return microbatches;
  llvm::for_each(loops, unroll);
  Block &body = *microbatches.getBody();
  foldCounts(body);
  forwardSlices(body);
  foldReshapes(body);
  SmallVector<StackedSum> sums;
  for (unsigned i = 0; i < microbatches.getNumResults(); ++i)
    if (std::optional<StackedSum> sum = findStackedSum(microbatches, i))
      sums.push_back(*std::move(sum));
  if (!sums.empty())
    microbatches = splitStackedSums(microbatches, sums);
  // The forward and the backward pass take the same parts of parameters.
  IRRewriter rewriter(microbatches.getContext());
  auto function = microbatches->getParentOfType<func::FuncOp>();
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return microbatches;
}
