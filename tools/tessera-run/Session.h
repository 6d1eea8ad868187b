//===- Session.h - One run of tessera-run, from loading to the report -----===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_SESSION_H
#define TESSERA_TOOLS_TESSERA_RUN_SESSION_H

#include "Checkpointing.h"
#include "DescribedMachine.h"
#include "EntrySequence.h"
#include "Timeline.h"

#include <map>
#include <memory>

namespace tessera::run {

/// The stop for a failed call of the runtime.
Stop runtimeStop(TesseraStatus status);

using Program =
    std::unique_ptr<TesseraProgram, decltype(&tessera_program_destroy)>;
using Job = std::unique_ptr<TesseraJob, decltype(&tessera_job_destroy)>;

/// Loads a compiled model; returns why not, if so.
std::optional<Stop> loadProgram(const std::string &path, Program &program);

/// The table of contents of a run: `execute` calls the steps in order. Each
/// returns nothing, or why to stop.
class Session {
public:
  explicit Session(Options options) : options(std::move(options)) {}

  /// Runs everything that the options ask for.
  std::optional<Stop> execute();

private:
  std::optional<Stop> agreeOnEnd(std::optional<Stop> stop);
  std::optional<Stop> load();
  std::optional<Stop> prepare();
  std::optional<Stop> enter(const EntrySequence::Entry &entry);
  Slots slotsToFill() const;
  std::optional<Stop> startJob();
  std::optional<Stop> setArgument(size_t number, const StoredTensor &tensor);
  std::optional<Stop> runSteps();
  std::optional<Stop> runStep(EntrySequence::Entry &entry);
  void printStep(const EntrySequence::Entry &entry, const StepTime &time);
  void printSummary() const;
  std::optional<Stop> writeResults();
  std::optional<Stop> compareResults();
  std::optional<Stop> writeReports();

  /// The global tensor of a result of the entry point that the job is in.
  Fallible<HostTensor> result(size_t index);

  Options options;
  Program program{nullptr, &tessera_program_destroy};
  Job job{nullptr, &tessera_job_destroy};
  /// Whether this process, of those that run the job, prints and writes.
  bool leads = true;
  /// Of `program`, once it is loaded.
  std::optional<EntrySequence> sequence;
  /// The slots of the entry point that the job is in.
  const Slots *slots = nullptr;
  Inputs inputs;
  /// Null where the run is one of this machine.
  std::unique_ptr<DescribedMachine> machine;
  /// Null without `--checkpoint`.
  std::unique_ptr<Checkpointing> checkpoints;
  /// Runs that a checkpoint has spared.
  size_t spared = 0;
  /// Of all steps, and by name of the entry point.
  std::vector<StepTime> times;
  std::map<std::string, std::vector<double>> durations;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_SESSION_H
