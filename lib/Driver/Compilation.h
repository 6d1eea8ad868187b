//===- Compilation.h - one run of the compiler ------------------*- C++ -*-===//
//
// Compiler.cpp is the order of events; ExplainCompilation.cpp answers --explain
// on the way, FitMemory.cpp runs phases again where a limit asks for it, and
// CompilationOutput.cpp writes files.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_COMPILATION_H
#define TESSERA_DRIVER_COMPILATION_H

#include "CheckPhases.h"
#include "ClusterOption.h"
#include "CommunicationTrials.h"
#include "Diagnostics.h"
#include "Explain/Explain.h"
#include "MemoryLimit.h"
#include "Report.h"
#include "Timing.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Driver/PassFlags.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Package/Package.h"
#include "tessera/Transforms/Import/ReadModel.h"

namespace tessera {

/// One run of the compiler: reads, goes through the phases, writes.
class Compilation {
public:
  Compilation(const CompileOptions &options)
      : options(options), context(makeRegistry(), threadingOf(options)),
        diagnostics(context, options.inputPath, messages()) {}

  // The parts of a run, in their order: those that go along with others stop
  // between phases. None follows one that has failed.

  /// Reads the model.
  ExitStatus begin();
  /// The functions that are entry points of the model, of which none has been
  /// asked for; if there are any, it can only be compiled by one of them.
  const std::vector<std::string> &entryFunctions() const { return functions; }
  /// Runs the phases from `first` to `last` that are asked for and not done.
  ExitStatus runPhases(Phase first, Phase last);
  /// Runs all of them, then does what follows.
  ExitStatus run();
  /// After the phase `codegen`: makes the program, and writes what is asked
  /// for.
  ExitStatus finish();
  /// The model as the last phase has left it.
  mlir::ModuleOp program() { return *module; }
  /// What is to be linked with others (CompileOptions::linkedAs).
  PackageObjects takeObjects() { return std::move(objects); }

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  /// One thread, which needs no locks, until there are kernels to work on side
  /// by side. Only the checks of phases run devices as threads.
  static mlir::MLIRContext::Threading
  threadingOf(const CompileOptions &options) {
    return options.checkSeed ? mlir::MLIRContext::Threading::ENABLED
                             : mlir::MLIRContext::Threading::DISABLED;
  }

  /// Where everything is printed that is no output.
  llvm::raw_ostream &messages() const {
    return options.messages ? *options.messages : llvm::errs();
  }

  llvm::LogicalResult checkFlags();
  llvm::LogicalResult checkSchedule();
  llvm::LogicalResult read();
  llvm::LogicalResult applyOptions();
  bool takeTried(Phase phase);
  llvm::LogicalResult runPhase(const PhaseInfo &info);
  llvm::LogicalResult runPasses(mlir::PassManager &manager,
                                const PhaseInfo &info);
  bool isVerified(Phase phase) const;
  Phase explainedPhase() const {
    return options.explainedValue.empty() ? Phase::Partition : Phase::Shard;
  }
  llvm::LogicalResult explain(mlir::ModuleOp program);
  llvm::LogicalResult explainAfter(Phase phase);
  llvm::LogicalResult explainResumed();
  llvm::LogicalResult dump(const PhaseInfo &info);
  void printIR(llvm::raw_ostream &os);
  llvm::LogicalResult writeIR(llvm::StringRef path);
  llvm::LogicalResult package();
  llvm::LogicalResult writeProgram();
  llvm::LogicalResult checkOutputs();
  llvm::LogicalResult writeIntermediate();
  llvm::LogicalResult
  writeOutput(llvm::function_ref<void(llvm::raw_ostream &)> print);
  CompileOptions phaseOptions(Phase phase) const;
  llvm::LogicalResult runTried(mlir::ModuleOp program, const PhaseInfo &info,
                               CommunicationWay way,
                               std::optional<int64_t> limit);
  llvm::LogicalResult chooseWay(const PhaseInfo &info);
  llvm::FailureOr<ProgramNeeds> measureNeeds();
  llvm::FailureOr<llvm::SmallVector<int64_t>> measurePeaks();
  llvm::LogicalResult fitSchedule(const MemoryLimit &limit,
                                  ProgramNeeds &needs);
  llvm::LogicalResult fitMemory();
  llvm::LogicalResult
  writeFile(llvm::StringRef path,
            llvm::function_ref<void(llvm::raw_ostream &)> print);
  llvm::LogicalResult writeJSON(llvm::StringRef path,
                                const llvm::json::Value &value);
  llvm::LogicalResult writeTimes();
  llvm::LogicalResult writeReport();
  llvm::LogicalResult explainMemory();
  llvm::LogicalResult playSchedule();
  void writeExplanation();
  llvm::LogicalResult nameRoutineLibraries();
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  }

  const CompileOptions &options;
  mlir::MLIRContext context;
  /// Of a file that another run wrote: where what stands.
  importer::TextLocations places;
  DiagnosticPrinter diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The machine, if one is described.
  std::optional<Cluster> cluster;
  CompileTimer timer;
  PassFlags passFlags;
  /// To explain: the program before it was sharded, and the answer.
  mlir::OwningOpRef<mlir::ModuleOp> imported;
  std::string explanation;
  /// The part of it that the phase `schedule` may change when it runs again.
  std::string overlap;
  /// What no order of the kernels and collectives goes below.
  std::optional<llvm::json::Object> bound;
  RemedyTable remedies;
  Package packaged;
  PackageObjects objects;
  std::vector<std::string> functions;
  /// The program before `stage`, where it may have to be cut again, and the
  /// bytes that the phase is told to keep to.
  mlir::OwningOpRef<mlir::ModuleOp> uncut;
  int64_t stageMemory = options.memoryLimit;
  /// The program before `schedule`, where memory is limited, and the bytes that
  /// this phase leaves for what it does not know of, by pipeline rank; nothing
  /// before it is asked for any limit.
  mlir::OwningOpRef<mlir::ModuleOp> unscheduled;
  std::optional<std::vector<int64_t>> reserved;
  /// What the program needs where nothing runs again because of a limit.
  int64_t unlimitedBytes = 0;
  /// What the phase `communicate` does, and programs of phases that have been
  /// run to find that out.
  ChosenCommunication communication;
  /// What takes memory by the plan of `schedule`, where memory is limited.
  std::optional<MemoryUse> memoryUse;
  RematerializedWork rematerialized;
  /// What --explain is about, where that may be cut again.
  mlir::OwningOpRef<mlir::ModuleOp> explained;
  std::optional<PhaseChecker> checker;
  /// For the report: the number of operations after each phase, and what the
  /// schedule is expected to take.
  llvm::json::Object operations;
  std::optional<stage::PredictedStep> predicted;
};

} // namespace tessera

#endif // TESSERA_DRIVER_COMPILATION_H
