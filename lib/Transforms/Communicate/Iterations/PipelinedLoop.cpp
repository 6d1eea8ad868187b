//===- PipelinedLoop.cpp - a loop whose collectives run elsewhere ---------===//
//
// Every iteration, also those outside of the loop, is written by one function:
// the body, in which what was gathered ahead is a value that is there, and each
// stack is written with reduced parts. Before the first and behind the last
// iteration there is nothing to reduce or to gather.
//
//===----------------------------------------------------------------------===//

#include "Iterations/PipelinedLoop.h"

#include "tessera/Interfaces/DataFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace {

/// What one iteration passes on to the next: what the loop carries, what was
/// gathered for the next, and the parts that are to be reduced in the next.
struct Passed {
  SmallVector<Value> carried, gathered, parts;

  SmallVector<Value> all() const {
    return llvm::to_vector(llvm::concat<const Value>(carried, gathered, parts));
  }
};

/// The numbers of an iteration and of its neighbours, which may not exist.
struct Numbers {
  Value previous, own, next;
};

class PipelinedLoop {
public:
  PipelinedLoop(scf::ForOp loop, int64_t trips, const LoopPlan &plan);
  void build();

private:
  Value constant(APInt value);
  APInt numberOf(int64_t trip) const { return first + step * uint64_t(trip); }
  Passed before();
  Passed iteration(const Numbers &numbers, const Passed &from);
  Passed rest(Passed from, int64_t begin, int64_t end);
  void behind(Passed from);
  Value copyOf(Value value, IRMapping &mapping);
  Value gatherFor(spmd::CollectiveOpInterface gather, Value number);
  Value reduce(const StackReduction &stack, Value part);
  Value write(const StackReduction &stack, const Passed &from, Value part,
              IRMapping &mapping);

  scf::ForOp loop;
  int64_t trips;
  const LoopPlan &plan;
  OpBuilder builder;
  APInt first, step;
  llvm::DenseMap<Operation *, unsigned> inside;
  /// What is not in the iteration any more.
  llvm::SmallPtrSet<Operation *, 8> moved;
  /// The last gather that is not ahead: the next ones must not keep it from the
  /// links.
  Operation *lastGather = nullptr;
  /// What there is instead, if iterations are left for it.
  scf::ForOp rewritten;
};

} // namespace

PipelinedLoop::PipelinedLoop(scf::ForOp loop, int64_t trips,
                             const LoopPlan &plan)
    : loop(loop), trips(trips), plan(plan), builder(loop) {
  matchPattern(loop.getLowerBound(), m_ConstantInt(&first));
  matchPattern(loop.getStep(), m_ConstantInt(&step));
  for (auto [i, stack] : llvm::enumerate(plan.inside))
    inside[stack.update] = i;
  for (spmd::CollectiveOpInterface gather : plan.ahead)
    moved.insert(gather);
  for (const StackReduction &stack : plan.behind)
    moved.insert(stack.update);
  for (auto op : loop.getBody()->getOps<spmd::CollectiveOpInterface>())
    if (!moved.contains(op) &&
        !collectiveInfo(op.getCollectiveKind()).isReduction)
      lastGather = op;
}

Value PipelinedLoop::constant(APInt value) {
  Type type = loop.getInductionVar().getType();
  TypedAttr attr = isa<IndexType>(type)
                       ? builder.getIndexAttr(value.getSExtValue())
                       : TypedAttr(builder.getIntegerAttr(type, value));
  return arith::ConstantOp::create(builder, loop.getLoc(), attr);
}

//===----------------------------------------------------------------------===//
// Pieces of an iteration
//===----------------------------------------------------------------------===//

/// `value` of the body, computed again from what `mapping` says of the number
/// of the iteration. Of what hands its operands over only the one is taken.
Value PipelinedLoop::copyOf(Value value, IRMapping &mapping) {
  auto result = dyn_cast<OpResult>(value);
  if (mapping.contains(value) || !result ||
      result.getOwner()->getBlock() != loop.getBody())
    return mapping.lookupOrDefault(value);
  Operation *op = result.getOwner();
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    Value operand =
        copyOf(barrier.getOperand(result.getResultNumber()), mapping);
    auto copy = BarrierOp::create(builder, op->getLoc(),
                                  TypeRange(value.getType()), operand);
    mapping.map(value, copy->getResult(0));
    return copy->getResult(0);
  }
  for (Value operand : op->getOperands())
    copyOf(operand, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// What `gather` gives in the iteration `number`.
Value PipelinedLoop::gatherFor(spmd::CollectiveOpInterface gather,
                               Value number) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), number);
  copyOf(gather->getOperand(0), mapping);
  return builder.clone(*gather, mapping)->getResult(0);
}

/// What is made of the stack before and by its reduction, made of `part`.
Value PipelinedLoop::reduce(const StackReduction &stack, Value part) {
  int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(stack.dim);
  auto apply = [&](Operation *op) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), part);
    // Constants stand behind the loop, too.
    for (Value operand : llvm::drop_begin(op->getOperands()))
      if (Operation *constant = operand.getDefiningOp())
        builder.clone(*constant, mapping);
    part = builder.clone(*op, mapping)->getResult(0);
    auto whole = cast<RankedTensorType>(part.getType());
    SmallVector<int64_t> shape(whole.getShape());
    shape[stack.dim] = size;
    part.setType(whole.clone(shape));
  };
  llvm::for_each(stack.steps, apply);
  apply(stack.collective);
  return part;
}

/// `from`'s stack with the part of the iteration that `mapping` says.
Value PipelinedLoop::write(const StackReduction &stack, const Passed &from,
                           Value part, IRMapping &mapping) {
  Location loc = stack.update->getLoc();
  Value index = copyOf(stack.index(), mapping);
  // A part is as large as the stack in all other dimensions.
  Value zero = arith::ConstantOp::create(
      builder, loc, cast<TypedAttr>(builder.getZeroAttr(index.getType())));
  SmallVector<Value> indices(stack.stackType().getRank(), zero);
  indices[stack.dim] = index;
  return DynamicUpdateSliceOp::create(builder, loc, stack.stackType(),
                                      from.carried[stack.number], part,
                                      indices);
}

/// Writes one iteration, which is given what `from` says. Reduced parts are
/// written where it ends: nobody waits for them before.
Passed PipelinedLoop::iteration(const Numbers &numbers, const Passed &from) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), numbers.own);
  mapping.map(loop.getRegionIterArgs(), from.carried);
  for (auto [gather, value] : llvm::zip_equal(plan.ahead, from.gathered))
    mapping.map(gather->getResult(0), value);
  Passed to;
  SmallVector<Value> before, own;
  if (numbers.previous)
    for (auto [stack, part] : llvm::zip_equal(plan.behind, from.parts))
      before.push_back(reduce(stack, part));
  auto gatherNext = [&] {
    if (numbers.next)
      for (spmd::CollectiveOpInterface gather : plan.ahead)
        to.gathered.push_back(gatherFor(gather, numbers.next));
  };
  if (!lastGather)
    gatherNext();
  own.resize(plan.inside.size());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto found = inside.find(&op); found != inside.end()) {
      const StackReduction &stack = plan.inside[found->second];
      own[found->second] = reduce(stack, mapping.lookupOrDefault(stack.part()));
    } else if (!moved.contains(&op)) {
      builder.clone(op, mapping);
    }
    if (&op == lastGather)
      gatherNext();
  }
  for (Value yielded : loop.getYieldedValues())
    to.carried.push_back(mapping.lookupOrDefault(yielded));
  for (auto [stack, part] : llvm::zip_equal(plan.inside, own))
    to.carried[stack.number] = write(stack, from, part, mapping);
  for (auto [i, stack] : llvm::enumerate(plan.behind)) {
    IRMapping previous;
    previous.map(loop.getInductionVar(), numbers.previous);
    to.carried[stack.number] = numbers.previous
                                   ? write(stack, from, before[i], previous)
                                   : from.carried[stack.number];
    to.parts.push_back(mapping.lookupOrDefault(stack.part()));
  }
  return to;
}

//===----------------------------------------------------------------------===//
// The loop, and what stands before and behind it
//===----------------------------------------------------------------------===//

/// What the first iteration is given.
Passed PipelinedLoop::before() {
  Passed passed;
  llvm::append_range(passed.carried, loop.getInitArgs());
  for (const auto &stacks : {plan.inside, plan.behind})
    for (const StackReduction &stack : stacks)
      passed.carried[stack.number] = arith::ConstantOp::create(
          builder, loop.getLoc(),
          cast<TypedAttr>(builder.getZeroAttr(stack.stackType())));
  for (spmd::CollectiveOpInterface gather : plan.ahead)
    passed.gathered.push_back(gatherFor(gather, loop.getLowerBound()));
  return passed;
}

/// Writes the loop over the iterations from `begin` to `end`.
Passed PipelinedLoop::rest(Passed from, int64_t begin, int64_t end) {
  if (begin == end)
    return from;
  Location loc = loop.getLoc();
  Value lower = begin ? constant(numberOf(begin)) : loop.getLowerBound();
  Value upper = end < trips ? constant(numberOf(end)) : loop.getUpperBound();
  auto rest =
      scf::ForOp::create(builder, loc, lower, upper, loop.getStep(), from.all(),
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  rewritten = rest;
  rest->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto split = [&](ValueRange values) {
    Passed passed;
    llvm::append_range(passed.carried, values.take_front(from.carried.size()));
    values = values.drop_front(from.carried.size());
    llvm::append_range(passed.gathered,
                       values.take_front(from.gathered.size()));
    llvm::append_range(passed.parts, values.drop_front(from.gathered.size()));
    return passed;
  };
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rest.getBody());
  Value own = rest.getInductionVar(), previous, next;
  if (!plan.behind.empty())
    previous = arith::SubIOp::create(builder, loc, own, loop.getStep());
  if (!plan.ahead.empty())
    next = arith::AddIOp::create(builder, loc, own, loop.getStep());
  Passed to = iteration({previous, own, next}, split(rest.getRegionIterArgs()));
  scf::YieldOp::create(builder, loc, to.all());
  return split(rest.getResults());
}

/// Reduces the last parts, and replaces the loop and its reductions.
void PipelinedLoop::behind(Passed from) {
  // In the iteration behind the last one all stacks are reduced.
  IRMapping last;
  last.map(loop.getInductionVar(), constant(numberOf(trips - 1)));
  for (auto [stack, part] : llvm::zip_equal(plan.behind, from.parts))
    from.carried[stack.number] = write(stack, from, reduce(stack, part), last);
  for (const auto &stacks : {plan.inside, plan.behind})
    for (const StackReduction &stack : stacks) {
      stack.collective->getResult(0).replaceAllUsesWith(
          from.carried[stack.number]);
      stack.collective->erase();
      for (Operation *step : llvm::reverse(stack.steps))
        step->erase();
    }
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), from.carried))
    if (result.getType() == value.getType())
      result.replaceAllUsesWith(value);
  loop.erase();
}

/// Drops what nobody reads of what `barrier` hands over.
static void dropUnread(BarrierOp barrier) {
  SmallVector<Value> operands, read;
  for (auto [operand, result] :
       llvm::zip_equal(barrier->getOperands(), barrier->getResults()))
    if (!result.use_empty()) {
      operands.push_back(operand);
      read.push_back(result);
    }
  if (read.size() == barrier->getNumResults())
    return;
  OpBuilder builder(barrier);
  auto smaller = BarrierOp::create(builder, barrier.getLoc(),
                                   ValueRange(operands).getTypes(), operands);
  for (auto [old, result] : llvm::zip_equal(read, smaller->getResults()))
    old.replaceAllUsesWith(result);
  barrier->erase();
}

/// Drops what nobody reads of the operations between `before` and `behind`,
/// without these; all before, or behind, where one is null. Loops stay: they
/// may be the next to be looked at.
static void dropUnread(Block &block, Operation *before, Operation *behind) {
  Operation *op = behind ? behind->getPrevNode() : &block.back();
  while (op != before) {
    Operation *next = op->getPrevNode();
    if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
    else if (auto barrier = dyn_cast<BarrierOp>(op))
      dropUnread(barrier);
    op = next;
  }
}

void PipelinedLoop::build() {
  Block *around = loop->getBlock();
  // No further than to the loops before and behind.
  Operation *first = loop->getPrevNode(), *last = loop->getNextNode();
  while (first && !isa<scf::ForOp>(first))
    first = first->getPrevNode();
  while (last && !isa<scf::ForOp>(last))
    last = last->getNextNode();
  Passed passed = before();
  bool peelsFirst = !plan.behind.empty(), peelsLast = !plan.ahead.empty();
  if (peelsFirst) {
    // Of two iterations, the first is the one before the last.
    passed = iteration(
        {{}, loop.getLowerBound(), peelsLast ? constant(numberOf(1)) : Value()},
        passed);
  }
  passed = rest(passed, peelsFirst ? 1 : 0, peelsLast ? trips - 1 : trips);
  if (peelsLast) {
    Value previous = peelsFirst ? constant(numberOf(trips - 2)) : Value();
    passed = iteration({previous, constant(numberOf(trips - 1)), {}}, passed);
  }
  behind(passed);
  dropUnread(*around, first, last);
  if (rewritten)
    dropUnread(*rewritten.getBody(), nullptr, nullptr);
}

void communicate::pipelineLoop(scf::ForOp loop, int64_t trips,
                               const LoopPlan &plan) {
  assert(trips > 1 && !plan.empty() && "expected something to move");
  PipelinedLoop(loop, trips, plan).build();
}
