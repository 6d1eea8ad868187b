//===- ProgramPrediction.h - A compiled program, played through -----------===//
#ifndef TESSERA_SIMULATOR_PROGRAMPREDICTION_H
#define TESSERA_SIMULATOR_PROGRAMPREDICTION_H

#include "tessera/Cluster/Cluster.h"
#include "tessera/Simulator/Chart.h"
#include "tessera/Simulator/ProgramWork.h"

namespace tessera {

/// Plays `work` through on `cluster`. All devices of a pipeline rank do the
/// same at the same time, so there is one track per rank. With stages its
/// slices are the tasks (and what is done once in a step), without them the
/// kernels, collectives and loops. Memory is that of arguments, results and of
/// the values that are alive.
///
/// A kernel takes the longer of two times, for its arithmetic and for its
/// bytes; a collective what it takes on the slowest links along its axes. Those
/// that are started run one after another beside what follows, and only what is
/// left of one where it is awaited delays the rank. A
/// message is under way for latency plus bytes over bandwidth of the links
/// between the two pipeline ranks (`linksBetweenRanks`) while its sender goes
/// on, behind what the sender has sent before over links of that level.
///
/// Fails where ranks wait for each other in a circle or for nothing.
Fallible<Chart> predictProgram(const ProgramWork &work, const Cluster &cluster);

/// The same for the program at `path`. The failure is one line and begins with
/// the path.
Fallible<Chart> predictProgramFile(const std::string &path,
                                   const Cluster &cluster);

/// Reads the description of a machine, or gives the built-in one for an empty
/// path. The failure begins with `file:line:column: error: `.
Fallible<Cluster> readClusterFile(const std::string &path);

} // namespace tessera

#endif // TESSERA_SIMULATOR_PROGRAMPREDICTION_H
