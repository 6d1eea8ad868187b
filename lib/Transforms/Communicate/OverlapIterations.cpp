//===- OverlapIterations.cpp - collectives beside other iterations --------===//
//
// Elsewhere: collective pipelining, prefetching of parameters, overlapped
// gradient reduction.
//
// A loop over layers gathers the parameters of a layer before it computes, and
// stacks gradients that are reduced when all are there. Per loop it is tried to
// gather everything an iteration ahead and to reduce every part an iteration
// behind; then each collective by itself to leave where it is, or to reduce a
// part in the iteration that makes it, which takes less memory. Tried is on a
// copy of what stands around the loop (LoopWindow), whose seconds are estimated
// with the iterations that stand outside of the loop. So the pass is linear in
// the number of loops.
//
//===----------------------------------------------------------------------===//

#include "Iterations/LoopWindow.h"
#include "Iterations/PipelinedLoop.h"
#include "Iterations/StepEstimate.h"
#include "ProgramSeconds.h"
#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tessera-overlap-iterations"

namespace tessera::communicate {
#define GEN_PASS_DEF_OVERLAPITERATIONS
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace {

/// Where the collectives of a loop run: of gathers, whether an iteration ahead;
/// of reductions, whether behind the loop, in the iteration, or one later.
struct LoopChoice {
  enum Reduction { Behind, Inside, Later };
  SmallVector<char> ahead;
  SmallVector<Reduction> reductions;

  bool moves() const {
    return llvm::is_contained(ahead, char(true)) ||
           llvm::any_of(reductions,
                        [](Reduction where) { return where != Behind; });
  }
};

/// What a function takes.
struct Estimate {
  double seconds = 0;
  int64_t bytes = 0;
};

struct OverlapIterations
    : communicate::impl::OverlapIterationsBase<OverlapIterations> {
  using OverlapIterationsBase::OverlapIterationsBase;

  void runOnOperation() override;

private:
  /// What is known of a loop before anything moves in its function.
  struct LoopBytes {
    /// That there are where the loop's window begins.
    int64_t before = 0;
    /// That the values of the function may take at once.
    int64_t limit = 0;
  };

  void visit(func::FuncOp function, const Machine &machine,
             StepEstimate &costs);
  void visit(scf::ForOp loop, const LoopBytes &bytes, StepEstimate &costs);
  LoopChoice choose(scf::ForOp loop, const LoopCollectives &collectives,
                    const LoopBytes &bytes, StepEstimate &costs, double &saved);
  int64_t limitOf(func::FuncOp function, const Machine &machine) const;
};

/// Estimates what a function takes where the collectives of one of its loops
/// run elsewhere, by the part of it that matters.
class ChoiceEstimate {
public:
  /// `bytes` are there where the window of the loop begins.
  ChoiceEstimate(scf::ForOp loop, const LoopCollectives &collectives,
                 int64_t bytes, StepEstimate &costs);

  Estimate of(const LoopChoice &choice);

private:
  double callsOf(const LoopChoice &choice);

  scf::ForOp loop;
  const LoopCollectives &collectives;
  StepEstimate &costs;
  LoopWindow window;
  /// Of values that are there while the window runs.
  int64_t around = 0;
};

} // namespace

/// The plan that `choice` is, of a copy of the loop where `mapping` is one.
static LoopPlan planOf(const LoopCollectives &collectives,
                       const LoopChoice &choice, const IRMapping &mapping) {
  auto copy = [&](auto op) {
    return cast<decltype(op)>(mapping.lookupOrDefault(op.getOperation()));
  };
  LoopPlan plan;
  for (auto [gather, isAhead] :
       llvm::zip_equal(collectives.gathers, choice.ahead))
    if (isAhead)
      plan.ahead.push_back(copy(gather));
  for (auto [reduction, where] :
       llvm::zip_equal(collectives.reductions, choice.reductions)) {
    StackReduction moved = reduction;
    moved.collective = copy(reduction.collective);
    moved.update = copy(reduction.update);
    for (Operation *&step : moved.steps)
      step = mapping.lookupOrDefault(step);
    if (where == LoopChoice::Inside)
      plan.inside.push_back(moved);
    else if (where == LoopChoice::Later)
      plan.behind.push_back(moved);
  }
  return plan;
}

ChoiceEstimate::ChoiceEstimate(scf::ForOp loop,
                               const LoopCollectives &collectives,
                               int64_t bytes, StepEstimate &costs)
    : loop(loop), collectives(collectives), costs(costs),
      window(loop, collectives), around(bytes) {
  for (int64_t ending : window.argumentBytes())
    around -= ending;
  around = std::max<int64_t>(0, around);
}

/// What the calls of the reductions that move cost before their bytes do.
/// Behind the loop they may be parts of one call, so that the many calls in the
/// loop save none of it.
double ChoiceEstimate::callsOf(const LoopChoice &choice) {
  double seconds = 0;
  for (auto [reduction, where] :
       llvm::zip_equal(collectives.reductions, choice.reductions))
    if (where != LoopChoice::Behind)
      seconds += costs.callSecondsOf(reduction.collective);
  return seconds;
}

/// What the window takes if `choice` is made, of bytes with what is around.
Estimate ChoiceEstimate::of(const LoopChoice &choice) {
  auto module = loop->getParentOfType<ModuleOp>();
  LoopWindow::Copy trial = window.copyTo(module);
  if (choice.moves())
    pipelineLoop(cast<scf::ForOp>(trial.mapping.lookup(loop.getOperation())),
                 collectives.trips, planOf(collectives, choice, trial.mapping));
  Block &body = trial.function.getBody().front();
  Estimate taken{costs.secondsOf(body) + callsOf(choice),
                 around + mostBytes(body, window.argumentBytes())};
  trial.function.erase();
  return taken;
}

/// The most bytes that the values of `function` may take; 0, so no more than
/// they take anyway, of one that is called: the caller holds more.
int64_t OverlapIterations::limitOf(func::FuncOp function,
                                   const Machine &machine) const {
  if (!isProgram(function))
    return 0;
  int64_t limit = memoryLimit > 0 ? int64_t(memoryLimit) : machine.memory;
  return ProgramMemory::of(function).arenaWithin(limit);
}

/// The choice with the least seconds that is found by changing one place after
/// the other; `saved` says how many they are less than as it is.
LoopChoice OverlapIterations::choose(scf::ForOp loop,
                                     const LoopCollectives &collectives,
                                     const LoopBytes &bytes,
                                     StepEstimate &costs, double &saved) {
  LoopChoice best;
  best.ahead.assign(collectives.gathers.size(), false);
  best.reductions.assign(collectives.reductions.size(), LoopChoice::Behind);
  LoopChoice none = best;
  ChoiceEstimate estimate(loop, collectives, bytes.before, costs);
  Estimate start = estimate.of(none);
  int64_t limit = std::max(start.bytes, bytes.limit);

  best.ahead.assign(collectives.gathers.size(), true);
  best.reductions.assign(collectives.reductions.size(), LoopChoice::Later);
  Estimate least = estimate.of(best);
  // Fewer bytes come first as long as there are too many; then seconds.
  auto isBetter = [&](const Estimate &other) {
    if (std::max(other.bytes, limit) != std::max(least.bytes, limit))
      return other.bytes < least.bytes;
    return other.seconds <= least.seconds;
  };
  auto attempt = [&](const LoopChoice &other) {
    Estimate taken = estimate.of(other);
    if (!isBetter(taken))
      return;
    best = other;
    least = taken;
  };
  // The last is needed last, and has most to hide behind where it is.
  for (size_t i = best.ahead.size(); i-- > 0;) {
    LoopChoice other = best;
    other.ahead[i] = false;
    attempt(other);
  }
  for (size_t i = best.reductions.size(); i-- > 0;)
    for (auto where : {LoopChoice::Inside, LoopChoice::Behind}) {
      LoopChoice other = best;
      other.reductions[i] = where;
      attempt(other);
    }
  saved = start.seconds - least.seconds;
  // No estimate is right to a call.
  return saved > collectiveSeconds && least.bytes <= limit ? best : none;
}

/// Tells those who listen (`--remarks`) what became of the collectives of a
/// loop.
static void emitRemarkOn(scf::ForOp loop, const LoopPlan &plan, double saved) {
  auto options =
      remark::RemarkOpts::name("iterations").category("tessera-communicate");
  if (plan.empty()) {
    if (auto remark = remark::missed(loop.getLoc(), options))
      remark << "collectives in the iterations that need or make what they "
                "send: to move them would make the step no shorter, or take "
                "more memory than there is";
    return;
  }
  if (auto remark = remark::passed(loop.getLoc(), options))
    remark << llvm::formatv("{0} collectives an iteration ahead, {1} "
                            "reductions in the loop, {2} an iteration behind: "
                            "saves {3:f1} us",
                            plan.ahead.size(), plan.inside.size(),
                            plan.behind.size(), saved * 1e6)
                  .str();
}

void OverlapIterations::visit(scf::ForOp loop, const LoopBytes &bytes,
                              StepEstimate &costs) {
  LoopCollectives collectives = findLoopCollectives(loop);
  if (collectives.empty())
    return;
  double saved = 0;
  LoopChoice choice;
  if (always) {
    choice.ahead.assign(collectives.gathers.size(), true);
    // Every other one in the iteration that makes it.
    for (size_t i = 0; i < collectives.reductions.size(); ++i)
      choice.reductions.push_back(i % 2 ? LoopChoice::Inside
                                        : LoopChoice::Later);
  } else {
    choice = choose(loop, collectives, bytes, costs, saved);
  }
  LoopPlan plan = planOf(collectives, choice, {});
  emitRemarkOn(loop, plan, saved);
  LDBG() << describeOperation(loop) << ": " << plan.ahead.size() << " ahead, "
         << plan.inside.size() << " inside, " << plan.behind.size()
         << " behind";
  if (!plan.empty())
    pipelineLoop(loop, collectives.trips, plan);
}

void OverlapIterations::visit(func::FuncOp function, const Machine &machine,
                              StepEstimate &costs) {
  Block &body = function.getBody().front();
  // Only the loops of the function's own block: what one of them would hide
  // beside an outer loop is not estimated.
  SmallVector<scf::ForOp> loops(body.getOps<scf::ForOp>());
  if (loops.empty())
    return;
  SmallVector<LoopBytes> bytes(loops.size());
  if (!always) {
    llvm::DenseMap<Operation *, int64_t> before;
    int64_t most = mostBytes(body, {}, &before);
    int64_t limit = std::max(most, limitOf(function, machine));
    for (auto [loop, known] : llvm::zip_equal(loops, bytes))
      known = {before.lookup(LoopWindow::frontOf(loop)), limit};
  }
  for (auto [loop, known] : llvm::zip_equal(loops, bytes))
    visit(loop, known, costs);
}

void OverlapIterations::runOnOperation() {
  FailureOr<MeshOp> mesh = findPricedMesh(getOperation(), always);
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh)
    return;
  Machine machine = mesh->getMachine();
  StepEstimate costs(getOperation(), machine, collectiveSeconds);
  SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (!function.isExternal())
      visit(function, machine, costs);
}
