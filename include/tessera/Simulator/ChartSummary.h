//===- ChartSummary.h - A chart in figures --------------------------------===//
#ifndef TESSERA_SIMULATOR_CHARTSUMMARY_H
#define TESSERA_SIMULATOR_CHARTSUMMARY_H

#include "tessera/Simulator/Chart.h"

#include "llvm/Support/JSON.h"

namespace tessera {

/// How long a chart takes and how much of that is waiting. Two notions of
/// length are in use: from the begin of the first to the end of the last task
/// of all ranks, and the longest time from the first to the last task of one
/// rank. The second one leaves out that ranks start one after another, which
/// does not count where they end, and begin the next step, in the same order
/// (Zero Bubble reports it).
struct ChartFigures {
  /// Milliseconds.
  double makespan = 0, longestStage = 0;
  /// The mean over the ranks.
  double busy = 0;
  /// Of the rank that holds most.
  double peakMemory = 0;
  unsigned peakRank = 0;

  explicit ChartFigures(const Chart &chart);

  /// The share of `makespan` and of `longestStage` that a rank waits, in the
  /// mean; between 0 and 1.
  double bubble() const { return shareIdle(makespan); }
  double longestStageBubble() const { return shareIdle(longestStage); }

private:
  double shareIdle(double length) const {
    return length > 0 ? 1 - busy / length : 0;
  }
};

/// Prints the figures, and those of every rank, as a table.
void printSummary(const Chart &chart, llvm::raw_ostream &os);

/// `makespan`, `longest_stage` (ms), `bubble`, `longest_stage_bubble` (shares),
/// `machine` where there is one, `peak_memory`, `memory_unit`, `parts` (ms by
/// name), and per rank `name`, `busy`, `start`, `end` (ms), `peak_memory`.
llvm::json::Object summaryToJSON(const Chart &chart);

} // namespace tessera

#endif // TESSERA_SIMULATOR_CHARTSUMMARY_H
