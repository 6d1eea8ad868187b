//===- Results.h - What tessera-sim prints beside the figures -------------===//
#ifndef TESSERA_TOOLS_TESSERA_SIM_RESULTS_H
#define TESSERA_TOOLS_TESSERA_SIM_RESULTS_H

#include "tessera/Simulator/Simulation.h"

#include "llvm/Support/JSON.h"

namespace tessera::sim {

/// Prints the published schedules as a table, or as a JSON array of `name`,
/// `description`, `requirement`, `chunks` (stages on a rank), `copies` (ranks
/// of a stage).
void printSchedules(bool asJSON);

/// `schedule`, `stages` (ranks), `chunks`, `microbatches`; of a searched
/// schedule also `bound` and, if there is one, `published` (`schedule`,
/// `makespan`).
llvm::json::Object scheduleToJSON(const Simulation &simulation);

/// Says what a searched schedule of `makespan` milliseconds is better than.
void printComparison(const SearchComparison &comparison, double makespan);

} // namespace tessera::sim

#endif // TESSERA_TOOLS_TESSERA_SIM_RESULTS_H
