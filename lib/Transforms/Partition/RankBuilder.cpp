//===- RankBuilder.cpp - the program of one pipeline rank -----------------===//

#include "RankBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tessera;
using pipe::FragmentOp;
using pipe::PipeDialect;

RankBuilder::RankBuilder(const ScheduledStep &step,
                         const FragmentFunctions &functions, int64_t rank,
                         std::vector<Message> &messages, SymbolTable &symbols)
    : step(step), functions(functions), rank(rank), messages(messages),
      builder(step.getLoop().getContext()) {
  func::FuncOp main = step.getMain();
  function = func::FuncOp::create(
      builder, main.getLoc(), "rank_" + std::to_string(rank),
      builder.getFunctionType(main.getArgumentTypes(), {}));
  function->setAttr(PipeDialect::kRankAttr, builder.getI64IntegerAttr(rank));
  symbols.insert(function, main->getIterator());
  Block *body = builder.createBlock(&function.getBody());
  for (BlockArgument argument : main.getArguments())
    known[StepValue{argument}.key()] =
        body->addArgument(argument.getType(), argument.getLoc());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Recomputes a free value, folded to a constant where that is possible.
Value RankBuilder::computeFree(StepValue at) {
  if (at.value == step.getLoop().getInductionVar())
    return arith::ConstantIndexOp::create(builder, at.value.getLoc(),
                                          step.variableAt(at.microbatch));
  Operation *op = at.value.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, computeFree({operand, at.microbatch}));
  Operation *computed = builder.clone(*op, mapping);
  SmallVector<Value> folded;
  unsigned number = cast<OpResult>(at.value).getResultNumber();
  if (failed(builder.tryFold(computed, folded)) || folded.empty())
    return computed->getResult(number);
  SmallVector<Operation *> operands;
  for (Value operand : computed->getOperands())
    operands.push_back(operand.getDefiningOp());
  computed->erase();
  for (Operation *operand : operands)
    if (operand && operand->use_empty())
      operand->erase();
  return folded[number];
}

Value RankBuilder::receive(StepValue value, int64_t source, Location loc) {
  auto receive = spmd::RecvOp::create(builder, loc, value.value.getType(),
                                      source, /*tag=*/0);
  messages.push_back({value, source, rank, receive});
  return receive;
}

/// This rank's part of the accumulator, as it stands now.
FailureOr<Value> RankBuilder::getAccumulator(unsigned number, Operation *user) {
  scf::ForOp loop = step.getLoop();
  Value &part = known[StepValue{loop.getRegionIterArg(number)}.key()];
  if (part)
    return part;
  FailureOr<Value> start = get({loop.getInitArgs()[number]}, user);
  if (failed(start))
    return failure();
  known[StepValue{loop.getRegionIterArg(number)}.key()] = *start;
  return *start;
}

/// The value for `user`, an operation of `@main`; received if it must be.
FailureOr<Value> RankBuilder::get(StepValue value, Operation *user) {
  scf::ForOp loop = step.getLoop();
  Location loc = value.value.getLoc();
  StepValue at = step.trace(value);
  if (step.isFree(at.value))
    return computeFree(at);
  auto argument = dyn_cast<BlockArgument>(at.value);
  if (argument && argument.getOwner() == loop.getBody())
    return getAccumulator(argument.getArgNumber() - 1, user);
  if (Value found = lookup(at))
    return found;
  SmallVector<int32_t> ranks = step.ranksWith(at);
  if (!llvm::is_contained(ranks, rank)) {
    Value received = receive(at, ranks.front(), loc);
    known[at.key()] = received;
    return received;
  }
  InFlightDiagnostic diagnostic = user->emitError()
                                  << "expected pipeline rank " << rank
                                  << " to compute first what this needs";
  if (at.microbatch != StepValue::kOnce)
    diagnostic << " of microbatch " << at.microbatch;
  diagnostic << ", got it later in the schedule '" << step.schedule.name << "'";
  diagnostic.attachNote(loc) << "the value is here";
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

LogicalResult RankBuilder::run(FragmentOp fragment, int64_t microbatch,
                               StringRef task) {
  const FragmentFunction &callee = functions.find(fragment)->second;
  SmallVector<Value> operands;
  for (Value operand : callee.operands) {
    FailureOr<Value> value = get({operand, microbatch}, fragment);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  auto call = func::CallOp::create(builder, fragment.getLoc(), callee.function,
                                   operands);
  if (!task.empty())
    call->setAttr(PipeDialect::kTaskAttr, builder.getStringAttr(task));
  for (auto [result, value] :
       llvm::zip_equal(fragment.getResults(), call.getResults()))
    known[StepValue{result, microbatch}.key()] = value;
  return success();
}

LogicalResult RankBuilder::runOnce(ArrayRef<FragmentOp> fragments) {
  for (FragmentOp fragment : fragments)
    if (llvm::is_contained(step.ranksRunning(fragment, StepValue::kOnce),
                           rank) &&
        failed(run(fragment, StepValue::kOnce, /*task=*/"")))
      return failure();
  return success();
}

/// Makes the whole of every accumulator that this rank has a part of: the parts
/// of all ranks, combined in the order of the ranks on each of them, so that
/// all get the same.
LogicalResult RankBuilder::combineAccumulators() {
  scf::ForOp loop = step.getLoop();
  for (auto [number, accumulator] : llvm::enumerate(step.accumulators)) {
    Value result = loop.getResult(number);
    if (!accumulator || result.use_empty())
      continue;
    SmallVector<int32_t> ranks = step.ranksAccumulating(number);
    if (!llvm::is_contained(ranks, rank))
      continue;
    StepValue part{loop.getRegionIterArg(number)};
    Location loc = accumulator->links.back().getLoc();
    Value whole;
    for (int32_t other : ranks) {
      Value next = other == rank ? lookup(part) : receive(part, other, loc);
      whole = whole ? combineParts(builder, loc, accumulator->kind, whole, next)
                    : next;
    }
    known[StepValue{result}.key()] = whole;
  }
  return success();
}

LogicalResult RankBuilder::runAll() {
  if (failed(runOnce(step.before)))
    return failure();
  // What each fragment's results add to, by the last link of the chain.
  llvm::DenseMap<Value, unsigned> accumulatorOf;
  for (auto [number, accumulator] : llvm::enumerate(step.accumulators))
    if (accumulator)
      accumulatorOf[accumulator->links.back()] = number;
  scf::ForOp loop = step.getLoop();
  for (const StageTask &task : step.schedule.ranks[rank])
    for (FragmentOp fragment : step.fragmentsOf(task)) {
      if (failed(run(fragment, task.microbatch, toString(task))))
        return failure();
      for (Value result : fragment.getResults())
        if (auto found = accumulatorOf.find(result);
            found != accumulatorOf.end())
          known[StepValue{loop.getRegionIterArg(found->second)}.key()] =
              lookup({result, task.microbatch});
    }
  if (failed(combineAccumulators()))
    return failure();
  return runOnce(step.after);
}

//===----------------------------------------------------------------------===//
// Boundary
//===----------------------------------------------------------------------===//

/// The attributes of an argument or result of `@main`, with its number there
/// and without what is said anew.
static NamedAttrList boundaryAttributes(DictionaryAttr attributes,
                                        StringRef name, int64_t number,
                                        Builder &builder) {
  NamedAttrList list(attributes);
  list.erase(TesseraDialect::kDonatedAttr);
  list.set(name, builder.getI64IntegerAttr(number));
  return list;
}

LogicalResult RankBuilder::finish(ArrayRef<int64_t> arguments,
                                  ArrayRef<int64_t> results) {
  func::FuncOp main = step.getMain();
  Operation *end = main.getBody().front().getTerminator();
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> resultAttributes, argumentAttributes;
  for (int64_t result : results) {
    FailureOr<Value> value = get({end->getOperand(result)}, end);
    if (failed(value))
      return failure();
    returned.push_back(*value);
    resultAttributes.push_back(
        boundaryAttributes(main.getResultAttrDict(result),
                           PipeDialect::kResultAttr, result, builder)
            .getDictionary(builder.getContext()));
  }
  func::ReturnOp::create(builder, end->getLoc(), returned);

  for (int64_t argument : arguments) {
    NamedAttrList attributes =
        boundaryAttributes(main.getArgAttrDict(argument),
                           PipeDialect::kArgumentAttr, argument, builder);
    if (auto donated = main.getArgAttrOfType<IntegerAttr>(
            argument, TesseraDialect::kDonatedAttr)) {
      auto position = llvm::find(results, donated.getInt());
      assert(position != results.end() && "a donor's rank has the result");
      attributes.set(
          TesseraDialect::kDonatedAttr,
          IntegerAttr::get(donated.getType(), position - results.begin()));
    }
    argumentAttributes.push_back(
        attributes.getDictionary(builder.getContext()));
  }
  Block &body = function.getBody().front();
  body.eraseArguments([&](BlockArgument argument) {
    return !llvm::is_contained(arguments, argument.getArgNumber());
  });
  function.setFunctionType(builder.getFunctionType(
      body.getArgumentTypes(), ValueRange(returned).getTypes()));
  function.setAllArgAttrs(argumentAttributes);
  function.setAllResultAttrs(resultAttributes);
  return success();
}
