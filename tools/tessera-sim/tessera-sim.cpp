//===- tessera-sim.cpp - Plays schedules through --------------------------===//

#include "Options.h"
#include "Results.h"

#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ProgramPrediction.h"
#include "tessera/Stages/ScheduleCsv.h"
#include "tessera/Support/FileStream.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::sim;

/// The exit status after a diagnostic.
static constexpr int kWrongRequest = 1;

/// Messages about a place in a file name it, and that they are errors.
static int reject(llvm::StringRef message) {
  if (!message.contains(": error: "))
    llvm::errs() << "tessera-sim: error: ";
  llvm::errs() << message << '\n';
  return kWrongRequest;
}

/// Writes the files that are asked for, and prints the figures of `chart`, in
/// JSON with the entries of `more`.
static Fallible<void> show(const Options &options, const Chart &chart,
                           llvm::json::Object more) {
  if (Fallible<void> done = writeChart(chart, options.files); !done)
    return done;
  if (!options.json) {
    printSummary(chart, llvm::outs());
    return {};
  }
  for (auto &[key, value] : summaryToJSON(chart))
    more[key] = std::move(value);
  llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(more)));
  return {};
}

static Fallible<void> runSchedule(const Options &options) {
  Fallible<Simulation> simulation = simulate(options.request);
  if (!simulation)
    return simulation.failure();
  const StageSchedule &schedule = simulation->schedule;
  auto printCsv = [&](llvm::raw_ostream &os) {
    os << writeScheduleCsv(schedule);
  };
  if (!options.csv.empty())
    if (Fallible<void> done = printToFile(options.csv, printCsv); !done)
      return done;
  Chart chart = chartOf(schedule, simulation->timeline, "activations");
  if (Fallible<void> done = show(options, chart, scheduleToJSON(*simulation));
      !done)
    return done;
  if (auto &comparison = simulation->comparison; comparison && !options.json)
    printComparison(*comparison, comparison->figure == ScheduleFigure::Step
                                     ? chart.makespan()
                                     : simulation->timeline.longestStage());
  return {};
}

static Fallible<void> runProgram(const Options &options) {
  Fallible<Chart> chart = predictProgramFile(options.program, options.cluster);
  if (!chart)
    return chart.failure();
  return show(options, *chart,
              llvm::json::Object{{"program", options.program}});
}

static Fallible<void> run(const Options &options) {
  if (!options.list)
    return options.program.empty() ? runSchedule(options) : runProgram(options);
  printSchedules(options.json);
  return {};
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  watchStandardStreams("tessera-sim");
  Fallible<Options> options = parseOptions(argc, argv);
  if (!options)
    return reject(options.message());
  if (Fallible<void> done = run(*options); !done)
    return reject(done.message());
  return 0;
}
