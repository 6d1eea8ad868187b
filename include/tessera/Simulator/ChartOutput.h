//===- ChartOutput.h - The files that a chart is written to ---------------===//
#ifndef TESSERA_SIMULATOR_CHARTOUTPUT_H
#define TESSERA_SIMULATOR_CHARTOUTPUT_H

#include "tessera/Simulator/Chart.h"
#include "tessera/Support/Fallible.h"

namespace tessera {

/// Which files to write; empty names for none.
struct ChartFiles {
  std::string svg, html, trace;
};

/// Writes `chart` to each of `files`.
Fallible<void> writeChart(const Chart &chart, const ChartFiles &files);

} // namespace tessera

#endif // TESSERA_SIMULATOR_CHARTOUTPUT_H
