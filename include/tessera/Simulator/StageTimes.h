//===- StageTimes.h - What the tasks of each stage cost, from a file ------===//
#ifndef TESSERA_SIMULATOR_STAGETIMES_H
#define TESSERA_SIMULATOR_STAGETIMES_H

#include "tessera/Stages/StageCosts.h"
#include "tessera/Support/Fallible.h"

#include "llvm/ADT/StringRef.h"

namespace tessera {

/// Whether what a user says of times is a file, and no list of them: it ends in
/// `.csv`.
bool isTimesFile(llvm::StringRef times);

/// Reads a table of comma-separated values: a row of column names, then a row
/// per stage, from the first to the last. Times are of one task of the stage,
/// in milliseconds where they have no unit.
///
///   F, B, W      forward task, input gradient (or I), weight gradient; needed
///   B+W          both gradients as one task, if that is not their sum
///   S, T         of the stage's part of an output layer that ranks share; 0
///   transfer     to the next stage and back, each; 0
///   activations  what a microbatch holds from F to B; 1
///   kept         the part of that which W needs; all of it
///   parameters   what a rank holds for the stage all the time; 0
///
/// The last three have one unit of the user's choice. The failure begins with
/// `path:line:column: error: `, or with the path if it cannot be read.
Fallible<StageCosts> readStageTimes(const std::string &path);

} // namespace tessera

#endif // TESSERA_SIMULATOR_STAGETIMES_H
