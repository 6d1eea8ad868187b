//===- tessera-sim.cpp - Plays schedules through --------------------------===//

#include "Options.h"

#include "tessera/Simulator/ChartSummary.h"
#include "tessera/Simulator/ProgramPrediction.h"
#include "tessera/Stages/ScheduleCsv.h"
#include "tessera/Stages/ScheduleGenerators.h"

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

/// Prints the published schedules as a table, or as a JSON array of `name`,
/// `description`, `requirement`, `chunks`.
static void printSchedules(bool asJSON) {
  llvm::json::Array entries;
  for (const PublishedSchedule &published : listSchedules()) {
    entries.push_back(llvm::json::Object{
        {"name", llvm::StringRef(published.name)},
        {"description", llvm::StringRef(published.description)},
        {"requirement", llvm::StringRef(published.requirement)},
        {"chunks", published.defaultChunks}});
    if (asJSON)
      continue;
    llvm::outs() << llvm::formatv("{0,-20} {1}\n", published.name,
                                  published.description);
    if (!published.requirement.empty())
      llvm::outs() << llvm::formatv("{0,-20}   takes {1}\n", "",
                                    published.requirement);
  }
  if (asJSON)
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(std::move(entries)));
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
    if (Fallible<void> done = writeTextFile(options.csv, printCsv); !done)
      return done;
  int64_t ranks = schedule.ranks.size();
  return show(options, chartOf(schedule, simulation->timeline, "activations"),
              llvm::json::Object{{"schedule", schedule.name},
                                 {"stages", ranks},
                                 {"chunks", schedule.stages / ranks},
                                 {"microbatches", schedule.microbatches}});
}

static Fallible<void> runProgram(const Options &options) {
  Fallible<Cluster> cluster = readClusterFile(options.cluster);
  if (!cluster)
    return cluster.failure();
  Fallible<Chart> chart = predictProgramFile(options.program, *cluster);
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
  Fallible<Options> options = parseOptions(argc, argv);
  if (!options)
    return reject(options.message());
  if (Fallible<void> done = run(*options); !done)
    return reject(done.message());
  return 0;
}
