//===- PlanMemory.cpp - gives every tensor its place in memory ------------===//
//
// Values that share memory form a *buffer*. At first every result of an
// operation is one, together with the arguments of regions that by convention
// lie with it. Buffers are then joined where a copy can be saved:
//
//  1. operands of calls with the results that they are donated to;
//  2. what a loop or branch yields with the loop's result, if the value carried
//  so far is not read any more;
//  3. a loop's initial value with its result, if it dies there;
//  4. the results of the program with its memory, and with donated arguments;
//  5. results of kernels and all-reduces with operands of the same size that
//  die there.
//
// A buffer's lifetime is one interval of time. Those without a fixed place are
// packed into the arena (see ArenaPacking), together with the arenas of called
// functions, each of which is needed for the time of its call. Reads of an
// argument after it was overwritten cannot happen: `VerifyMemoryPlan` proves it
// for each program.
//
//===----------------------------------------------------------------------===//

#include "ArenaPacking.h"
#include "Calls.h"
#include "InPlace.h"
#include "InsertCopies.h"
#include "Lifetimes.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;

namespace tessera {
#define GEN_PASS_DEF_PLANMEMORY
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera

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

private:
  struct Buffer {
    int64_t begin, end, bytes;
    std::optional<spmd::BufferAttr> place;
  };

  void makeBuffers();
  void addBuffer(Value value);
  void joinDonated(func::CallOp call);
  void joinRegions(Operation *op);
  void joinYielded(OpOperand &yielded, Value result, Value carried);
  void joinInitial(Operation *loop, OpOperand &initial, Value result);
  void placeResults();
  bool placeInArgument(Value value, unsigned argument);
  bool diesAt(Operation *op, Value operand);
  void reuseOperands(Operation *op);
  ArenaPlan pack();
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

void BufferPlan::addBuffer(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return;
  Operation *op = value.getDefiningOp();
  Value last = value;
  // A collective that is started writes the result of its wait.
  if (auto wait = dyn_cast<spmd::WaitOp>(op)) {
    numbers[value] =
        numbers.lookup(wait.getStart().getCollective()->getResult(0));
    return;
  }
  if (spmd::StartOp start = startOf(op))
    last = start.getWait().getResult();
  numbers[value] = buffers.size();
  parents.push_back(buffers.size());
  int64_t end = std::max(
      times.lastUse(last),
      op->getNumRegions() && !isa<spmd::KernelOp>(op) ? times.end(op) : 0);
  buffers.push_back({times.begin(op), end, bytesOf(value), std::nullopt});
}

/// Arguments of loops lie with the loop's results.
static void
forEachCarried(Operation *op,
               function_ref<void(Value argument, Value result)> visit) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (auto [argument, result] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
      visit(argument, result);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [argument, result] :
         llvm::zip(loop.getBeforeArguments(), loop.getResults()))
      visit(argument, result);
    for (auto [argument, result] :
         llvm::zip_equal(loop.getAfterArguments(), loop.getResults()))
      visit(argument, result);
  }
}

void BufferPlan::makeBuffers() {
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      addBuffer(result);
    forEachCarried(op, [&](Value argument, Value result) {
      if (isa<RankedTensorType>(result.getType()))
        numbers[argument] = numbers[result];
    });
    if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
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

/// `yielded` is computed in the region that hands it on: where it is stored,
/// the value that was carried so far must be dead.
void BufferPlan::joinYielded(OpOperand &yielded, Value result, Value carried) {
  Operation *producer = yielded.get().getDefiningOp();
  Buffer *buffer = bufferOf(yielded.get());
  if (!producer || !buffer ||
      producer->getBlock() != yielded.getOwner()->getBlock() ||
      !isReadOnce(yielded.get(), yielded.getOwner()) ||
      buffer->bytes != bufferOf(result)->bytes)
    return;
  Operation *writer = producer;
  if (auto wait = dyn_cast<spmd::WaitOp>(producer))
    writer = wait.getStart().getCollective();
  if (carried)
    for (OpOperand &use : carried.getUses()) {
      bool isInPlace =
          use.getOwner() == writer && times.begin(writer) == buffer->begin &&
          (mayOverwrite(writer, carried) || bufferOf(carried) == buffer);
      if (!isInPlace && times.timeOf(use) >= buffer->begin)
        return;
    }
  join(result, yielded.get());
}

void BufferPlan::joinInitial(Operation *loop, OpOperand &initial,
                             Value result) {
  Value value = initial.get();
  Buffer *buffer = bufferOf(value);
  if (!buffer || isa<BlockArgument>(value) || buffer->place ||
      buffer->end != times.begin(loop) || !isReadOnce(value, loop) ||
      buffer->bytes != bufferOf(result)->bytes)
    return;
  join(result, value);
}

void BufferPlan::joinRegions(Operation *op) {
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    for (Region &region : op->getRegions())
      if (!region.empty())
        for (OpOperand &use : region.front().getTerminator()->getOpOperands())
          if (isa<RankedTensorType>(use.get().getType()))
            joinYielded(use, op->getResult(use.getOperandNumber()), {});
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (OpOperand &use : loop.getBody()->getTerminator()->getOpOperands())
      if (isa<RankedTensorType>(use.get().getType()))
        joinYielded(use, loop.getResult(use.getOperandNumber()),
                    loop.getRegionIterArg(use.getOperandNumber()));
    for (auto [use, result] :
         llvm::zip_equal(loop.getInitArgsMutable(), loop.getResults()))
      if (isa<RankedTensorType>(result.getType()))
        joinInitial(op, use, result);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (OpOperand &use : loop.getAfterBody()->getTerminator()->getOpOperands())
      joinYielded(use, loop.getResult(use.getOperandNumber()),
                  loop.getAfterArguments()[use.getOperandNumber()]);
    for (auto [use, result] :
         llvm::zip(loop.getInitsMutable(), loop.getResults()))
      joinInitial(op, use, result);
  }
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
    bool isInitial =
        isa<scf::ForOp, scf::WhileOp>(user) && isReadOnce(argument, user) &&
        bufferOf(user->getResult(use.getOperandNumber() -
                                 (isa<scf::ForOp>(user) ? 3 : 0))) == &buffer;
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
    if (auto donated = function.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), TesseraDialect::kDonatedAttr))
      donors[donated.getInt()] = argument.getArgNumber();
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

/// Gives the arena's offsets to buffers without a place, and to the arenas of
/// calls.
ArenaPlan BufferPlan::pack() {
  SmallVector<BufferLifetime> lifetimes;
  SmallVector<unsigned> packed;
  for (unsigned number = 0; number < buffers.size(); ++number)
    if (find(number) == number && !buffers[number].place) {
      packed.push_back(number);
      lifetimes.push_back(
          {buffers[number].begin, buffers[number].end, buffers[number].bytes});
    }
  for (func::CallOp call : calls)
    lifetimes.push_back(
        {times.begin(call), times.begin(call), functions.arenaSize(call)});
  ArenaPlan arena = packArena(lifetimes);
  auto place = [&](int64_t offset) {
    return spmd::BufferAttr::get(function.getContext(), spmd::Space::Arena,
                                 offset);
  };
  for (auto [number, offset] : llvm::zip(packed, arena.offsets))
    buffers[number].place = place(offset);
  for (auto [call, offset] : llvm::zip_equal(
           calls, ArrayRef(arena.offsets).drop_front(packed.size())))
    call->setAttr(spmd::SpmdDialect::kWorkspaceAttr, place(offset));
  return arena;
}

void BufferPlan::writeDown() {
  MLIRContext *context = function.getContext();
  for (Operation *op : operations) {
    SmallVector<Attribute> places;
    for (Value result : op->getResults())
      places.push_back(
          isa<RankedTensorType>(result.getType())
              ? *bufferOf(result)->place
              : spmd::BufferAttr::get(context, spmd::Space::Arena, 0));
    op->setAttr(spmd::SpmdDialect::kBuffersAttr,
                ArrayAttr::get(context, places));
  }
}

namespace {

struct PlanMemory : public tessera::impl::PlanMemoryBase<PlanMemory> {
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
    arenaBytes += arena.size;
    liveBytes += arena.live;
    inPlace += plan.joins;
  }
};

} // namespace
