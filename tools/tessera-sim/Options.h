//===- Options.h - The command line of tessera-sim ------------------------===//
#ifndef TESSERA_TOOLS_TESSERA_SIM_OPTIONS_H
#define TESSERA_TOOLS_TESSERA_SIM_OPTIONS_H

#include "tessera/Simulator/ChartOutput.h"
#include "tessera/Simulator/Simulation.h"

namespace tessera::sim {

/// What the command line asks for.
struct Options {
  bool list = false, json = false;
  /// A compiled program, and the description of the machine it runs on; empty
  /// for a schedule by itself, and for the machine it was compiled for.
  std::string program, cluster;
  SimulationRequest request;
  ChartFiles files;
  /// Where to write the schedule as CSV; empty for nowhere.
  std::string csv;
};

/// Reads the command line; answers --help and --version itself. The failure
/// names the flag.
Fallible<Options> parseOptions(int argc, char **argv);

} // namespace tessera::sim

#endif // TESSERA_TOOLS_TESSERA_SIM_OPTIONS_H
