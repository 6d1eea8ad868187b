//===- SimulationSteps.h - What all simulations do ------------------------===//
#ifndef TESSERA_SIMULATOR_SIMULATIONSTEPS_H
#define TESSERA_SIMULATOR_SIMULATIONSTEPS_H

#include "tessera/Simulator/Simulation.h"

namespace tessera {

/// Fails if the numbers of a request, for so many chunks, make no sense
/// whatever the schedule.
Fallible<void> checkNumbers(const SimulationRequest &request, int64_t chunks);

/// The costs of `stages` stages that `ranks` ranks share: evenly, but for the
/// request's scales, or as its file of times has them. Fails if these are of
/// another number of stages.
Fallible<StageCosts> costsFor(const SimulationRequest &request, int64_t ranks,
                              int64_t stages);

/// A limit for sums of many parts of an activation, which may differ in the
/// last digits.
inline double withTolerance(double limit) { return limit * (1 + 1e-9); }

/// Plays the schedule of `simulation` through, the costs of which are set.
Fallible<Simulation> replayed(Simulation simulation);

/// The best schedule that a search finds.
Fallible<Simulation> simulateSearched(const SimulationRequest &request);

} // namespace tessera

#endif // TESSERA_SIMULATOR_SIMULATIONSTEPS_H
