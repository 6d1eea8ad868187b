//===- SplitPrograms.cpp - one program per pipeline rank ------------------===//
//
// The schedule says which pipeline rank runs which fragment of the step when.
// Each rank's program is its list of tasks, written out: the fragments have
// become functions, so that a task is a call however often it runs. Whatever a
// task needs is looked for first among what the rank has computed or received,
// else received from a rank that computes it, right before the task; once all
// programs stand, each computed value is sent to those who asked for it, right
// after the task that gives it. Sends never wait. So the programs can stop only
// if the schedule itself cannot be followed, which is what
// `tessera-verify-partitioned` looks for.
//
//===----------------------------------------------------------------------===//

#include "Ranks/RankBuilder.h"
#include "Ranks/TaskDonations.h"

#include "tessera/Transforms/Partition/Passes.h"

#include "llvm/Support/DebugLog.h"

#include <map>

namespace tessera::partition {
#define GEN_PASS_DEF_SPLITPROGRAMS
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera::partition

#define DEBUG_TYPE "tessera-split-programs"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

/// Replaces a scheduled `@main` by the programs of the pipeline ranks.
class ProgramSplitter {
public:
  ProgramSplitter(const ScheduledStep &step, ModuleOp module)
      : step(step), symbols(module) {}

  LogicalResult run();

private:
  LogicalResult outlineFragments();
  LogicalResult finishRanks();
  std::optional<unsigned> returnedArgument(unsigned number);
  SmallVector<SmallVector<int64_t>> placeArguments();
  SmallVector<int64_t> ranksReturning(unsigned result,
                                      ArrayRef<SmallVector<int64_t>> holders);
  void sendMessages();
  void tagMessages(ArrayRef<std::pair<RankMessage *, spmd::SendOp>> messages,
                   int64_t &nextTag);
  void declareMain();

  const ScheduledStep &step;
  SymbolTable symbols;
  RankBuilder::FragmentFunctions functions;
  std::vector<RankBuilder> ranks;
  std::vector<RankMessage> messages;
};

} // namespace

LogicalResult ProgramSplitter::outlineFragments() {
  for (pipe::FragmentOp fragment : step.allFragments()) {
    FailureOr<FragmentFunction> function =
        outlineFragment(step, fragment, symbols);
    if (failed(function))
      return failure();
    functions[fragment] = std::move(*function);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Boundary
//===----------------------------------------------------------------------===//

/// The number of the argument that the step returns as result `number`, if it
/// does.
std::optional<unsigned> ProgramSplitter::returnedArgument(unsigned number) {
  return step.argumentNumber(step.trace({step.results[number].value}).value);
}

/// The ranks that give result `number`: those that compute it and, if the
/// memory of an argument becomes it, those that hold the argument and need its
/// new value in the next step. `holders` are the ranks of each argument.
SmallVector<int64_t>
ProgramSplitter::ranksReturning(unsigned number,
                                ArrayRef<SmallVector<int64_t>> holders) {
  StepValue value = step.trace({step.results[number].value});
  auto ranks = llvm::to_vector_of<int64_t>(step.ranksWith(value));
  if (std::optional<unsigned> argument = returnedArgument(number))
    ranks = holders[*argument];
  if (ranks.empty())
    ranks.push_back(0);
  for (unsigned i = 0; i < step.arguments.size(); ++i)
    if (step.donatedResult(i) == number)
      ranks.append(holders[i]);
  llvm::sort(ranks);
  ranks.erase(llvm::unique(ranks), ranks.end());
  return ranks;
}

/// The ranks of each argument: those that use it (0 if none does), and those
/// that return it for the memory of another argument.
SmallVector<SmallVector<int64_t>> ProgramSplitter::placeArguments() {
  SmallVector<SmallVector<int64_t>> holders(step.arguments.size());
  for (auto [i, ofArgument] : llvm::enumerate(holders)) {
    for (auto [rank, builder] : llvm::enumerate(ranks))
      if (builder.uses(i))
        ofArgument.push_back(rank);
    if (ofArgument.empty())
      ofArgument.push_back(0);
  }
  for (bool changed = true; std::exchange(changed, false);)
    for (unsigned i = 0; i < step.results.size(); ++i)
      if (std::optional<unsigned> argument = returnedArgument(i)) {
        SmallVector<int64_t> returning = ranksReturning(i, holders);
        changed |= returning != holders[*argument];
        holders[*argument] = std::move(returning);
      }
  return holders;
}

/// Decides which rank holds which arguments and gives which results.
LogicalResult ProgramSplitter::finishRanks() {
  SmallVector<SmallVector<int64_t>> holders = placeArguments();
  std::vector<SmallVector<int64_t>> arguments(ranks.size()),
      results(ranks.size());
  for (auto [i, ofArgument] : llvm::enumerate(holders))
    for (int64_t rank : ofArgument)
      arguments[rank].push_back(i);
  for (unsigned i = 0; i < step.results.size(); ++i)
    for (int64_t rank : ranksReturning(i, holders))
      results[rank].push_back(i);
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    LDBG() << "rank " << rank << " holds " << arguments[rank].size()
           << " arguments and gives " << results[rank].size() << " results";
  for (auto [rank, builder] : llvm::enumerate(ranks))
    if (failed(builder.finish(arguments[rank], results[rank])))
      return failure();
  return success();
}

/// Leaves what the outside sees of `@main`.
void ProgramSplitter::declareMain() {
  func::FuncOp main = step.getFunction();
  main->setAttr(pipe::PipeDialect::kScheduleAttr,
                step.getLoop()->getAttr(pipe::PipeDialect::kScheduleAttr));
  main->moveBefore(ranks.front().getFunction());
  main.eraseBody();
  main.setPrivate();
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Gives the messages of one value from one rank to another their tags: one for
/// all microbatches if they are sent in the order in which they are received.
void ProgramSplitter::tagMessages(
    ArrayRef<std::pair<RankMessage *, spmd::SendOp>> messages,
    int64_t &nextTag) {
  auto sent = llvm::to_vector(messages);
  llvm::sort(sent, [](auto &a, auto &b) {
    return a.second->isBeforeInBlock(b.second);
  });
  bool inOrder = llvm::is_sorted(sent, [](auto &a, auto &b) {
    return a.first->receive->isBeforeInBlock(b.first->receive);
  });
  LDBG() << sent.size() << " messages from rank " << sent.front().first->source
         << " to " << sent.front().first->target
         << (inOrder ? " in order, under tag " : ", under tags from ")
         << nextTag;
  for (auto &[message, send] : sent) {
    send.setTag(nextTag);
    message->receive.setTag(nextTag);
    nextTag += !inOrder;
  }
  nextTag += inOrder;
}

void ProgramSplitter::sendMessages() {
  llvm::DenseMap<Operation *, Operation *> lastSend;
  using Pair = std::pair<int64_t, int64_t>;
  llvm::MapVector<std::pair<Pair, Value>,
                  SmallVector<std::pair<RankMessage *, spmd::SendOp>>>
      groups;
  OpBuilder builder(step.getLoop().getContext());
  for (RankMessage &message : messages) {
    Value value = ranks[message.source].lookup(message.value);
    assert(value && "every rank computes what the others need of it");
    Operation *&last = lastSend[value.getDefiningOp()];
    builder.setInsertionPointAfter(last ? last : value.getDefiningOp());
    auto send = spmd::SendOp::create(builder, message.receive.getLoc(), value,
                                     message.target, /*tag=*/0);
    last = send;
    groups[{{message.source, message.target}, message.value.value}].push_back(
        {&message, send});
  }
  std::map<Pair, int64_t> nextTags;
  for (auto &[key, group] : groups)
    tagMessages(group, nextTags[key.first]);
}

LogicalResult ProgramSplitter::run() {
  if (failed(outlineFragments()))
    return failure();
  for (int64_t rank = 0; rank < step.numRanks(); ++rank) {
    ranks.emplace_back(step, functions, rank, messages, symbols);
    if (failed(ranks.back().runAll()))
      return failure();
  }
  if (failed(finishRanks()))
    return failure();
  sendMessages();
  SmallVector<func::FuncOp> programs;
  for (const RankBuilder &rank : ranks)
    programs.push_back(rank.getFunction());
  donateOperands(step, functions, programs);
  declareMain();
  return success();
}

namespace {
struct SplitPrograms
    : tessera::partition::impl::SplitProgramsBase<SplitPrograms> {
  void runOnOperation() override {
    FailureOr<ScheduledStep> step = ScheduledStep::of(getOperation());
    if (failed(step))
      return signalPassFailure();
    if (step->getFunction() &&
        failed(ProgramSplitter(*step, getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
