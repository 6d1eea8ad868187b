//===- ScheduledStep.cpp - one step and who runs which part of it ---------===//

#include "Ranks/ScheduledStep.h"

#include "tessera/Dialect/Tessera/Donation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;
using pipe::FragmentKind;
using pipe::FragmentOp;
using pipe::PipeDialect;

//===----------------------------------------------------------------------===//
// Reading the program
//===----------------------------------------------------------------------===//

/// The loop with a schedule; null where there is none.
static FailureOr<scf::ForOp> findScheduledLoop(ModuleOp module) {
  scf::ForOp found;
  WalkResult walk = module.walk([&](Operation *op) {
    // The declaration of @main keeps the schedule that its ranks follow.
    if (!op->hasAttr(PipeDialect::kScheduleAttr) || isa<func::FuncOp>(op))
      return WalkResult::advance();
    auto loop = dyn_cast<scf::ForOp>(op);
    auto main = dyn_cast<func::FuncOp>(op->getParentOp());
    if (!loop || !main || main.getSymName() != "main") {
      op->emitOpError() << "expected a schedule on a loop at the top of @main";
      return WalkResult::interrupt();
    }
    if (found) {
      InFlightDiagnostic diagnostic =
          loop.emitOpError("expected one loop with a schedule, got a second");
      diagnostic.attachNote(found.getLoc()) << "the first is here";
      return WalkResult::interrupt();
    }
    found = loop;
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return found;
}

FailureOr<ScheduledStep> ScheduledStep::of(ModuleOp module) {
  FailureOr<scf::ForOp> loop = findScheduledLoop(module);
  if (failed(loop))
    return failure();
  ScheduledStep step;
  if (!*loop)
    return step;
  step.setLoop(*loop);
  step.function = step.loop->getParentOfType<func::FuncOp>();
  if (failed(step.readLoop()) || failed(step.readBoundary()))
    return failure();
  step.sinkIntoFragments(*step.loop.getBody());
  step.sinkIntoFragments(step.function.getBody().front());
  if (failed(step.checkOperations()) || failed(step.assignTasks()) ||
      failed(step.checkAllAssigned()) || failed(step.findAccumulators()))
    return failure();
  return step;
}

/// Reads the schedule, and checks that the loop has one iteration for each of
/// its microbatches.
LogicalResult ScheduledStep::readLoop() {
  auto attribute =
      loop->getAttrOfType<pipe::ScheduleAttr>(PipeDialect::kScheduleAttr);
  if (!attribute)
    return loop.emitOpError()
           << "expected a #pipe.schedule in " << PipeDialect::kScheduleAttr;
  FailureOr<StageSchedule> read =
      readSchedule(attribute, [&] { return loop.emitOpError(); });
  if (failed(read))
    return failure();
  schedule = *read;
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()),
                         stride = getConstantIntValue(loop.getStep());
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!first || !stride || !count)
    return loop.emitOpError() << "expected constant bounds";
  if (count->getSExtValue() != schedule.microbatches)
    return loop.emitOpError()
           << "expected one iteration for each of " << schedule.microbatches
           << " microbatches, got " << count->getSExtValue();
  lower = *first;
  width = *stride;
  return success();
}

/// Reads what `@main` takes and gives; rows are not used beside their whole,
/// and those of a donated argument become rows of its result.
LogicalResult ScheduledStep::readBoundary() {
  arguments = getArgumentRows(function);
  results = getResultRows(function);
  for (auto [number, rows] : llvm::enumerate(arguments)) {
    if (isa<BlockArgument>(rows.value))
      continue;
    BlockArgument whole = function.getArgument(rows.argument);
    for (Operation *user : whole.getUsers())
      if (!asArgumentRows(user))
        return user->emitOpError()
               << "expected rows of argument " << rows.argument
               << ", which is taken apart elsewhere, got all of it";
    if (getDonatedResult(whole) && !donatedResult(number))
      return rows.value.getDefiningOp()->emitOpError()
             << "expected the result that argument " << rows.argument
             << " is donated to in the same rows";
  }
  return success();
}

std::optional<unsigned> ScheduledStep::argumentNumber(Value value) const {
  const auto *found = llvm::find_if(
      arguments, [&](const ArgumentRows &rows) { return rows.value == value; });
  return found == arguments.end()
             ? std::nullopt
             : std::optional<unsigned>(found - arguments.begin());
}

std::optional<unsigned> ScheduledStep::donatedResult(unsigned argument) const {
  const ArgumentRows &rows = arguments[argument];
  std::optional<unsigned> donated =
      getDonatedResult(getFunction(), rows.argument);
  if (!donated)
    return std::nullopt;
  const auto *found = llvm::find_if(results, [&](const ResultRows &result) {
    return result.result == *donated && result.first == rows.first &&
           result.value.getType() == rows.value.getType();
  });
  return found == results.end()
             ? std::nullopt
             : std::optional<unsigned>(found - results.begin());
}

bool ScheduledStep::isFree(Value value) const {
  if (value == getLoop().getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !isa<pipe::TransferOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isFree(operand); });
}

/// Moves what stands between the fragments of `block` and computes from tensors
/// (the neutral elements that fill what `tessera-pad-dimensions` added to the
/// result of a fragment) into the fragments that use it, if nothing else does.
void ScheduledStep::sinkIntoFragments(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op) ||
        isa<pipe::TransferOp>(op) || op.hasTrait<OpTrait::IsTerminator>() ||
        asArgumentRows(&op) || asResultOfRows(&op) ||
        llvm::all_of(op.getResults(),
                     [&](Value result) { return isFree(result); }))
      continue;
    llvm::SmallSetVector<Operation *, 4> fragments;
    for (Operation *user : op.getUsers())
      fragments.insert(user->getParentOfType<FragmentOp>());
    if (fragments.contains(nullptr))
      continue;
    for (Operation *fragment : fragments) {
      OpBuilder builder =
          OpBuilder::atBlockBegin(&fragment->getRegion(0).front());
      Operation *clone = builder.clone(op);
      op.replaceUsesWithIf(clone->getResults(), [&](OpOperand &use) {
        return fragment->isProperAncestor(use.getOwner());
      });
    }
    op.erase();
  }
}

/// A diagnostic unless `op`, of @main or of the loop's body, may stand there.
LogicalResult ScheduledStep::checkOperation(Operation *op,
                                            bool isInLoop) const {
  auto fragment = dyn_cast<FragmentOp>(op);
  if (!fragment) {
    if (isa<pipe::TransferOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
        asArgumentRows(op) || asResultOfRows(op) ||
        llvm::all_of(op->getResults(),
                     [&](Value result) { return isFree(result); }))
      return success();
    return op->emitOpError() << "expected only fragments, transfers and what "
                                "needs no tensor around the loop with a "
                                "schedule and in it";
  }
  if ((fragment.getKind() == FragmentKind::Once) == isInLoop)
    return fragment.emitOpError()
           << "expected fragments of the kind 'once' around the loop, the "
              "others in it";
  if (fragment.getStage() >= uint64_t(schedule.stages))
    return fragment.emitOpError() << "expected one of " << schedule.stages
                                  << " stages, got " << fragment.getStage();
  return success();
}

LogicalResult ScheduledStep::checkOperations() {
  if (!function.getBody().hasOneBlock())
    return function.emitError() << "expected a function of one block";
  for (Operation &op : function.getBody().front())
    if (&op != loop && failed(checkOperation(&op, /*isInLoop=*/false)))
      return failure();
  for (Operation &op : *loop.getBody())
    if (failed(checkOperation(&op, /*isInLoop=*/true)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Reading the schedule
//===----------------------------------------------------------------------===//

/// Whether a task of `kind` runs fragments of the other kind.
static bool covers(TaskKind task, FragmentKind fragment) {
  switch (task) {
  case TaskKind::Forward:
    return fragment == FragmentKind::Forward;
  case TaskKind::InputGradient:
    return fragment == FragmentKind::InputGradient;
  case TaskKind::WeightGradient:
    return fragment == FragmentKind::WeightGradient;
  case TaskKind::Backward:
    return fragment == FragmentKind::InputGradient ||
           fragment == FragmentKind::WeightGradient;
  case TaskKind::VocabularyForward:
    return fragment == FragmentKind::VocabularyForward;
  case TaskKind::VocabularyBackward:
    return fragment == FragmentKind::VocabularyBackward;
  }
  llvm_unreachable("not a kind of task");
}

SmallVector<FragmentOp>
ScheduledStep::fragmentsOf(const StageTask &task) const {
  SmallVector<FragmentOp> found;
  for (FragmentOp fragment : fragmentsInLoop())
    if (int64_t(fragment.getStage()) == task.stage &&
        covers(task.kind, fragment.getKind()) &&
        (task.part == StageTask::kWhole ||
         int64_t(fragment.getPart()) == task.part))
      found.push_back(fragment);
  return found;
}

LogicalResult ScheduledStep::assignTasks() {
  for (auto [rank, tasks] : llvm::enumerate(schedule.ranks))
    for (const StageTask &task : tasks)
      for (FragmentOp fragment : fragmentsOf(task)) {
        auto [entry, isNew] = rankOfTask.try_emplace(
            {fragment.getOperation(), task.microbatch}, rank);
        if (!isNew)
          return loop.emitOpError()
                 << "expected every task once, got " << toString(task)
                 << " on pipeline ranks " << entry->second << " and " << rank;
      }
  return success();
}

LogicalResult ScheduledStep::checkAllAssigned() {
  for (FragmentOp fragment : fragmentsInLoop())
    for (int64_t i = 0; i < schedule.microbatches; ++i)
      if (!rankOfTask.contains({fragment.getOperation(), i})) {
        InFlightDiagnostic diagnostic =
            loop.emitOpError()
            << "expected a task for "
            << stringifyFragmentKind(fragment.getKind()) << " of stage "
            << fragment.getStage() << " and microbatch " << i
            << " in the schedule '" << schedule.name << "', got none";
        diagnostic.attachNote(fragment.getLoc()) << "the fragment is here";
        return diagnostic;
      }
  SmallVector<FragmentOp> once = fragmentsBefore();
  llvm::append_range(once, fragmentsBehind());
  for (FragmentOp fragment : once)
    if (schedule.ranksOf(int32_t(fragment.getStage())).empty())
      return fragment.emitOpError()
             << "expected a pipeline rank with tasks of stage "
             << fragment.getStage() << " in the schedule '" << schedule.name
             << "', got none";
  return success();
}

LogicalResult ScheduledStep::findAccumulators() {
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    accumulators.push_back(pipe::findAccumulator(loop, i));
    if (!accumulators.back())
      continue;
    size_t numParts = 0;
    for (unsigned k = 0; k < accumulators.back()->segments.size(); ++k) {
      partsByInput[inputOf({i, k})] = {i, k};
      partsByResult[accumulators.back()->segments[k].back().result] = {i, k};
      numParts += ranksAccumulating({i, k}).size();
    }
    if (numParts > 1 &&
        !pipe::isNeutralStart(loop.getInitArgs()[i], accumulators.back()->kind))
      return accumulators.back()
                 ->segments.back()
                 .back()
                 .result.getOwner()
                 ->emitOpError()
             << "expected what several tasks or pipeline ranks accumulate "
                "apart to start from the neutral element of '"
             << stringify(accumulators.back()->kind) << "'";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Where values are
//===----------------------------------------------------------------------===//

StepValue ScheduledStep::trace(StepValue at) const {
  scf::ForOp loop = getLoop();
  while (true) {
    if (at.value.getParentRegion() != &loop.getRegion())
      at.microbatch = StepValue::kOnce;
    if (auto transfer = at.value.getDefiningOp<pipe::TransferOp>()) {
      at.value = transfer.getOperand();
      continue;
    }
    auto yield = loop.getBody()->getTerminator();
    if (at.value.getDefiningOp() == loop) {
      unsigned number = cast<OpResult>(at.value).getResultNumber();
      if (accumulators[number])
        return at;
      at = {yield->getOperand(number), schedule.microbatches - 1};
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(at.value);
    if (!argument || argument.getOwner() != loop.getBody() ||
        argument == loop.getInductionVar())
      return at;
    unsigned number = argument.getArgNumber() - 1;
    if (accumulators[number])
      return at;
    at = at.microbatch == 0
             ? StepValue{loop.getInitArgs()[number]}
             : StepValue{yield->getOperand(number), at.microbatch - 1};
  }
}

SmallVector<int32_t> ScheduledStep::ranksRunning(FragmentOp fragment,
                                                 int64_t microbatch) const {
  if (microbatch != StepValue::kOnce)
    return {rankOfTask.lookup({fragment.getOperation(), microbatch})};
  return llvm::to_vector_of<int32_t>(
      schedule.ranksOf(int32_t(fragment.getStage())));
}

std::optional<ScheduledStep::AccumulatorPart>
ScheduledStep::partOf(Value value) const {
  auto found = partsByInput.find(value);
  return found == partsByInput.end() ? std::nullopt
                                     : std::optional(found->second);
}

std::optional<ScheduledStep::AccumulatorPart>
ScheduledStep::partGivenBy(Value value) const {
  auto found = partsByResult.find(value);
  return found == partsByResult.end() ? std::nullopt
                                      : std::optional(found->second);
}

Value ScheduledStep::inputOf(AccumulatorPart part) const {
  if (part.segment == 0)
    return getLoop().getRegionIterArg(part.accumulator);
  return accumulators[part.accumulator]
      ->segments[part.segment - 1]
      .back()
      .result;
}

SmallVector<int32_t>
ScheduledStep::ranksAccumulating(AccumulatorPart part) const {
  auto fragment = cast<FragmentOp>(accumulators[part.accumulator]
                                       ->segments[part.segment]
                                       .back()
                                       .result.getOwner());
  SmallVector<int32_t> ranks;
  for (int64_t i = 0; i < schedule.microbatches; ++i)
    ranks.append(ranksRunning(fragment, i));
  llvm::sort(ranks);
  ranks.erase(llvm::unique(ranks), ranks.end());
  return ranks;
}

SmallVector<int32_t> ScheduledStep::ranksWith(StepValue at) const {
  if (auto fragment = at.value.getDefiningOp<FragmentOp>())
    return ranksRunning(fragment, at.microbatch);
  if (at.value.getDefiningOp() != getLoop())
    return {};
  unsigned number = cast<OpResult>(at.value).getResultNumber();
  unsigned last = accumulators[number]->segments.size() - 1;
  return ranksAccumulating({number, last});
}
