//===- PlanMemory.cpp - gives every tensor its place in memory ------------===//
//
// Elsewhere: liveness, live ranges, dynamic storage allocation.
//
// Values that share memory form a *buffer*. At first every result of an
// operation is one, together with the arguments of regions that by convention
// lie with it, and so is what a loop carries with another type than its results
// have. Buffers of equal size are then joined where a copy can be saved:
//
//  1. operands of calls with the results that they are donated to;
//  2. what a loop or branch yields with where it carries it, if the value
//  carried so far is not read any more;
//  3. a loop's initial value with where it carries it, if it dies there;
//  4. the results of the program with its memory, and with donated arguments;
//  5. results of kernels and all-reduces with operands of the same size that
//  die there.
//
// A buffer's lifetime is one interval of time. Those without a fixed place are
// packed into the arena (see ArenaPacking), together with the arenas of called
// functions, each of which is needed for the time of its call; what is copied
// to the host into an arena there. Reads of an
// argument after it was overwritten cannot happen: `VerifyMemoryPlan` proves it
// for each program.
//
//===----------------------------------------------------------------------===//

#include "ArenaPacking.h"
#include "Calls.h"
#include "InPlace.h"
#include "InsertCopies.h"
#include "Lifetimes.h"
#include "LoopMemory.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-plan-memory"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace tessera::schedule {
#define GEN_PASS_DEF_PLANMEMORY
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

/// The buffers of one function: which values share one, when it is in use, and
/// where it lies.
class BufferPlan {
public:
  BufferPlan(func::FuncOp function, const CalledFunctions &functions)
      : function(function), functions(functions), times(function) {}

  /// Decides which values share memory, and writes down where everything lies.
  ArenaPlan run();

  unsigned joins = 0;
  /// Bytes of the arena on the host.
  int64_t hostBytes = 0;

private:
  struct Buffer {
    int64_t begin, end, bytes;
    std::optional<spmd::BufferAttr> place;
    bool isOnHost = false;
  };

  void makeBuffers();
  void addBuffer(OpResult value);
  void addBuffer(Value value, int64_t begin, int64_t end);
  void addCarried(Operation *loop);
  void joinDonated(func::CallOp call);
  void joinRegions(Operation *op);
  void joinYielded(OpOperand &yielded, Value taker, Value carried);
  void joinInitial(OpOperand &initial);
  void placeResults();
  bool placeInArgument(Value value, unsigned argument);
  bool diesAt(Operation *op, Value operand);
  void reuseOperands(Operation *op);
  ArenaPlan pack();
  ArenaPlan pack(spmd::Space space);
  void writeDown();

  unsigned find(unsigned number) {
    while (parents[number] != number)
      number = parents[number] = parents[parents[number]];
    return number;
  }
  Buffer *bufferOf(Value value) {
    auto it = numbers.find(value);
    return it == numbers.end() ? nullptr : &buffers[find(it->second)];
  }
  bool join(Value a, Value b);

  func::FuncOp function;
  const CalledFunctions &functions;
  Lifetimes times;
  SmallVector<Buffer, 0> buffers;
  SmallVector<unsigned, 0> parents;
  llvm::DenseMap<Value, unsigned> numbers;
  /// Operations with tensor results, in order.
  SmallVector<Operation *, 0> operations;
  /// Calls, in order.
  SmallVector<func::CallOp, 0> calls;
};

} // namespace

void BufferPlan::addBuffer(Value value, int64_t begin, int64_t end) {
  numbers[value] = buffers.size();
  parents.push_back(buffers.size());
  buffers.push_back(
      {begin, end, bytesOf(value), std::nullopt, spmd::isOnHost(value)});
}

void BufferPlan::addBuffer(OpResult value) {
  if (!isa<RankedTensorType>(value.getType()))
    return;
  Operation *op = value.getOwner();
  Value last = value;
  // A collective that is started writes the result of its wait.
  if (auto wait = dyn_cast<spmd::WaitOp>(op)) {
    numbers[value] = numbers.lookup(wait.getStart().getStarted()->getResult(0));
    return;
  }
  if (spmd::StartOp start = startOf(op))
    last = start.getWait().getResult();
  int64_t end = std::max(
      times.lastUse(last),
      op->getNumRegions() && !isa<spmd::KernelOp>(op) ? times.end(op) : 0);
  addBuffer(value, times.begin(op), end);
}

/// The arguments of a loop's regions, which lie with its results where these
/// have their types.
void BufferPlan::addCarried(Operation *loop) {
  for (Region &region : loop->getRegions())
    for (BlockArgument argument : region.getArguments()) {
      if (!isa<RankedTensorType>(argument.getType()))
        continue;
      Value holder = holderOf(argument);
      if (holder == argument)
        addBuffer(argument, times.begin(loop), times.end(loop));
      else
        numbers[argument] = numbers[holder];
    }
}

void BufferPlan::makeBuffers() {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpResult result : op->getResults())
      addBuffer(result);
    if (isa<scf::ForOp, scf::WhileOp>(op))
      addCarried(op);
    if (isa<scf::WhileOp>(op) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      operations.push_back(op);
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.push_back(call);
    return isa<spmd::KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

/// Makes the values share memory, unless both have a place already. The caller
/// knows that this is right.
bool BufferPlan::join(Value a, Value b) {
  unsigned first = find(numbers.lookup(a)), second = find(numbers.lookup(b));
  if (first == second || (buffers[first].place && buffers[second].place))
    return false;
  Buffer &joined = buffers[first], &other = buffers[second];
  joined.begin = std::min(joined.begin, other.begin);
  joined.end = std::max(joined.end, other.end);
  joined.bytes = std::max(joined.bytes, other.bytes);
  if (other.place)
    joined.place = other.place;
  parents[second] = first;
  ++joins;
  return true;
}

/// `DonatedOperands` has made sure that the operands die there.
void BufferPlan::joinDonated(func::CallOp call) {
  for (auto [operand, number] :
       llvm::zip_equal(call.getOperands(), functions.donations(call))) {
    if (number < 0)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(operand))
      bufferOf(call.getResult(number))->place =
          spmd::BufferAttr::get(function.getContext(), spmd::Space::Argument,
                                argument.getArgNumber());
    else
      join(operand, call.getResult(number));
  }
}

/// `yielded` is computed in the region that hands it on to where `taker` lies:
/// where it is stored, what lay there so far, `carried`, must be dead.
void BufferPlan::joinYielded(OpOperand &yielded, Value taker, Value carried) {
  if (!taker || !isa<RankedTensorType>(taker.getType()))
    return;
  Operation *producer = yielded.get().getDefiningOp();
  Buffer *buffer = bufferOf(yielded.get());
  if (!producer || !buffer ||
      producer->getBlock() != yielded.getOwner()->getBlock() ||
      !isReadOnce(yielded.get(), yielded.getOwner()) ||
      buffer->bytes != bufferOf(taker)->bytes)
    return;
  Operation *writer = producer;
  if (auto wait = dyn_cast<spmd::WaitOp>(producer))
    writer = wait.getStart().getStarted();
  if (carried)
    for (OpOperand &use : carried.getUses()) {
      bool isInPlace =
          use.getOwner() == writer && times.begin(writer) == buffer->begin &&
          (mayOverwrite(writer, carried) || bufferOf(carried) == buffer);
      if (!isInPlace && times.timeOf(use) >= buffer->begin)
        return;
    }
  join(taker, yielded.get());
}

void BufferPlan::joinInitial(OpOperand &initial) {
  Operation *loop = initial.getOwner();
  Value value = initial.get(), taker = takerOf(initial);
  Buffer *buffer = bufferOf(value);
  if (!taker || !buffer || isa<BlockArgument>(value) || buffer->place ||
      buffer->end != times.begin(loop) || !isReadOnce(value, loop) ||
      buffer->bytes != bufferOf(taker)->bytes)
    return;
  join(taker, value);
}

void BufferPlan::joinRegions(Operation *op) {
  if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op))
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (OpOperand &use : block.getTerminator()->getOpOperands()) {
        Value taker = takerOf(use);
        joinYielded(use, taker, argumentAt(region, taker));
      }
  for (OpOperand &use : op->getOpOperands())
    joinInitial(use);
}

/// The program's result `value` may be made in the memory of an argument if the
/// argument is only read before, or by the very kernel that makes the first
/// value of this buffer, and in place.
bool BufferPlan::placeInArgument(Value value, unsigned number) {
  BlockArgument argument = function.getArgument(number);
  Buffer &buffer = *bufferOf(value);
  for (OpOperand &use : argument.getUses()) {
    int64_t time = times.timeOf(use);
    if (time < buffer.begin)
      continue;
    Operation *user = use.getOwner();
    if (times.begin(user) != buffer.begin ||
        (time > buffer.begin && !startOf(user)))
      return false;
    Value taker = isa<scf::ForOp, scf::WhileOp>(user) ? takerOf(use) : Value();
    bool isInitial =
        taker && isReadOnce(argument, user) && bufferOf(taker) == &buffer;
    if (!isInitial && !mayOverwrite(user, argument))
      return false;
  }
  buffer.place = spmd::BufferAttr::get(function.getContext(),
                                       spmd::Space::Argument, number);
  return true;
}

void BufferPlan::placeResults() {
  SmallVector<int64_t> donors(function.getNumResults(), -1);
  for (BlockArgument argument : function.getArguments())
    if (std::optional<unsigned> donated = getDonatedResult(argument))
      donors[*donated] = argument.getArgNumber();
  for (OpOperand &use :
       function.getBody().front().getTerminator()->getOpOperands()) {
    Buffer *buffer = bufferOf(use.get());
    if (!buffer || buffer->place)
      continue;
    int64_t donor = donors[use.getOperandNumber()];
    if (donor < 0)
      buffer->place = spmd::BufferAttr::get(
          function.getContext(), spmd::Space::Result, use.getOperandNumber());
    else if (bytesOf(function.getArgument(donor)) == buffer->bytes &&
             placeInArgument(use.get(), donor))
      ++joins;
  }
}

/// Whether nothing needs the memory of `operand` but `op`, from its beginning
/// on; where `op` is a collective that is started, until its wait.
bool BufferPlan::diesAt(Operation *op, Value operand) {
  spmd::StartOp start = startOf(op);
  if (bufferOf(operand)->end != times.begin(start ? start.getWait() : op))
    return false;
  return llvm::all_of(operand.getUses(), [&](OpOperand &use) {
    return use.getOwner() == op || times.timeOf(use) <= times.begin(op);
  });
}

void BufferPlan::reuseOperands(Operation *op) {
  if (!isa<spmd::KernelOp, spmd::AllReduceOp>(op))
    return;
  for (Value result : op->getResults()) {
    // What nobody reads would leave its memory free for the next result, which
    // is written at the same time.
    if (result.use_empty())
      continue;
    for (Value operand : op->getOperands()) {
      Buffer *source = bufferOf(operand), *target = bufferOf(result);
      if (target->place || target->begin != times.begin(op))
        break;
      if (source && source != target && !source->place && diesAt(op, operand) &&
          source->bytes == target->bytes && mayOverwrite(op, operand) &&
          join(operand, result))
        break;
    }
  }
}

ArenaPlan BufferPlan::run() {
  makeBuffers();
  for (func::CallOp call : calls)
    joinDonated(call);
  // Inner loops first: what they share with the outer one is then known.
  function.walk<WalkOrder::PostOrder>([&](Operation *op) { joinRegions(op); });
  placeResults();
  for (Operation *op : operations)
    reuseOperands(op);
  ArenaPlan arena = pack();
  writeDown();
  return arena;
}

ArenaPlan BufferPlan::pack() {
  hostBytes = pack(spmd::Space::Host).size;
  return pack(spmd::Space::Arena);
}

/// Gives offsets in the arena, or in that on the host, to the buffers without a
/// place that are to lie there; in the arena also to those of calls.
ArenaPlan BufferPlan::pack(spmd::Space space) {
  bool isHost = space == spmd::Space::Host;
  SmallVector<BufferLifetime> lifetimes;
  SmallVector<unsigned> packed;
  for (unsigned number = 0; number < buffers.size(); ++number)
    if (find(number) == number && !buffers[number].place &&
        buffers[number].isOnHost == isHost) {
      packed.push_back(number);
      lifetimes.push_back(
          {buffers[number].begin, buffers[number].end, buffers[number].bytes});
    }
  ArrayRef<func::CallOp> called = isHost ? ArrayRef<func::CallOp>() : calls;
  for (func::CallOp call : called)
    lifetimes.push_back(
        {times.begin(call), times.begin(call), functions.arenaSize(call)});
  ArenaPlan arena = packArena(lifetimes);
  auto place = [&](int64_t offset) {
    return spmd::BufferAttr::get(function.getContext(), space, offset);
  };
  for (auto [number, offset] : llvm::zip(packed, arena.offsets))
    buffers[number].place = place(offset);
  for (auto [call, offset] : llvm::zip_equal(
           called, ArrayRef(arena.offsets).drop_front(packed.size())))
    call->setAttr(spmd::SpmdDialect::kWorkspaceAttr, place(offset));
  return arena;
}

void BufferPlan::writeDown() {
  MLIRContext *context = function.getContext();
  auto placesOf = [&](ValueRange values) {
    SmallVector<Attribute> places;
    for (Value value : values)
      places.push_back(
          isa<RankedTensorType>(value.getType())
              ? *bufferOf(value)->place
              : spmd::BufferAttr::get(context, spmd::Space::Arena, 0));
    return ArrayAttr::get(context, places);
  };
  for (Operation *op : operations) {
    op->setAttr(spmd::SpmdDialect::kBuffersAttr, placesOf(op->getResults()));
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      op->setAttr(spmd::kCarriedAttr, placesOf(loop.getBeforeArguments()));
  }
}

namespace {

struct PlanMemory : public tessera::schedule::impl::PlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> order =
        CalledFunctions::inOrder(getOperation());
    if (failed(order))
      return signalPassFailure();
    CalledFunctions functions(getOperation());
    for (func::FuncOp function : *order)
      plan(function, functions);
  }

  void plan(func::FuncOp function, const CalledFunctions &functions) {
    insertCopies(function, functions);
    BufferPlan plan(function, functions);
    ArenaPlan arena = plan.run();
    Builder builder(&getContext());
    function->setAttr(spmd::SpmdDialect::kArenaSizeAttr,
                      builder.getI64IntegerAttr(arena.size));
    if (plan.hostBytes > 0)
      function->setAttr(spmd::kHostSizeAttr,
                        builder.getI64IntegerAttr(plan.hostBytes));
    LDBG() << "@" << function.getSymName() << ": an arena of " << arena.size
           << " bytes for at most " << arena.live << " that are alive, "
           << plan.joins << " values share the memory of another";
  }
};

} // namespace
