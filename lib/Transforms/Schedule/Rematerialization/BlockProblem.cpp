//===- BlockProblem.cpp - recomputation in one block ----------------------===//

#include "BlockProblem.h"

#include "ArenaPacking.h"
#include "InPlace.h"
#include "Lifetimes.h"
#include "LoopMemory.h"
#include "tessera/Dialect/Pipe/Step.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Spmd/WorkCosts.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

/// Effects happen once, and nobody keeps what they gave.
static bool mayRepeat(Operation *op) {
  if (isa<spmd::KernelOp>(op))
    return !holdsEffect(op);
  return isa<spmd::CollectiveOpInterface>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          !op->hasTrait<OpTrait::IsTerminator>());
}

BlockProblem::BlockProblem(Block &block, const CalledFunctions &functions,
                           function_ref<int64_t(Operation *)> ownBytes)
    : block(block), functions(functions) {
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  spmd::DeviceSeconds seconds(block.getParentOp()->getParentOfType<ModuleOp>());
  for (Operation *op : ops)
    addOperation(op, ownBytes(op), seconds.of(op));
  SmallVector<Value> values;
  for (auto [value, number] : numbers)
    values.push_back(value);
  for (Value value : values)
    limitReads(value);
  host = seconds.host();
}

void BlockProblem::allowCopies(int64_t bytes) {
  if (host.isThere())
    described.allowCopies(host, std::min(bytes, host.bytes));
}

unsigned BlockProblem::numberOf(Value value) {
  auto [entry, isNew] =
      numbers.try_emplace(value, unsigned(described.values.size()));
  if (!isNew)
    return entry->second;
  RecomputationProblem::Value added;
  auto producer = positions.find(value.getDefiningOp());
  if (producer != positions.end()) {
    added.producer = producer->second;
    if (isa<RankedTensorType>(value.getType()) && !isHeldOutside(value) &&
        !spmd::isOnHost(value))
      added.bytes = arenaBytes(bytesOf(value));
  }
  described.values.push_back(added);
  return entry->second;
}

/// Whether `value`, which the block makes, lies in memory that counts outside
/// of it: that of the program's results; or where a loop or branch takes it
/// over, if nothing reads what lay there so far any more when it is made.
bool BlockProblem::isHeldOutside(Value value) const {
  Operation *end = ops.back(), *producer = value.getDefiningOp();
  if (isa<func::ReturnOp>(end))
    return llvm::is_contained(value.getUsers(), end);
  if (!isReadOnce(value, end))
    return false;
  for (OpOperand &handed : end->getOpOperands()) {
    if (handed.get() != value)
      continue;
    Value taker = takerOf(handed);
    if (!taker || bytesOf(taker) != bytesOf(value))
      return false;
    Value carried = argumentAt(*block.getParent(), taker);
    return !carried || llvm::all_of(carried.getUsers(), [&](Operation *user) {
      unsigned position = positions.lookup(block.findAncestorOpInBlock(*user));
      return position < positions.lookup(producer) ||
             (user == producer && mayOverwrite(producer, carried));
    });
  }
  return false;
}

void BlockProblem::addOperation(Operation *op, int64_t ownBytes,
                                double seconds) {
  RecomputationProblem::Operation added;
  for (Value value : pipe::readsOf(op))
    added.operands.push_back(numberOf(value));
  for (OpResult result : op->getResults()) {
    added.results.push_back(numberOf(result));
    resultNumbers.resize(described.values.size());
    resultNumbers[added.results.back()] = result.getResultNumber();
  }
  added.seconds = seconds;
  added.ownBytes = ownBytes;
  added.mayRepeat = mayRepeat(op);
  added.isCollective = !spmd::partsOf(op).empty();
  addOverwrites(op, added);
  described.operations.push_back(std::move(added));
}

void BlockProblem::addOverwrites(Operation *op,
                                 RecomputationProblem::Operation &operation) {
  auto add = [&](Operation *writer, Value operand, Value result) {
    unsigned read = numbers.lookup(operand), made = numbers.lookup(result);
    if (described.values[read].bytes == described.values[made].bytes &&
        described.values[read].bytes > 0 && mayOverwrite(writer, operand))
      operation.overwrites.push_back({read, made});
  };
  for (auto [part, result] : llvm::zip(spmd::partsOf(op), op->getResults()))
    add(part, spmd::sourceOf(part), result);
  if (isa<spmd::KernelOp>(op))
    for (Value result : op->getResults())
      for (Value operand : op->getOperands())
        add(op, operand, result);
  addTaken(op, operation);
}

/// What `op`, a call or a loop, makes in the memory of operands that nobody
/// else reads.
void BlockProblem::addTaken(Operation *op,
                            RecomputationProblem::Operation &operation) {
  auto add = [&](Value operand, Value result) {
    if (!result || !result.getDefiningOp() || isa<BlockArgument>(operand) ||
        llvm::count_if(operand.getUsers(), [&](Operation *user) {
          return block.findAncestorOpInBlock(*user) == op;
        }) != 1)
      return;
    unsigned read = numbers.lookup(operand), made = numbers.lookup(result);
    if (described.values[read].bytes == described.values[made].bytes &&
        described.values[read].bytes > 0)
      operation.overwrites.push_back({read, made});
  };
  if (auto call = dyn_cast<func::CallOp>(op))
    for (auto [operand, result] :
         llvm::zip_equal(call.getOperands(), functions.donations(call)))
      if (result >= 0)
        add(operand, call.getResult(result));
  if (isa<scf::ForOp, scf::WhileOp>(op))
    for (OpOperand &initial : op->getOpOperands())
      add(initial.get(), takerOf(initial));
}

/// The operation of the block that may write in the place of `argument`; the
/// first where that is not known.
unsigned BlockProblem::writerInPlaceOf(BlockArgument argument) {
  Value successor = successorOf(argument);
  if (!successor)
    return isa<func::FuncOp>(block.getParentOp()) ? RecomputationProblem::kNone
                                                  : 0;
  return positions.lookup(successor.getDefiningOp());
}

void BlockProblem::limitReads(Value value) {
  RecomputationProblem::Value &limited = described.values[numbers[value]];
  unsigned last = 0;
  bool isHandedOn = false;
  for (OpOperand &use : value.getUses()) {
    Operation *user = block.findAncestorOpInBlock(*use.getOwner());
    if (!user || positions.lookup(user) < last)
      continue;
    last = positions.lookup(user);
    auto call = dyn_cast<func::CallOp>(use.getOwner());
    isHandedOn =
        isa<scf::ForOp, scf::WhileOp>(user) ||
        (call && functions.donations(call)[use.getOperandNumber()] >= 0);
  }
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == &block &&
      isa<RankedTensorType>(value.getType())) {
    unsigned writer = writerInPlaceOf(argument);
    if (writer != RecomputationProblem::kNone)
      limited.readBefore = std::max(last, writer);
  }
  if (isHandedOn && limited.readBefore == RecomputationProblem::kNone)
    limited.readBefore = last;
}

//===----------------------------------------------------------------------===//
// Applying a plan
//===----------------------------------------------------------------------===//

/// What step number `step` has made of `value`.
Value BlockProblem::resultOf(unsigned step, unsigned value) const {
  Operation *op = runs[step];
  return op->getResult(spmd::isHostCopy(op) ? 0 : resultNumbers[value]);
}

/// Lets `op` read what the sources of `step` have made.
void BlockProblem::setSources(Operation *op,
                              const RecomputationPlan::Step &step) {
  const std::vector<unsigned> &operands =
      described.operations[step.operation].operands;
  op->walk([&](Operation *inner) {
    for (OpOperand &use : inner->getOpOperands()) {
      auto number = numbers.find(use.get());
      if (number == numbers.end())
        continue;
      auto found = llvm::find(operands, number->second);
      if (found == operands.end())
        continue;
      unsigned source = step.sources[found - operands.begin()];
      if (source == RecomputationProblem::kNone)
        continue;
      use.set(resultOf(source, number->second));
    }
    return isa<spmd::KernelOp>(inner) ? WalkResult::skip()
                                      : WalkResult::advance();
  });
}

/// A copy of an operation, at the end of the block.
Operation *BlockProblem::runAgain(unsigned operation) {
  Operation *op = ops[operation]->clone();
  block.push_back(op);
  op->setAttr(spmd::kRematerializedAttr,
              UnitAttr::get(block.getParentOp()->getContext()));
  for (auto [result, number] : llvm::zip_equal(
           op->getResults(), described.operations[operation].results))
    numbers[result] = number;
  return op;
}

/// The copy to the host or back that `step` is, at the end of the block.
Operation *BlockProblem::runCopy(const RecomputationPlan::Step &step) {
  const RecomputationProblem::Operation &copy =
      described.operations[step.operation];
  Value source = resultOf(step.sources.front(), copy.operands.front());
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  Operation *op;
  if (copy.copy == RecomputationProblem::Copy::ToHost)
    op = spmd::OffloadOp::create(builder, source.getLoc(), source);
  else
    op = spmd::ReloadOp::create(builder, source.getLoc(), source);
  numbers[op->getResult(0)] = copy.results.front();
  return op;
}

void BlockProblem::apply(const RecomputationPlan &plan) {
  llvm::SmallDenseSet<unsigned> seen;
  for (const RecomputationPlan::Step &step : plan.steps) {
    if (step.operation >= ops.size()) {
      runs.push_back(runCopy(step));
      continue;
    }
    Operation *op = ops[step.operation];
    if (!seen.insert(step.operation).second)
      op = runAgain(step.operation);
    else
      op->moveBefore(&block, block.end());
    runs.push_back(op);
    setSources(op, step);
  }
  for (Operation *op : llvm::reverse(ops))
    if (!seen.contains(positions.lookup(op)))
      op->erase();
  runs.clear();
}
