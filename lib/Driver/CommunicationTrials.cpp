//===- CommunicationTrials.cpp - ways to communicate, tried ---------------===//

#include "CommunicationTrials.h"

#include "ScheduledStep.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tessera;

/// A way is taken if a step takes less than this part of the best before: what
/// is gained below is no more than an estimate's error.
static constexpr double kFaster = 0.999;

/// So many operations are scheduled in trials at most: what they take must not
/// be felt beside the rest of a compilation.
static constexpr int64_t kMostOperations = 60000;

namespace {

class CommunicationTrials {
public:
  CommunicationTrials(ModuleOp module,
                      llvm::function_ref<CompileOptions(Phase)> asked)
      : module(module), asked(asked) {}

  CommunicationWay choose();

private:
  LogicalResult run(ModuleOp program, Phase first, Phase last,
                    CommunicationWay way) const;
  void offer(CommunicationWay way);

  ModuleOp module;
  llvm::function_ref<CompileOptions(Phase)> asked;
  static constexpr CommunicationWay kAll = {.iterate = false};
  CommunicationWay best = kAll;
  double bestSeconds = std::numeric_limits<double>::infinity();
};

} // namespace

bool tessera::hasDescribedMachine(ModuleOp module) {
  auto meshes = module.getOps<MeshOp>();
  return !meshes.empty() && (*meshes.begin()).getOnAttr();
}

static bool hasCalls(ModuleOp module) {
  return module.walk([](spmd::CombinedOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static int64_t countCollectives(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](spmd::CollectiveOpInterface) { ++count; });
  return count;
}

LogicalResult CommunicationTrials::run(ModuleOp program, Phase first,
                                       Phase last, CommunicationWay way) const {
  PassManager manager(program.getContext());
  manager.enableVerifier(false);
  for (const PhaseInfo &info : getPhases()) {
    if (info.phase < first || info.phase > last)
      continue;
    CompileOptions options = asked(info.phase);
    options.communication = way;
    // What runs again to fit a limit is chosen afterwards.
    options.memoryLimit = 0;
    info.addPasses(manager, options);
  }
  return manager.run(program);
}

/// Takes `way` if it is the fastest so far.
void CommunicationTrials::offer(CommunicationWay way) {
  OwningOpRef<ModuleOp> program = module.clone();
  const PhaseLoop &loop = getPhaseLoop(Trials::Communication);
  if (failed(run(*program, loop.first, loop.last, way)))
    return;
  double callSeconds = asked(loop.first).collectiveSeconds,
         seconds = ScheduledStep::play(*program, callSeconds).seconds;
  if (seconds >= kFaster * bestSeconds)
    return;
  best = way;
  bestSeconds = seconds;
}

CommunicationWay CommunicationTrials::choose() {
  int64_t operations = 0;
  module.walk([&](Operation *) { ++operations; });
  if (kMostOperations / operations < 2)
    return kAll;
  OwningOpRef<ModuleOp> all = module.clone();
  Phase phase = getPhaseLoop(Trials::Communication).first;
  if (failed(run(*all, phase, phase, kAll)))
    return kAll;
  bool pieces = countCollectives(*all) != countCollectives(module);
  if (!pieces && !hasCalls(*all))
    return kAll;
  SmallVector<CommunicationWay> ways = {kAll, {false, false, false}};
  if (pieces)
    ways.append({{false, true, false}, {false, false, true}});
  ways.truncate(std::min<size_t>(ways.size(), kMostOperations / operations));
  llvm::for_each(ways, [&](CommunicationWay way) { offer(way); });
  return best;
}

CommunicationWay
tessera::chooseCommunication(ModuleOp module,
                             llvm::function_ref<CompileOptions(Phase)> asked) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  return CommunicationTrials(module, asked).choose();
}
