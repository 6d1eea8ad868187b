//===- Session.h - One run of tessera-run, from loading to the report -----===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_SESSION_H
#define TESSERA_TOOLS_TESSERA_RUN_SESSION_H

#include "DescribedMachine.h"
#include "Inputs.h"
#include "Timeline.h"

#include <memory>

namespace tessera::run {

/// Why the run ended early, with the exit status.
struct Stop {
  int status;
  std::string message;
};

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
  std::optional<Stop> runSteps();
  void printStep(int64_t step, const StepTime &time);
  void printSummary() const;
  std::optional<Stop> writeResults();
  std::optional<Stop> compareResults();
  std::optional<Stop> writeReports();

  /// The global tensor of a result after the last step.
  Fallible<HostTensor> result(size_t index);

  Options options;
  Program program{nullptr, &tessera_program_destroy};
  Job job{nullptr, &tessera_job_destroy};
  /// Whether this process, of those that run the job, prints and writes.
  bool leads = true;
  Slots slots;
  Inputs inputs;
  /// Null where the run is one of this machine.
  std::unique_ptr<DescribedMachine> machine;
  std::vector<StepTime> times;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_SESSION_H
