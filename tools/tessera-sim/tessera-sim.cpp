//===- tessera-sim.cpp - Plays schedules through --------------------------===//

#include "Options.h"

#include "tessera/Simulator/ChartSummary.h"
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

/// The figures of `chart` with those of the schedule that it shows, as JSON.
static llvm::json::Value toJSON(const Simulation &simulation,
                                const Chart &chart) {
  llvm::json::Object object = summaryToJSON(chart);
  const StageSchedule &schedule = simulation.schedule;
  object["schedule"] = schedule.name;
  object["stages"] = int64_t(schedule.ranks.size());
  object["chunks"] = schedule.stages / int64_t(schedule.ranks.size());
  object["microbatches"] = schedule.microbatches;
  return object;
}

static Fallible<void> run(const Options &options) {
  if (options.list) {
    printSchedules(options.json);
    return {};
  }
  Fallible<Simulation> simulation = simulate(options.request);
  if (!simulation)
    return simulation.failure();
  Chart chart =
      chartOf(simulation->schedule, simulation->timeline, "activations");
  if (Fallible<void> done = writeChart(chart, options.files); !done)
    return done;
  if (!options.csv.empty())
    if (Fallible<void> done =
            writeTextFile(options.csv,
                          [&](llvm::raw_ostream &os) {
                            os << writeScheduleCsv(simulation->schedule);
                          });
        !done)
      return done;
  if (options.json)
    llvm::outs() << llvm::formatv("{0:2}\n", toJSON(*simulation, chart));
  else
    printSummary(chart, llvm::outs());
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
