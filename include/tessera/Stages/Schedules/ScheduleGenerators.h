//===- ScheduleGenerators.h - The published schedules, by name ------------===//
#ifndef TESSERA_STAGES_SCHEDULES_SCHEDULEGENERATORS_H
#define TESSERA_STAGES_SCHEDULES_SCHEDULEGENERATORS_H

#include "tessera/Stages/StageCosts.h"
#include "tessera/Support/Fallible.h"

#include <limits>
#include <string_view>

namespace tessera {

/// Which ranks hold a stage; p ranks, v stages a rank.
enum class StagePlacement : uint8_t {
  /// Stage s on rank s mod p; for v = 1 one stage after the other.
  Looped,
  /// There and back, v = 2: stage s < p on rank s, then on rank 2p - 1 - s.
  VShaped,
  /// Two copies in opposite directions: also on rank p - 1 - (its rank).
  TwoWayLooped,
  TwoWayVShaped,
};

/// The ranks that hold `stage` under `placement`: the rank of the copy that
/// runs in the direction of the ranks, then that of the other copy, if any.
std::vector<int32_t> ranksOfStage(StagePlacement placement, int32_t ranks,
                                  int32_t stage);

/// What is asked of a schedule.
struct ScheduleRequest {
  /// Pipeline ranks.
  int32_t ranks = 1;
  int32_t microbatches = 1;
  /// Stages per rank; 0 for the schedule's own default. The number of stages is
  /// `ranks` x `chunks`, also where each stage has two copies.
  int32_t chunks = 0;
  /// What the stages cost, for schedules that look at it; all tasks alike if
  /// there is none.
  std::optional<StageCosts> costs = std::nullopt;
  /// The most bytes of activations on a rank, in the units of `costs`, for
  /// schedules that trade memory for time. Others may exceed it.
  double memoryLimit = std::numeric_limits<double>::infinity();
};

/// A schedule that makeSchedule knows.
struct PublishedSchedule {
  std::string_view name;
  /// One line: what it does, and the paper.
  std::string_view description;
  /// One line: which ranks, microbatches and chunks it takes; empty if all.
  std::string_view requirement;
  StagePlacement placement = StagePlacement::Looped;
  int32_t defaultChunks = 1;
  /// Whether backward tasks are split in I and W.
  bool splitsBackward = false;
  /// Whether it looks at the costs.
  bool usesCosts = false;
  /// Whether the numbers in a request, its chunks settled, are among those it
  /// takes.
  bool (*accepts)(const ScheduleRequest &request) = nullptr;
  /// The schedule itself, for a request that is accepted, its chunks settled.
  StageSchedule (*generate)(const ScheduleRequest &request) = nullptr;
  /// Whether all ranks have a part of the output layer: tasks S and T.
  bool spreadsVocabulary = false;

  /// Whether each stage has a copy on two ranks.
  bool isTwoWay() const {
    return placement == StagePlacement::TwoWayLooped ||
           placement == StagePlacement::TwoWayVShaped;
  }
};

/// All of them, in the order of documentation.
const std::vector<PublishedSchedule> &listSchedules();

/// The one with this name, or null.
const PublishedSchedule *findSchedule(std::string_view name);

/// Fails as `makeSchedule` does for `name` and `request`, but makes nothing.
Fallible<void> checkRequest(std::string_view name,
                            const ScheduleRequest &request);

/// Makes the schedule `name`. Fails with a message that names the known
/// schedules if there is none of this name, and with one that names the nearest
/// request it takes if it does not take this one.
Fallible<StageSchedule> makeSchedule(std::string_view name,
                                     const ScheduleRequest &request);

} // namespace tessera

#endif // TESSERA_STAGES_SCHEDULES_SCHEDULEGENERATORS_H
