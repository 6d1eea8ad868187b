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
/// bytes; a collective what it takes on the links of its groups of devices
/// (GroupLinks.h), the slowest of them where they differ. Those that are
/// started run one after another beside what follows, and only what is left of
/// one where it is awaited delays the rank. A message is under way for latency
/// plus bytes over bandwidth of the links between the two pipeline ranks while
/// its sender goes on. All that a device sends over links of one level goes one
/// after the other. A loop is played through twice, and takes as long as the
/// second time whenever else it runs; of a branch the costlier side counts.
///
/// Fails where ranks wait for each other in a circle or for nothing.
Fallible<Chart> predictProgram(const ProgramWork &work, const Cluster &cluster);

/// The same on the machine that the program was compiled for, or on the
/// built-in one if none was described: what `--report` and `tessera-sim` say
/// without a machine of their own. Has a limit of memory where a machine is
/// described.
Fallible<Chart> predictAsCompiled(const ProgramWork &work);

/// The same for the program at `path`, on the machine of the description at
/// `clusterPath`; where that is empty, on the machine that the program was
/// compiled for, or the built-in one if none was described. The failure is one
/// line and begins with `path: error: ` or `clusterPath:line:column: error: `.
Fallible<Chart> predictProgramFile(const std::string &path,
                                   const std::string &clusterPath);

} // namespace tessera

#endif // TESSERA_SIMULATOR_PROGRAMPREDICTION_H
