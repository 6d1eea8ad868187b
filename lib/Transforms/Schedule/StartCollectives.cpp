//===- StartCollectives.cpp - collectives that overlap with other work ----===//
//
// Elsewhere: asynchronous collectives, latency hiding.
//
// The order of operations is known, and stays. Every collective becomes a pair:
// it is started right behind what makes its operand, and awaited right before
// the first operation that needs its result. What lies in between overlaps.
//
// A pair may need memory for longer than the collective did: from its start on
// the memory of the result, and until its wait that of the operand. So the pass
// counts the bytes that are alive at every operation, as the memory plan will
// have it (a kernel that may overwrite an operand that dies does), and lets the
// most of them be the bound: a start moves up, and a wait down, as long as no
// operation has more bytes alive than the block's neediest one had before. An
// all-reduce that overwrites its operand costs nothing.
//
// Collectives that are one call are started together and awaited together.
//
// Starts keep their order, which is that of the program: the same on every
// device, so that collectives match and none waits for another in a circle.
//
// What goes on in a region stays there: a pair lies in one block. The memory
// that an operation with regions, or a call, needs for itself counts where it
// stands. Linear in the number of operations between the ends of the pairs.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "InPlace.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-start-collectives"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace tessera::schedule {
#define GEN_PASS_DEF_STARTCOLLECTIVES
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

namespace {

/// The pairs of one block. Positions are numbers of operations; `start` and
/// `wait` mean "right before".
class BlockOverlap {
public:
  /// `ownBytes` is what an operation needs beside the values of the block.
  BlockOverlap(Block &block, const CalledFunctions &functions,
               function_ref<int64_t(Operation *)> ownBytes);

  /// The most bytes that are alive at once.
  int64_t peak() const { return bound; }
  void choosePairs();
  /// Puts the pairs where they have been chosen to be.
  void rewrite();

private:
  struct Span {
    int64_t begin, end, bytes;
  };
  struct Pair {
    /// The collective, or several combined.
    Operation *call;
    SmallVector<spmd::CollectiveOpInterface, 1> parts;
    int64_t at, start, wait;
    SmallVector<spmd::WaitOp, 1> waitOps = {};
    bool isDone = false; ///< Whether the waits stand where they belong.
  };

  /// The position of the operation of this block that `op` is or lies in.
  int64_t positionOf(Operation *op) const {
    return positions.lookup(block.findAncestorOpInBlock(*op));
  }
  int64_t lastUse(Value value, Operation *except = nullptr) const;
  void findSpans();
  void reuseOperands(Operation *op);
  void reuseOperands(Operation *op, OpResult result);
  bool isInPlace(spmd::CollectiveOpInterface part) const {
    return takenOver.lookup(spmd::sourceOf(part)) == part;
  }
  bool fits(int64_t position, int64_t bytes) const {
    return live[position] + bytes <= bound;
  }
  void keepAlive(int64_t begin, int64_t end, int64_t bytes) {
    for (int64_t position = begin; position < end; ++position)
      live[position] += bytes;
  }
  int64_t earliestStart(const Pair &pair) const;
  int64_t latestWait(const Pair &pair) const;
  void chooseStart(Pair &pair);
  void chooseWait(Pair &pair);
  void startHere(Pair &pair);

  Block &block;
  const CalledFunctions &functions;
  Operation *terminator;
  SmallVector<Operation *, 0> ops;
  llvm::DenseMap<Operation *, int64_t> positions;
  /// When the values that take memory in the arena are alive.
  llvm::DenseMap<Value, Span> spans;
  /// Arguments whose memory a value takes over, by that value.
  llvm::DenseMap<Value, SmallVector<BlockArgument, 1>> predecessors;
  /// Operands whose memory the operation that reads them last takes over.
  llvm::DenseMap<Value, Operation *> takenOver;
  SmallVector<int64_t, 0> live;
  int64_t bound = 0;
  SmallVector<Pair, 0> chosen;
  /// The number of the pair of a collective.
  llvm::DenseMap<Operation *, unsigned> numbers;
};

} // namespace

/// The value that is made, at the end of the block, in the memory of
/// `argument`; null if there is none.
static Value successorOf(BlockArgument argument) {
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    std::optional<unsigned> donated = getDonatedResult(function, number);
    return donated ? block->getTerminator()->getOperand(*donated) : Value();
  }
  if (isa<scf::ForOp>(parent))
    return number ? block->getTerminator()->getOperand(number - 1) : Value();
  if (auto loop = dyn_cast<scf::WhileOp>(parent);
      loop && block == loop.getAfterBody())
    return block->getTerminator()->getOperand(number);
  return {};
}

BlockOverlap::BlockOverlap(Block &block, const CalledFunctions &functions,
                           function_ref<int64_t(Operation *)> ownBytes)
    : block(block), functions(functions), terminator(block.getTerminator()) {
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  for (BlockArgument argument : block.getArguments())
    if (Value successor = successorOf(argument))
      predecessors[successor].push_back(argument);
  findSpans();
  for (Operation *op : ops) {
    reuseOperands(op);
    live.push_back(ownBytes(op));
  }
  // NOLINTNEXTLINE(custom-iteration-order): adds up.
  for (auto &[value, span] : spans)
    keepAlive(span.begin, span.end + 1, span.bytes);
  bound = *llvm::max_element(live);
}

int64_t BlockOverlap::lastUse(Value value, Operation *except) const {
  int64_t last = -1;
  for (Operation *user : value.getUsers())
    if (user != except)
      last = std::max(last, positionOf(user));
  return last;
}

/// Results of the program have memory of their own.
void BlockOverlap::findSpans() {
  bool isProgram = isa<func::ReturnOp>(terminator);
  for (auto [position, op] : llvm::enumerate(ops))
    for (Value result : op->getResults()) {
      if (!isa<RankedTensorType>(result.getType()) ||
          (isProgram && llvm::is_contained(result.getUsers(), terminator)))
        continue;
      int64_t begin = position;
      spans[result] = {begin, std::max(begin, lastUse(result)),
                       bytesOf(result)};
    }
}

/// `result`, of `op` or of the call that `op` is a part of.
void BlockOverlap::reuseOperands(Operation *op, OpResult result) {
  int64_t position = positions.lookup(result.getOwner());
  SmallVector<Value> operands(op->getOperands());
  if (auto part = dyn_cast<spmd::CollectiveOpInterface>(op))
    operands = {spmd::sourceOf(part)};
  for (Value operand : operands) {
    auto source = spans.find(operand), target = spans.find(result);
    if (target == spans.end())
      return;
    // Other parts of the call read while this one writes.
    bool isRead = op != result.getOwner() && !operand.hasOneUse();
    if (source == spans.end() || source->second.end != position ||
        source->second.bytes != target->second.bytes || isRead ||
        !mayOverwrite(op, operand) || !takenOver.insert({operand, op}).second)
      continue;
    --source->second.end;
    return;
  }
}

void BlockOverlap::reuseOperands(Operation *op) {
  if (isa<spmd::CombinedOp>(op))
    for (auto [part, result] :
         llvm::zip_equal(spmd::partsOf(op), op->getResults()))
      reuseOperands(part, result);
  else
    for (OpResult result : op->getResults())
      reuseOperands(op, result);
}

//===----------------------------------------------------------------------===//
// Where pairs begin and end
//===----------------------------------------------------------------------===//

/// Behind what makes the operands, behind the start before, and behind all who
/// read what the results are going to overwrite.
int64_t BlockOverlap::earliestStart(const Pair &pair) const {
  int64_t earliest = chosen.empty() ? 0 : chosen.back().start;
  for (auto [part, result] :
       llvm::zip_equal(pair.parts, pair.call->getResults())) {
    Value operand = spmd::sourceOf(part);
    if (Operation *producer = operand.getDefiningOp();
        producer && producer->getBlock() == &block) {
      auto other = numbers.find(producer);
      earliest = std::max(earliest, other == numbers.end()
                                        ? positions.lookup(producer) + 1
                                        : chosen[other->second].wait);
    }
    if (isInPlace(part))
      earliest = std::max(earliest, lastUse(operand, pair.call) + 1);
    for (BlockArgument argument : predecessors.lookup(result))
      earliest = std::max(earliest, lastUse(argument, pair.call) + 1);
  }
  return std::min(earliest, pair.at);
}

/// Before the first reader of a result, and before an operand's memory is given
/// to another value.
int64_t BlockOverlap::latestWait(const Pair &pair) const {
  int64_t latest = pair.call->use_empty() ? pair.at + 1 : ops.size();
  for (Operation *user : pair.call->getUsers())
    latest = std::min(latest, positionOf(user));
  auto keepBefore = [&](Operation *op) {
    if (op && op->getBlock() == &block && positions.lookup(op) > pair.at)
      latest = std::min(latest, positions.lookup(op));
  };
  for (spmd::CollectiveOpInterface part : pair.parts) {
    Value operand = spmd::sourceOf(part);
    if (auto argument = dyn_cast<BlockArgument>(operand);
        argument && argument.getOwner() == &block)
      if (Value successor = successorOf(argument))
        keepBefore(successor.getDefiningOp());
    for (OpOperand &use : operand.getUses())
      if (auto call = dyn_cast<func::CallOp>(use.getOwner());
          call && functions.donations(call)[use.getOperandNumber()] >= 0)
        keepBefore(call);
  }
  return latest;
}

void BlockOverlap::chooseStart(Pair &pair) {
  int64_t bytes = 0;
  for (auto [part, result] :
       llvm::zip_equal(pair.parts, pair.call->getResults())) {
    auto span = spans.find(result);
    bytes += isInPlace(part) || span == spans.end() ? 0 : span->second.bytes;
  }
  int64_t earliest = earliestStart(pair);
  pair.start = pair.at;
  while (pair.start > earliest && fits(pair.start - 1, bytes))
    --pair.start;
  keepAlive(pair.start, pair.at, bytes);
}

void BlockOverlap::chooseWait(Pair &pair) {
  // From where on nobody else keeps an operand, and the bytes that it has.
  SmallVector<std::pair<int64_t, int64_t>, 1> kept;
  for (spmd::CollectiveOpInterface part : pair.parts)
    if (auto span = spans.find(spmd::sourceOf(part));
        span != spans.end() && !isInPlace(part))
      kept.push_back(
          {std::max(pair.at, span->second.end) + 1, span->second.bytes});
  llvm::sort(kept);
  int64_t latest = latestWait(pair), bytes = 0;
  size_t next = 0;
  for (pair.wait = pair.at + 1;; ++pair.wait) {
    for (; next < kept.size() && kept[next].first <= pair.wait; ++next)
      bytes += kept[next].second;
    if (pair.wait >= latest || !fits(pair.wait, bytes))
      break;
    live[pair.wait] += bytes;
  }
}

void BlockOverlap::choosePairs() {
  for (Operation *op : ops) {
    Pair pair{op, spmd::partsOf(op), positions.lookup(op), 0, 0};
    if (pair.parts.empty())
      continue;
    chooseStart(pair);
    chooseWait(pair);
    LDBG() << describeOperation(op) << ": started " << pair.at - pair.start
           << " operations earlier, awaited " << pair.wait - pair.at - 1
           << " later";
    numbers[op] = chosen.size();
    chosen.push_back(pair);
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Starts the call before the terminator, and waits there.
void BlockOverlap::startHere(Pair &pair) {
  OpBuilder builder(terminator);
  IntegerAttr number;
  if (pair.parts.size() > 1)
    number = builder.getI64IntegerAttr(numbers.lookup(pair.call));
  for (auto [part, result] :
       llvm::zip_equal(pair.parts, pair.call->getResults())) {
    Location loc = part->getLoc();
    auto type = cast<RankedTensorType>(result.getType());
    builder.setInsertionPoint(pair.waitOps.empty() ? terminator
                                                   : pair.waitOps.front());
    auto start = spmd::StartOp::create(
        builder, loc, spmd::FutureType::get(builder.getContext(), type));
    if (number)
      start->setAttr(spmd::kCallAttr, number);
    builder.setInsertionPoint(terminator);
    pair.waitOps.push_back(
        spmd::WaitOp::create(builder, loc, type, start.getFuture()));
    result.replaceAllUsesWith(pair.waitOps.back().getResult());
    Block *body = builder.createBlock(&start.getBody());
    part->setOperand(0, spmd::sourceOf(part));
    part->moveBefore(body, body->end());
    spmd::YieldOp::create(builder, loc, part->getResult(0));
  }
  if (isa<spmd::CombinedOp>(pair.call))
    pair.call->erase();
}

/// Builds the block again, behind what is left of the old one.
void BlockOverlap::rewrite() {
  SmallVector<SmallVector<Pair *, 1>, 0> starts(ops.size()), waits(ops.size());
  llvm::BitVector isCall(ops.size());
  for (Pair &pair : chosen) {
    isCall.set(pair.at);
    starts[pair.start].push_back(&pair);
    waits[pair.wait].push_back(&pair);
  }
  auto waitHere = [&](Pair &pair) {
    if (!std::exchange(pair.isDone, true))
      for (spmd::WaitOp wait : pair.waitOps)
        wait->moveBefore(terminator);
  };
  for (auto [position, op] : llvm::enumerate(ops)) {
    for (Pair *pair : starts[position]) {
      // What is started may need what is awaited here.
      for (Pair *earlier : waits[position])
        if (llvm::any_of(pair->parts, [&](spmd::CollectiveOpInterface part) {
              return llvm::is_contained(earlier->waitOps,
                                        spmd::sourceOf(part).getDefiningOp());
            }))
          waitHere(*earlier);
      startHere(*pair);
    }
    for (Pair *pair : waits[position])
      waitHere(*pair);
    if (op != terminator && !isCall[position])
      op->moveBefore(terminator);
  }
}

namespace {

struct StartCollectives
    : public tessera::schedule::impl::StartCollectivesBase<StartCollectives> {
  void runOnOperation() override {
    // What a call needs is known when the function that it calls is done.
    FailureOr<SmallVector<func::FuncOp>> order =
        CalledFunctions::inOrder(getOperation());
    if (failed(order))
      return signalPassFailure();
    CalledFunctions functions(getOperation());
    for (func::FuncOp function : *order)
      peaks[function] = overlap(function.getBody().front(), functions);
  }

private:
  /// Makes pairs in `block` and in the regions in it; returns the most bytes
  /// that are alive at once.
  int64_t overlap(Block &block, const CalledFunctions &functions) {
    BlockOverlap plan(block, functions, [&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        return peaks.lookup(functions.find(call));
      int64_t bytes = 0;
      if (!isa<spmd::KernelOp, spmd::CombinedOp>(op))
        for (Region &region : op->getRegions())
          for (Block &inner : region)
            bytes = std::max(bytes, overlap(inner, functions));
      return bytes;
    });
    plan.choosePairs();
    plan.rewrite();
    return plan.peak();
  }

  llvm::DenseMap<Operation *, int64_t> peaks;
};

} // namespace
