//===- PlanMemory.cpp - gives every tensor its place in memory ------------===//
//
// Values that share memory form a *buffer*. At first every result of an
// operation is one, together with the arguments of regions that by convention
// lie with it. Buffers are then joined where a copy can be saved:
//
//  1. what a loop or branch yields with the loop's result, if the value carried
//  so far is not read any more;
//  2. a loop's initial value with its result, if it dies there;
//  3. the results of the program with its memory, and with donated arguments;
//  4. results of kernels with operands of the same size that die there.
//
// A buffer's lifetime is one interval of time. Those without a fixed place are
// packed into the arena (see ArenaPacking). Reads of an argument after it was
// overwritten cannot happen: `VerifyMemoryPlan` proves it for each program.
//
//===----------------------------------------------------------------------===//

#include "ArenaPacking.h"
#include "InPlace.h"
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
// Copies that no plan can save
//===----------------------------------------------------------------------===//

/// A kernel that copies `value`, and is read in its place by `use`.
static void copyBefore(OpOperand &use) {
  Operation *user = use.getOwner();
  OpBuilder builder(user);
  Value value = use.get();
  auto kernel = spmd::KernelOp::create(
      builder, user->getLoc(), TypeRange(value.getType()), ValueRange(value));
  Block *body = builder.createBlock(&kernel.getBody(), {}, value.getType(),
                                    value.getLoc());
  spmd::YieldOp::create(builder, user->getLoc(), body->getArguments());
  use.set(kernel.getResult(0));
}

/// Values that a loop hands on in another position would have to exchange their
/// places; arguments of the program that are results would be read after they
/// were overwritten. Both are copied first.
static void copyExchanged(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<scf::YieldOp, scf::ConditionOp>(op) ||
        !isa<LoopLikeOpInterface>(op->getParentOp()))
      return;
    unsigned first = isa<scf::ConditionOp>(op) ? 1 : 0;
    unsigned offset = isa<scf::ForOp>(op->getParentOp()) ? 1 : 0;
    for (OpOperand &use : op->getOpOperands()) {
      auto argument = dyn_cast<BlockArgument>(use.get());
      if (argument && isa<RankedTensorType>(argument.getType()) &&
          argument.getOwner()->getParentOp() == op->getParentOp() &&
          argument.getArgNumber() != use.getOperandNumber() - first + offset)
        copyBefore(use);
    }
  });
  for (OpOperand &use :
       function.getBody().front().getTerminator()->getOpOperands()) {
    auto argument = dyn_cast<BlockArgument>(use.get());
    if (!argument)
      continue;
    auto donated = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), TesseraDialect::kDonatedAttr);
    if (donated && donated.getInt() != use.getOperandNumber())
      copyBefore(use);
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

class BufferPlan {
public:
  explicit BufferPlan(func::FuncOp function)
      : function(function), times(function) {}

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
  void joinRegions(Operation *op);
  void joinYielded(OpOperand &yielded, Value result, Value carried);
  void joinInitial(Operation *loop, OpOperand &initial, Value result);
  void placeResults();
  bool placeInArgument(Value value, unsigned argument);
  void reuseOperands(Operation *op);

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
  bool isReadOnce(Value value, Operation *user) const {
    return llvm::count_if(value.getUses(), [&](OpOperand &use) {
             return use.getOwner() == user;
           }) == 1;
  }

  func::FuncOp function;
  Lifetimes times;
  SmallVector<Buffer, 0> buffers;
  SmallVector<unsigned, 0> parents;
  llvm::DenseMap<Value, unsigned> numbers;
  /// Operations with tensor results, in order.
  SmallVector<Operation *, 0> operations;
};

} // namespace

void BufferPlan::addBuffer(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return;
  Operation *op = value.getDefiningOp();
  numbers[value] = buffers.size();
  parents.push_back(buffers.size());
  int64_t end = std::max(
      times.lastUse(value),
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
  int64_t begin = buffer->begin;
  if (carried)
    for (OpOperand &use : carried.getUses()) {
      bool overwrites =
          use.getOwner() == producer && mayOverwrite(producer, carried);
      bool isInitial =
          use.getOwner() == producer && bufferOf(carried) == buffer;
      if (times.timeOf(use) > begin ||
          (times.timeOf(use) == begin && !overwrites && !isInitial))
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
    if (time > buffer.begin || times.begin(user) != buffer.begin)
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
      if (source && source != target && !source->place &&
          source->end == times.begin(op) && source->bytes == target->bytes &&
          mayOverwrite(op, operand) && join(operand, result))
        break;
    }
  }
}

ArenaPlan BufferPlan::run() {
  makeBuffers();
  // Inner loops first: what they share with the outer one is then known.
  function.walk<WalkOrder::PostOrder>([&](Operation *op) { joinRegions(op); });
  placeResults();
  for (Operation *op : operations)
    reuseOperands(op);

  SmallVector<BufferLifetime> lifetimes;
  SmallVector<unsigned> packed;
  for (unsigned number = 0; number < buffers.size(); ++number)
    if (find(number) == number && !buffers[number].place) {
      packed.push_back(number);
      lifetimes.push_back(
          {buffers[number].begin, buffers[number].end, buffers[number].bytes});
    }
  ArenaPlan arena = packArena(lifetimes);
  MLIRContext *context = function.getContext();
  for (auto [number, offset] : llvm::zip_equal(packed, arena.offsets))
    buffers[number].place =
        spmd::BufferAttr::get(context, spmd::Space::Arena, offset);
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
  return arena;
}

namespace {

struct PlanMemory : public tessera::impl::PlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    copyExchanged(function);
    BufferPlan plan(function);
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
