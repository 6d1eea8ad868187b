//===- StageCosts.h - What the tasks of each stage cost -------------------===//
//
// Seconds and bytes, or any other units as long as they are the same everywhere
// (the published figures use tasks of time 1 and activations of size 1).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_STAGECOSTS_H
#define TESSERA_STAGES_STAGECOSTS_H

#include "tessera/Stages/StageSchedule.h"

#include <optional>
#include <vector>

namespace tessera {

/// One part of a stage's weight gradient, for one microbatch.
struct WeightPart {
  /// Seconds.
  double seconds = 0;
  /// Bytes that it makes for later parts, ...
  double makes = 0;
  /// ... and bytes of what no later part needs any more, of that and of the
  /// stage's `weightInput`.
  double releases = 0;
};

/// What a rank holds more from the begin of a task on, and less from its end on
/// (negative if it holds more), in bytes.
struct TaskMemory {
  double takes = 0;
  double releases = 0;
};

/// The costs of one stage's tasks, each for one microbatch.
struct StageCost {
  /// Seconds.
  double forward = 1;
  double inputGradient = 1;
  double weightGradient = 1;
  /// Seconds of both gradients as one task; their sum if not given.
  std::optional<double> backward;
  /// Seconds of one part of the output layer, where it is spread over the
  /// ranks.
  double vocabularyForward = 0;
  double vocabularyBackward = 0;
  /// Bytes that a microbatch holds of that part from the start of S to the end
  /// of T.
  double vocabularyActivation = 0;
  /// Bytes that a microbatch holds from the start of its forward task to the
  /// end of its input gradient (or of B).
  double activation = 1;
  /// Bytes that it holds from there to the end of its weight gradient: what of
  /// the activation, and of cotangents, that needs.
  double weightInput = 1;
  /// Bytes that a rank holds all the time for having this stage: parameters,
  /// their gradients, the optimizer's state.
  double parameters = 0;
  /// What the weight gradient can be taken apart into, in order; empty if it
  /// cannot. All of it at once takes `weightGradient`.
  std::vector<WeightPart> weightParts = {};

  /// Seconds of `task`, which is of this stage.
  double seconds(const StageTask &task) const;
  /// What `task`, which is of this stage, does to the memory of its rank.
  TaskMemory memory(const StageTask &task) const;
};

/// Seconds that a microbatch takes between a stage and its successor on another
/// rank, beside the computation of both: latency + bytes / bandwidth.
struct BoundaryCost {
  double forward = 0;
  double backward = 0;
};

struct StageCosts {
  /// One entry per stage.
  std::vector<StageCost> stages;
  /// Entry s lies between the stages s and s + 1; one less than stages.
  std::vector<BoundaryCost> boundaries;
  /// Seconds of one meeting of the ranks over the output layer, and of handing
  /// them the last stage's result.
  double vocabularyMeeting = 0;
  /// What a forward and a backward task take side by side, as a part of what
  /// they take one after the other (StageTask::besideNext); their results are
  /// there when both end. If not given, they run one after the other.
  std::optional<double> overlap = {};

  /// All stages alike, and all boundaries.
  static StageCosts uniform(int32_t stages, const StageCost &cost = {},
                            const BoundaryCost &boundary = {});

  /// Seconds of `task`.
  double seconds(const StageTask &task) const {
    return stages[task.stage].seconds(task);
  }
  TaskMemory memory(const StageTask &task) const {
    return stages[task.stage].memory(task);
  }

  /// Gives stages whose weight gradients `schedule` takes apart, and whose
  /// parts are not known, as many equal ones. Requires costs for all its
  /// stages.
  void addEqualParts(const StageSchedule &schedule);
  /// Where `schedule` takes weight gradients apart into more parts than there
  /// are, adds empty ones; a weight gradient that cannot be taken apart is the
  /// first. Requires costs for all its stages.
  void addEmptyParts(const StageSchedule &schedule);

  /// Why this cannot be the costs of `stages` stages (wrong length, a cost that
  /// is negative or not finite), or an empty string.
  std::string verify(int32_t stages) const;
};

} // namespace tessera

#endif // TESSERA_STAGES_STAGECOSTS_H
