//===- Compiler.cpp - from a model file to a program ----------------------===//

#include "tessera/Driver/Compiler.h"

#include "CheckPhases.h"
#include "ClusterOption.h"
#include "CommunicationTrials.h"
#include "Diagnostics.h"
#include "Explain/Explain.h"
#include "MemoryLimit.h"
#include "MeshOption.h"
#include "ModelChecks.h"
#include "PtxFiles.h"
#include "Quantities.h"
#include "Report.h"
#include "ReportPage.h"
#include "ScheduledStep.h"
#include "Timing.h"
#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Driver/PassFlags.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Package/Package.h"
#include "tessera/Support/FileStream.h"
#include "tessera/Support/RoutineCall.h"
#include "tessera/Transforms/Import/ReadModel.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;

namespace {

/// One run of the compiler: reads, goes through the phases, writes.
class Compilation {
public:
  Compilation(const CompileOptions &options)
      : options(options), context(makeRegistry(), threadingOf(options)),
        diagnostics(context, options.inputPath, messages()) {}

  ExitStatus run();

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  /// One thread, which needs no locks, until there are kernels to work on side
  /// by side. Only the checks of phases run devices as threads.
  static MLIRContext::Threading threadingOf(const CompileOptions &options) {
    return options.checkSeed ? MLIRContext::Threading::ENABLED
                             : MLIRContext::Threading::DISABLED;
  }

  /// Where everything is printed that is no output.
  llvm::raw_ostream &messages() const {
    return options.messages ? *options.messages : llvm::errs();
  }

  LogicalResult checkFlags();
  LogicalResult checkSchedule();
  LogicalResult read();
  LogicalResult applyOptions();
  LogicalResult runPhase(const PhaseInfo &info);
  LogicalResult runPasses(PassManager &manager, const PhaseInfo &info);
  bool isVerified(Phase phase) const;
  Phase explainedPhase() const {
    return options.explainedValue.empty() ? Phase::Partition : Phase::Shard;
  }
  LogicalResult explain(ModuleOp program);
  LogicalResult explainAfter(Phase phase);
  LogicalResult explainResumed();
  LogicalResult dump(const PhaseInfo &info);
  void printIR(raw_ostream &os);
  LogicalResult writeIR(StringRef path);
  LogicalResult package();
  LogicalResult writeProgram();
  LogicalResult checkOutputs();
  LogicalResult writeIntermediate();
  LogicalResult writeOutput(llvm::function_ref<void(raw_ostream &)> print);
  ExitStatus runPhases(Phase first, Phase last);
  CompileOptions phaseOptions(Phase phase) const;
  LogicalResult chooseWay(const PhaseInfo &info);
  FailureOr<ProgramNeeds> measureNeeds();
  FailureOr<SmallVector<int64_t>> measurePeaks();
  LogicalResult fitSchedule(const MemoryLimit &limit, ProgramNeeds &needs);
  LogicalResult fitMemory();
  LogicalResult writeFile(StringRef path,
                          llvm::function_ref<void(raw_ostream &)> print);
  LogicalResult writeJSON(StringRef path, const llvm::json::Value &value);
  LogicalResult writeTimes();
  LogicalResult writeReport();
  LogicalResult explainMemory();
  void playSchedule();
  void writeExplanation();
  LogicalResult nameRoutineLibraries();
  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }

  const CompileOptions &options;
  MLIRContext context;
  /// Of a file that another run wrote: where what stands.
  importer::TextLocations places;
  DiagnosticPrinter diagnostics;
  OwningOpRef<ModuleOp> module;
  /// The machine, if one is described.
  std::optional<Cluster> cluster;
  CompileTimer timer;
  PassFlags passFlags;
  /// To explain: the program before it was sharded, and the answer.
  OwningOpRef<ModuleOp> imported;
  std::string explanation;
  /// The part of it that the phase `schedule` may change when it runs again.
  std::string overlap;
  /// What no order of the kernels and collectives goes below.
  std::optional<llvm::json::Object> bound;
  RemedyTable remedies;
  Package packaged;
  /// The program before `stage`, where it may have to be cut again, and the
  /// bytes that the phase is told to keep to.
  OwningOpRef<ModuleOp> uncut;
  int64_t stageMemory = options.memoryLimit;
  /// The program before `schedule`, where memory is limited, and the bytes that
  /// this phase leaves for what it does not know of, by pipeline rank; nothing
  /// before it is asked for any limit.
  OwningOpRef<ModuleOp> unscheduled;
  std::optional<std::vector<int64_t>> reserved;
  /// What the program needs where nothing runs again because of a limit.
  int64_t unlimitedBytes = 0;
  /// What the phase `communicate` may do.
  CommunicationWay communication;
  /// What takes memory by the plan of `schedule`, where memory is limited.
  std::optional<MemoryUse> memoryUse;
  RematerializedWork rematerialized;
  /// What --explain is about, where that may be cut again.
  OwningOpRef<ModuleOp> explained;
  std::optional<PhaseChecker> checker;
  /// For the report: the number of operations after each phase, and what the
  /// schedule is expected to take.
  llvm::json::Object operations;
  std::optional<stage::PredictedStep> predicted;
};

} // namespace

/// Whether `phase` has been done before the input was written.
static bool isDone(const CompileOptions &options, Phase phase) {
  return options.from && phase <= *options.from;
}

/// Refuses flags that would change nothing: their phase is behind the input, or
/// they say how to run stages that nobody asked for.
LogicalResult Compilation::checkFlags() {
  struct Flag {
    StringRef name;
    bool isGiven;
    Phase phase;
  };
  Flag schedule = {"--schedule", options.schedule != "auto", Phase::Stage};
  for (const Flag &flag :
       {Flag{"--microbatches", options.microbatches != 1, Phase::Shard},
        Flag{"--stages", options.stages != 1, Phase::Stage}, schedule})
    if (flag.isGiven && isDone(options, flag.phase))
      return error() << flag.name << " comes too late: the phase '"
                     << getPhaseInfo(flag.phase).name
                     << "', which obeys it, is behind this file";
  if (schedule.isGiven && options.stages == 1)
    return error() << schedule.name
                   << " is about stages: expected --stages=2 or more with it";
  return checkSchedule();
}

/// Refuses a schedule that does not take the numbers of the command line before
/// any work is done. A model with a loop over microbatches of its own says
/// later how many there are.
LogicalResult Compilation::checkSchedule() {
  if (options.stages == 1)
    return success();
  constexpr int64_t kMost = 1 << 30;
  ScheduleRequest request;
  request.ranks = std::min(options.stages, kMost);
  request.microbatches =
      options.microbatches > 1 ? std::min(options.microbatches, kMost) : 0;
  if (Fallible<void> checked =
          stage::checkRequestedSchedule(options.schedule, request);
      !checked)
    return stage::emitScheduleError(UnknownLoc::get(&context),
                                    checked.message());
  return success();
}

/// Lays the mesh and the machine of the command line over those of the file,
/// which has been imported and is to be verified after it.
LogicalResult Compilation::applyOptions() {
  if (!options.mesh.empty() && failed(applyMeshOption(*module, options.mesh)))
    return failure();
  if (cluster)
    applyCluster(*module, *cluster);
  return success();
}

/// Writes down which shared objects supply routines: none that the file names
/// and the user does not.
LogicalResult Compilation::nameRoutineLibraries() {
  for (const std::string &path : options.routineLibraries)
    if (Fallible<bool> loaded = suppliesRoutine(path, ""); !loaded)
      return error() << loaded.message();
  if (!options.routineLibraries.empty())
    (*module)->setAttr(
        kRoutineLibrariesAttr,
        Builder(&context).getStrArrayAttr(
            llvm::to_vector_of<StringRef>(options.routineLibraries)));
  Attribute named = (*module)->getAttr(kRoutineLibrariesAttr);
  return named ? verifyRoutineLibraries(*module, named) : success();
}

LogicalResult Compilation::read() {
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  if (options.remarks)
    printRemarks(context);
  if (!options.clusterPath.empty()) {
    FailureOr<Cluster> description = readCluster(options.clusterPath, context);
    if (failed(description))
      return failure();
    cluster = std::move(*description);
  }
  for (const std::string &path : options.routineLibraries)
    allowRoutineLibrary(context, path);
  module = timer.timePhase("read", [&] {
    importer::TextLocations *known = options.from ? &places : nullptr;
    return options.inputText
               ? importer::readModelText(*options.inputText, options.inputPath,
                                         context, known)
               : importer::readModel(options.inputPath, context, known);
  });
  if (!module)
    return failure();
  diagnostics.setTextLocations(places);
  if (failed(nameRoutineLibraries()))
    return failure();
  if (failed(checkPhaseOf(*module, options.inputPath, options.from)))
    return failure();
  if (!options.reportPath.empty() && options.from == Phase::Stage)
    predicted = stage::predictStep(*module);
  if (!isDone(options, Phase::Import))
    return success();
  if (!options.mesh.empty() && isDone(options, Phase::Partition))
    return error() << "--mesh comes too late: the shapes in this file are "
                      "those of one device already";
  if (failed(applyOptions()))
    return failure();
  return options.mesh.empty() ? success() : verify(*module);
}

/// Whether the program is verified after `phase`: after `import`, which takes
/// what users wrote as it is, and wherever somebody sees it, or an object file
/// is made of it. The phases between check their contracts themselves.
bool Compilation::isVerified(Phase phase) const {
  return phase == Phase::Import || phase == Phase::Codegen ||
         phase == options.to || !options.dumpDirectory.empty() || checker;
}

/// Runs the passes of the phase as the flags of MLIR ask for.
LogicalResult Compilation::runPasses(PassManager &manager,
                                     const PhaseInfo &info) {
  return passFlags.run(manager, *module,
                       (Twine(int(info.phase)) + "-" + info.name).str());
}

LogicalResult Compilation::runPhase(const PhaseInfo &info) {
  PassManager manager(&context);
  // Verifying after every pass would take longer than the passes.
  manager.enableVerifier(false);
  manager.addInstrumentation(timer.makeInstrumentation());
  info.addPasses(manager, phaseOptions(info.phase));
  bool ok = timer.timePhase(info.name, [&] {
    return succeeded(runPasses(manager, info)) &&
           (info.phase != Phase::Import || succeeded(applyOptions())) &&
           (!isVerified(info.phase) || succeeded(verify(*module)));
  });
  if (!ok)
    return failure();
  if (!options.reportPath.empty()) {
    operations[info.name] = countOperations(*module);
    if (info.phase == Phase::Stage)
      predicted = stage::predictStep(*module);
  }
  return failed(explainAfter(info.phase)) ? failure() : dump(info);
}

/// Answers --explain by `program`, which is as the phase `partition` leaves it,
/// or, for a value, `shard`.
LogicalResult Compilation::explain(ModuleOp program) {
  llvm::raw_string_ostream os(explanation);
  if (!options.explainedValue.empty())
    return explainValue(program, options.explainedValue, os);
  std::vector<CollectiveGroup> groups =
      groupCollectives(findCollectives(program));
  if (imported)
    findRemedies(groups, *imported, [&](OpPassManager &manager) {
      const PhaseLoop &loop = getPhaseLoop(Trials::Remedies);
      for (const PhaseInfo &info : getPhases())
        if (info.phase >= loop.first && info.phase <= loop.last)
          info.addPasses(manager, phaseOptions(info.phase));
    });
  remedies = tabulateRemedies(groups);
  printExplanation(program, groups, os);
  return success();
}

/// Prepares the answer to --explain when `phase` has just run, and goes on with
/// a copy where the phase that answers is not going to run.
LogicalResult Compilation::explainAfter(Phase phase) {
  if (!options.explain)
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

void Compilation::printIR(raw_ostream &os) {
  module->print(os, OpPrintingFlags().enableDebugInfo());
  os << '\n';
}

LogicalResult Compilation::writeIR(StringRef path) {
  return writeFile(path, [&](raw_ostream &os) { printIR(os); });
}

LogicalResult Compilation::dump(const PhaseInfo &info) {
  if (options.dumpDirectory.empty())
    return success();
  if (std::error_code code =
          llvm::sys::fs::create_directories(options.dumpDirectory))
    return error() << "cannot create directory '" << options.dumpDirectory
                   << "': " << code.message();
  SmallString<128> path(options.dumpDirectory);
  llvm::sys::path::append(path,
                          Twine(int(info.phase)) + "-" + info.name + ".mlir");
  return writeIR(path);
}

/// Writes what `print` prints to the file at `path`.
LogicalResult
Compilation::writeFile(StringRef path,
                       llvm::function_ref<void(raw_ostream &)> print) {
  if (Fallible<void> done = printToFile(path.str(), print); !done)
    return error() << done.message();
  return success();
}

/// Refuses files that cannot be written before any work is done.
LogicalResult Compilation::checkOutputs() {
  for (StringRef path :
       {options.outputPath, options.reportPath, options.timingPath})
    if (!path.empty() && path != "-" && !options.emitPtx)
      if (Fallible<void> checked = checkWritable(path.str()); !checked)
        return error() << checked.message();
  return success();
}

LogicalResult Compilation::writeJSON(StringRef path,
                                     const llvm::json::Value &value) {
  return writeFile(
      path, [&](raw_ostream &os) { os << llvm::formatv("{0:2}\n", value); });
}

/// Writes what there is after the last phase, if that is not the program.
LogicalResult Compilation::writeIntermediate() {
  if (options.to == Phase::Package)
    return success();
  if (options.emitPtx && !options.outputPath.empty())
    return writePtxFiles(*module, options.outputPath);
  return writeOutput([&](raw_ostream &os) { printIR(os); });
}

/// Writes what is asked for to its file, or to where it is put instead.
LogicalResult
Compilation::writeOutput(llvm::function_ref<void(raw_ostream &)> print) {
  if (options.output) {
    llvm::raw_string_ostream os(*options.output);
    print(os);
    return success();
  }
  return options.outputPath.empty() ? success()
                                    : writeFile(options.outputPath, print);
}

/// Makes the program. The module stays as it is.
LogicalResult Compilation::package() {
  FailureOr<Package> made =
      buildPackage(*module, {options.inputPath, kVersion.str()});
  if (failed(made))
    return failure();
  packaged = std::move(*made);
  return success();
}

/// Writes the program, if that is what there is after the last phase.
LogicalResult Compilation::writeProgram() {
  if (options.to != Phase::Package)
    return success();
  return writeOutput([&](raw_ostream &os) { os << packaged.program; });
}

LogicalResult Compilation::writeTimes() {
  if (!options.timing)
    return success();
  if (options.timingPath.empty()) {
    timer.print(messages());
    return success();
  }
  return writeJSON(options.timingPath, timer.toJSON());
}

LogicalResult Compilation::writeReport() {
  if (options.reportPath.empty())
    return success();
  llvm::json::Value parsed =
      llvm::cantFail(llvm::json::parse(packaged.manifest));
  Chart step = chartOfStep(*parsed.getAsObject());
  llvm::json::Object report =
      makeReport(*module, *parsed.getAsObject(), std::move(operations), timer,
                 predicted ? &*predicted : nullptr, remedies, step);
  if (rematerialized.operations > 0)
    report["rematerialized"] =
        llvm::json::Object{{"operations", rematerialized.operations},
                           {"collectives", rematerialized.collectives},
                           {"seconds", rematerialized.seconds}};
  if (bound)
    report["bound"] = std::move(*bound);
  if (!StringRef(options.reportPath).ends_with(".html"))
    return writeJSON(options.reportPath, std::move(report));
  return writeFile(options.reportPath, [&](raw_ostream &os) {
    writeHTML(report, predicted ? &*predicted : nullptr, step, os);
  });
}

/// Plays the scheduled program for what --explain and --report say of it, on a
/// described machine.
void Compilation::playSchedule() {
  bool isExplained = options.explain && options.explainedValue.empty();
  if (options.stages > 1 || !hasDescribedMachine(*module) ||
      (!isExplained && options.reportPath.empty()))
    return;
  ScheduledStep step = ScheduledStep::play(*module);
  bound = llvm::json::Object{
      {"chain", step.chain}, {"kernels", step.kernels}, {"links", step.links}};
  overlap.clear();
  llvm::raw_string_ostream os(overlap);
  if (isExplained)
    printOverlap(step, os);
}

/// On stdout, unless the program goes there or nobody looks at it.
void Compilation::writeExplanation() {
  bool toStdout = options.outputPath != "-" && !options.messages;
  (toStdout ? llvm::outs() : messages()) << explanation << overlap;
}

/// Says what runs again to fit the limit, what a little more memory would save
/// of that, and from where on nothing does.
LogicalResult Compilation::explainMemory() {
  if (!options.explain || rematerialized.operations == 0)
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
  llvm::raw_string_ostream os(explanation);
  os << llvm::formatv("memory: {0} operations run again to fit the limit, {1} "
                      "of them collectives: {2:f3} ms a step\n"
                      "memory: {3} more would save {4:f3} ms of that; from {5} "
                      "bytes on nothing runs again\n",
                      rematerialized.operations, rematerialized.collectives,
                      1e3 * rematerialized.seconds, formatBytes(more),
                      1e3 * saved, unlimitedBytes);
  return success();
}

/// What `phase` is asked to do. What a device has is a limit for `schedule`
/// even where nobody asks for one.
CompileOptions Compilation::phaseOptions(Phase phase) const {
  CompileOptions asked = options;
  asked.memoryLimit = stageMemory;
  asked.communication = communication;
  if (phase != Phase::Schedule)
    return asked;
  std::optional<MemoryLimit> limit =
      findMemoryLimit(*module, options.memoryLimit);
  // What the phase counts is an estimate from above, so that it is asked for no
  // limit before the program is known to take more, if its code is made at all.
  bool mayFit = !reserved && options.to >= Phase::Codegen;
  asked.memoryLimit = limit && !mayFit ? limit->bytes : 0;
  asked.reservedMemory = reserved.value_or(std::vector<int64_t>());
  return asked;
}

/// Where seconds mean something and the order is going to be known, finds out
/// what else `info`, the phase `communicate`, is to do than moving collectives
/// to other iterations, which is done here.
LogicalResult Compilation::chooseWay(const PhaseInfo &info) {
  if (options.to < getPhaseLoop(Trials::Communication).last ||
      options.stages > 1 || options.ignorePrices ||
      !hasDescribedMachine(*module))
    return success();
  return timer.timePhase(info.name, [&] {
    communication = {.decompose = false, .combine = false};
    PassManager manager(&context);
    manager.enableVerifier(false);
    info.addPasses(manager, phaseOptions(info.phase));
    if (failed(runPasses(manager, info)))
      return failure();
    communication = chooseCommunication(
        *module, [&](Phase phase) { return phaseOptions(phase); });
    return success();
  });
}

/// Runs the phases from `first` to `last` that are asked for and not done.
ExitStatus Compilation::runPhases(Phase first, Phase last) {
  for (const PhaseInfo &info : getPhases()) {
    if (info.phase == Phase::Fuse)
      context.enableMultithreading();
    if (info.phase < first || info.phase > std::min(options.to, last) ||
        isDone(options, info.phase))
      continue;
    if (options.interrupted && options.interrupted()) {
      error() << "interrupted before the phase '" << info.name << "'";
      return kWrongRequest;
    }
    if (info.phase == Phase::Package) {
      if (failed(timer.timePhase(info.name, [&] { return package(); })))
        return kWrongRequest;
      continue;
    }
    auto isLimited = [&] {
      return findMemoryLimit(*module, options.memoryLimit).has_value();
    };
    if (info.phase == getPhaseLoop(Trials::Memory).first &&
        options.stages > 1 && isLimited())
      uncut = module->clone();
    if (info.phase == getPhaseLoop(Trials::Rematerialization).first &&
        isLimited())
      unscheduled = module->clone();
    if (info.phase == Phase::Codegen && isLimited()) {
      FailureOr<MemoryUse> use = findMemoryUse(*module);
      if (failed(use))
        return kWrongRequest;
      memoryUse = std::move(*use);
      rematerialized = findRematerialized(*module);
    }
    if (info.phase == Phase::Shard)
      warnOfEqualWork(*module);
    if (info.phase == getPhaseLoop(Trials::Communication).first &&
        failed(chooseWay(info)))
      return kWrongRequest;
    if (failed(runPhase(info)))
      return kWrongRequest;
    if (info.phase == Phase::Schedule)
      playSchedule();
    if (checker && info.interpretable)
      if (ExitStatus status = checker->check(*module, info); status != kDone)
        return status;
  }
  return kDone;
}

/// What the program, whose code has been made, needs.
FailureOr<ProgramNeeds> Compilation::measureNeeds() {
  FailureOr<LargestProgram> largest = findLargestProgram(*module);
  FailureOr<MemoryUse> use =
      memoryUse ? FailureOr<MemoryUse>(*memoryUse) : findMemoryUse(*module);
  if (failed(largest) || failed(use))
    return failure();
  return ProgramNeeds{ProgramMemory::of(largest->function), largest->rank,
                      std::move(*use)};
}

/// What the programs of the module, whose code has been made, need, by pipeline
/// rank.
FailureOr<SmallVector<int64_t>> Compilation::measurePeaks() {
  FailureOr<SmallVector<RankProgram>> ranks = getRankPrograms(*module);
  if (failed(ranks))
    return failure();
  SmallVector<int64_t> peaks;
  for (const RankProgram &rank : *ranks)
    peaks.push_back(ProgramMemory::of(rank.function).peak());
  if (peaks.empty())
    peaks.push_back(
        ProgramMemory::of(module->lookupSymbol<func::FuncOp>("main")).peak());
  return peaks;
}

namespace {

/// Of one pipeline rank: what its program needed in the trial before, and by
/// how much less of the limit it was told to take then.
struct RankTrial {
  int64_t peak = std::numeric_limits<int64_t>::max(), more = 0;

  /// What it is to leave beside `reserved`, where it needs `found`: what is too
  /// much, or twice as much as before where that was no better.
  int64_t next(int64_t reserved, int64_t found, int64_t limit) {
    if (found > limit) {
      more = found < peak ? found - limit : std::max(found - limit, 2 * more);
      peak = found;
      reserved = std::min(reserved + more, limit);
    }
    return reserved;
  }
};

} // namespace

/// Schedules the program, which needs `needs`, again until it fits `limit`. The
/// phase `schedule` keeps to a limit by what values take; what gaps between
/// them and kernels take besides is left out of it, for each pipeline rank by
/// itself. Where that does not help, the program becomes the one that needs
/// least, whatever the limit is: a limit of what that needs works.
LogicalResult Compilation::fitSchedule(const MemoryLimit &limit,
                                       ProgramNeeds &needs) {
  const PhaseLoop &loop = getPhaseLoop(Trials::Rematerialization);
  reserved.reset();
  std::vector<RankTrial> trials;
  for (int i = 1;
       i <= loop.most && unscheduled && needs.memory.peak() > limit.bytes;
       ++i) {
    FailureOr<SmallVector<int64_t>> peaks = measurePeaks();
    if (failed(peaks))
      return failure();
    std::vector<int64_t> before =
        reserved.value_or(std::vector<int64_t>(peaks->size(), 0));
    trials.resize(peaks->size());
    std::vector<int64_t> next = before;
    // Nothing is left at first; at last, all by those that need too much.
    for (size_t rank = 0; reserved && rank < next.size(); ++rank)
      if ((*peaks)[rank] > limit.bytes)
        next[rank] =
            i == loop.most
                ? limit.bytes
                : trials[rank].next(before[rank], (*peaks)[rank], limit.bytes);
    if (reserved && next == before)
      break;
    reserved = std::move(next);
    module = unscheduled->clone();
    if (runPhases(loop.first, loop.last) != kDone)
      return failure();
    FailureOr<ProgramNeeds> found = measureNeeds();
    if (failed(found))
      return failure();
    needs = *found;
  }
  return success();
}

/// Makes the program, whose code has been made, fit what a device has, or
/// refuses it. The phase `stage` keeps to a limit by what passes between tasks;
/// what they need while they run is known at the end only, so it tries again
/// with less.
LogicalResult Compilation::fitMemory() {
  std::optional<MemoryLimit> limit =
      findMemoryLimit(*module, options.memoryLimit);
  if (!limit || options.to < Phase::Codegen)
    return success();
  FailureOr<ProgramNeeds> found = measureNeeds();
  if (failed(found))
    return failure();
  unlimitedBytes = found->memory.peak();
  if (failed(fitSchedule(*limit, *found)))
    return failure();
  const PhaseLoop &loop = getPhaseLoop(Trials::Memory);
  ProgramNeeds nearest = *found;
  int64_t made = stageMemory ? stageMemory : limit->bytes, refused = 0;
  for (int i = 0; i < loop.most && uncut && found->memory.peak() > limit->bytes;
       ++i) {
    stageMemory = refused ? (made + refused) / 2
                          : double(made) * limit->bytes / found->memory.peak();
    module = uncut->clone();
    reserved.reset();
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    if (runPhases(loop.first, loop.last) != kDone) {
      refused = stageMemory;
      continue;
    }
    made = stageMemory;
    found = measureNeeds();
    if (succeeded(found))
      unlimitedBytes = found->memory.peak();
    if (failed(found) || failed(fitSchedule(*limit, *found)))
      return failure();
    if (found->memory.peak() < nearest.memory.peak())
      nearest = *found;
  }
  if (found->memory.peak() <= limit->bytes)
    return success();
  reportTooMuchMemory(context, *limit, nearest, options.microbatches);
  return failure();
}

ExitStatus Compilation::run() {
  if (failed(checkFlags()) || failed(checkOutputs()) || failed(read()))
    return kWrongRequest;
  if (failed(explainResumed()))
    return kWrongRequest;
  if (options.checkSeed)
    checker.emplace(*options.checkSeed, messages());
  // What was edited by hand is what later phases must agree with.
  if (checker && options.from && getPhaseInfo(*options.from).interpretable)
    if (ExitStatus status =
            checker->check(*module, getPhaseInfo(*options.from));
        status != kDone)
      return status;
  if (ExitStatus status = runPhases(Phase::Import, Phase::Codegen);
      status != kDone)
    return status;
  if (failed(fitMemory()) || (explained && failed(explain(*explained))) ||
      failed(explainMemory()))
    return kWrongRequest;
  if (ExitStatus status = runPhases(Phase::Package, Phase::Package);
      status != kDone)
    return status;
  if (failed(writeProgram()) ||
      (options.to == Phase::Package && failed(writeReport())))
    return kWrongRequest;
  if (failed(writeIntermediate()))
    return kWrongRequest;
  writeExplanation();
  return failed(writeTimes()) ? kWrongRequest : kDone;
}

ExitStatus tessera::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
