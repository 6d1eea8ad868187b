//===- RematerializeForMemory.cpp - computing again what does not fit -----===//
//
// Elsewhere: rematerialization, activation (gradient) checkpointing.
//
// Says which block has how much room; what runs again in it is found by
// RecomputationSearch. The room of a program's arena is the limit less what
// arguments, results and headroom take. An operation with regions, and a call,
// needs memory of its own while it runs: at first as much as it would like to,
// and the block around it makes room. Where that is not enough, the regions, or
// the called function, get what is left, the least of all places that call it.
//
// What a program's own block makes may also lie on the host meanwhile. Loops
// and called functions run beside what they are called from, whose copies would
// have to be counted with theirs: they only compute again.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Rematerialization/BlockProblem.h"
#include "Rematerialization/RecomputationSearch.h"

#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-rematerialize-for-memory"

namespace tessera::schedule {
#define GEN_PASS_DEF_REMATERIALIZEFORMEMORY
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace {

/// Fits the programs of a module into a limit.
class MemoryFitter {
public:
  explicit MemoryFitter(ModuleOp module) : functions(module) {}

  /// `order` has what is called before what calls it.
  /// `hostBytes` are what a program may take of the host.
  void run(ArrayRef<func::FuncOp> order, int64_t limit,
           ArrayRef<int64_t> reserved, int64_t hostBytes);

private:
  BlockProblem problemOf(Block &block) {
    return BlockProblem(block, functions,
                        [&](Operation *op) { return ownBytes(op); });
  }
  int64_t ownBytes(Operation *op);
  int64_t peakOf(Block &block);
  void fit(Block &block, int64_t room, int64_t hostBytes = 0);
  void fitInside(Operation *op, int64_t room);

  CalledFunctions functions;
  /// The most bytes that are alive at once in a function, or the regions of an
  /// operation.
  llvm::DenseMap<Operation *, int64_t> peaks;
  /// What a called function may take.
  llvm::DenseMap<Operation *, int64_t> rooms;
};

} // namespace

/// What `op` needs beside the values of its block.
int64_t MemoryFitter::ownBytes(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return peaks.lookup(functions.find(call));
  if (op->getNumRegions() == 0 || isa<spmd::KernelOp>(op))
    return 0;
  auto [entry, isNew] = peaks.try_emplace(op, 0);
  if (!isNew)
    return entry->second;
  int64_t most = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      most = std::max(most, peakOf(block));
  return peaks[op] = most;
}

int64_t MemoryFitter::peakOf(Block &block) {
  BlockProblem described = problemOf(block);
  return measurePlan(described.problem(),
                     RecomputationPlan::original(described.problem()))
      .peak;
}

void MemoryFitter::fitInside(Operation *op, int64_t room) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto [entry, isNew] = rooms.try_emplace(functions.find(call), room);
    entry->second = std::min(entry->second, room);
    return;
  }
  for (Region &region : op->getRegions())
    for (Block &inner : region)
      fit(inner, room);
}

void MemoryFitter::fit(Block &block, int64_t room, int64_t hostBytes) {
  BlockProblem described = problemOf(block);
  if (hostBytes > 0)
    described.allowCopies(hostBytes);
  const RecomputationProblem &problem = described.problem();
  RecomputationPlan plan = RecomputationPlan::original(problem);
  PlanCosts costs = measurePlan(problem, plan);
  if (costs.peak <= room)
    return;
  int64_t before = costs.peak;
  double seconds = costs.seconds;
  plan = findRecomputation(problem, room);
  costs = measurePlan(problem, plan);
  LDBG() << "block of " << block.getParentOp()->getName() << ": " << before
         << " bytes at the peak, room for " << room << ", now " << costs.peak
         << " and " << costs.seconds - seconds << " s more";
  SmallVector<std::pair<Operation *, int64_t>> inside;
  for (auto [step, live] : llvm::zip_equal(plan.steps, costs.live))
    if (int64_t own = problem.operations[step.operation].ownBytes;
        own > 0 && live > room)
      inside.push_back(
          {described.operation(step.operation), room - (live - own)});
  described.apply(plan);
  for (auto [op, left] : inside)
    fitInside(op, left);
}

void MemoryFitter::run(ArrayRef<func::FuncOp> order, int64_t limit,
                       ArrayRef<int64_t> reserved, int64_t hostBytes) {
  for (func::FuncOp function : order) {
    peaks[function] = peakOf(function.getBody().front());
    LDBG() << "@" << function.getSymName() << ": " << peaks[function]
           << " bytes at the peak";
  }
  for (func::FuncOp function : llvm::reverse(order)) {
    auto room = rooms.find(function);
    if (isProgram(function))
      fit(function.getBody().front(), arenaWithin(function, limit, reserved),
          hostBytes);
    else if (room != rooms.end())
      fit(function.getBody().front(), room->second);
  }
}

namespace {

struct RematerializeForMemory
    : public tessera::schedule::impl::RematerializeForMemoryBase<
          RematerializeForMemory> {
  using RematerializeForMemoryBase::RematerializeForMemoryBase;

  void runOnOperation() override {
    if (memoryLimit <= 0)
      return;
    FailureOr<SmallVector<func::FuncOp>> order =
        CalledFunctions::inOrder(getOperation());
    if (failed(order))
      return signalPassFailure();
    MemoryFitter fitter(getOperation());
    fitter.run(*order, memoryLimit, reserved, hostMemory);
  }
};

} // namespace
