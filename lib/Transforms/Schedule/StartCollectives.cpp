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
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

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

  unsigned pairs = 0, overlapping = 0;

private:
  struct Span {
    int64_t begin, end, bytes;
  };
  struct Pair {
    spmd::CollectiveOpInterface collective;
    int64_t at, start, wait;
    spmd::WaitOp waitOp = {};
    bool isDone = false; ///< Whether the wait stands where it belongs.
  };

  /// The position of the operation of this block that `op` is or lies in.
  int64_t positionOf(Operation *op) const {
    return positions.lookup(block.findAncestorOpInBlock(*op));
  }
  int64_t lastUse(Value value, Operation *except = nullptr) const;
  void findSpans();
  void reuseOperands(Operation *op);
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

void BlockOverlap::reuseOperands(Operation *op) {
  for (Value result : op->getResults())
    for (Value operand : op->getOperands()) {
      auto source = spans.find(operand), target = spans.find(result);
      if (target == spans.end())
        break;
      if (source == spans.end() || source->second.end != positions.lookup(op) ||
          source->second.bytes != target->second.bytes ||
          !mayOverwrite(op, operand) || !takenOver.insert({operand, op}).second)
        continue;
      --source->second.end;
      break;
    }
}

//===----------------------------------------------------------------------===//
// Where pairs begin and end
//===----------------------------------------------------------------------===//

/// Behind what makes the operand, behind the start before, and behind all who
/// read what the result is going to overwrite.
int64_t BlockOverlap::earliestStart(const Pair &pair) const {
  Operation *collective = pair.collective;
  Value operand = collective->getOperand(0), result = collective->getResult(0);
  int64_t earliest = chosen.empty() ? 0 : chosen.back().start;
  if (Operation *producer = operand.getDefiningOp();
      producer && producer->getBlock() == &block) {
    auto other = numbers.find(producer);
    earliest = std::max(earliest, other == numbers.end()
                                      ? positions.lookup(producer) + 1
                                      : chosen[other->second].wait);
  }
  if (takenOver.lookup(operand) == collective)
    earliest = std::max(earliest, lastUse(operand, collective) + 1);
  for (BlockArgument argument : predecessors.lookup(result))
    earliest = std::max(earliest, lastUse(argument, collective) + 1);
  return std::min(earliest, pair.at);
}

/// Before the first reader of the result, and before the operand's memory is
/// given to another value.
int64_t BlockOverlap::latestWait(const Pair &pair) const {
  Operation *collective = pair.collective;
  Value operand = collective->getOperand(0);
  int64_t latest = collective->use_empty() ? pair.at + 1 : ops.size();
  for (Operation *user : collective->getUsers())
    latest = std::min(latest, positionOf(user));
  auto keepBefore = [&](Operation *op) {
    if (op && op->getBlock() == &block && positions.lookup(op) > pair.at)
      latest = std::min(latest, positions.lookup(op));
  };
  if (auto argument = dyn_cast<BlockArgument>(operand);
      argument && argument.getOwner() == &block)
    if (Value successor = successorOf(argument))
      keepBefore(successor.getDefiningOp());
  for (OpOperand &use : operand.getUses())
    if (auto call = dyn_cast<func::CallOp>(use.getOwner());
        call && functions.donations(call)[use.getOperandNumber()] >= 0)
      keepBefore(call);
  return latest;
}

void BlockOverlap::chooseStart(Pair &pair) {
  Operation *collective = pair.collective;
  bool isInPlace = takenOver.lookup(collective->getOperand(0)) == collective;
  auto result = spans.find(collective->getResult(0));
  int64_t bytes = isInPlace || result == spans.end() ? 0 : result->second.bytes;
  int64_t earliest = earliestStart(pair);
  pair.start = pair.at;
  while (pair.start > earliest && fits(pair.start - 1, bytes))
    --pair.start;
  keepAlive(pair.start, pair.at, bytes);
}

void BlockOverlap::chooseWait(Pair &pair) {
  Operation *collective = pair.collective;
  Value operand = collective->getOperand(0);
  bool isInPlace = takenOver.lookup(operand) == collective;
  auto span = spans.find(operand);
  int64_t bytes = isInPlace || span == spans.end() ? 0 : span->second.bytes;
  // From here on nobody else keeps the operand.
  int64_t unneeded = std::max(pair.at, bytes ? span->second.end : pair.at) + 1;
  int64_t latest = latestWait(pair);
  pair.wait = pair.at + 1;
  while (pair.wait < latest && (pair.wait < unneeded || fits(pair.wait, bytes)))
    ++pair.wait;
  keepAlive(unneeded, pair.wait, bytes);
}

void BlockOverlap::choosePairs() {
  for (Operation *op : ops) {
    auto collective = dyn_cast<spmd::CollectiveOpInterface>(op);
    if (!collective)
      continue;
    Pair pair{collective, positions.lookup(op), 0, 0};
    chooseStart(pair);
    chooseWait(pair);
    LDBG() << describeOperation(op) << ": started " << pair.at - pair.start
           << " operations earlier, awaited " << pair.wait - pair.at - 1
           << " later";
    numbers[op] = chosen.size();
    chosen.push_back(pair);
    ++pairs;
    for (int64_t i = pair.start; i < pair.wait; ++i)
      if (!isa<spmd::CollectiveOpInterface>(ops[i])) {
        ++overlapping;
        break;
      }
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Starts the collective before the terminator, and waits there.
void BlockOverlap::startHere(Pair &pair) {
  Operation *collective = pair.collective;
  Location loc = collective->getLoc();
  Value result = collective->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  OpBuilder builder(terminator);
  auto start = spmd::StartOp::create(
      builder, loc, spmd::FutureType::get(builder.getContext(), type));
  pair.waitOp = spmd::WaitOp::create(builder, loc, type, start.getFuture());
  Block *body = builder.createBlock(&start.getBody());
  collective->moveBefore(body, body->end());
  auto yield = spmd::YieldOp::create(builder, loc, result);
  result.replaceAllUsesExcept(pair.waitOp.getResult(), yield);
}

/// Builds the block again, behind what is left of the old one.
void BlockOverlap::rewrite() {
  SmallVector<SmallVector<Pair *, 1>, 0> starts(ops.size()), waits(ops.size());
  for (Pair &pair : chosen) {
    starts[pair.start].push_back(&pair);
    waits[pair.wait].push_back(&pair);
  }
  auto waitHere = [&](Pair &pair) {
    if (!std::exchange(pair.isDone, true))
      pair.waitOp->moveBefore(terminator);
  };
  for (auto [position, op] : llvm::enumerate(ops)) {
    for (Pair *pair : starts[position]) {
      // What is started may need what is awaited here.
      for (Pair *earlier : waits[position])
        if (earlier->waitOp.getResult() == pair->collective->getOperand(0))
          waitHere(*earlier);
      startHere(*pair);
    }
    for (Pair *pair : waits[position])
      waitHere(*pair);
    if (op != terminator && !isa<spmd::CollectiveOpInterface>(op))
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
      if (!isa<spmd::KernelOp, spmd::StartOp>(op))
        for (Region &region : op->getRegions())
          for (Block &inner : region)
            bytes = std::max(bytes, overlap(inner, functions));
      return bytes;
    });
    plan.choosePairs();
    plan.rewrite();
    numPairs += plan.pairs;
    numOverlapping += plan.overlapping;
    return plan.peak();
  }

  llvm::DenseMap<Operation *, int64_t> peaks;
};

} // namespace
