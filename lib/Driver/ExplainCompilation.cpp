//===- ExplainCompilation.cpp - what a compilation answers
//-----------------===//

#include "Compilation.h"

#include "Explain/Explain.h"
#include "Explain/ExplainOrder.h"
#include "Quantities.h"
#include "ScheduledStep.h"
#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace tessera;

/// Answers --explain by `program`, which is as the phase `partition` leaves it,
/// or, for a value, `shard`.
LogicalResult Compilation::explain(ModuleOp program) {
  llvm::raw_string_ostream os(explanation);
  if (!options.explainedValue.empty())
    return explainValue(program, options.explainedValue, os);
  std::vector<CollectiveGroup> groups =
      groupCollectives(findCollectives(program));
  if (imported)
    findRemedies(
        groups, *imported,
        [&](OpPassManager &manager) {
          const PhaseLoop &loop = getPhaseLoop(Trials::Remedies);
          for (const PhaseInfo &info : getPhases())
            if (info.phase >= loop.first && info.phase <= loop.last)
              info.addPasses(manager, phaseOptions(info.phase));
        },
        !options.messages && llvm::sys::Process::StandardErrIsDisplayed()
            ? &llvm::errs()
            : nullptr);
  remedies = tabulateRemedies(groups);
  printExplanation(program, groups, os);
  return success();
}

/// Prepares the answer to --explain when `phase` has just run, and goes on with
/// a copy where the phase that answers is not going to run.
LogicalResult Compilation::explainAfter(Phase phase) {
  if (!options.explain || options.explainOrder)
    return success();
  if (phase == Phase::Import)
    imported = module->clone();
  if (phase == explainedPhase()) {
    if (!uncut)
      return explain(*module);
    explained = module->clone();
  }
  if (phase != options.to || phase > explainedPhase())
    return success();
  OwningOpRef<ModuleOp> copy = module->clone();
  PassManager manager(&context);
  manager.enableVerifier(false);
  for (const PhaseInfo &info : getPhases())
    if (info.phase > phase && info.phase <= explainedPhase())
      info.addPasses(manager, options);
  return failed(manager.run(*copy)) ? failure() : explain(*copy);
}

/// Explains a program that was read in the form that another run left it in.
LogicalResult Compilation::explainResumed() {
  if (!options.explain || !options.from)
    return success();
  if (options.explainOrder && *options.from <= Phase::Schedule)
    return *options.from == Phase::Schedule ? playSchedule() : success();
  if (*options.from < explainedPhase())
    return explainAfter(*options.from);
  if (!options.explainedValue.empty())
    return error() << "--explain=" << options.explainedValue
                   << " needs the phase 'shard' to run: it knows where "
                      "shardings come from";
  if (*options.from >= Phase::Codegen)
    return error() << "--explain comes too late: this file has calls of the "
                      "runtime instead of collectives";
  return explain(*module);
}

/// Plays the scheduled program for what --explain and --report say of it, on a
/// described machine, and explains its order.
LogicalResult Compilation::playSchedule() {
  bool isExplained = options.explain && options.explainedValue.empty();
  if (!isExplained && options.reportPath.empty())
    return success();
  std::optional<ScheduledStep> step;
  if (options.stages == 1 && communicate::hasDescribedMachine(*module)) {
    step = ScheduledStep::play(*module);
    bound = llvm::json::Object{{"chain", step->chain},
                               {"kernels", step->kernels},
                               {"links", step->links}};
  }
  overlap.clear();
  llvm::raw_string_ostream os(overlap);
  if (options.explainOrder)
    return printOrder(*module, step ? &*step : nullptr, os);
  if (isExplained && step)
    printOverlap(*step, pipe::readMachineName(*module), os);
  return success();
}

/// On stdout, unless the program goes there or nobody looks at it.
void Compilation::writeExplanation() {
  bool toStdout = options.outputPath != "-" && !options.messages;
  (toStdout ? llvm::outs() : messages()) << explanation << overlap;
}

/// Says what lies on the host and what runs again to fit the limit, what a
/// little more memory would save of that, and from where on nothing does.
LogicalResult Compilation::explainMemory() {
  if (!options.explain)
    return success();
  llvm::raw_string_ostream os(explanation);
  if (rematerialized.copied > 0)
    os << llvm::formatv("memory: {0} values lie on the host meanwhile, {1} in "
                        "all, whose copies take {2:f3} ms a step on the link\n",
                        rematerialized.copied,
                        formatBytes(rematerialized.copiedBytes),
                        1e3 * rematerialized.copySeconds);
  if (rematerialized.operations == 0)
    return success();
  constexpr int64_t kMost = 1000000000;
  int64_t limit = findMemoryLimit(*module, options.memoryLimit)->bytes,
          more = std::min(limit / 10, kMost);
  OwningOpRef<ModuleOp> larger = unscheduled->clone();
  CompileOptions asked = phaseOptions(Phase::Schedule);
  asked.memoryLimit += more;
  PassManager manager(&context);
  manager.enableVerifier(false);
  getPhaseInfo(Phase::Schedule).addPasses(manager, asked);
  if (failed(manager.run(*larger)))
    return failure();
  double saved = std::max(
      rematerialized.seconds - findRematerialized(*larger).seconds, 0.);
  os << llvm::formatv("memory: {0} operations run again to fit the limit, {1} "
                      "of them collectives: {2:f3} ms a step\n"
                      "memory: {3} more would save {4:f3} ms of that; from {5} "
                      "bytes on nothing runs again\n",
                      rematerialized.operations, rematerialized.collectives,
                      1e3 * rematerialized.seconds, formatBytes(more),
                      1e3 * saved, unlimitedBytes);
  return success();
}
