//===- Executor.cpp - One device that runs a program ----------------------===//

#include "Executor.h"

#include "OperationTable.h"
#include "PlannedMemory.h"
#include "Rendezvous.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

/// Calls nest at most this deep: beyond it the program recurses without end.
static constexpr unsigned maximalCallDepth = 256;

void RunError::emit() const {
  InFlightDiagnostic diagnostic = emitError(location) << message;
  for (const auto &[where, note] : notes)
    diagnostic.attachNote(where) << note;
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

/// The last operation of `block` that needs `value`, itself or in its regions;
/// the defining operation (null for an argument) where none does.
static Operation *lastUse(Value value, Block &block) {
  Operation *last = value.getDefiningOp();
  for (Operation *user : value.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (here && (!last || last->isBeforeInBlock(here)))
      last = here;
  }
  return last;
}

LastUses::LastUses(Operation *root) {
  auto record = [&](Value value, Block &block) {
    if (Operation *last = lastUse(value, block))
      values[last].push_back(value);
  };
  root->walk([&](Block *block) {
    for (Value argument : block->getArguments())
      record(argument, *block);
    for (Operation &op : *block)
      for (Value result : op.getResults())
        record(result, *block);
  });
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

LogicalResult Executor::fail(Operation *op, const Twine &message) {
  if (!firstError)
    firstError =
        RunError{op->getLoc(),
                 ("'" + op->getName().getStringRef() + "' op " + message).str(),
                 {}};
  return failure();
}

Executor::Executor(const LastUses &lastUses, Rendezvous *rendezvous,
                   int64_t device, const MemoryPlan *plan)
    : lastUses(lastUses), rendezvous(rendezvous), device(device), plan(plan) {}
Executor::Executor(Executor &&) = default;
Executor::~Executor() = default;

LogicalResult Executor::bind(Value value, TensorRef tensor, Operation *op) {
  assert(tensor->type() == *elementTypeOf(value.getType()) &&
         tensor->shape() == shapeOf(value.getType()) &&
         "a tensor must have the type of the value it is");
  if (memory)
    if (auto error = memory->write(value, *tensor, op))
      return fail(*error);
  if (!value.use_empty())
    values[value] = std::move(tensor);
  return success();
}

LogicalResult Executor::get(ValueRange operands, Operation *op,
                            SmallVectorImpl<TensorRef> &tensors) {
  for (Value value : operands) {
    tensors.push_back(values.at(value));
    if (memory)
      if (auto error = memory->read(value, *tensors.back(), op))
        return fail(*error);
  }
  return success();
}

LogicalResult Executor::callInMemory(func::FuncOp function,
                                     ArrayRef<TensorRef> arguments,
                                     SmallVectorImpl<TensorRef> &results,
                                     func::CallOp site) {
  std::unique_ptr<PlannedMemory> caller = std::move(memory);
  std::optional<RunError> error;
  if (plan && plan->tableOf(function))
    memory = site && caller ? std::make_unique<PlannedMemory>(function, site,
                                                              *caller, error)
                            : std::make_unique<PlannedMemory>(function, *plan);
  LogicalResult result =
      error ? fail(*error) : run(function.getBody(), arguments, results);
  if (succeeded(result) && memory)
    if ((error = memory->giveBack(results, function.front().getTerminator())))
      result = fail(*error);
  memory = std::move(caller);
  return result;
}

LogicalResult Executor::call(func::FuncOp function,
                             ArrayRef<TensorRef> arguments,
                             SmallVectorImpl<TensorRef> &results,
                             func::CallOp site) {
  if (function.isExternal())
    return fail(function, "has no body");
  if (callDepth == maximalCallDepth)
    return fail(function, "recurses more than " + Twine(maximalCallDepth) +
                              " calls deep");
  llvm::DenseMap<Value, TensorRef> callerValues;
  llvm::DenseMap<Value, std::shared_ptr<CollectiveCall>> callerFutures;
  llvm::DenseMap<Value, TensorRef> callerCopies;
  std::swap(values, callerValues);
  std::swap(futures, callerFutures);
  std::swap(copies, callerCopies);
  ++callDepth;
  LogicalResult result = callInMemory(function, arguments, results, site);
  --callDepth;
  std::swap(values, callerValues);
  std::swap(futures, callerFutures);
  std::swap(copies, callerCopies);
  return result;
}

LogicalResult Executor::run(Region &region, ArrayRef<TensorRef> arguments,
                            SmallVectorImpl<TensorRef> &results) {
  if (!region.hasOneBlock())
    return fail(region.getParentOp(), "expected a region of one block");
  Block &block = region.front();
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (failed(bind(argument, tensor, region.getParentOp())))
      return failure();
  for (Operation &op : block.without_terminator())
    if (failed(step(&op)))
      return failure();
  Operation *terminator = block.getTerminator();
  results.clear();
  if (failed(get(terminator->getOperands(), terminator, results)))
    return failure();
  for (Value value : lastUses.after(terminator))
    values.erase(value);
  return success();
}

LogicalResult Executor::step(Operation *op) {
  SmallVector<TensorRef, 4> results;
  if (auto start = dyn_cast<spmd::StartOp>(op);
      start && spmd::isHostCopy(start.getStarted())) {
    if (failed(startCopy(start)))
      return failure();
  } else if (auto wait = dyn_cast<spmd::WaitOp>(op);
             wait && copies.contains(wait.getFuture())) {
    if (failed(finishCopy(wait)))
      return failure();
  } else if (start) {
    if (!(futures[start.getFuture()] = this->start(start.getCollective())))
      return failure();
  } else if (wait) {
    auto call = futures.find(wait.getFuture());
    if (failed(finish(call->second, results)))
      return failure();
    futures.erase(call);
    if (failed(bind(wait.getResult(), std::move(results.front()), wait)))
      return failure();
  } else {
    if (failed(compute(op, results)))
      return failure();
    for (auto [value, tensor] : llvm::zip_equal(op->getResults(), results))
      if (failed(bind(value, std::move(tensor), op)))
        return failure();
  }
  for (Value value : lastUses.after(op))
    values.erase(value);
  return success();
}

/// What is copied is known at once; where it goes holds nothing until the wait.
LogicalResult Executor::startCopy(spmd::StartOp start) {
  Operation *copy = start.getStarted();
  SmallVector<TensorRef, 1> operands;
  if (failed(get(copy->getOperands(), copy, operands)))
    return failure();
  if (memory)
    if (auto error = memory->spoil(copy->getResult(0), copy))
      return fail(*error);
  copies[start.getFuture()] = operands.front();
  return success();
}

/// What is copied must have stayed what it was.
LogicalResult Executor::finishCopy(spmd::WaitOp wait) {
  auto copied = copies.find(wait.getFuture());
  TensorRef tensor = std::move(copied->second);
  copies.erase(copied);
  Value source = wait.getStart().getStarted()->getOperand(0);
  if (memory)
    if (auto error = memory->read(source, *tensor, wait))
      return fail(*error);
  return bind(wait.getResult(), std::move(tensor), wait);
}

LogicalResult Executor::compute(Operation *op,
                                SmallVectorImpl<TensorRef> &results) {
  for (Type type : op->getResultTypes())
    if (!elementTypeOf(type))
      return fail(op, llvm::formatv("expected results whose elements are i1 to "
                                    "i64, f16, bf16, f32 or f64, got {0}",
                                    type));
  const OperationTable &table = OperationTable::get();
  if (table.findCollective(op))
    return meet(op, results);
  if (isa<spmd::CombinedOp>(op)) {
    for (Operation *part : spmd::partsOf(op))
      if (failed(meet(part, results)))
        return failure();
    return success();
  }
  OperationFunction function = table.find(op);
  if (!function)
    return fail(op, "is not an operation that the interpreter knows");
  SmallVector<TensorRef, 4> operands;
  if (failed(get(op->getOperands(), op, operands)))
    return failure();
  Invocation invocation{op, operands, results, *this};
  return function(invocation);
}

LogicalResult Executor::meet(Operation *op,
                             SmallVectorImpl<TensorRef> &results) {
  std::shared_ptr<CollectiveCall> call = start(op);
  return call ? finish(std::move(call), results) : failure();
}

std::shared_ptr<CollectiveCall> Executor::start(Operation *op) {
  auto collective = cast<spmd::CollectiveOpInterface>(op);
  if (!rendezvous) {
    (void)fail(op, "expected a program of one device around it");
    return nullptr;
  }
  int64_t groupSize = tessera::groupSize(op, collective.getAxes());
  count(op, groupSize, collective.getBytesSent(groupSize));
  CollectiveFunction function = OperationTable::get().findCollective(op);
  SmallVector<TensorRef, 1> operands;
  if (failed(get(spmd::sourceOf(collective), op, operands)))
    return nullptr;
  if (memory)
    if (auto error = memory->spoil(op->getResult(0), op)) {
      (void)fail(*error);
      return nullptr;
    }
  return rendezvous->start(
      device, op, collective.getAxes().getAxes(), operands.front(),
      [&](ArrayRef<TensorRef> group) { return function(op, group); });
}

LogicalResult Executor::finish(std::shared_ptr<CollectiveCall> call,
                               SmallVectorImpl<TensorRef> &results) {
  FailureOr<TensorRef> result = rendezvous->wait(device, std::move(call));
  if (failed(result))
    return failure();
  results.push_back(*result);
  return success();
}

void Executor::count(Operation *op, int64_t groupSize, int64_t bytes) {
  CollectiveCount &count =
      counts.insert({op, CollectiveCount{op, groupSize, 0, 0}}).first->second;
  ++count.times;
  count.bytes += bytes;
}

std::vector<CollectiveCount> Executor::takeCounts() {
  std::vector<CollectiveCount> list;
  for (auto &[op, count] : counts)
    list.push_back(count);
  return list;
}

//===----------------------------------------------------------------------===//
// Invocations
//===----------------------------------------------------------------------===//

Shape tessera::shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Shape(tensor.getShape().begin(), tensor.getShape().end())
                : Shape();
}

HostTensor Invocation::makeResult(unsigned i) const {
  Type type = op->getResult(i).getType();
  return HostTensor(*elementTypeOf(type), shapeOf(type));
}

int64_t Invocation::scalar(unsigned i) const {
  const HostTensor &tensor = operand(i);
  assert(tensor.elementCount() == 1 && "expected a scalar");
  switch (tensor.type()) {
  case ElementType::I1:
    return tensor.elements<uint8_t>()[0] != 0;
  case ElementType::I8:
    return tensor.elements<int8_t>()[0];
  case ElementType::I16:
    return tensor.elements<int16_t>()[0];
  case ElementType::I32:
    return tensor.elements<int32_t>()[0];
  default:
    return tensor.elements<int64_t>()[0];
  }
}
