//===- TaskTimes.h - What tasks cost, as given on a command line ----------===//
#ifndef TESSERA_SIMULATOR_TASKTIMES_H
#define TESSERA_SIMULATOR_TASKTIMES_H

#include "tessera/Support/Fallible.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace tessera {

/// The most that a time or an amount of memory may be: sums of as many of them
/// as there can be tasks stay finite.
constexpr double kLargestNumber = 1e12;

/// Milliseconds that a rank needs for one microbatch, with all its chunks: a
/// task of one of v chunks takes the v-th part.
struct TaskTimes {
  double forward = 1;
  /// Of the input gradient alone; a task that computes both gradients takes
  /// inputGradient + weightGradient.
  double inputGradient = 1;
  double weightGradient = 1;
  /// What the weight gradient can be taken apart into, in order; its times add
  /// up to all of it. Empty if it cannot.
  std::vector<double> weightParts;
  /// The passes of an output layer that all ranks share.
  double vocabularyForward = 0, vocabularyBackward = 0;
  /// From the end of a task until another rank has its result.
  double transfer = 0;
  /// Of a forward task and both gradients of another microbatch side by side;
  /// if not given, they run one after the other.
  std::optional<double> pair;
  /// The part of an activation that the weight gradient needs, from 0 to 1.
  double weightInput = 1;
};

/// Reads `F=18.5,B=18.1,W=9.3,transfer=0.6`. F, B (the input gradient, or I)
/// and W are needed, S, T and transfer are 0 by default. `W=4:3:2.3` is a
/// weight gradient of three parts, `FB=40` what a pair takes, no more than
/// F + B + W. The failure names what is wrong.
Fallible<TaskTimes> parseTaskTimes(llvm::StringRef text);

/// Reads `1,1,1.5`: for each stage, from the first to the last, the factor for
/// the time and the activations of its tasks.
Fallible<std::vector<double>> parseStageScales(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_SIMULATOR_TASKTIMES_H
