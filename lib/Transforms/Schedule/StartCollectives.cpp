//===- StartCollectives.cpp - collectives that overlap with other work ----===//
//
// Elsewhere: asynchronous collectives, latency hiding.
//
// Every collective becomes a pair: it is started, and awaited. What lies in
// between overlaps. Where that is, and which other operations change places so
// that there is something, `OverlapSearch` decides, priced by the described
// machine: a pair may need memory for longer than the collective did, from its
// start on that of the result, and until its wait that of the operand. This
// pass reads the problem off each block and makes the block what the plan says.
//
// Collectives that are one call are started together and awaited together. So
// are copies to the host and back, which the pass for rematerialization has put
// where they have to be done, and where they may begin.
//
// The order of starts is that of one program: the same on every device, so that
// collectives match and none waits for another in a circle.
//
// What goes on in a region stays there: a pair lies in one block. The memory
// that an operation with regions, or a call, needs for itself counts where it
// stands.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Overlap/OverlapSearch.h"
#include "Rematerialization/BlockProblem.h"

#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
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

/// What a block, or an operation with regions, takes.
struct BlockCosts {
  int64_t bytes = 0;
  double seconds = 0;
};

/// The pairs of one block.
class BlockOverlap {
public:
  /// `ownCosts` is what a call or an operation with regions takes beside the
  /// values of the block.
  BlockOverlap(Block &block, const CalledFunctions &functions,
               function_ref<BlockCosts(Operation *)> ownCosts);

  /// Chooses the pairs, puts them where they have been chosen to be, and says
  /// what the block takes then.
  BlockCosts run(const OverlapMemory &memory);

private:
  void keepEffectsInOrder();
  void readBeforeOverwriting();
  void describe(const OverlapPlan &plan, const OverlapCosts &costs);
  void startHere(unsigned number);
  void rewrite(const OverlapPlan &plan);

  Operation *terminator;
  /// What the operations with regions take, as long as the problem is made.
  std::vector<double> ownSeconds;
  BlockProblem described;
  OverlapProblem problem;
  /// How many calls are started, and their waits, by operation.
  unsigned calls = 0;
  llvm::DenseMap<unsigned, SmallVector<spmd::WaitOp, 1>> waits;
};

} // namespace

BlockOverlap::BlockOverlap(Block &block, const CalledFunctions &functions,
                           function_ref<BlockCosts(Operation *)> ownCosts)
    : terminator(block.getTerminator()),
      described(block, functions,
                [&](Operation *op) {
                  BlockCosts costs = ownCosts(op);
                  ownSeconds.push_back(costs.seconds);
                  return costs.bytes;
                }),
      problem{described.problem(), {}, {}} {
  unsigned count = problem.block.operations.size();
  problem.after.resize(count);
  for (unsigned number = 0; number < count; ++number) {
    Operation *op = described.operation(number);
    bool isCollective = !spmd::partsOf(op).empty();
    problem.isCollective.push_back(isCollective || spmd::isHostCopy(op));
    problem.streams.push_back(isa<spmd::OffloadOp>(op) ? OverlapProblem::ToHost
                              : isa<spmd::ReloadOp>(op)
                                  ? OverlapProblem::FromHost
                                  : OverlapProblem::Links);
    problem.block.operations[number].seconds += ownSeconds[number];
  }
  keepEffectsInOrder();
  readBeforeOverwriting();
}

void BlockOverlap::keepEffectsInOrder() {
  std::optional<unsigned> last;
  for (unsigned number = 0; number < problem.after.size(); ++number) {
    if (isMemoryEffectFree(described.operation(number)))
      continue;
    if (last)
      problem.after[number].push_back(*last);
    last = number;
  }
}

/// What an operation may write in the place of is read before it by all that
/// have read it before so far.
void BlockOverlap::readBeforeOverwriting() {
  for (unsigned number = 0; number < problem.after.size(); ++number)
    for (unsigned operand : problem.block.operations[number].operands)
      if (unsigned writer = problem.block.values[operand].readBefore;
          writer != OverlapProblem::kNone && number < writer)
        problem.after[writer].push_back(number);
}

BlockCosts BlockOverlap::run(const OverlapMemory &memory) {
  OverlapPlan plan = findOverlap(problem, memory);
  assert(verifyOverlap(problem, plan).empty() && "expected a right plan");
  OverlapCosts costs = measureOverlap(problem, plan);
  describe(plan, costs);
  rewrite(plan);
  return {costs.peak, costs.seconds};
}

/// Says what lies in each pair.
void BlockOverlap::describe(const OverlapPlan &plan,
                            const OverlapCosts &costs) {
  unsigned runs = 0;
  llvm::DenseMap<unsigned, unsigned> begins;
  for (const OverlapPlan::Event &event : plan.events) {
    unsigned number = event.operation;
    if (!problem.isCollective[number]) {
      ++runs;
    } else if (!event.isWait) {
      begins[number] = runs;
    } else {
      unsigned between = runs - begins[number];
      LDBG() << describeOperation(described.operation(number)) << ": beside "
             << between << " operations, exposed for "
             << int64_t(1e9 * costs.exposed[number]) << " of "
             << int64_t(1e9 * problem.block.operations[number].seconds)
             << " ns";
    }
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The collectives that are one call, or the copy to the host or back.
static SmallVector<Operation *, 1> startedParts(Operation *op) {
  if (spmd::isHostCopy(op))
    return {op};
  return llvm::map_to_vector<1>(
      spmd::partsOf(op),
      [](spmd::CollectiveOpInterface part) { return part.getOperation(); });
}

/// Starts the call before the terminator, and waits there.
void BlockOverlap::startHere(unsigned number) {
  Operation *call = described.operation(number);
  SmallVector<Operation *, 1> parts = startedParts(call);
  SmallVector<spmd::WaitOp, 1> &made = waits[number];
  OpBuilder builder(terminator);
  for (auto [part, result] : llvm::zip_equal(parts, call->getResults())) {
    Location loc = part->getLoc();
    auto type = cast<RankedTensorType>(result.getType());
    builder.setInsertionPoint(made.empty() ? terminator : made.front());
    auto start = spmd::StartOp::create(
        builder, loc, spmd::FutureType::get(builder.getContext(), type));
    if (parts.size() > 1)
      start->setAttr(spmd::kCallAttr, builder.getI64IntegerAttr(calls));
    builder.setInsertionPoint(terminator);
    made.push_back(spmd::WaitOp::create(builder, loc, type, start.getFuture()));
    result.replaceAllUsesWith(made.back().getResult());
    Block *body = builder.createBlock(&start.getBody());
    if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(part))
      part->setOperand(0, spmd::sourceOf(collective));
    part->moveBefore(body, body->end());
    spmd::YieldOp::create(builder, loc, part->getResult(0));
  }
  ++calls;
  if (isa<spmd::CombinedOp>(call))
    call->erase();
}

/// Builds the block again, behind what is left of the old one.
void BlockOverlap::rewrite(const OverlapPlan &plan) {
  for (const OverlapPlan::Event &event : plan.events) {
    Operation *op = described.operation(event.operation);
    if (event.isWait)
      for (spmd::WaitOp wait : waits[event.operation])
        wait->moveBefore(terminator);
    else if (problem.isCollective[event.operation])
      startHere(event.operation);
    else if (op != terminator)
      op->moveBefore(terminator);
  }
}

namespace {

struct StartCollectives
    : public tessera::schedule::impl::StartCollectivesBase<StartCollectives> {
  using StartCollectivesBase::StartCollectivesBase;

  void runOnOperation() override {
    // What a call needs is known when the function that it calls is done.
    FailureOr<SmallVector<func::FuncOp>> order =
        CalledFunctions::inOrder(getOperation());
    if (failed(order))
      return signalPassFailure();
    CalledFunctions functions(getOperation());
    for (func::FuncOp function : *order)
      costs[function] =
          overlap(function.getBody().front(), functions, memoryOf(function));
  }

private:
  /// The limit of a program is what it is asked to take, or what the described
  /// machine has. Regions and what is called keep to their own peak.
  OverlapMemory memoryOf(func::FuncOp function) {
    OverlapMemory memory;
    memory.hasSeconds = false;
    int64_t limit = memoryLimit;
    for (MeshOp mesh : getOperation().getOps<MeshOp>())
      if (mesh.getOnAttr()) {
        memory.hasSeconds = true;
        limit = limit > 0 ? limit : mesh.getMachine().memory;
      }
    if (isProgram(function) && limit > 0) {
      memory.limit = arenaWithin(function, limit, reserved);
      memory.otherBytes = limit - memory.limit;
    }
    return memory;
  }

  /// Makes pairs in `block` and in the regions in it.
  BlockCosts overlap(Block &block, const CalledFunctions &functions,
                     const OverlapMemory &memory) {
    OverlapMemory inside{0, 0, memory.hasSeconds};
    BlockOverlap plan(block, functions, [&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        return costs.lookup(functions.find(call));
      BlockCosts most;
      if (isa<spmd::KernelOp, spmd::CombinedOp>(op))
        return most;
      for (Region &region : op->getRegions())
        for (Block &inner : region) {
          BlockCosts taken = overlap(inner, functions, inside);
          most.bytes = std::max(most.bytes, taken.bytes);
          most.seconds = std::max(most.seconds, taken.seconds);
        }
      if (auto loop = dyn_cast<scf::ForOp>(op))
        if (std::optional<APInt> trips = loop.getStaticTripCount())
          most.seconds *= double(trips->getSExtValue());
      return most;
    });
    return plan.run(memory);
  }

  llvm::DenseMap<Operation *, BlockCosts> costs;
};

} // namespace
