//===- RankBuilder.cpp - the program of one pipeline rank -----------------===//

#include "Ranks/RankBuilder.h"

#include "tessera/Dialect/Tessera/CombineValues.h"
#include "tessera/Dialect/Tessera/Provenance.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;
using pipe::FragmentOp;
using pipe::PipeDialect;

RankBuilder::RankBuilder(const ScheduledStep &step,
                         const FragmentFunctions &functions, int64_t rank,
                         std::vector<RankMessage> &messages,
                         SymbolTable &symbols)
    : step(step), functions(functions), rank(rank), messages(messages),
      builder(step.getLoop().getContext()) {
  func::FuncOp main = step.getFunction();
  auto types =
      llvm::map_to_vector(step.arguments, [](const ArgumentRows &rows) {
        return rows.value.getType();
      });
  function = func::FuncOp::create(builder, main.getLoc(),
                                  "rank_" + std::to_string(rank),
                                  builder.getFunctionType(types, {}));
  function->setAttr(PipeDialect::kRankAttr, builder.getI64IntegerAttr(rank));
  symbols.insert(function, main->getIterator());
  Block *body = builder.createBlock(&function.getBody());
  for (const ArgumentRows &rows : step.arguments)
    known[StepValue{rows.value}.key()] =
        body->addArgument(rows.value.getType(), rows.value.getLoc());
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
  llvm::SetVector<Operation *> operands;
  for (Value operand : computed->getOperands())
    operands.insert(operand.getDefiningOp());
  computed->erase();
  for (Operation *operand : operands)
    if (operand->use_empty())
      operand->erase();
  return folded[number];
}

Value RankBuilder::receive(StepValue value, int64_t source, Location loc) {
  auto receive = spmd::RecvOp::create(builder, loc, value.value.getType(),
                                      source, /*tag=*/0);
  messages.push_back({value, source, rank, receive});
  return receive;
}

/// What this rank has of the part, as it stands now.
FailureOr<Value> RankBuilder::getPart(ScheduledStep::AccumulatorPart part,
                                      Operation *user) {
  StepValue input{step.inputOf(part)};
  if (Value found = lookup(input))
    return found;
  FailureOr<Value> start =
      get({step.getLoop().getInitArgs()[part.accumulator]}, user);
  if (succeeded(start))
    known[input.key()] = *start;
  return start;
}

/// The value for `user`, an operation of `@main`; received if it must be.
FailureOr<Value> RankBuilder::get(StepValue value, Operation *user) {
  Location loc = value.value.getLoc();
  StepValue at = step.trace(value);
  if (step.isFree(at.value))
    return computeFree(at);
  if (auto part = step.partOf(at.value))
    return getPart(*part, user);
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
  diagnostic.attachNote(at.value.getLoc()) << "the value is here";
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
       llvm::zip_equal(fragment.getResults(), call.getResults())) {
    known[StepValue{result, microbatch}.key()] = value;
    // What the last link of a segment gives is its part from now on.
    if (auto part = step.partGivenBy(result))
      known[StepValue{step.inputOf(*part)}.key()] = value;
  }
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

/// Where the last part of an accumulator is made in the model, with why ranks
/// send it to each other.
static Location accumulatedAt(OpResult part) {
  Operation *yield = part.getOwner()->getRegion(0).front().getTerminator();
  Value made = yield->getOperand(part.getResultNumber());
  Location loc = withoutProvenance(made.getLoc());
  auto meshes = part.getOwner()->getParentOfType<ModuleOp>().getOps<MeshOp>();
  if (meshes.empty())
    return loc;
  MLIRContext *context = loc.getContext();
  Operation *op = made.getDefiningOp();
  auto whole =
      ShardingAttr::get(context, FlatSymbolRefAttr::get(*meshes.begin()),
                        TensorSharding::getReplicated(
                            cast<RankedTensorType>(part.getType()).getRank()));
  auto place = PlaceAttr::get(
      context, op ? op->getName().getStringRef() : "accumulator", loc);
  return withProvenance(loc,
                        ProvenanceAttr::get(context, "accumulated", whole,
                                            whole, place, PlaceAttr(), "", {}));
}

/// Makes the whole of every accumulator whose last part this rank has: all
/// parts of all ranks, combined in their order, so that all such ranks get the
/// same.
LogicalResult RankBuilder::combineAccumulators() {
  for (auto [number, accumulator] : llvm::enumerate(step.accumulators)) {
    OpResult result = step.getLoop()->getResult(number);
    if (!accumulator || result.use_empty() ||
        !llvm::is_contained(step.ranksWith({result}), rank))
      continue;
    Location loc = accumulatedAt(accumulator->segments.back().back().result);
    Value whole;
    for (unsigned k = 0; k < accumulator->segments.size(); ++k) {
      ScheduledStep::AccumulatorPart part{unsigned(number), k};
      StepValue input{step.inputOf(part)};
      for (int32_t other : step.ranksAccumulating(part)) {
        Value next = other == rank ? lookup(input) : receive(input, other, loc);
        whole =
            whole ? combineValues(builder, loc, accumulator->kind, whole, next)
                  : next;
      }
    }
    known[StepValue{result}.key()] = whole;
  }
  return success();
}

LogicalResult RankBuilder::runAll() {
  if (failed(runOnce(step.fragmentsBefore())))
    return failure();
  for (const StageTask &task : step.schedule.ranks[rank])
    for (FragmentOp fragment : step.fragmentsOf(task))
      if (failed(run(fragment, task.microbatch, toString(task))))
        return failure();
  if (failed(combineAccumulators()))
    return failure();
  return runOnce(step.fragmentsBehind());
}

//===----------------------------------------------------------------------===//
// Boundary
//===----------------------------------------------------------------------===//

/// The attributes of an argument or result of a rank, from those that `@main`
/// has for all of it: which one it is and, of rows, which, instead of what is
/// said anew.
static DictionaryAttr boundaryAttributes(DictionaryAttr attributes,
                                         StringRef name, int64_t number,
                                         int64_t firstRow, Type whole,
                                         Type type) {
  Builder builder(type.getContext());
  NamedAttrList list(attributes);
  list.erase(TesseraDialect::kDonatedAttr);
  list.set(name, builder.getI64IntegerAttr(number));
  if (type == whole)
    return list.getDictionary(builder.getContext());
  list.set(PipeDialect::kFirstRowAttr, builder.getI64IntegerAttr(firstRow));
  if (auto global = dyn_cast_or_null<TypeAttr>(
          list.get(TesseraDialect::kGlobalTypeAttr))) {
    auto tensor = cast<RankedTensorType>(global.getValue());
    SmallVector<int64_t> shape(tensor.getShape());
    int64_t dim = rowDim(whole, type);
    shape[dim] = cast<RankedTensorType>(type).getDimSize(dim);
    list.set(TesseraDialect::kGlobalTypeAttr,
             TypeAttr::get(tensor.clone(shape)));
  }
  return list.getDictionary(builder.getContext());
}

/// The attributes of argument `number` of the step in a function that gives
/// `results`.
static DictionaryAttr argumentAttributes(const ScheduledStep &step,
                                         int64_t number,
                                         ArrayRef<int64_t> results) {
  const ArgumentRows &rows = step.arguments[number];
  func::FuncOp main = step.getFunction();
  NamedAttrList attributes(boundaryAttributes(
      main.getArgAttrDict(rows.argument), PipeDialect::kArgumentAttr,
      rows.argument, rows.first, main.getArgumentTypes()[rows.argument],
      rows.value.getType()));
  if (std::optional<unsigned> donated = step.donatedResult(number)) {
    auto position = llvm::find(results, int64_t(*donated));
    assert(position != results.end() && "a donor's rank has the result");
    attributes.set(TesseraDialect::kDonatedAttr,
                   IntegerAttr::get(IntegerType::get(main.getContext(), 32),
                                    position - results.begin()));
  }
  return attributes.getDictionary(main.getContext());
}

LogicalResult RankBuilder::finish(ArrayRef<int64_t> arguments,
                                  ArrayRef<int64_t> results) {
  func::FuncOp main = step.getFunction();
  Operation *end = main.getBody().front().getTerminator();
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> ofResults, ofArguments;
  for (int64_t number : results) {
    const ResultRows &rows = step.results[number];
    FailureOr<Value> value = get({rows.value}, end);
    if (failed(value))
      return failure();
    returned.push_back(*value);
    ofResults.push_back(boundaryAttributes(
        main.getResultAttrDict(rows.result), PipeDialect::kResultAttr,
        rows.result, rows.first, main.getResultTypes()[rows.result],
        rows.value.getType()));
  }
  func::ReturnOp::create(builder, end->getLoc(), returned);

  for (int64_t number : arguments)
    ofArguments.push_back(argumentAttributes(step, number, results));
  Block &body = function.getBody().front();
  body.eraseArguments([&](BlockArgument argument) {
    return !llvm::is_contained(arguments, argument.getArgNumber());
  });
  function.setFunctionType(builder.getFunctionType(
      body.getArgumentTypes(), ValueRange(returned).getTypes()));
  function.setAllArgAttrs(ofArguments);
  function.setAllResultAttrs(ofResults);
  return success();
}
