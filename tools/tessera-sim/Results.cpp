//===- Results.cpp - What tessera-sim prints beside the figures -----------===//

#include "Results.h"

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

void sim::printSchedules(bool asJSON) {
  llvm::json::Array entries;
  for (const PublishedSchedule &published : listSchedules()) {
    entries.push_back(llvm::json::Object{
        {"name", llvm::StringRef(published.name)},
        {"description", llvm::StringRef(published.description)},
        {"requirement", llvm::StringRef(published.requirement)},
        {"chunks", published.defaultChunks},
        {"copies", published.isTwoWay() ? 2 : 1}});
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

/// The key under which summaryToJSON has a figure.
static llvm::StringRef keyOf(ScheduleFigure figure) {
  return figure == ScheduleFigure::Step ? "makespan" : "longest_stage";
}

llvm::json::Object sim::scheduleToJSON(const Simulation &simulation) {
  const StageSchedule &schedule = simulation.schedule;
  int64_t ranks = schedule.ranks.size();
  llvm::json::Object object{{"schedule", schedule.name},
                            {"stages", ranks},
                            {"chunks", schedule.stages / ranks},
                            {"microbatches", schedule.microbatches}};
  if (auto &comparison = simulation.comparison) {
    object["bound"] = comparison->bound;
    if (!comparison->published.empty())
      object["published"] = llvm::json::Object{
          {"schedule", comparison->published},
          {keyOf(comparison->figure), comparison->publishedTime}};
  }
  return object;
}

void sim::printComparison(const SearchComparison &comparison, double found) {
  if (comparison.published.empty())
    llvm::outs() << "no published schedule keeps the memory limit\n";
  else
    llvm::outs() << llvm::formatv(
        "best published {0,12:f3} ms   {1}, {2:f2} % longer\n",
        comparison.publishedTime, comparison.published,
        100 * (comparison.publishedTime / found - 1));
  llvm::outs() << llvm::formatv("at least       {0,12:f3} ms   any schedule\n",
                                comparison.bound);
}
