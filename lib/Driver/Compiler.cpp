//===- Compiler.cpp - from a model file to a program ----------------------===//

#include "Compilation.h"

#include "EntryPoints.h"
#include "ModelChecks.h"
#include "PrintModel.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Support/RoutineCall.h"
#include "tessera/Transforms/Communicate/Passes.h"
#include "tessera/Transforms/Import/MeshOption.h"
#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tessera;

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
        Flag{"--stages", options.stages != 1, Phase::Stage}, schedule,
        Flag{"--quantize-collectives", !options.quantizedCollectives.empty(),
             Phase::Communicate}})
    if (flag.isGiven && isDone(options, flag.phase))
      return error() << flag.name << " comes too late: the phase '"
                     << getPhaseInfo(flag.phase).name
                     << "', which obeys it, is behind this file";
  if (schedule.isGiven && options.stages == 1)
    return error() << schedule.name
                   << " is about stages: expected --stages=2 or more with it";
  if (options.explainOrder && options.to < Phase::Schedule)
    return error()
           << "--explain=order needs the phase 'schedule' to run, which "
              "makes the order";
  if (!options.quantizedCollectives.empty() && options.stages > 1)
    return error() << "--quantize-collectives is about programs without "
                      "stages: expected --stages=1 with it";
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
  if (!options.mesh.empty() &&
      failed(importer::applyMeshOption(*module, options.mesh)))
    return failure();
  return cluster ? applyCluster(*module, *cluster, options.stages) : success();
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
  if (!options.function.empty())
    selectEntryFunction(*module, options.function);
  else if (!options.from)
    functions = findEntryFunctions(*module);
  if (!functions.empty())
    return success();
  if (failed(nameRoutineLibraries()))
    return failure();
  if (failed(checkPhaseOf(*module, options.inputPath, options.from)))
    return failure();
  if (!options.reportPath.empty() && options.from == Phase::Stage)
    predicted = stage::predictStep(*module);
  if (!isDone(options, Phase::Import))
    return success();
  if (!options.shapes.empty())
    return error() << "--shape comes too late: the sizes in this file are "
                      "known already";
  if (!options.planPath.empty())
    return error() << "--plan comes too late: the phase 'import', which obeys "
                      "it, is behind this file";
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

/// Whether `phase` has been run on the program already, which is then what that
/// made of it.
bool Compilation::takeTried(Phase phase) {
  auto tried = communication.phases.extract(phase);
  // Flags of MLIR are about passes that run.
  if (!tried || passFlags.areGiven())
    return false;
  module = std::move(tried.mapped().program);
  for (Diagnostic &message : tried.mapped().messages)
    context.getDiagEngine().emit(std::move(message));
  return true;
}

LogicalResult Compilation::runPhase(const PhaseInfo &info) {
  PassManager manager(&context);
  // Verifying after every pass would take longer than the passes.
  manager.enableVerifier(false);
  manager.addInstrumentation(timer.makeInstrumentation());
  info.addPasses(manager, phaseOptions(info.phase));
  bool ok = timer.timePhase(info.name, [&] {
    return (takeTried(info.phase) || succeeded(runPasses(manager, info))) &&
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

/// What `phase` is asked to do. What a device has is a limit for `schedule`
/// even where nobody asks for one.
CompileOptions Compilation::phaseOptions(Phase phase) const {
  CompileOptions asked = options;
  asked.memoryLimit = stageMemory;
  asked.communication = communication.way;
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

/// Runs `info` on `program`, a copy, with `limit` in place of what is asked
/// for.
LogicalResult Compilation::runTried(ModuleOp program, const PhaseInfo &info,
                                    CommunicationWay way,
                                    std::optional<int64_t> limit) {
  CompileOptions asked = phaseOptions(info.phase);
  asked.communication = way;
  asked.memoryLimit = limit.value_or(asked.memoryLimit);
  PassManager manager(&context);
  manager.enableVerifier(false);
  manager.addInstrumentation(timer.makeInstrumentation());
  info.addPasses(manager, asked);
  return timer.timePhase(info.name, [&] { return manager.run(program); });
}

/// Where seconds mean something, finds out what else `info`, the phase
/// `communicate`, is to do than moving collectives to other iterations, which
/// is done here.
LogicalResult Compilation::chooseWay(const PhaseInfo &info) {
  // No batch is split untried, and programs of stages are not tried.
  if (options.stages > 1 && !options.ignorePrices)
    communication.way.split = false;
  if (options.stages > 1 || options.ignorePrices ||
      !communicate::hasDescribedMachine(*module))
    return success();
  communication.way = {
      .split = false, .decompose = false, .combine = false, .levels = false};
  if (failed(runPhase(info)))
    return failure();
  communication = CommunicationTrials(
                      [&](ModuleOp program, const PhaseInfo &info,
                          CommunicationWay way, std::optional<int64_t> limit) {
                        return runTried(program, info, way, limit);
                      },
                      options.collectiveSeconds,
                      findMemoryLimit(*module, options.memoryLimit))
                      .choose(*module);
  return success();
}

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
    if (info.phase == Phase::Schedule && failed(playSchedule()))
      return kWrongRequest;
    if (checker && info.interpretable)
      if (ExitStatus status = checker->check(*module, info); status != kDone)
        return status;
  }
  return kDone;
}

ExitStatus Compilation::begin() {
  if (failed(checkFlags()) || failed(checkOutputs()) || failed(read()))
    return kWrongRequest;
  if (!functions.empty())
    return kDone;
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
  return kDone;
}

ExitStatus Compilation::finish() {
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

ExitStatus Compilation::run() {
  if (ExitStatus status = runPhases(Phase::Import, Phase::Codegen))
    return status;
  return finish();
}

ExitStatus tessera::compile(const CompileOptions &asked) {
  CompileOptions options = asked;
  // Each entry point of a model reads it, and standard input can be read once.
  // What cannot be read is told by who reads it.
  std::unique_ptr<llvm::MemoryBuffer> input;
  if (options.inputPath == "-" && !options.inputText)
    if (auto read = llvm::MemoryBuffer::getSTDIN()) {
      input = std::move(*read);
      options.inputText = input->getBuffer();
    }
  if (options.onlyRead)
    return printModel(options);
  if (!options.furtherPaths.empty() || !options.entryPoint.empty())
    return compileEntryPoints(options);
  Compilation compilation(options);
  if (ExitStatus status = compilation.begin())
    return status;
  return compilation.entryFunctions().empty() ? compilation.run()
                                              : compileEntryPoints(options);
}
