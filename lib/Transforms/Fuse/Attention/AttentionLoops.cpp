//===- AttentionLoops.cpp - attention across a loop and its gradient's ----===//
//
// A model that scans over its layers has its forward pass in one loop and its
// backward pass in another. What automatic differentiation has saved in between
// is stacked, a slot per layer; of attention, that is probabilities and the
// like. Neither loop alone shows what the other does with them.
//
// Before attention is looked for, the backward loop is made to compute again
// what it reads of the scores. The scores of a trip are those of the trip of
// the forward loop that has put the slot: all that their operations read, down
// to query and key, is read from stacks as well, or computed again where that
// is cheap. This is undone if the two loops are not found to compute attention
// and its gradient then.
//
// Afterwards both loops compute attention, the same if what they read is. Then
// output, maximum and sum are kept in stacks, and the backward loop reads them.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionLoops.h"

#include "Attention/ScoreColumns.h"
#include "Support/ValueTraces.h"

#include "tessera/Dialect/Tessera/CarriedValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// How many operations in a row are repeated.
static constexpr unsigned kRepeatedSteps = 24;

/// Whether an operation costs so little that a backward pass may repeat it.
static bool isCheap(Operation *op) {
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && !isa<DotGeneralOp>(op) &&
         isa<arith::ArithDialect, math::MathDialect, TesseraDialect>(
             op->getDialect());
}

namespace {

/// What values of a loop's body were in one of its trips, for an operation
/// behind the loop.
class PastTrip {
public:
  /// New operations are inserted in front of `before`, where `trip`, a scalar
  /// tensor, can be read.
  PastTrip(const LoopStacks &stacks, Value trip, Operation *before)
      : stacks(stacks), trip(trip), b(before) {}

  /// Values in no stack may be repeated if they are in `allowed`, which no
  /// stack is read for.
  void repeat(const llvm::SetVector<Operation *> &allowed) {
    repeated = &allowed;
  }

  /// `value`, read or computed again; null if neither is possible.
  Value get(Value value, unsigned depth = kRepeatedSteps);
  /// Whether `past`, before the operation, is what `value` was in the trip.
  bool isSame(Value past, Value value) const;

private:
  bool isOutside(Value value) const {
    return !stacks.getLoop().getRegion().isAncestor(value.getParentRegion());
  }
  Value reuse(Operation *made);
  Value read(Value slot);
  Value computeAgain(Operation *op, unsigned depth);

  const LoopStacks &stacks;
  Value trip;
  OpBuilder b;
  const llvm::SetVector<Operation *> *repeated = nullptr;
  llvm::DenseMap<Value, Value> known;
};

} // namespace

/// The result of `made`, an operation just inserted, or of one like it that was
/// there already: values are known to be the same by being one.
Value PastTrip::reuse(Operation *made) {
  auto isLike = [&](Operation *op) {
    return op != made && op->getBlock() == made->getBlock() &&
           op->getName() == made->getName() &&
           op->getAttrs() == made->getAttrs() &&
           op->getOperands() == made->getOperands() &&
           op->getResultTypes() == made->getResultTypes();
  };
  Operation *like = nullptr;
  if (made->getNumOperands() == 0) {
    auto found = llvm::find_if(*made->getBlock(),
                               [&](Operation &op) { return isLike(&op); });
    like = found == made->getBlock()->end() ? nullptr : &*found;
  } else {
    auto users = made->getOperand(0).getUsers();
    auto found = llvm::find_if(users, isLike);
    like = found == users.end() ? nullptr : *found;
  }
  if (!like)
    return made->getResult(0);
  if (made->isBeforeInBlock(like)) {
    // It may be what operations are inserted before.
    if (&*b.getInsertionPoint() == like)
      b.setInsertionPointAfter(like);
    like->moveBefore(made);
  }
  made->erase();
  return like->getResult(0);
}

/// A slot, by the operation that reads it already, if there is one.
Value PastTrip::read(Value slot) {
  Block *block = b.getInsertionBlock();
  Operation *next = &*b.getInsertionPoint();
  auto isEarly = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op->getBlock() != block || op->isBeforeInBlock(next);
  };
  Value stack =
      stacks.getLoop().getResult(stacks.getSlots().find(slot)->second);
  for (Operation *user : stack.getUsers()) {
    auto read = dyn_cast<DynamicSliceOp>(user);
    if (!read || read->getBlock() != block || stacks.getSlot(read) != slot ||
        read.getIndices().front() != trip)
      continue;
    if (!llvm::all_of(read.getIndices(), isEarly))
      continue;
    if (next == read)
      b.setInsertionPointAfter(read);
    else if (next->isBeforeInBlock(read))
      read->moveBefore(next);
    return read;
  }
  SmallVector<Value> indices = {trip};
  auto type = cast<RankedTensorType>(slot.getType());
  Value zero = arith::ConstantOp::create(b, slot.getLoc(),
                                         b.getZeroAttr(trip.getType()));
  indices.append(type.getRank() - 1, zero);
  return DynamicSliceOp::create(b, slot.getLoc(), type, stack, indices);
}

Value PastTrip::computeAgain(Operation *op, unsigned depth) {
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    Value past = get(operand, depth - 1);
    if (!past)
      return {};
    operands.map(operand, past);
  }
  return reuse(b.clone(*op, operands));
}

Value PastTrip::get(Value value, unsigned depth) {
  if (isOutside(value))
    return value;
  if (Value past = known.lookup(value))
    return past;
  if (stacks.isTrip(value))
    return value.getType() == trip.getType() ? trip : Value();
  Operation *op = value.getDefiningOp();
  auto isRepeated = [&](Value slot) {
    return repeated && repeated->contains(slot.getDefiningOp());
  };
  Value past;
  auto path = isRepeated(value) ? std::nullopt
                                : stacks.findSlotOf(value, [&](Value slot) {
                                    return !isRepeated(slot);
                                  });
  if (path) {
    past = read(path->empty() ? value : path->back()->getResult(0));
    for (Operation *move : llvm::reverse(*path))
      if (Value before = undoMove(b, move, past); before != past)
        past = reuse(before.getDefiningOp());
  } else if (op && depth > 0 && (isCheap(op) || isRepeated(value))) {
    past = computeAgain(op, depth);
  }
  if (past)
    known[value] = past;
  return past;
}

bool PastTrip::isSame(Value past, Value value) const {
  return ValueComparison([&](Value now, Value then) -> std::optional<bool> {
           if (now == then)
             return isOutside(then);
           if (auto read = now.getDefiningOp<DynamicSliceOp>())
             if (Value slot = stacks.getSlot(read);
                 slot && read.getIndices().front() == trip)
               return skipReshapes(slot) == then;
           if (stacks.isTrip(then))
             return now == trip;
           return std::nullopt;
         })
      .isSame(past, value);
}

//===----------------------------------------------------------------------===//
// Computing scores again
//===----------------------------------------------------------------------===//

/// `product` and all that follows from it but by other matmuls, in its
/// block.
static llvm::SetVector<Operation *> findFollowing(DotGeneralOp product) {
  llvm::SetVector<Operation *> following;
  following.insert(product);
  for (size_t i = 0; i < following.size(); ++i)
    for (Operation *user : following[i]->getUsers())
      if (user->getBlock() == product->getBlock() && isCheap(user) &&
          !isa<DynamicUpdateSliceOp>(user))
        following.insert(user);
  return following;
}

/// Where a loop reads slots of one trip, in the order of its block.
using ReadsOfTrips = llvm::MapVector<Value, SmallVector<DynamicSliceOp>>;

/// The operations that read slots which are among `following`, all of one
/// block; none if something else reads one.
static ReadsOfTrips findReads(const LoopStacks &stacks,
                              const llvm::SetVector<Operation *> &following) {
  ReadsOfTrips reads;
  Block *block = nullptr;
  scf::ForOp loop = stacks.getLoop();
  for (auto [slot, number] : stacks.getSlots()) {
    if (!following.contains(slot.getDefiningOp()))
      continue;
    for (Operation *user : loop.getResult(number).getUsers()) {
      auto read = dyn_cast<DynamicSliceOp>(user);
      if (!read || stacks.getSlot(read) != slot ||
          (block && read->getBlock() != block))
        return {};
      block = read->getBlock();
      reads[read.getIndices().front()].push_back(read);
    }
  }
  for (auto &[trip, ofTrip] : reads)
    llvm::sort(ofTrip, [](DynamicSliceOp a, DynamicSliceOp b) {
      return a->isBeforeInBlock(b);
    });
  return reads;
}

/// The exponential of an attention with gradients, in `block`, whose scores are
/// made of `product`; null if there is none.
static math::ExpOp findGradient(Block &block, Value product) {
  for (auto exponential : block.getOps<math::ExpOp>())
    if (isa<RankedTensorType>(exponential.getType()))
      if (AttentionSearch search = findAttention(exponential);
          search.match && !search.match->gradients.empty() &&
          search.match->scores.dot == product.getDefiningOp())
        return exponential;
  return {};
}

/// What a recomputing backward pass (jax.checkpoint) reads of stacks, it reads
/// through a barrier, which keeps it from sharing values with the forward pass.
/// In another loop it cannot; slots go past the barriers.
static void releaseSlots(const LoopStacks &stacks, Block &block) {
  auto isSlot = [&](Value value) {
    auto read = skipReshapes(value).getDefiningOp<DynamicSliceOp>();
    return read && stacks.getSlot(read);
  };
  for (auto barrier : llvm::make_early_inc_range(block.getOps<BarrierOp>())) {
    SmallVector<Value> kept;
    llvm::copy_if(barrier->getOperands(), std::back_inserter(kept),
                  [&](Value value) { return !isSlot(value); });
    if (kept.size() == barrier->getNumOperands())
      continue;
    OpBuilder builder(barrier);
    auto rest = BarrierOp::create(builder, barrier.getLoc(),
                                  ValueRange(kept).getTypes(), kept);
    unsigned next = 0;
    for (auto [operand, result] :
         llvm::zip_equal(barrier->getOperands(), barrier->getResults()))
      result.replaceAllUsesWith(isSlot(operand) ? operand
                                                : rest->getResult(next++));
    barrier.erase();
    if (kept.empty())
      rest.erase();
  }
}

/// Returns whether both loops are now found to compute attention; if not, the
/// program is what it was, but for unused operations and the positions of
/// others.
bool AttentionLoops::recompute(math::ExpOp exponential,
                               const LoopStacks &stacks) {
  DotGeneralOp product = findScoreProduct(exponential);
  if (!product)
    return false;
  llvm::SetVector<Operation *> following = findFollowing(product);
  ReadsOfTrips reads = findReads(stacks, following);
  if (reads.size() != 1)
    return false;
  auto &[trip, ofTrip] = reads.front();
  releaseSlots(stacks, *ofTrip.front()->getBlock());
  PastTrip past(stacks, trip, ofTrip.front());
  past.repeat(following);
  SmallVector<std::pair<OpOperand *, Value>> changed;
  Value again = past.get(product);
  bool possible = again != nullptr;
  for (DynamicSliceOp read : ofTrip) {
    Value value = possible ? past.get(stacks.getSlot(read)) : Value();
    possible = value != nullptr;
    if (!possible)
      break;
    for (OpOperand &use : llvm::make_early_inc_range(read->getUses())) {
      changed.push_back({&use, read});
      use.set(value);
    }
  }
  Block &block = *ofTrip.front()->getBlock();
  if (possible)
    splitScoreColumns(block.getParentOp());
  math::ExpOp backward = possible ? findGradient(block, again) : math::ExpOp();
  if (backward && findAttention(exponential).match) {
    pairs.push_back({exponential, backward, trip});
    return true;
  }
  for (auto [use, value] : changed)
    use->set(value);
  return false;
}

void AttentionLoops::recomputeScores(func::FuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    LoopStacks stacks(loop);
    if (stacks.getSlots().empty())
      continue;
    SmallVector<math::ExpOp> exponentials;
    for (auto exponential : loop.getBody()->getOps<math::ExpOp>())
      if (isa<RankedTensorType>(exponential.getType()))
        exponentials.push_back(exponential);
    for (math::ExpOp exponential : exponentials)
      (void)recompute(exponential, stacks);
  }
}

//===----------------------------------------------------------------------===//
// Keeping results
//===----------------------------------------------------------------------===//

/// Adds to `loop` a stack of what `value` of its body is.
static void addStack(scf::ForOp loop, Value value) {
  OpBuilder builder(loop);
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> slot(type.getShape()), whole;
  slot.insert(slot.begin(), 1);
  whole = slot;
  whole.front() = *getConstantIntValue(loop.getUpperBound());
  Location location = value.getLoc();
  Value empty = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(type.clone(whole)));
  llvm::BitVector none(loop.getNumResults());
  replaceCarried(loop, none, empty, [&](OpBuilder &b, ValueRange carried) {
    auto owner =
        cast<scf::ForOp>(carried.front().getParentBlock()->getParentOp());
    Value trip = owner.getInductionVar();
    if (trip.getType().isIndex())
      trip = arith::IndexCastOp::create(b, location, b.getI64Type(), trip);
    auto scalar = RankedTensorType::get({}, trip.getType());
    SmallVector<Value> indices = {
        tensor::FromElementsOp::create(b, location, scalar, trip)};
    Value zero = arith::ConstantOp::create(b, location, b.getZeroAttr(scalar));
    indices.append(type.getRank(), zero);
    Value update = ReshapeOp::create(b, location, type.clone(slot), value);
    return SmallVector<Value>{
        DynamicUpdateSliceOp::create(b, location, carried.front().getType(),
                                     carried.front(), update, indices)};
  });
}

void AttentionLoops::share(AttentionOp forward, AttentionOp backward,
                           Value trip) {
  auto loopOf = [&] { return cast<scf::ForOp>(forward->getParentOp()); };
  if (forward->getAttrs() != backward->getAttrs() ||
      forward->getNumOperands() != backward->getNumOperands() ||
      forward->getResultTypes() != backward->getResultTypes())
    return;
  {
    LoopStacks stacks(loopOf());
    PastTrip past(stacks, trip, backward);
    for (auto [then, now] :
         llvm::zip_equal(forward.getOperands(), backward.getOperands()))
      if (then.getType() != now.getType() || !past.isSame(now, then))
        return;
  }
  for (auto [then, now] :
       llvm::zip_equal(forward.getResults(), backward.getResults())) {
    if (now.use_empty())
      continue;
    auto always = [](Value) { return true; };
    if (!LoopStacks(loopOf()).findSlotOf(then, always))
      addStack(loopOf(), then);
    LoopStacks stacks(loopOf());
    now.replaceAllUsesWith(PastTrip(stacks, trip, backward).get(then));
  }
}

void AttentionLoops::shareResults(const Formed &formed) {
  for (const Pair &pair : pairs) {
    AttentionOp forward = formed.lookup(pair.forward),
                backward = formed.lookup(pair.backward);
    if (forward && backward)
      share(forward, backward, pair.trip);
  }
}

void tessera::fuse::dropUnreadCarried(func::FuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    llvm::BitVector dropped(loop.getNumResults());
    for (auto [number, result] : llvm::enumerate(loop.getResults())) {
      BlockArgument carried = loop.getRegionIterArg(number);
      Operation *update = loop.getYieldedValues()[number].getDefiningOp();
      if (!result.use_empty() || !update || !isCheap(update) ||
          !update->hasOneUse() ||
          !llvm::all_of(carried.getUsers(),
                        [&](Operation *user) { return user == update; }))
        continue;
      // Nothing reads `update` once it is not yielded.
      carried.replaceAllUsesWith(loop.getInitArgs()[number]);
      dropped.set(number);
    }
    if (dropped.any())
      replaceCarried(loop, dropped, {}, [](OpBuilder &, ValueRange) {
        return SmallVector<Value>();
      });
  }
}
