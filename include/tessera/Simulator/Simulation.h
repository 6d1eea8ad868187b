//===- Simulation.h - A schedule by itself, played through ----------------===//
#ifndef TESSERA_SIMULATOR_SIMULATION_H
#define TESSERA_SIMULATOR_SIMULATION_H

#include "tessera/Simulator/Chart.h"
#include "tessera/Simulator/TaskTimes.h"
#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Stages/Search/ScheduleSearch.h"

#include <optional>

namespace tessera {

/// What a user asks to be played through.
struct SimulationRequest {
  /// The name of a published schedule, `auto`, or a CSV file.
  std::string schedule;
  /// Pipeline ranks and microbatches; for a CSV file 0, or what it must have.
  int64_t ranks = 0, microbatches = 0;
  /// Stages per rank; 0 for the schedule's own.
  int64_t chunks = 0;
  TaskTimes times;
  /// Factors for each stage, or none.
  std::vector<double> stageScales;
  /// What each stage costs; takes the place of `times` and `stageScales`.
  std::optional<StageCosts> stageCosts;
  /// In activations of one microbatch on one rank, or the unit of `stageCosts`.
  std::optional<double> memoryLimit;
  /// For `auto`: whether a stage may have a copy on two ranks, each of which
  /// holds its parameters, and what is made least.
  bool mayCopyStages = true;
  ScheduleFigure minimizes = ScheduleFigure::Step;
};

/// What a searched schedule is measured against.
struct SearchComparison {
  /// What was made least, in milliseconds: of the best published schedule
  /// within the same limit (its name empty if none is), and what no schedule is
  /// below.
  ScheduleFigure figure = ScheduleFigure::Step;
  std::string published;
  double publishedTime = 0, bound = 0;
};

/// A schedule with what it costs and when it does what. Milliseconds, and
/// activations of one microbatch on one rank.
struct Simulation {
  StageSchedule schedule;
  StageCosts costs;
  Timeline timeline;
  /// For `auto`.
  std::optional<SearchComparison> comparison;
};

/// Makes or reads the schedule, checks it and plays it through. The failure is
/// one line, and for a file begins with `file:line:column: error: `.
Fallible<Simulation> simulate(const SimulationRequest &request);

/// `timeline` of `schedule` to look at, with an arrow for each value that goes
/// from one rank to another. `memoryUnit` says what its bytes count.
Chart chartOf(const StageSchedule &schedule, const Timeline &timeline,
              std::string memoryUnit);

} // namespace tessera

#endif // TESSERA_SIMULATOR_SIMULATION_H
